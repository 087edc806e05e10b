#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes photos of cards with an AAMVA PDF417 symbol, and says what is in them.

Usage: specimen_barcodes.py DIRECTORY [--each N] [--seed N] [--only CONDITION]
                            [--born YYYY-MM-DD] [--expires YYYY]
                            [--issuer VA|MD|TX|test]

Writes DIRECTORY/<condition>-<number>.jpg and manifest.jsonl, one line a photo:
{"file", "condition", "number", "surname", "date_of_birth"}. The persons are
artificial, the symbols are zint's (an encoder independent of the reader), the
photos are distorted as the condition says. The same seed gives the same files.
The issuer `test` is AAMVA's 000000, which nobody is; the others are drawn.
"""
import argparse
import io
import json
import os
import random
import subprocess

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

# module: pixels a module in the photo; turn: up to so many degrees;
# tilt: corners move by so much of the card's width; blur, noise: pixels, levels
CONDITIONS = {
    "straight": dict(module=4, turn=0, tilt=0, blur=0.5, noise=2, quality=90),
    "small": dict(module=2.5, turn=0, tilt=0.01, blur=0.6, noise=4, quality=80),
    "smaller": dict(module=2, turn=0, tilt=0.01, blur=0.6, noise=4, quality=80),
    "smallest": dict(module=1.6, turn=0, tilt=0.01, blur=0.5, noise=4,
                     quality=80),
    "turned": dict(module=3, turn=15, tilt=0.01, blur=0.6, noise=4, quality=80),
    "any-turn": dict(module=3, turn=180, tilt=0.01, blur=0.6, noise=4,
                     quality=80),
    "tilted": dict(module=3, turn=10, tilt=0.05, blur=0.6, noise=4, quality=80),
    "blurred": dict(module=3, turn=5, tilt=0.01, blur=1.5, noise=4, quality=80),
    "noisy": dict(module=3, turn=5, tilt=0.01, blur=0.6, noise=15, quality=40),
}
CANVAS = (1440, 1080)
ISSUERS = (("636000", "VA"), ("636003", "MD"), ("636015", "TX"))
TEST_ISSUER = ("000000", "ZZ")
GIVEN_NAMES = ("SPECIMEN", "ERIKA", "TESTCASE", "MUSTER")
SURNAMES = ("SPECIMEN", "MUSTERMANN", "SAMPLE-CARD", "TESTPERSON")


def licence(rng, born=None, expires=2032, issuer=None, surname=None,
            given=None):
    """The payload of one licence and what a reader must find in it."""
    drawn = rng.choice(ISSUERS)
    if issuer:
        drawn = dict((region, (number, region)) for number, region in
                     ISSUERS).get(issuer, TEST_ISSUER)
    issuer, region = drawn
    number = "T" + "".join(rng.choice("0123456789") for _ in range(8))
    if region == "TX":  # eight digits; the others leave it open
        number = number[1:]
    surname = surname or rng.choice(SURNAMES)
    year, month, day = rng.randint(1940, 2000), rng.randint(1, 12), \
        rng.randint(1, 28)
    if born:
        year, month, day = map(int, born.split("-"))
    elements = [
        "DAQ" + number, "DCS" + surname, "DDEN",
        "DAC" + (given or rng.choice(GIVEN_NAMES)), "DDFN", "DADNONE", "DDGN", "DCAD",
        "DCBK", "DCDPH", "DBD0606%d" % (expires - 8),
        "DBB%02d%02d%d" % (month, day, year),
        "DBA%02d%02d%d" % (month, day, expires), "DBC%d" % rng.randint(1, 2),
        "DAU068 in", "DAYBRO", "DAG1 SPECIMEN STREET", "DAITESTVILLE",
        "DAJ" + region, "DAK%05d0000  " % rng.randint(10000, 99999),
        "DCF" + "".join(rng.choice("0123456789") for _ in range(22)),
        "DCGUSA", "DCK%09d" % rng.randint(0, 999999999), "DDAF",
        "DDB06062018", "DDD0", "DAW180", "DAZBRO",
    ]
    subfile = "DL" + "\n".join(elements) + "\r"
    header = "@\n\x1e\rANSI %s1000%s" % (issuer, "01")
    offset = len(header) + 10
    payload = header + "DL%04d%04d" % (offset, len(subfile)) + subfile
    return payload.encode("ascii"), {
        "number": number, "surname": surname,
        "date_of_birth": "%04d-%02d-%02d" % (year, month, day)}


def symbol(payload, rng, directory):
    """The symbol as a gray image with four pixels a module."""
    data = os.path.join(directory, "payload.tmp")
    image = os.path.join(directory, "symbol.tmp.png")
    with open(data, "wb") as file:
        file.write(payload)
    subprocess.run(
        ["zint", "--barcode=PDF417", "--binary", "--quietzones", "--scale=2",
         "--cols=%d" % rng.randint(10, 16), "--secure=%d" % rng.randint(3, 5),
         "--input=" + data, "--output=" + image],
        check=True, capture_output=True)
    with Image.open(image) as opened:
        result = opened.convert("L")
    os.remove(data)
    os.remove(image)
    return result


def card(code):
    """The back of a card: the symbol above some print."""
    width = int(code.width * 1.14)
    height = max(int(width * 0.63), int(code.height * 1.6))
    y, x = np.mgrid[:height, :width]
    ground = 215 + 8 * np.sin(x / 17 + 4 * np.sin(y / 60))
    left, top = (width - code.width) // 2, int(height * 0.12)
    ground[top:top + code.height, left:left + code.width] = \
        np.asarray(code) * 0.78 + 30
    image = Image.fromarray(ground.astype(np.uint8))
    draw = ImageDraw.Draw(image)
    line = top + code.height + height // 25
    while line < height * 0.95:
        draw.text((left, line), "RESTRICTIONS NONE  CLASS D  SPECIMEN " * 6,
                  fill=60)
        line += height // 25
    return image


def perspective(corners, width, height):
    """PIL's coefficients of the view in which a width x height image has its
    corners at the given points."""
    source = [(0, 0), (width, 0), (width, height), (0, height)]
    rows, values = [], []
    for (x, y), (u, v) in zip(corners, source):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y],
                 [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return np.linalg.solve(np.array(rows, float), np.array(values, float))


def photo(image, noise, condition):
    """The card as a bad photographer would take it, as JPEG."""
    scale = condition["module"] / 4
    angle = np.deg2rad(noise.uniform(-1, 1) * condition["turn"])
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)],
                             [np.sin(angle), np.cos(angle)]])
    half = np.array([image.width, image.height]) / 2
    corners = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half) @ turn.T
    corners += noise.uniform(-1, 1, (4, 2)) * \
        condition["tilt"] * image.width * scale
    size = np.maximum(CANVAS, (np.ptp(corners, 0) * 1.1).astype(int))
    corners += size / 2
    twice = tuple(int(side) * 2 for side in size)
    if scale < 0.5:  # what the sampling below would turn into moire
        image = image.filter(ImageFilter.GaussianBlur(0.175 / scale))
    view = perspective(corners * 2, image.width, image.height)
    mask = Image.new("L", image.size, 255).transform(
        twice, Image.Transform.PERSPECTIVE, view)
    taken = Image.new("L", twice, 70)
    taken.paste(image.transform(twice, Image.Transform.PERSPECTIVE, view,
                                Image.Resampling.BILINEAR), mask=mask)
    taken = taken.reduce(2).filter(ImageFilter.GaussianBlur(condition["blur"]))
    light = 1 + 0.25 * np.linspace(-1, 1, taken.width)[None]
    pixels = np.asarray(taken) * light * noise.uniform(0.7, 1.05)
    pixels = pixels + noise.standard_normal(pixels.shape) * condition["noise"]
    result = io.BytesIO()
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(
        result, "JPEG", quality=condition["quality"])
    return result.getvalue()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory")
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--only", choices=CONDITIONS)
    parser.add_argument("--born")
    parser.add_argument("--expires", type=int, default=2032)
    parser.add_argument("--issuer", choices=("VA", "MD", "TX", "test"))
    options = parser.parse_args()
    os.makedirs(options.directory, exist_ok=True)
    with open(os.path.join(options.directory, "manifest.jsonl"), "w",
              encoding="ascii") as manifest:
        for name, condition in CONDITIONS.items():
            if options.only not in (None, name):
                continue
            rng = random.Random("%d %s" % (options.seed, name))
            noise = np.random.default_rng(rng.getrandbits(32))
            for i in range(options.each):
                payload, label = licence(
                    rng, options.born, options.expires, options.issuer)
                code = symbol(payload, rng, options.directory)
                file = "%s-%03d.jpg" % (name, i)
                with open(os.path.join(options.directory, file), "wb") as out:
                    out.write(photo(card(code), noise, condition))
                label.update(file=file, condition=name)
                manifest.write(json.dumps(label, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
