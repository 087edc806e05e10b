#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes photographs of specimen documents, of screens and prints that show one, and
pictures into which something was pasted, as JPEG.

    recaptures.py DIRECTORY PICTURES_A_KIND SEED [KIND,...] [wide]

writes KIND_NUMBER.jpg and manifest.jsonl (file, kind, and what the picture was made
with). The documents are those of mrz_images.py, in colour, on patterns of straight,
crossed and waved lines; the kinds:

    genuine    a photo, some of them compressed once more, as a messenger does
    lattice    the same of documents that have a straight lattice of lines under the
               text, which is rare, and which no other kind has
    screen     a photo of a screen: subpixels in stripes or as diamonds, at 0.6 to
               5 pixels of the photo for one of the screen
    halftone   a photo of a print with dots in the angles of four inks
    dither     a photo of a print with dots that are spread by chance
    portrait   a photo whose portrait was replaced, compressed again
    field      a photo in which a date was painted over and written anew, likewise
    retouched  a photo with a field painted over, then made smaller: no trace of
               earlier compression is left

What a camera does to them is the same for all: lens, colour filter, noise, the
sharpening or smoothing of phones, and compression. With `wide` all of these vary
more, and other sizes are taken: for telling rates where limits were set without.
The same seed makes the same pictures.
"""
import io
import json
import math
import os
import random
import sys

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont

import mrz_images

KINDS = ['genuine', 'lattice', 'screen', 'halftone', 'dither', 'portrait', 'field', 'retouched']
SIZES = [(1280, 960), (1600, 1200), (1920, 1440), (2400, 1800), (3200, 2400)]
OTHER_SIZES = [(1152, 864), (1440, 1080), (2048, 1536), (2592, 1944), (4032, 3024)]


class Range:
    """How far things vary."""
    wider = 1
    sizes = SIZES


def between(noise, low, high):
    return float(noise.uniform(low / Range.wider, high * Range.wider))


# --- the document ---

def texture(noise, height, width, slope):
    """Something as irregular as nature: a spectrum that falls with the frequency."""
    rows = numpy.fft.fftfreq(height)[:, None]
    columns = numpy.fft.rfftfreq(width)[None]
    radius = numpy.hypot(rows, columns)
    radius[0, 0] = 1
    spectrum = noise.normal(size=(height, width // 2 + 1)) \
        + 1j * noise.normal(size=(height, width // 2 + 1))
    field = numpy.fft.irfft2(spectrum / radius ** slope, (height, width))
    return ((field - field.mean()) / field.std()).astype(numpy.float32)


def lines(noise, height, width, kind):
    """A pattern as it is printed under the text of documents, -1 to 1."""
    y, x = numpy.mgrid[:height, :width].astype(numpy.float32)
    scale = mrz_images.PIXELS_A_MILLIMETRE

    wave = noise.uniform(.3, 1.2) * scale

    def one(turn, wave):
        along = x * math.cos(turn) + y * math.sin(turn)
        across = y * math.cos(turn) - x * math.sin(turn)
        bend = 0
        if kind == 'waves':
            bend = noise.uniform(1, 5) * numpy.sin(
                across / noise.uniform(20, 140)
                + 2 * numpy.sin(along / noise.uniform(60, 200)))
        return numpy.sin(2 * math.pi * along / wave + bend)

    turn = noise.uniform(0, math.pi)
    pattern = one(turn, wave)
    if kind == 'lattice':
        return (pattern + one(turn + math.pi / 2, wave)) / 2
    if kind in ('crossed', 'waves'):
        pattern = (pattern + one(turn + noise.uniform(.5, 2.6),
                                 noise.uniform(.3, 1.2) * scale)) / 2
    return pattern


def portrait(noise, height, width):
    """Skin, hair and shoulders, as far as a spectrum is concerned."""
    picture = Image.new('RGB', (width, height), tuple(noise.randint(150, 230, 3)))
    draw = ImageDraw.Draw(picture)
    skin = tuple(int(c) for c in numpy.array([224, 178, 150]) * noise.uniform(.45, 1))
    draw.ellipse([-.1 * width, .78 * height, 1.1 * width, 1.7 * height],
                 fill=tuple(noise.randint(20, 160, 3)))
    draw.ellipse([.2 * width, .1 * height, .8 * width, .7 * height],
                 fill=tuple(noise.randint(20, 110, 3)))
    draw.ellipse([.26 * width, .2 * height, .74 * width, .82 * height], fill=skin)
    for x in (.38, .62):
        draw.ellipse([(x - .05) * width, .42 * height, (x + .05) * width,
                      .46 * height], fill=(40, 30, 30))
    draw.line([.42 * width, .68 * height, .58 * width, .68 * height],
              fill=(130, 60, 60), width=max(width // 40, 1))
    picture = picture.filter(ImageFilter.GaussianBlur(width / 90))
    pixels = numpy.asarray(picture, numpy.float32)
    pixels = pixels + noise.uniform(3, 10) * texture(noise, height, width, 1.1)[..., None]
    return Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8))


def portrait_box(layout, width, height):
    if layout == 'td1':
        return [int(.03 * width), int(.16 * height), int(.28 * width), int(.6 * height)]
    return [int(.05 * width), int(.2 * height), int(.33 * width), int(.66 * height)]


def document(rng, noise, layout, pattern=None):
    """A picture of the document, seen straight, in RGB, and the words for what lies
    under its text."""
    gray = mrz_images.document(rng, noise, layout, mrz_images.zone(rng, layout))
    height, width = gray.height, gray.width
    pattern = pattern or rng.choice(
        ['none', 'lines', 'waves', 'waves', 'waves', 'crossed'])
    pixels = numpy.repeat(numpy.asarray(gray, numpy.float32)[..., None], 3, 2)
    pixels *= noise.uniform(.86, 1, 3)
    if pattern != 'none':
        ink = noise.uniform(0, .14, 3)
        pixels *= 1 - ink * (1 + lines(noise, height, width, pattern)[..., None]) / 2
    picture = Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8))
    left, top, right, bottom = portrait_box(layout, width, height)
    picture.paste(portrait(noise, bottom - top, right - left), (left, top))
    return picture, pattern


# --- the camera ---

def table(rng, noise, size):
    """What the document lies on."""
    kind = rng.choice(['plain', 'texture', 'texture', 'wood', 'cloth'])
    width, height = size
    colour = noise.uniform(40, 190, 3)
    small = (height // 2, width // 2)
    if kind == 'plain':
        plane = numpy.zeros(small, numpy.float32)
    elif kind == 'texture':
        plane = noise.uniform(5, 25) * texture(noise, *small, noise.uniform(.6, 1.4))
    elif kind == 'wood':
        y, x = numpy.mgrid[:small[0], :small[1]].astype(numpy.float32)
        plane = 18 * numpy.sin(y / noise.uniform(2, 9) + 3 * numpy.sin(x / 210))
    else:
        y, x = numpy.mgrid[:small[0], :small[1]].astype(numpy.float32)
        wave = noise.uniform(1.5, 6)
        plane = 15 * numpy.sin(x * 2 * math.pi / wave) * numpy.sin(y * 2 * math.pi / wave)
    plane = numpy.asarray(Image.fromarray(plane).resize(size, Image.BICUBIC))
    return plane[..., None] + colour[None, None]


def place(rng, noise, picture, size):
    """Corners of the document on the photo and pixels of it a pixel of the document."""
    turn = noise.choice([noise.uniform(-3, 3), noise.uniform(-12, 12)])
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    half = numpy.array([[-.5, -.5], [.5, -.5], [.5, .5], [-.5, .5]])
    corners = (half * picture.size) @ numpy.array([[c, s], [-s, c]])
    extent = corners.max(0) - corners.min(0)
    cover = noise.uniform(.7, .95)
    scale = min(size[0] * cover / extent[0], size[1] * cover / extent[1])
    corners = corners * scale
    corners += noise.uniform(-1, 1, (4, 2)) * noise.choice([.005, .02, .04]) * extent[0] \
        * scale
    return corners + numpy.array(size) / 2 + noise.uniform(-15, 15, 2), scale


def look(picture, corners, size):
    """PICTURE in its place, as floats, with the share that it covers."""
    view = mrz_images.perspective(corners, *picture.size)
    shown = picture.convert('RGB')
    shown.putalpha(255)
    seen = numpy.asarray(shown.transform(size, Image.PERSPECTIVE, view, Image.BICUBIC),
                         numpy.float32)
    return seen[..., :3], seen[..., 3:] / 255, view


def origin(view, size):
    """Where each pixel of a photo lies on what it shows."""
    y, x = numpy.mgrid[:size[1], :size[0]].astype(numpy.float64) + .5
    depth = view[6] * x + view[7] * y + 1
    return (view[0] * x + view[1] * y + view[2]) / depth, \
        (view[3] * x + view[4] * y + view[5]) / depth


def mosaic(pixels):
    """What a colour filter (Bayer) and a plain interpolation leave."""
    height, width = pixels.shape[:2]
    out = numpy.empty_like(pixels)
    y, x = numpy.mgrid[:height, :width]
    places = [(y % 2 == 0) & (x % 2 == 0), (y + x) % 2 == 1, (y % 2 == 1) & (x % 2 == 1)]

    def spread(plane):
        p = numpy.pad(plane, 1, mode='reflect')
        rows = p[:-2] + 2 * p[1:-1] + p[2:]
        return rows[:, :-2] + 2 * rows[:, 1:-1] + rows[:, 2:]

    for channel, mask in enumerate(places):
        known = numpy.where(mask, pixels[..., channel], 0)
        out[..., channel] = spread(known) / spread(mask.astype(numpy.float32))
        out[..., channel] = numpy.where(mask, pixels[..., channel], out[..., channel])
    return out


def blur(pixels, sigma):
    picture = Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8))
    return numpy.asarray(picture.filter(ImageFilter.GaussianBlur(sigma)), numpy.float32)


def develop(noise, pixels, made):
    """From light to the pixels of a file: filter, noise, and what a phone does."""
    height, width = pixels.shape[:2]
    made['noise'] = round(between(noise, 1, 9), 1)
    light = 1 + noise.uniform(-.2, .2) * numpy.linspace(-1, 1, width)[None, :, None] \
        + noise.uniform(-.2, .2) * numpy.linspace(-1, 1, height)[:, None, None]
    pixels = (pixels * light * noise.uniform(.75, 1.05)).astype(numpy.float32)
    pixels = pixels + (made['noise'] * numpy.sqrt(pixels.clip(0) / 160 + .15)
                       * noise.normal(size=pixels.shape)).astype(numpy.float32)
    made['filter'] = bool(noise.uniform() < .6)
    if made['filter']:
        pixels = mosaic(pixels)
    made['phone'] = str(noise.choice(['as it is', 'sharpened', 'smoothed']))
    if made['phone'] == 'sharpened':
        pixels = pixels + noise.uniform(.3, 1) * (pixels - blur(pixels, 1.2))
    elif made['phone'] == 'smoothed':
        pixels = blur(pixels, noise.uniform(.4, .8))
    return Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8))


def compress(picture, quality, subsampling=2):
    file = io.BytesIO()
    picture.save(file, 'JPEG', quality=quality, subsampling=subsampling)
    return file.getvalue()


def opened(file):
    return Image.open(io.BytesIO(file)).convert('RGB')


def lens(picture, noise, scale, made):
    """What the lens takes away, on the document: PICTURE is seen SCALE as large."""
    made['blur'] = round(between(noise, .35, 1.1), 2)
    return picture.filter(ImageFilter.GaussianBlur(math.hypot(made['blur'], .3) / scale))


def photograph(rng, noise, made, pattern=None):
    """A photo of a document, in which it lies at CORNERS."""
    size = rng.choice(Range.sizes)
    layout = rng.choice(list(mrz_images.LAYOUTS))
    picture, made['pattern'] = document(rng, noise, layout, pattern)
    corners, scale = place(rng, noise, picture, size)
    made.update(width=size[0], layout=layout)
    seen, share, view = look(lens(picture, noise, scale, made), corners, size)
    return table(rng, noise, size) * (1 - share) + seen * share, corners, picture, layout


def quality_of(noise):
    return int(min(between(noise, 60, 97), 98))


def genuine(rng, noise, made, pattern=None):
    photo = develop(noise, photograph(rng, noise, made, pattern)[0], made)
    made['quality'] = quality_of(noise)
    file = compress(photo, made['quality'], rng.choice([0, 2, 2]))
    again = rng.choice(['no', 'no', 'saved', 'smaller'])
    made['again'] = again
    if again == 'no':
        return file
    photo = opened(file)
    if again == 'smaller':
        factor = noise.uniform(.5, .9)
        photo = photo.resize((int(photo.width * factor), int(photo.height * factor)),
                             Image.BICUBIC)
    made['second_quality'] = quality_of(noise)
    return compress(photo, made['second_quality'])


# --- screens and prints ---

def response(view, size, sigma):
    """How much of a wave of (U, V) waves a pixel of the picture arrives on the photo,
    in its middle: the area of a pixel and the lens take it away."""
    x, y = size[0] / 2, size[1] / 2

    def at(x, y):
        depth = view[6] * x + view[7] * y + 1
        return numpy.array([(view[0] * x + view[1] * y + view[2]) / depth,
                            (view[3] * x + view[4] * y + view[5]) / depth])

    step = numpy.array([at(x + 1, y) - at(x, y), at(x, y + 1) - at(x, y)])

    def of(u, v):
        wave = step @ numpy.array([u, v])
        return float(numpy.sinc(wave[0]) * numpy.sinc(wave[1])
                     * math.exp(-2 * (math.pi * sigma) ** 2 * (wave @ wave)))
    return of


def stripes(noise):
    """Waves of a screen with a red, a green and a blue stripe a pixel: those of each
    colour as (u, v, strength, phase)."""
    wide, high = noise.uniform(.6, .95) / 3, noise.uniform(.7, .95)
    order = [0, 1, 2] if noise.uniform() < .8 else [2, 1, 0]
    is_upright = noise.uniform() < .75
    colours = []
    for channel in range(3):
        waves = []
        for k in range(4):
            for m in range(-2 if k else 0, 3):
                if k or m:
                    strength = 2 * numpy.sinc(k * wide) * numpy.sinc(m * high)
                    phase = -2 * math.pi * k * (order[channel] + .5) / 3
                    waves.append((k, m, strength, phase) if is_upright
                                 else (m, k, strength, phase))
        colours.append(waves)
    return colours


def diamonds(noise):
    """Waves of a screen with as many green dots as pixels and half as many red and
    blue ones, set off against each other."""
    dot = noise.uniform(.35, .6)
    colours = []
    for channel in range(3):
        waves = []
        lattice = [(1, 0), (0, 1), (1, 1), (1, -1), (2, 0), (0, 2)] if channel == 1 \
            else [(.5, .5), (.5, -.5), (1, 0), (0, 1), (1, 1), (1, -1)]
        for u, v in lattice:
            strength = 2 * math.exp(-2 * (math.pi * dot * .5) ** 2 * (u * u + v * v))
            waves.append((u, v, strength, math.pi * channel * (u + v)))
        colours.append(waves)
    return colours


def screen(rng, noise, made):
    size = rng.choice(Range.sizes)
    layout = rng.choice(list(mrz_images.LAYOUTS))
    picture, made['pattern'] = document(rng, noise, layout)
    # What an attacker has is itself a photo.
    picture = opened(compress(picture.filter(ImageFilter.GaussianBlur(
        noise.uniform(.3, 1.2))), quality_of(noise)))
    wide = size[0] * .82
    pitch = math.exp(noise.uniform(math.log(.6 / Range.wider),
                                   math.log(5 * Range.wider)))
    shown = picture.resize((int(wide / pitch), int(wide / pitch * picture.height
                                                   / picture.width)), Image.LANCZOS)
    whole = Image.new('RGB', (shown.width * 8 // 5, shown.height * 8 // 5),
                      tuple(noise.randint(0, 256, 3)))
    whole.paste(shown, (shown.width * 3 // 10, shown.height * 3 // 10))
    turn = place(rng, noise, shown, size)[0]
    middle = turn.mean(0)
    corners = (turn - middle) * 1.6 + middle
    made.update(width=size[0], layout=layout, pitch=round(pitch, 2), blur=round(
        between(noise, .35, 1.1), 2), panel=rng.choice(['stripes', 'diamonds']))
    # A photo looks into the raster only as far as the lens is sharp.
    seen, share, view = look(whole.filter(ImageFilter.GaussianBlur(
        math.hypot(made['blur'], .3) / pitch)), corners, size)
    u, v = origin(view, size)
    passes = response(view, size, made['blur'])
    gamma = noise.uniform(1.9, 2.5)
    for channel, waves in enumerate((stripes if made['panel'] == 'stripes'
                                     else diamonds)(noise)):
        raster = numpy.ones(u.shape)
        for a, b, strength, phase in waves:
            strength *= passes(a, b)
            if abs(strength) > .002:
                raster += strength * numpy.cos(2 * math.pi * (a * u + b * v) + phase)
        light = (seen[..., channel].clip(0) / 255) ** gamma * raster.clip(0)
        seen[..., channel] = 255 * light.clip(0, 1.5) ** (1 / gamma)
    photo = develop(noise, seen * share + 12 * (1 - share), made)
    made['quality'] = quality_of(noise)
    return compress(photo, made['quality'], rng.choice([0, 2, 2]))


def printed(rng, noise, made, how):
    size = rng.choice(Range.sizes)
    layout = rng.choice(list(mrz_images.LAYOUTS))
    picture, made['pattern'] = document(rng, noise, layout)
    picture = opened(compress(picture, quality_of(noise)))
    corners, scale = place(rng, noise, picture, size)
    made.update(width=size[0], layout=layout)
    millimetre = mrz_images.PIXELS_A_MILLIMETRE
    # Prints are made at 3 times the resolution, then seen by the lens.
    fine = 3
    large = picture.resize((picture.width * fine, picture.height * fine), Image.BICUBIC)
    inks = 1 - numpy.asarray(large, numpy.float32) / 255
    height, width = inks.shape[:2]
    made['blur'] = round(between(noise, .35, 1.1), 2)
    if how == 'halftone':
        made['lines'] = int(between(noise, 75, 175))  # an inch
        cell = millimetre * fine * 25.4 / made['lines']
        y, x = numpy.mgrid[:height, :width].astype(numpy.float32)
        for channel, turn in enumerate(noise.permutation([15, 75, 45]) + noise.uniform(-2, 2)):
            c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
            dots = (numpy.cos(2 * math.pi * (x * c + y * s) / cell)
                    + numpy.cos(2 * math.pi * (y * c - x * s) / cell)) / 4 + .5
            inks[..., channel] = inks[..., channel] > dots
    else:
        made['dots'] = int(noise.choice([300, 600, 720]))  # an inch
        step = max(round(millimetre * fine * 25.4 / made['dots']), 1)
        coarse = inks[::step, ::step]
        spread = coarse > noise.uniform(size=coarse.shape)
        inks = numpy.repeat(numpy.repeat(spread, step, 0), step, 1)[:height, :width]
        # Ink runs.
        inks = blur(inks * 255., .025 * millimetre * fine) / 255
    paper = (255 * (1 - noise.uniform(.75, .95) * inks)).clip(0, 255).astype(numpy.uint8)
    paper = Image.fromarray(paper).filter(ImageFilter.GaussianBlur(
        fine * math.hypot(made['blur'], .3) / scale))
    seen, share, _ = look(paper, corners, size)
    photo = develop(noise, table(rng, noise, size) * (1 - share) + seen * share, made)
    made['quality'] = quality_of(noise)
    return compress(photo, made['quality'], rng.choice([0, 2, 2]))


# --- pastes ---

def place_on(corners, box, size):
    """The box of a document of SIZE as corners on the photo."""
    left, top, right, bottom = box
    where = numpy.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    view = numpy.linalg.inv(numpy.append(
        mrz_images.perspective(corners, *size), 1).reshape(3, 3))
    points = numpy.c_[where, numpy.ones(4)] @ view.T
    return points[:, :2] / points[:, 2:]


def write_anew(noise, photo, at):
    """Paints the parallelogram AT with what surrounds it, and writes a date on it."""
    wide, high = (int(n) for n in (at.max(0) - at.min(0)).clip(8))
    left, top = (int(n) for n in at.min(0))
    around = photo.crop((left, top - high, left + wide, top))
    ground = numpy.asarray(around.filter(ImageFilter.GaussianBlur(3)), numpy.float32)
    ground = ground + noise.normal(0, noise.choice([0, 2, 5]), ground.shape)
    patch = Image.fromarray(ground.clip(0, 255).astype(numpy.uint8))
    font = ImageFont.truetype(mrz_images.LABEL_FONT, max(int(high * .62), 8))
    ImageDraw.Draw(patch).text((2, high * .12), '%02d AUG %d' % (
        noise.randint(1, 29), noise.randint(1960, 2004)), (30, 30, 34), font)
    photo.paste(patch, (left, top))
    return photo


def pasted(rng, noise, made, kind):
    pixels, corners, picture, layout = photograph(rng, noise, made)
    made['quality'] = quality_of(noise)
    photo = opened(compress(develop(noise, pixels, made), made['quality']))
    if kind == 'portrait':
        at = place_on(corners, portrait_box(layout, *picture.size), picture.size)
        wide, high = (int(n) for n in (at.max(0) - at.min(0)).clip(16))
        other = portrait(noise, int(high * 1.3), int(wide * 1.3))
        made['own_quality'] = int(noise.choice([0, 75, 85, 92]))
        if made['own_quality']:
            other = opened(compress(other, made['own_quality']))
        view = mrz_images.perspective(at, *other.size)
        mask = Image.new('L', other.size, 255).transform(photo.size, Image.PERSPECTIVE, view)
        photo.paste(other.transform(photo.size, Image.PERSPECTIVE, view, Image.BICUBIC),
                    mask=mask)
    else:
        row = [.37 * picture.width, .5 * picture.height if layout == 'td1' else
               .52 * picture.height, .67 * picture.width,
               .58 * picture.height if layout == 'td1' else .6 * picture.height]
        photo = write_anew(noise, photo, place_on(corners, row, picture.size))
    if kind == 'retouched':
        factor = noise.uniform(.5, .9)
        photo = photo.resize((int(photo.width * factor), int(photo.height * factor)),
                             Image.BICUBIC)
    made['second_quality'] = int(noise.randint(70, 99))
    return compress(photo, made['second_quality'])


def make(directory, kind, number, seed):
    rng = random.Random('%d %s %d' % (seed, kind, number))
    noise = numpy.random.RandomState(rng.getrandbits(32))
    made = {'file': '%s_%03d.jpg' % (kind, number), 'kind': kind}
    if kind in ('genuine', 'lattice'):
        file = genuine(rng, noise, made, None if kind == 'genuine' else kind)
    elif kind == 'screen':
        file = screen(rng, noise, made)
    elif kind in ('halftone', 'dither'):
        file = printed(rng, noise, made, kind)
    else:
        file = pasted(rng, noise, made, kind)
    with open(os.path.join(directory, made['file']), 'wb') as out:
        out.write(file)
    return made


def main():
    if len(sys.argv) not in (4, 5, 6) or sys.argv[5:] not in ([], ['wide']):
        sys.exit(__doc__)
    directory, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    kinds = sys.argv[4].split(',') if len(sys.argv) > 4 else KINDS
    if len(sys.argv) == 6:
        Range.wider, Range.sizes = 1.3, OTHER_SIZES
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, 'manifest.jsonl'), 'w') as manifest:
        for kind in kinds:
            for number in range(count):
                manifest.write(json.dumps(make(directory, kind, number, seed)) + '\n')


if __name__ == '__main__':
    main()
