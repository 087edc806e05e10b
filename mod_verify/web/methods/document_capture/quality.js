// How readable a picture of a document is: the measures of the service
// (analyze/image_quality.h) with its limits, so that nobody is sent away with a
// picture that it would read, nor sends one that it will not. Pure functions
// over pixels; t/browser compares limits and verdicts with the service's.

export const LIMITS = {
  side: 600,         // pixels; of the longer side of the picture that is sent
  sharpness: 480,    // variance of the Laplacian in the sharper tiles
  glare: 0.01,       // share of the picture in colourless burnt-out spots
  brightness: 45,    // mean luma, 0 to 255
};
export const SAMPLE_SIZE = 1000; // longest side of the measured copy, pixels

const TILES = 8;
const BRIGHT = 240;
const COLOURLESS = 14;
const LEAST_SPOT = 2000; // a spot is glare from this part of the picture on
const MOST_SPOT = 0.25;  // and up to this share: what is larger is white paper

// Rec. 601 luma of RGBA bytes.
export function luma(rgba) {
  const gray = new Uint8ClampedArray(rgba.length / 4);
  for (let i = 0, p = 0; i < gray.length; i++, p += 4)
    gray[i] = 0.299 * rgba[p] + 0.587 * rgba[p + 1] + 0.114 * rgba[p + 2];
  return gray;
}

export function mean(values) {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return values.length ? sum / values.length : 0;
}

// Variance of the 4-neighbour Laplacian within one rectangle.
export function laplacianVariance(gray, width, area) {
  let sum = 0, squares = 0, count = 0;
  for (let y = area.top; y < area.bottom; y++) {
    for (let x = area.left, i = y * width + x; x < area.right; x++, i++) {
      const value = gray[i - 1] + gray[i + 1] + gray[i - width]
        + gray[i + width] - 4 * gray[i];
      sum += value;
      squares += value * value;
      count++;
    }
  }
  return count ? squares / count - (sum / count) ** 2 : 0;
}

// The 90th percentile of 8 x 8 tiles: print is sharp or it is not, while a
// plain part says nothing.
export function sharpness(gray, width, height) {
  const values = [];
  for (let j = 0; j < TILES; j++)
    for (let i = 0; i < TILES; i++)
      values.push(laplacianVariance(gray, width, {
        left: Math.floor(i * width / TILES) + 1,
        top: Math.floor(j * height / TILES) + 1,
        right: Math.floor((i + 1) * width / TILES) - 1,
        bottom: Math.floor((j + 1) * height / TILES) - 1,
      }));
  values.sort((a, b) => a - b);
  return values[Math.floor(TILES * TILES * 9 / 10)];
}

// Share of the picture in bright spots without colour, as reflections are; what
// reaches the edge is a white table.
export function glare(rgba, width, height) {
  const mask = new Uint8Array(width * height);
  for (let i = 0, p = 0; i < mask.length; i++, p += 4) {
    const low = Math.min(rgba[p], rgba[p + 1], rgba[p + 2]);
    const high = Math.max(rgba[p], rgba[p + 1], rgba[p + 2]);
    mask[i] = low >= BRIGHT && high - low < COLOURLESS ? 1 : 0;
  }
  const stack = new Int32Array(mask.length);
  let sum = 0;
  for (let i = 0; i < mask.length; i++) {
    if (!mask[i]) continue;
    const { size, isInside } = takeSpot(mask, width, height, i, stack);
    if (isInside && size * LEAST_SPOT > mask.length
      && size <= MOST_SPOT * mask.length) sum += size;
  }
  return mask.length ? sum / mask.length : 0;
}

// Removes the connected spot around START from the mask: {size} in pixels, and
// whether it {isInside} the picture, at no edge.
function takeSpot(mask, width, height, start, stack) {
  let size = 0, depth = 0, isInside = true;
  const take = (at) => {
    if (!mask[at]) return;
    mask[at] = 0;
    stack[depth++] = at;
  };
  take(start);
  while (depth) {
    const at = stack[--depth];
    const column = at % width;
    const below = mask.length - width;
    size++;
    if (column > 0) take(at - 1);
    if (column < width - 1) take(at + 1);
    if (at >= width) take(at - width);
    if (at < below) take(at + width);
    isInside = isInside && column > 0 && column < width - 1 && at >= width
      && at < below;
  }
  return { size, isInside };
}

// The problems of a picture, worst first, in the order of the service. SAMPLE
// is the copy {data, width, height} in RGBA of at most SAMPLE_SIZE a side, FULL
// the size of the picture itself.
export function assess(sample, full) {
  const gray = luma(sample.data);
  const measures = {
    sharpness: sharpness(gray, sample.width, sample.height),
    glare: glare(sample.data, sample.width, sample.height),
    brightness: mean(gray),
  };
  const problems = [];
  if (Math.max(full.width, full.height) < LIMITS.side)
    problems.push('too_small');
  if (measures.brightness < LIMITS.brightness) problems.push('too_dark');
  if (measures.sharpness < LIMITS.sharpness) problems.push('blurred');
  if (measures.glare > LIMITS.glare) problems.push('glare');
  return { ...measures, problems };
}
