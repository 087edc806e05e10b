#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes what a forger sends, with nothing but free programs.

Usage: forgeries.py DIRECTORY [PORTRAIT]

Each has the portrait of somebody, if there is one; those without it:
faceless.png       the same as bare.png
faceless-back.jpg  the same as back.jpg

bare.png           a PDF417 symbol and nothing else: MICKEY MOUSE, born in 1910
zone.png           two lines of OCR-B on grey: a passport's zone
changed.png        the same zone with another name; no check digit covers names
screenshot.png     the barcode of a licence in a window on a screen
front.jpg          the front of a card with a zone, of the licence on
back.jpg           its back, with a barcode
back-again.jpg     the same back, photographed once more
changed-front.jpg  the front with another name
impossible.png     a barcode without half of the elements that a card has

With a portrait above a barcode the name is printed, too, but on the screenshot.

All are of issuers that exist, and artificial persons. The same run gives the
same files.
"""
import os
import random
import shutil
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFont

import mrz_images
import specimen_barcodes as barcodes

SEED = 20


def plain(code, margin=40):
    """The symbol on white, large enough for any reader."""
    picture = Image.new("L", (code.width + 2 * margin,
                              max(code.height + 2 * margin, 640)), 255)
    picture.paste(code, (margin, margin))
    return picture


def window(code):
    """The symbol as a viewer shows it on a desktop."""
    picture = Image.new("L", (max(code.width + 240, 1280), code.height + 420),
                        120)
    draw = ImageDraw.Draw(picture)
    font = ImageFont.truetype(mrz_images.LABEL_FONT, 22)
    right, bottom = picture.width - 60, picture.height - 80
    draw.rectangle([60, 50, right, bottom], fill=250)
    draw.rectangle([60, 50, right, 100], fill=60)
    draw.text((80, 60), "licence.png", 240, font)
    draw.text((80, bottom + 20), "Start    Files    Viewer", 240, font)
    picture.paste(code, (100, 150))
    return picture


def lines_on_grey(lines):
    """OCR-B in the pitch of a passport, 14 pixels a millimetre."""
    scale = mrz_images.PIXELS_A_MILLIMETRE
    pitch = mrz_images.PITCH * scale
    path = mrz_images.FONTS[0]
    advance = ImageFont.truetype(path, 1000).getlength("A") / 1000
    font = ImageFont.truetype(path, round(pitch / advance))
    picture = Image.new("L", (int(pitch * (len(lines[0]) + 4)), 800), 200)
    draw = ImageDraw.Draw(picture)
    for row, line in enumerate(lines):
        for column, glyph in enumerate(line):
            draw.text((pitch * (column + 2), 500 + row * 6.35 * scale), glyph,
                      20, font)
    return picture


def passport(name):
    """A zone with right check digits."""
    checked, fill = mrz_images.checked, mrz_images.fill
    number, birth, expiry = checked("C03005988"), checked("640812"), \
        checked("311031")
    second = number + "D<<" + birth + "F" + expiry + fill("", 14) + "<"
    second += mrz_images.check_digit(number + birth + second[21:43])
    return ["P<D<<" + fill(name, 39), second]


def card_zone(name, birth, expiry, sex):
    """The zone of a card of the United States."""
    checked, fill = mrz_images.checked, mrz_images.fill
    first = "I<USA" + checked("C12345678") + fill("", 15)
    second = checked(birth) + sex + checked(expiry) + "USA" + fill("", 11)
    second += mrz_images.check_digit(first[5:] + checked(birth)
                                     + checked(expiry) + second[18:])
    return [first, second, fill(name, 30)]


def zone_photo(lines):
    rng = random.Random(SEED)
    noise = np.random.RandomState(SEED)
    picture = mrz_images.document(rng, noise, "td1", lines)
    photo = mrz_images.photograph(rng, noise, picture, 0)
    return Image.fromarray(photo.clip(0, 255).astype(np.uint8))


def code_of(directory, **person):
    rng = random.Random("%d %s" % (SEED, person["born"]))
    payload, label = barcodes.licence(rng, issuer="VA", **person)
    return barcodes.symbol(payload, rng, directory), payload, label


def save_photo(path, code, condition):
    noise = np.random.default_rng(1)
    with open(path, "wb") as out:
        out.write(barcodes.photo(barcodes.card(code), noise,
                                 barcodes.CONDITIONS[condition]))


def with_portrait(path, portrait, place, printed=None):
    """Puts the portrait on the picture at PATH: at PLACE, or above it, with PRINTED
    next to it."""
    with Image.open(path) as opened:
        picture = opened.convert("L")
    if place:
        side, corner = place
        picture.paste(portrait.resize((side, side)), corner)
    else:
        whole = Image.new("L", (picture.width, picture.height + 420), 215)
        whole.paste(portrait.resize((380, 380)), (40, 20))
        font = ImageFont.truetype(mrz_images.LABEL_FONT, 90)
        for row, text in enumerate(printed or ()):
            ImageDraw.Draw(whole).text((450, 110 + 90 * row), text, 30, font)
        whole.paste(picture, (0, 420))
        picture = whole
    picture.save(path, **({"quality": 92} if path.endswith("jpg") else {}))


def add_portraits(directory, path):
    portrait = Image.open(path).convert("L")
    on_card, on_page = (330, (70, 110)), (340, (110, 90))
    printed = {"bare.png": ("MOUSE", "MICKEY")}
    printed["back.jpg"] = printed["back-again.jpg"] = ("MUSTERMANN", "ERIKA")
    for name, place in (("bare.png", None), ("screenshot.png", None),
                        ("impossible.png", None), ("back.jpg", None),
                        ("back-again.jpg", None), ("zone.png", on_page),
                        ("changed.png", on_page), ("front.jpg", on_card),
                        ("changed-front.jpg", on_card)):
        with_portrait(os.path.join(directory, name), portrait, place,
                      printed.get(name))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    directory = sys.argv[1]
    os.makedirs(directory, exist_ok=True)

    def at(name):
        return os.path.join(directory, name)

    code, payload, _ = code_of(directory, born="1910-08-12", surname="MOUSE",
                               given="MICKEY")
    plain(code).save(at("bare.png"))
    few = b"".join(element + b"\n" for element in payload.split(b"\n")
                   if not element.startswith((b"DCF", b"DAK", b"DAU")))
    plain(barcodes.symbol(few, random.Random(SEED), directory)) \
        .save(at("impossible.png"))
    lines_on_grey(passport("MUSTERMANN<<ERIKA")).save(at("zone.png"))
    lines_on_grey(passport("SPECIMEN<<ANNA")).save(at("changed.png"))
    code, _, _ = code_of(directory, born="1988-05-17", surname="SAMPLE",
                         given="ERIKA")
    window(code).save(at("screenshot.png"))
    code, payload, _ = code_of(directory, born="1990-03-04",
                               surname="MUSTERMANN", given="ERIKA")
    save_photo(at("back.jpg"), code, "straight")
    save_photo(at("back-again.jpg"), code, "small")
    sex = "MF"[int(payload.split(b"\nDBC")[1][:1]) - 1]
    for name, shown in (("front", "MUSTERMANN<<ERIKA"),
                        ("changed-front", "BEISPIEL<<ERIKA")):
        zone_photo(card_zone(shown, "900304", "320304", sex)).save(
            at(name + ".jpg"), quality=92)
    shutil.copy(at("bare.png"), at("faceless.png"))
    shutil.copy(at("back.jpg"), at("faceless-back.jpg"))
    if len(sys.argv) == 3:
        add_portraits(directory, sys.argv[2])


if __name__ == "__main__":
    main()
