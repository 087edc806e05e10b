#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes photographs of specimen pages that lie on something, as JPEG.

    cluttered_pages.py DIRECTORY IMAGES_A_GROUND SEED [GROUND,...]

writes GROUND_LAYOUT_NUMBER.jpg, truth.tsv (file, lines of the zone joined by a
blank) and corners.tsv (file, the page's corners in pixels). The pages are those
of mrz_images.py; the grounds: text (a printed sheet), tiles (with joints), wood
(with grain), plain. The same seed makes the same images.
"""
import os
import random
import sys

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont

import mrz_images

PHOTO = mrz_images.PHOTO
WORDS = ('the order of the day was read and put on the table before anybody had '
         'said what it was for so that all of us went on with our letters').split()


def text(rng, noise):
    sheet = Image.new('L', (PHOTO[0] + 400, PHOTO[1] + 400), 238)
    draw = ImageDraw.Draw(sheet)
    size = rng.choice([22, 26, 32])
    font = ImageFont.truetype(mrz_images.LABEL_FONT, size)
    for y in range(10, sheet.height, int(size * 1.4)):
        line = ' '.join(rng.choice(WORDS) for _ in range(60))
        draw.text((rng.randint(0, 20), y), line, 40, font)
    sheet = sheet.rotate(noise.uniform(-8, 8), Image.BICUBIC)
    return sheet.crop((200, 200, 200 + PHOTO[0], 200 + PHOTO[1]))


def tiles(rng, noise):
    floor = Image.new('L', (PHOTO[0] + 800, PHOTO[1] + 800), 90)
    draw = ImageDraw.Draw(floor)
    side = rng.choice([110, 170, 260])
    for y in range(0, floor.height, side):
        for x in range(0, floor.width, side):
            draw.rectangle([x + 5, y + 5, x + side, y + side],
                           fill=int(noise.uniform(140, 210)))
    floor = floor.rotate(noise.uniform(-40, 40), Image.BICUBIC)
    return floor.crop((400, 400, 400 + PHOTO[0], 400 + PHOTO[1]))


def wood(rng, noise):
    y, x = numpy.mgrid[:PHOTO[1], :PHOTO[0]].astype(numpy.float32)
    grain = 120 + 25 * numpy.sin(y / 9 + 3 * numpy.sin(x / 310))
    grain += 12 * numpy.sin(y / 3.1 + 2 * numpy.sin(x / 170))
    grain[:, ::480] -= 50
    return Image.fromarray(grain.clip(0, 255).astype(numpy.uint8))


def plain(rng, noise):
    return Image.new('L', PHOTO, int(noise.uniform(50, 130)))


GROUNDS = {'text': text, 'tiles': tiles, 'wood': wood, 'plain': plain}


def photograph(rng, noise, page, ground):
    level = 2
    corners, scale = mrz_images.corners_on_photo(rng, noise, page.size, level)
    if scale < 1:
        page = page.filter(ImageFilter.GaussianBlur(.45 / scale))
    view = mrz_images.perspective(corners, *page.size)
    mask = Image.new('L', page.size, 255).transform(PHOTO, Image.PERSPECTIVE, view)
    photo = ground.copy()
    photo.paste(page.transform(PHOTO, Image.PERSPECTIVE, view, Image.BICUBIC),
                mask=mask)
    photo = photo.filter(ImageFilter.GaussianBlur(.7))
    light = 1 + noise.uniform(-.2, .2) * numpy.linspace(-1, 1, PHOTO[0])[None]
    pixels = numpy.asarray(photo, numpy.float32) * light * noise.uniform(.75, 1)
    return pixels + noise.normal(0, 4, pixels.shape), corners


def make(directory, name, number, seed):
    rng = random.Random('%d %s %d' % (seed, name, number))
    noise = numpy.random.RandomState(rng.getrandbits(32))
    layout = list(mrz_images.LAYOUTS)[number % 3]
    lines = mrz_images.zone(rng, layout)
    page = mrz_images.document(rng, noise, layout, lines)
    pixels, corners = photograph(rng, noise, page, GROUNDS[name](rng, noise))
    file = '%s_%s_%03d.jpg' % (name, layout, number)
    Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8)).save(
        os.path.join(directory, file), quality=80)
    return file, lines, corners


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    directory, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    grounds = sys.argv[4].split(',') if len(sys.argv) == 5 else list(GROUNDS)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, 'truth.tsv'), 'w') as truth, \
            open(os.path.join(directory, 'corners.tsv'), 'w') as places:
        for name in grounds:
            for number in range(count):
                file, lines, corners = make(directory, name, number, seed)
                truth.write('%s\t%s\n' % (file, ' '.join(lines)))
                places.write('%s\t%s\n' % (file, ' '.join(
                    '%.0f,%.0f' % tuple(corner) for corner in corners)))


if __name__ == '__main__':
    main()
