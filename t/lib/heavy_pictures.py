#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes pictures that are work for a reader and hold nothing.

Usage: heavy_pictures.py DIRECTORY

noise.jpg    random pixels, 3.5 MB
bars.jpg     everywhere the beginning of a PDF417 symbol, nowhere a symbol
scans.jpg    a progressive JPEG that goes 495 times over 12 million pixels
usual.jpg    the same picture with the usual ten scans
"""
import io
import itertools
import random
import sys

from PIL import Image

START = [8, 1, 1, 1, 1, 1, 1, 3]  # widths of the bars of ISO/IEC 15438, 5.3.2
STOP = [7, 1, 1, 3, 1, 1, 1, 2, 1]


def jpeg(image, **options):
    out = io.BytesIO()
    image.save(out, "JPEG", **options)
    return out.getvalue()


def noise(rng):
    size = (2800, 2080)
    pixels = rng.randbytes(3 * size[0] * size[1])
    return jpeg(Image.frombytes("RGB", size, pixels), quality=75)


def codewords():
    """The widths of all: eight of 1 to 6, of 17 together (5.3.1)."""
    return [widths for widths in itertools.product(range(1, 7), repeat=8)
            if sum(widths) == 17]


def bars_of(widths, module):
    return b"".join(bytes([i % 2 * 255]) * (width * module)
                    for i, width in enumerate(widths))


def bars(rng, side=3400, module=2, height=2):
    """Rows of one codeword between the two guards, each row another."""
    space = b"\xff" * (10 * module)
    symbols = [bars_of((*START, *widths, *STOP), module) + space for widths in codewords()]
    rows = bytearray()
    for _ in range(side // height):
        row = b"".join(rng.choices(symbols, k=side // len(symbols[0]) + 1))
        rows += row[:side] * height
    return jpeg(Image.frombytes("L", (side, side), bytes(rows)), quality=85)


def list_scans(data):
    """Begin and end of each scan, its header included."""
    at, scans = 2, []
    while data[at + 1] != 0xD9:
        end = at + 2 + int.from_bytes(data[at + 2:at + 4], "big")
        if data[at + 1] == 0xDA:
            while data[end] != 0xFF or data[end + 1] == 0:
                end += 1
            scans.append((at, end))
        at = end
    return scans


def repeat_scans(data, count):
    scans = list_scans(data)
    begin, end = scans[-1]
    last = data[begin:end]
    return data[:end] + last * (count - len(scans)) + b"\xff\xd9"


def main():
    directory = sys.argv[1]
    rng = random.Random(7)
    usual = jpeg(Image.new("RGB", (4000, 3000), (120, 130, 140)),
                 progressive=True, quality=75)
    pictures = {"noise": noise(rng), "bars": bars(rng), "usual": usual,
                "scans": repeat_scans(usual, 495)}
    for name, data in pictures.items():
        with open(f"{directory}/{name}.jpg", "wb") as file:
            file.write(data)


main()
