#!/usr/bin/python3
"""Pictures of a challenge as another take of it: another_take.py DIRECTORY SEED [NOISE]

All pictures of DIRECTORY get the light, the place and the compression of the take SEED,
and noise of their own.
"""
import os
import random
import sys

import numpy as np
from PIL import Image


def take(path, light, shift, quality, noise):
    pixels = np.asarray(Image.open(path).convert('RGB'), dtype=np.float32)
    pixels = np.roll(pixels, shift, axis=(0, 1)) * light
    pixels += noise.normal(0, 2.0, pixels.shape)
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(
        path, quality=quality)


def main():
    directory, seed = sys.argv[1], int(sys.argv[2])
    choice = random.Random(seed)
    noise = np.random.default_rng([seed, int((sys.argv + ['0'])[3])])
    light = choice.uniform(0.75, 1.2)
    shift = (choice.randint(-25, 25), choice.randint(-25, 25))
    quality = choice.randint(70, 92)
    for name in sorted(os.listdir(directory)):
        take(os.path.join(directory, name), light, shift, quality, noise)


main()
