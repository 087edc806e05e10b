#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures that the start page offers to be shown to the widget.

Usage: specimens.py DIRECTORY

Writes DIRECTORY/NAME-front.jpg and NAME-back.jpg for the specimens below: cards of
the issuer 000000, which nobody is, of artificial persons whose ages fit the day on
which they are made. The backs are those of the tests' own generator.
"""
import datetime
import io
import os
import random
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont, ImageOps

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "t", "lib"))
import specimen_barcodes as barcodes

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans%s.ttf"
# name: years of age, years until the card expires, out of focus, given name
SPECIMENS = {
    "good": (34, 6, False, "ERIKA"),
    "expired": (51, -3, False, "MUSTER"),
    # A licence is valid for eight years: issued last year, at 14 or 15, which is
    # possible, so that nothing but the age is wrong.
    "under-age": (15, 7, False, "TESTCASE"),
    "blurred": (34, 6, True, "SPECIMEN"),
}


def font(size, bold=False):
    return ImageFont.truetype(FONT % ("-Bold" if bold else ""), size)


def portrait(draw, left, top, width, height):
    """A drawn head, which is nobody's."""
    draw.rectangle([left, top, left + width, top + height], fill=196)
    middle = left + width // 2
    draw.ellipse([left + width * .08, top + height * .72, left + width * .92,
                  top + height * 1.35], fill=92)
    draw.rectangle([left, top + height, left + width, top + height * 1.4],
                   fill=226)
    draw.rectangle([middle - width * .1, top + height * .55,
                    middle + width * .1, top + height * .78], fill=150)
    draw.ellipse([middle - width * .24, top + height * .16,
                  middle + width * .24, top + height * .68], fill=164)
    draw.pieslice([middle - width * .26, top + height * .1,
                   middle + width * .26, top + height * .55], 180, 360, fill=60)
    for side in (-1, 1):
        eye = middle + side * width * .1
        draw.ellipse([eye - 5, top + height * .4, eye + 5,
                      top + height * .4 + 8], fill=40)
    draw.arc([middle - width * .09, top + height * .46, middle + width * .09,
              top + height * .58], 20, 160, fill=70, width=4)


def front(size, fields):
    """The side with the person, in print that fits the code of the other one."""
    width, height = size
    y, x = np.mgrid[:height, :width]
    ground = 222 + 7 * np.sin(x / 23 + 3 * np.sin(y / 47))
    image = Image.fromarray(ground.astype(np.uint8))
    draw = ImageDraw.Draw(image)
    unit = height / 100
    draw.rectangle([0, 0, width, 17 * unit], fill=88)
    draw.text((4 * unit, 4 * unit), "SPECIMEN", 250, font(int(8 * unit), True))
    draw.text((width - 62 * unit, 5.5 * unit), "DRIVER LICENSE", 235,
              font(int(6 * unit)))
    for row, (label, value) in enumerate(fields):
        top = (20 + 13 * row) * unit
        draw.text((52 * unit, top), label, 96, font(int(3.6 * unit)))
        draw.text((52 * unit, top + 4 * unit), value, 28,
                  font(int(6 * unit), True))
    # Documents have fine lines where nothing else is, by which a camera's focus is
    # told; a card of large words alone looks blurred.
    x = np.arange(116 * unit, width - 4 * unit)
    for row in range(20):
        wave = (1.6 * np.sin(x / (5 * unit) + row / 2) + 23 + 3 * row) * unit
        draw.line(list(zip(x, wave)), 20, 3)
    portrait(draw, 5 * unit, 24 * unit, 40 * unit, 54 * unit)
    draw.rectangle([0, 86 * unit, width, height], fill=226)
    draw.text((5 * unit, 89 * unit), "NOT A DOCUMENT  ISSUER 000000", 96,
              font(int(4.6 * unit)))
    return image


def tinted(jpeg, is_blurred):
    image = Image.open(io.BytesIO(jpeg)).convert("L")
    if is_blurred:
        image = image.filter(ImageFilter.GaussianBlur(8))
    out = io.BytesIO()
    ImageOps.colorize(image, black="#10161f", mid="#a7b9cb",
                      white="#f1ead9").save(out, "JPEG", quality=88)
    return out.getvalue()


def make(directory, name, today):
    age, left, is_blurred, given = SPECIMENS[name]
    rng = random.Random(name)
    noise = np.random.default_rng(rng.getrandbits(32))
    born = datetime.date(today.year - age, 2, 11)
    if born.replace(year=today.year) > today:
        born = born.replace(year=born.year - 1)
    expires = today.year + left
    payload, label = barcodes.licence(rng, born.isoformat(), expires, "test",
                                      given=given)
    back = barcodes.card(barcodes.symbol(payload, rng, directory))
    sides = {"back": back, "front": front(back.size, [
        ("4d NUMBER", label["number"]), ("1 NAME", label["surname"]),
        ("2 GIVEN NAME", given), ("3 DATE OF BIRTH", born.strftime("%m/%d/%Y")),
        ("4b EXPIRES", born.strftime("%m/%d/") + str(expires))])}
    for side, image in sides.items():
        jpeg = barcodes.photo(image, noise, barcodes.CONDITIONS["straight"])
        path = os.path.join(directory, "%s-%s.jpg" % (name, side))
        with open(path + ".new", "wb") as file:
            file.write(tinted(jpeg, is_blurred))
        os.rename(path + ".new", path)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    for name in SPECIMENS:
        make(sys.argv[1], name, datetime.date.today())


if __name__ == "__main__":
    main()
