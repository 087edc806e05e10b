#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a photo of the front of a licence on a table.

    licence_fronts.py OUT [surname=TEXT] [given=TEXT] [number=TEXT] [born=MM/DD/YYYY]
                          [issued=MM/DD/YYYY] [expires=MM/DD/YYYY] [turn=DEGREES]
                          [size=SHARE]

The fields and their numbers are those of the AAMVA Card Design Standard; what is
not given is not printed.
"""
import sys

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont

import mrz_images

LINES = (('4d', 'DL', 'number'), ('4a', 'ISS', 'issued'), ('4b', 'EXP', 'expires'),
         ('1', '', 'surname'), ('2', '', 'given'), ('3', 'DOB', 'born'))


def card(printed):
    y, x = numpy.mgrid[:806, :1280]
    ground = 212 + 10 * numpy.sin(x / 19 + 3 * numpy.sin(y / 47))
    picture = Image.fromarray(ground.astype(numpy.uint8))
    draw = ImageDraw.Draw(picture)
    small = ImageFont.truetype(mrz_images.LABEL_FONT, 22)
    large = ImageFont.truetype(mrz_images.LABEL_FONT, 38)
    draw.text((430, 40), 'DRIVER LICENSE', 50, ImageFont.truetype(
        mrz_images.LABEL_FONT, 56))
    draw.rectangle([50, 190, 380, 620], fill=150)
    draw.ellipse([120, 240, 310, 480], fill=185)
    for i, (number, label, field) in enumerate(LINES):
        if field in printed:
            top = 150 + 80 * i
            draw.text((430, top + 14), number, 90, small)
            draw.text((470, top + 14), label, 90, small)
            draw.text((540, top), printed[field], 30, large)
    draw.text((430, 660), '8 1 SPECIMEN STREET TESTVILLE', 60, small)
    draw.text((430, 710), '15 SEX F   16 HGT 5-06   18 EYES BRO', 60, small)
    return picture


def main():
    printed = dict(argument.split('=', 1) for argument in sys.argv[2:])
    size = float(printed.pop('size', .8))
    turn = float(printed.pop('turn', 0))
    table = Image.new('L', (1600, 1200), 70)
    front = card(printed)
    front = front.resize((int(1600 * size), int(1600 * size * .63)), Image.BICUBIC)
    table.paste(front, ((1600 - front.width) // 2, (1200 - front.height) // 2))
    table = table.rotate(turn, Image.BICUBIC, fillcolor=70)
    table.filter(ImageFilter.GaussianBlur(.7)).save(sys.argv[1], 'JPEG', quality=85)


main()
