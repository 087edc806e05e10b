#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes labelled photographs of specimen documents with machine-readable zones.

    mrz_images.py DIRECTORY IMAGES_A_LEVEL SEED [LEVELS]

writes LEVEL_LAYOUT_NUMBER.jpg and truth.tsv (file, lines joined by a blank).
The documents are those of the imaginary state UTO, printed in OCR-B over a
pattern; the levels are: 0 scan, 1 good photo, 2 up to 10 degrees, perspective
and noise, 3 up to 25 degrees, blurred, noisier and compressed, 4 a good photo
that lies on its side or head, 5 (blank) the documents of level 1 without a zone,
6 (false) level 1 with one character exchanged, so that a check digit is wrong.
The same seed makes the same images.
"""
import math
import os
import random
import sys

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont

ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
SURNAMES = ['SPECIMEN', 'MUSTERMANN', 'SAMPLE', 'VOORBEELD', 'BEISPIEL',
            'EXAMPLE<DOCUMENT', 'VZOR', 'PROEFPERSOON', 'TEST<QUALITY']
GIVEN_NAMES = ['ERIKA', 'TEST<VOID', 'ANNA<MARIA', 'QUICK<BROWN<FOX', 'JUMPY',
               'ZYX<WVU', 'LAZY<DOG', 'HJKL', 'SPHINX<OF<BLACK<QUARTZ']
FONTS = ['/usr/share/fonts/opentype/ocr-b/OCRB.otf',
         '/usr/share/fonts/opentype/ocr-b/OCRBS.otf']
LABEL_FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'
# width and height in millimetres, characters a line, lines
LAYOUTS = {'td3': (125, 88, 44, 2), 'td1': (85.6, 54, 30, 3),
           'td2': (105, 74, 36, 2)}
PIXELS_A_MILLIMETRE = 14
PITCH = 2.54
PHOTO = (1920, 1440)
LEVELS = [
    dict(cover=1.0, perspective=0, turn=0, blur=.4, noise=1, quality=92),
    dict(cover=.86, perspective=.02, turn=3, blur=.7, noise=4, quality=80),
    dict(cover=.74, perspective=.04, turn=10, blur=.9, noise=8, quality=60),
    dict(cover=.62, perspective=.06, turn=25, blur=1.2, noise=11, quality=45),
    dict(cover=.86, perspective=.02, turn=4, blur=.7, noise=4, quality=80),
    dict(cover=.86, perspective=.02, turn=3, blur=.7, noise=4, quality=80),
    dict(cover=.86, perspective=.02, turn=3, blur=.7, noise=4, quality=80),
]
SIDEWAYS, BLANK, FALSE = 4, 5, 6


def check_digit(text):
    def value(c):
        return 0 if c == '<' else int(c, 36)
    return str(sum(value(c) * (7, 3, 1)[i % 3] for i, c in enumerate(text)) % 10)


def fill(text, length):
    return (text + '<' * length)[:length]


def checked(text):
    return text + check_digit(text)


def some(rng, count):
    return ''.join(rng.choice(ALPHANUMERIC) for _ in range(count))


def date(rng, first, last):
    return '%02d%02d%02d' % (rng.randint(first, last) % 100,
                             rng.randint(1, 12), rng.randint(1, 28))


def zone(rng, layout):
    """The lines of a zone with right check digits (ICAO Doc 9303-3, 4.9)."""
    name = rng.choice(SURNAMES) + '<<' + rng.choice(GIVEN_NAMES)
    number = checked(fill(some(rng, rng.choice([8, 9, 9, 9])), 9))
    birth = checked(date(rng, 40, 105))
    expiry = checked(date(rng, 127, 135))
    sex = rng.choice('MF<')
    if layout == 'td1':
        first = 'I<UTO' + number + fill(some(rng, rng.choice([0, 0, 9, 15])), 15)
        second = birth + sex + expiry + 'UTO' + '<' * 11
        second += check_digit(first[5:] + birth + expiry + second[18:])
        return [first, second, fill(name, 30)]
    if layout == 'td2':
        second = number + 'UTO' + birth + sex + expiry + '<' * 7
        second += check_digit(number + birth + second[21:35])
        return ['I<UTO' + fill(name, 31), second]
    personal = fill(some(rng, rng.choice([0, 0, 8, 11])), 14)
    second = (number + 'UTO' + birth + sex + expiry + personal +
              (check_digit(personal) if personal.strip('<') else '<'))
    second += check_digit(number + birth + second[21:43])
    return ['P<UTO' + fill(name, 39), second]


def falsify(rng, lines, layout):
    """One digit of the birth date exchanged."""
    row, first = (1, 0) if layout == 'td1' else (1, 13)
    at = first + rng.randint(0, 5)
    other = str((int(lines[row][at]) + rng.randint(1, 9)) % 10)
    lines[row] = lines[row][:at] + other + lines[row][at + 1:]
    return lines


def paper(noise, width, height):
    y, x = numpy.mgrid[:height, :width].astype(numpy.float32)
    ground = numpy.full((height, width), noise.uniform(205, 240), numpy.float32)
    for _ in range(3):
        wave, turn = noise.uniform(7, 35), noise.uniform(0, 6.3)
        phase = (x * math.cos(turn) + y * math.sin(turn)) / wave
        phase += noise.uniform(2, 6) * numpy.sin(y / noise.uniform(50, 130))
        ground += noise.uniform(2, 8) * noise.uniform(-1, 1) * numpy.sin(phase)
    return Image.fromarray(numpy.clip(ground, 0, 255).astype(numpy.uint8))


MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split()


def printed_date(text, century):
    """YYMMDD as it is printed."""
    return '%s %s %02d%s' % (text[4:6], MONTHS[(int(text[2:4]) - 1) % 12], century, text[:2])


def printed(layout, lines):
    """What is printed above the zone of these lines: labels with their values."""
    if not lines:  # a page without a zone
        return [('Surname', 'SPECIMEN'), ('Given names', 'UTOPIAN'),
                ('Nationality', 'UTOPIAN'), ('Date of birth', '12 AUG 1974')], []
    names = lines[2] if layout == 'td1' else lines[0][5:]
    surname, given = (part.replace('<', ' ').strip()
                      for part in names.split('<<', 1))
    dates = lines[1] if layout == 'td1' else lines[1][13:]
    number = lines[0][5:14] if layout == 'td1' else lines[1][:9]
    born = printed_date(dates, 19 if dates[:2] >= '40' else 20)
    return [('Surname', surname), ('Given names', given), ('Nationality', 'UTOPIAN'),
            ('Date of birth', born)], \
        [('Document No.', number.rstrip('<')),
         ('Date of expiry', printed_date(dates[8:], 20))]


def document(rng, noise, layout, lines):
    """A gray picture of the document, seen straight."""
    width_mm, height_mm, columns, rows = LAYOUTS[layout]
    scale = PIXELS_A_MILLIMETRE
    width, height = int(width_mm * scale), int(height_mm * scale)
    picture = paper(noise, width, height)
    draw = ImageDraw.Draw(picture)
    small = ImageFont.truetype(LABEL_FONT, int(2.0 * scale))
    large = ImageFont.truetype(LABEL_FONT, int(2.9 * scale))
    draw.text((.05 * width, .05 * height), 'UTOPIA   SPECIMEN', 40, large)
    if layout != 'td1':
        draw.rectangle([.05 * width, .2 * height, .33 * width, .66 * height],
                       fill=int(noise.uniform(120, 180)))
        draw.ellipse([.12 * width, .25 * height, .26 * width, .5 * height],
                     fill=170)
    left, right = printed(layout, lines)
    for i, (label, value) in enumerate(left[:3 if layout == 'td1' else 4]):
        rng.choice('123')  # so that what follows is as it was
        top = (.14 + .12 * i) * height
        draw.text((.38 * width, top), label, 70, small)
        draw.text((.38 * width, top + 2.2 * scale), value, 25, large)
    for i, (label, value) in enumerate(right if layout != 'td1' else []):
        top = (.38 + .12 * i) * height
        draw.text((.7 * width, top), label, 70, small)
        draw.text((.7 * width, top + 2.2 * scale), value, 25, large)
    pitch = PITCH * scale
    path = rng.choice(FONTS)
    advance = ImageFont.truetype(path, 1000).getlength('A') / 1000
    font = ImageFont.truetype(path, round(pitch / advance))
    spacing = 6.35 * scale * (.95 if layout == 'td1' else 1)
    left = (width - columns * pitch) / 2
    top = height - rows * spacing - {'td3': 2.7, 'td2': 2.4, 'td1': .7}[layout] * scale
    ink = int(noise.uniform(10, 55))
    for row, line in enumerate(lines):
        for column, glyph in enumerate(line):
            draw.text((left + column * pitch, top + row * spacing), glyph, ink,
                      font)
    return picture


def perspective(corners, width, height):
    """PIL's coefficients: from the photo's CORNERS to the document."""
    equations, results = [], []
    for (x, y), (u, v) in zip(corners, [(0, 0), (width, 0), (width, height),
                                        (0, height)]):
        equations += [[x, y, 1, 0, 0, 0, -u * x, -u * y],
                      [0, 0, 0, x, y, 1, -v * x, -v * y]]
        results += [u, v]
    return numpy.linalg.solve(numpy.array(equations), numpy.array(results))


def corners_on_photo(rng, noise, size, level):
    width, height = size
    turn = noise.uniform(-1, 1) * LEVELS[level]['turn']
    if level == SIDEWAYS:
        turn += rng.choice([90, 180, 270])
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    half = numpy.array([[-.5, -.5], [.5, -.5], [.5, .5], [-.5, .5]])
    corners = (half * size) @ numpy.array([[c, s], [-s, c]])
    extent = corners.max(0) - corners.min(0)
    cover = LEVELS[level]['cover']
    scale = min(PHOTO[0] * cover / extent[0], PHOTO[1] * cover * 1.1 / extent[1])
    corners = corners * scale
    corners += noise.uniform(-1, 1, (4, 2)) * LEVELS[level]['perspective'] * \
        width * scale
    return corners + numpy.array(PHOTO) / 2 + noise.uniform(-15, 15, 2), scale


def photograph(rng, noise, picture, level):
    if level == 0:
        height = int(picture.height * 1400 / picture.width)
        return numpy.asarray(picture.resize((1400, height), Image.BOX).filter(
            ImageFilter.GaussianBlur(LEVELS[0]['blur'])))
    corners, scale = corners_on_photo(rng, noise, picture.size, level)
    if scale < 1:
        picture = picture.filter(ImageFilter.GaussianBlur(.45 / scale))
    picture.putalpha(255)
    seen = numpy.asarray(picture.transform(
        PHOTO, Image.PERSPECTIVE, perspective(corners, *picture.size),
        Image.BICUBIC), numpy.float32)
    table = Image.fromarray(noise.normal(noise.uniform(40, 120), 12, (30, 40))
                            .clip(0, 255).astype(numpy.uint8))
    table = numpy.asarray(table.resize(PHOTO, Image.BICUBIC), numpy.float32)
    alpha = seen[..., 1] / 255
    photo = table * (1 - alpha) + seen[..., 0] * alpha
    photo *= (1 + noise.uniform(-.25, .25) * numpy.linspace(-1, 1, PHOTO[0])[None] +
              noise.uniform(-.25, .25) * numpy.linspace(-1, 1, PHOTO[1])[:, None])
    photo = photo * noise.uniform(.65, 1.05)
    blurred = Image.fromarray(photo.clip(0, 255).astype(numpy.uint8)).filter(
        ImageFilter.GaussianBlur(LEVELS[level]['blur']))
    return numpy.asarray(blurred, numpy.float32)


def make(directory, level, layout, number, seed):
    rng = random.Random('%d %d %s %d' % (seed, level, layout, number))
    noise = numpy.random.RandomState(rng.getrandbits(32))
    lines = zone(rng, layout)
    if level == FALSE:
        lines = falsify(rng, lines, layout)
    shown = [] if level == BLANK else lines
    photo = photograph(rng, noise, document(rng, noise, layout, shown), level)
    photo = photo + noise.normal(0, LEVELS[level]['noise'], photo.shape)
    name = '%d_%s_%03d.jpg' % (level, layout, number)
    Image.fromarray(photo.clip(0, 255).astype(numpy.uint8)).save(
        os.path.join(directory, name), quality=LEVELS[level]['quality'])
    return '%s\t%s\n' % (name, ' '.join(shown))


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    directory, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    levels = [int(c) for c in (sys.argv[4] if len(sys.argv) == 5 else '01234')]
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, 'truth.tsv'), 'w') as truth:
        for level in levels:
            for i in range(count):
                layout = list(LAYOUTS)[i % len(LAYOUTS)]
                truth.write(make(directory, level, layout, i, seed))


if __name__ == '__main__':
    main()
