#!/usr/bin/python3
"""Pictures of a head that turns, made out of one photo of a face.

    face_video.py PHOTO MESH FACE DIRECTORY POSE...
    face_video.py --card CODE PORTRAIT CARD SURNAME

MESH is the output of `face_read MODELS mesh PHOTO`, with where each face lies and
how deep its points are; FACE is the number of the line, from 0. Each POSE, "name:yaw:pitch" in degrees, becomes the file
DIRECTORY/name.jpg of 640 pixels a side: the photo around the face, its depth
turned about the middle of the head. The person's own left and up are positive.
Each picture has noise of its own, as no camera takes the same one twice; the
pose "name:yaw:pitch:dark" is one in poor light. The second form puts a portrait
and the surname above the picture of a document's code, as the photo of one document.
"""
import json
import os
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from mrz_images import LABEL_FONT

SIDE = 640
EYES = 95.0  # pixels between them in the pictures


def depth_of(points, grid):
    """The depth at each pixel of GRID, by the nearest points of the mesh."""
    step = 16
    ys, xs = np.mgrid[0:grid:step, 0:grid:step].astype(np.float64)
    far = (xs[..., None] - points[:, 0])**2 + (ys[..., None] - points[:, 1])**2
    weight = 1 / (far + 30.0)**2
    coarse = (weight * points[:, 2]).sum(-1) / weight.sum(-1)
    picture = Image.fromarray(coarse.astype(np.float32), 'F')
    return np.asarray(picture.resize((grid, grid), Image.BICUBIC),
                      dtype=np.float64)


def sample(pixels, x, y):
    """PIXELS at the places X, Y, bilinear, the border repeated."""
    high, wide, channels = pixels.shape
    x, y = np.clip(x, 0, wide - 1.001), np.clip(y, 0, high - 1.001)
    left, top = x.astype(int), y.astype(int)
    right, below = (x - left)[..., None], (y - top)[..., None]
    flat, at = pixels.reshape(-1, channels), top * wide + left

    def row(at):
        here = flat.take(at, 0)
        return here + (flat.take(at + 1, 0) - here) * right

    upper = row(at)
    return upper + (row(at + wide) - upper) * below


def turn(pixels, depth, middle, radius, yaw, pitch):
    """What the camera sees when the head has turned."""
    a, b = np.radians(yaw), np.radians(pitch)
    ys, xs = np.mgrid[0:SIDE, 0:SIDE].astype(np.float64)
    far = np.hypot(xs - middle[0], (ys - middle[1]) * 0.8)
    fade = np.clip((1.75 * radius - far) / (0.75 * radius), 0, 1)
    back = 0.6 * radius  # the head turns about an axis behind the face
    both = np.dstack((depth, fade))

    def moved(x, y):
        """By how much the point that is at X, Y now comes to lie elsewhere."""
        there = sample(both, x, y)
        z, share = back - there[..., 0], there[..., 1]
        dx, dy = x - middle[0], y - middle[1]
        across = dx * np.cos(a) + z * np.sin(a)
        deep = z * np.cos(a) - dx * np.sin(a)
        along = dy * np.cos(b) - deep * np.sin(b)
        return ((across - dx - back * np.sin(a)) * share,
                (along - dy + back * np.sin(b)) * share)

    x, y = xs.copy(), ys.copy()
    for _ in range(6):
        dx, dy = moved(x, y)
        x, y = xs - dx, ys - dy
    return sample(pixels, x, y)


def make_card(code, portrait, card, surname):
    """A portrait, and the surname next to it, above the picture of a code."""
    below, above = Image.open(code).convert('RGB'), Image.open(portrait)
    picture = Image.new('RGB', (max(below.width, 700),
                                below.height + above.height + 20), 'white')
    picture.paste(above, (20, 10))
    ImageDraw.Draw(picture).text((above.width + 80, 60), surname, (20, 20, 20),
                                 ImageFont.truetype(LABEL_FONT, 90))
    picture.paste(below, (0, above.height + 20))
    picture.save(card, quality=92)


def main():
    if sys.argv[1] == '--card':
        make_card(*sys.argv[2:])
        return
    photo, mesh, number, directory = sys.argv[1:5]
    poses = sys.argv[5:]
    with open(mesh) as lines:
        face = json.loads(lines.readlines()[int(number)])
    points = np.array(face['mesh'])
    image = Image.open(photo).convert('RGB')
    points[:, :2] *= image.width / face['width']
    points[:, 2] *= image.width / face['width']
    scale = EYES / (face['eyes'] * image.width / face['width'])
    middle = points[:, :2].mean(0)
    reach = SIDE / 2 / scale
    box = [int(v) for v in (middle[0] - reach, middle[1] - reach,
                            middle[0] + reach, middle[1] + reach)]
    pixels = np.asarray(image.crop(box).resize((SIDE, SIDE), Image.LANCZOS),
                        dtype=np.float64)
    points[:, :2] = (points[:, :2] - box[:2]) * scale
    points[:, 2] *= scale
    points[:, 2] -= points[:, 2].mean()
    radius = np.abs(points[:, :2] - SIDE / 2).max()
    depth = depth_of(points, SIDE)
    noise = np.random.default_rng(int.from_bytes(os.urandom(8), 'big'))
    turned = {}
    for pose in poses:
        name, yaw, pitch, *light = pose.split(':')
        if (yaw, pitch) not in turned:
            turned[yaw, pitch] = turn(pixels, depth, (SIDE / 2, SIDE / 2),
                                      radius, float(yaw), float(pitch))
        seen = turned[yaw, pitch]
        seen = seen * (0.12 if light else 1) + noise.normal(0, 1.5, seen.shape)
        Image.fromarray(np.clip(seen, 0, 255).astype(np.uint8)).save(
            os.path.join(directory, name + '.jpg'), quality=85)


main()
