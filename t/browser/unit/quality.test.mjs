import assert from 'node:assert/strict';
import test from 'node:test';
import { readFileSync } from 'node:fs';
import { LIMITS, assess, glare, laplacianVariance, luma, mean, sharpness }
  from '../../../mod_verify/web/methods/document_capture/quality.js';

// RGBA pixels of a grey picture painted by a function of the place.
function picture(width, height, paint) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i += 4)
      data.fill(paint(x, y), i, i + 3), data[i + 3] = 255;
  return { data, width, height };
}

const print = (x, y) => (((x >> 2) ^ (y >> 3)) & 1 ? 30 : 220);
const ramp = (x) => 60 + x / 10;

// Three box blurs come close to a Gaussian.
function blur({ data, width, height }, radius) {
  let from = luma(data);
  for (let pass = 0; pass < 3; pass++) {
    const to = new Uint8ClampedArray(from.length);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        let sum = 0, count = 0;
        for (let dy = -radius; dy <= radius; dy++)
          for (let dx = -radius; dx <= radius; dx++) {
            const v = from[(y + dy) * width + x + dx];
            if (x + dx < 0 || x + dx >= width || v === undefined) continue;
            sum += v;
            count++;
          }
        to[y * width + x] = sum / count;
      }
    from = to;
  }
  return picture(width, height, (x, y) => from[y * width + x]);
}

test('luma follows the weights of Rec. 601', () => {
  const gray = luma(new Uint8ClampedArray(
    [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255]));
  assert.deepEqual([...gray], [76, 150, 29]);
  assert.equal(mean(gray), 85);
  assert.equal(mean([]), 0);
});

test('the variance of the Laplacian is that of the definition', () => {
  const flat = new Uint8ClampedArray(25).fill(100);
  const area = { top: 1, left: 1, bottom: 4, right: 4 };
  assert.equal(laplacianVariance(flat, 5, area), 0);
  flat[12] = 109; // centre: -36 there, +9 at its four neighbours, 0 elsewhere
  assert.equal(laplacianVariance(flat, 5, area),
    (36 ** 2 + 4 * 9 ** 2) / 9);
});

test('print is sharp, blurred print is not, an empty table does not count',
  () => {
    const sharp = picture(512, 320, print);
    const card = picture(512, 320, (x, y) => (
      x > 150 && x < 360 && y > 90 && y < 230 ? print(x, y) : 128));
    assert.ok(sharpness(luma(sharp.data), 512, 320) > 1000);
    assert.ok(sharpness(luma(card.data), 512, 320) > LIMITS.sharpness);
    const soft = blur(sharp, 4);
    assert.ok(sharpness(luma(soft.data), 512, 320) < LIMITS.sharpness);
    assert.deepEqual(assess(soft, { width: 2000, height: 1250 }).problems,
      ['blurred']);
  });

test('a reflection is bright, without colour and of some size', () => {
  const spot = (x, y) => (
    (x - 250) ** 2 + (y - 150) ** 2 < 3600 ? 255 : print(x, y));
  const grain = (x, y) => (x % 40 === 0 && y % 40 === 0 ? 255 : 128);
  const share = (paint) => glare(picture(512, 320, paint).data, 512, 320);
  const table = (x, y) => (x < 100 ? 255 : print(x, y));
  const paper = (x, y) => (x > 60 && x < 450 && y > 60 && y < 260 ? 255 : 128);
  assert.ok(share(spot) > LIMITS.glare);
  assert.equal(share(grain), 0);
  assert.equal(share(print), 0);
  assert.equal(share(table), 0);
  assert.equal(share(paper), 0);
  const yellow = picture(512, 320, spot);
  for (let i = 2; i < yellow.data.length; i += 4) yellow.data[i] = 200;
  assert.equal(glare(yellow.data, 512, 320), 0);
});

test('the limits are those of the service', () => {
  const source = readFileSync(new URL('../../../mod_verify/analyze/'
    + 'image_quality.h', import.meta.url), 'utf8');
  const value = (name) => Number(source.match(
    new RegExp(`X\\(${name}, ([\\d.]+)\\)`))[1]);
  assert.deepEqual(LIMITS, { side: value('LONGER_SIDE_LEAST'),
    sharpness: value('SHARPNESS_LEAST'), glare: value('GLARE_MOST'),
    brightness: value('BRIGHTNESS_LEAST') });
});

test('problems are told worst first', () => {
  const good = assess(picture(512, 320, print), { width: 1600, height: 1000 });
  assert.deepEqual(good.problems, []);
  const small = assess(picture(512, 320, print), { width: 512, height: 320 });
  assert.deepEqual(small.problems, ['too_small']);
  const upright = assess(picture(320, 512, print),
    { width: 1000, height: 1600 });
  assert.deepEqual(upright.problems, []);
  const dark = assess(picture(512, 320, (x) => ramp(x) / 6),
    { width: 100, height: 100 });
  assert.deepEqual(dark.problems, ['too_small', 'too_dark', 'blurred']);
});
