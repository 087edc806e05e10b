// How readable a photo of a document will be: pure functions over pixels.
//
// The limits are deliberately mild. The person may send a doubtful photo, so
// a warning costs a second look and a missing one costs a whole attempt.

export const LIMITS = {
  shortSide: 480,    // pixels of the photo as it will be sent
  longSide: 720,
  sharpness: 30,     // variance of the Laplacian in the sharper tiles
  glare: 0.02,       // share of the picture in burnt-out spots
  paper: 0.25,       // a spot above this share is white paper, no reflection
  dark: 50,          // mean luma, 0 to 255
};
export const SAMPLE_SIZE = 1024; // longest side of the analysed copy, pixels

const TILE = 32;
const BURNT = 250;

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

// Sharpness of the busier parts: print is sharp or it is not, while an empty
// table around the document says nothing. The 90th percentile of the tiles.
export function sharpness(gray, width, height) {
  const values = [];
  for (let top = 1; top + TILE < height; top += TILE)
    for (let left = 1; left + TILE < width; left += TILE)
      values.push(laplacianVariance(gray, width,
        { top, left, bottom: top + TILE, right: left + TILE }));
  if (!values.length)
    return laplacianVariance(gray, width,
      { top: 1, left: 1, bottom: height - 1, right: width - 1 });
  values.sort((a, b) => a - b);
  return values[Math.floor((values.length - 1) * 0.9)];
}

// Share of the picture in burnt-out spots that do not reach its edge: what
// reaches the edge is a white table or a scanner's lid.
export function glare(gray, width, height) {
  const cell = 8;
  const columns = Math.floor(width / cell), rows = Math.floor(height / cell);
  const burnt = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      burnt[row * columns + column] = isBurnt(gray, width,
        column * cell, row * cell, cell) ? 1 : 0;

  let inside = 0;
  for (let start = 0; start < burnt.length; start++) {
    if (!burnt[start]) continue;
    const spot = takeSpot(burnt, columns, rows, start);
    if (!spot.touchesEdge && spot.size <= burnt.length * LIMITS.paper)
      inside += spot.size;
  }
  return burnt.length ? inside / burnt.length : 0;
}

function isBurnt(gray, width, left, top, size) {
  let count = 0;
  for (let y = top; y < top + size; y++)
    for (let x = left; x < left + size; x++)
      if (gray[y * width + x] >= BURNT) count++;
  return count >= size * size * 0.9;
}

// Removes the connected spot at START from the map.
function takeSpot(burnt, columns, rows, start) {
  const waiting = [start];
  let size = 0, touchesEdge = false;
  burnt[start] = 0;
  while (waiting.length) {
    const at = waiting.pop();
    const column = at % columns, row = (at - column) / columns;
    size++;
    if (!column || !row || column === columns - 1 || row === rows - 1)
      touchesEdge = true;
    const near = [];
    if (column > 0) near.push(at - 1);
    if (column < columns - 1) near.push(at + 1);
    if (row > 0) near.push(at - columns);
    if (row < rows - 1) near.push(at + columns);
    for (const next of near) {
      if (!burnt[next]) continue;
      burnt[next] = 0;
      waiting.push(next);
    }
  }
  return { size, touchesEdge };
}

// The problems of a photo, worst first. SAMPLE is the reduced copy {data,
// width, height} in RGBA, FULL the size of the photo itself.
export function assess(sample, full) {
  const gray = luma(sample.data);
  const measures = {
    sharpness: sharpness(gray, sample.width, sample.height),
    glare: glare(gray, sample.width, sample.height),
    brightness: mean(gray),
  };
  const long = Math.max(full.width, full.height);
  const short = Math.min(full.width, full.height);
  const problems = [];
  if (long < LIMITS.longSide || short < LIMITS.shortSide)
    problems.push('too_small');
  if (measures.brightness < LIMITS.dark) problems.push('too_dark');
  if (measures.sharpness < LIMITS.sharpness) problems.push('blurred');
  if (measures.glare > LIMITS.glare) problems.push('glare');
  return { ...measures, problems };
}
