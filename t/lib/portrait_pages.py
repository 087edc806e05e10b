#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the portrait of somebody on a picture of a document.

    portrait_pages.py page OUT PHOTO PORTRAIT [DEGREES]
        where a page of mrz_images.py (a scan) has its portrait; the photo is then
        turned counter-clockwise
    portrait_pages.py lines OUT PHOTO PORTRAIT   above the lines of forgeries.py
    portrait_pages.py below OUT PHOTO PORTRAIT   below the zone, where none belongs
    portrait_pages.py front OUT PORTRAIT [SURNAME]   the front of a licence, with print
    portrait_pages.py selfie OUT PORTRAIT        nothing but the face
"""
import sys

from PIL import Image, ImageDraw, ImageFont

import mrz_images


def page(photo, portrait, degrees='0'):
    width = int(photo.width * .26)
    portrait = portrait.resize((width, width))
    photo.paste(portrait, (int(photo.width * .05), int(photo.height * .2)))
    return photo.rotate(float(degrees), Image.BICUBIC, expand=True, fillcolor=80)


def lines(photo, portrait):
    photo.paste(portrait.resize((340, 340)), (110, 90))
    return photo


def below(photo, portrait):
    side = int(photo.width * .26)
    whole = Image.new('L', (photo.width, photo.height + side + 40), 200)
    whole.paste(photo, (0, 0))
    whole.paste(portrait.resize((side, side)), (60, photo.height + 20))
    return whole


def front(portrait, surname='SAMPLE'):
    table = Image.new('L', (1600, 1100), 70)
    card = Image.new('L', (1280, 806), 215)
    draw = ImageDraw.Draw(card)
    font = ImageFont.truetype(mrz_images.LABEL_FONT, 34)
    for i, line in enumerate(['DRIVER LICENSE', surname, 'ERIKA',
                              '1 SPECIMEN STREET', 'TESTVILLE', 'SEX F  EYES BRO']):
        draw.text((460, 90 + 90 * i), line, 40, font)
    card.paste(portrait.resize((330, 330)), (60, 180))
    table.paste(card, (150, 140))
    return table.rotate(2, Image.BICUBIC, fillcolor=70)


def selfie(portrait):
    return portrait.resize((1200, 1200))


def main():
    how, out = sys.argv[1:3]
    make = {'page': (page, 2), 'lines': (lines, 2), 'below': (below, 2), 'front': (front, 1),
            'selfie': (selfie, 1)}
    function, count = make[how]
    pictures = [Image.open(path).convert('L') for path in sys.argv[3:3 + count]]
    function(*pictures, *sys.argv[3 + count:]).save(out, 'JPEG', quality=88)


main()
