#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes one photo of several, as JPEG.

    two_documents.py beside OUT PHOTO PHOTO   both documents in one frame
    two_documents.py above OUT PHOTO PHOTO    the first one above the second, larger
    two_documents.py again OUT PHOTO          the same picture as another file:
                                              other size, other quality
    two_documents.py shaken OUT PHOTO         the same card photographed again:
                                              moved and turned a little
    two_documents.py blurred OUT PHOTO        out of focus
    two_documents.py far OUT PHOTO            from six times as far, sharp
    two_documents.py away OUT PHOTO           from three times as far
    two_documents.py cut OUT PHOTO            without its right quarter
    two_documents.py beyond OUT PHOTO         without what is below the lines of a
                                              card of specimen_barcodes.py
    two_documents.py beyond-N OUT PHOTO       the same, turned by N quarters
    two_documents.py close OUT PHOTO          with all of it, close to the edge
    two_documents.py covered-low OUT PHOTO    with a finger on the zone of a scan
    two_documents.py covered-high OUT PHOTO   with a finger on a card's barcode
    two_documents.py raster OUT PHOTO         as if a screen had been photographed
"""
import sys

import numpy
from PIL import Image, ImageDraw, ImageFilter


def beside(photos):
    width = sum(photo.width for photo in photos)
    both = Image.new("L", (width, max(photo.height for photo in photos)), 90)
    left = 0
    for photo in photos:
        both.paste(photo, (left, 0))
        left += photo.width
    return both


def above(photos):
    first, second = photos
    second = second.resize((first.width * 5 // 8,
                            second.height * first.width * 5 // 8 // second.width),
                           Image.BICUBIC)
    both = Image.new("L", (first.width, first.height + second.height), 80)
    both.paste(first, (0, 0))
    both.paste(second, (0, first.height))
    return both


def again(photos):
    photo = photos[0]
    return photo.resize((photo.width * 7 // 8, photo.height * 7 // 8),
                        Image.BICUBIC)


def shaken(photos):
    photo = photos[0]
    return photo.rotate(1.5, Image.BICUBIC, translate=(17, -11), fillcolor=70)


def blurred(photos):
    return photos[0].filter(ImageFilter.GaussianBlur(8))


def far(photos):
    photo = photos[0]
    table = Image.new("L", photo.size, 80)
    small = photo.resize((photo.width // 6, photo.height // 6), Image.LANCZOS)
    table.paste(small, (photo.width // 3, photo.height // 3))
    return table


def away(photos):
    photo = photos[0]
    table = Image.new("L", photo.size, 80)
    small = photo.resize((photo.width // 3, photo.height // 3), Image.LANCZOS)
    table.paste(small, (photo.width // 3, photo.height // 3))
    return table


def cut(photos):
    photo = photos[0]
    return photo.crop((0, 0, photo.width * 3 // 4, photo.height))


def covered(photo, x, y, width, height):
    """A finger, which is lit from above, around (X, Y), all in shares."""
    finger = Image.new("L", photo.size, 0)
    box = [(x - width / 2) * photo.width, (y - height / 2) * photo.height,
           (x + width / 2) * photo.width, (y + height / 2) * photo.height]
    ImageDraw.Draw(finger).ellipse(box, fill=255)
    skin = Image.linear_gradient("L").resize(photo.size).point(
        lambda level: 185 - level // 4)
    photo.paste(skin, mask=finger.filter(ImageFilter.GaussianBlur(2)))
    return photo


def beyond(photos):
    return photos[0].crop((0, 0, photos[0].width, photos[0].height * 78 // 100))


def turned(turns):
    return lambda photos: beyond(photos).rotate(90 * turns, expand=True)


def close(photos):
    return photos[0].crop((0, 0, photos[0].width, photos[0].height * 84 // 100))


def covered_low(photos):
    return covered(photos[0], .6, 1, .16, .7)


def covered_high(photos):
    return covered(photos[0], .45, .3, .2, .5)


def raster(photos):
    y, x = numpy.mgrid[:photos[0].height, :photos[0].width]
    dots = 5 * numpy.cos(1.95 * x + .12 * y) + 5 * numpy.cos(1.95 * y - .12 * x)
    pixels = numpy.asarray(photos[0], numpy.float32) * .9 + dots
    return Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8))


def main():
    make = {"beside": beside, "above": above, "again": again, "shaken": shaken, "blurred": blurred,
            "far": far, "away": away, "cut": cut, "beyond": beyond, "close": close,
            **{f"beyond-{turns}": turned(turns) for turns in (1, 2, 3)},
            "covered-low": covered_low,
            "covered-high": covered_high, "raster": raster}[sys.argv[1]]
    photos = [Image.open(path).convert("L") for path in sys.argv[3:]]
    make(photos).save(sys.argv[2], "JPEG", quality=82)


main()
