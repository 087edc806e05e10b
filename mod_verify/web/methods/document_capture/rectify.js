// A picture of the document alone, seen from above. Pure functions.

import { distance } from './outline.js';

export const MARGIN = 0.07; // of the document's size, left around it in photos

// CORNERS moved away from their middle by SHARE of their size, but not out of
// the picture: a little of the table shows that nothing is cut off, and codes
// near the edge need white around them.
export function widened(corners, share, width, height) {
  const middle = { x: 0, y: 0 };
  for (const { x, y } of corners) {
    middle.x += x / 4;
    middle.y += y / 4;
  }
  return corners.map(({ x, y }) => ({
    x: Math.min(width - 1, Math.max(0, x + (x - middle.x) * share)),
    y: Math.min(height - 1, Math.max(0, y + (y - middle.y) * share)),
  }));
}

// The size of the upright picture of what lies between CORNERS, at most
// LONGEST pixels a side and no larger than it is.
export function rectifiedSize([tl, tr, br, bl], longest) {
  const width = Math.max(distance(tl, tr), distance(bl, br));
  const height = Math.max(distance(tl, bl), distance(tr, br));
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)) };
}

// The projection that takes the unit square to four corners, as a function
// (u, v) -> {x, y}; Heckbert, Fundamentals of Texture Mapping, 2.2.3.
export function projection([tl, tr, br, bl]) {
  const sum = { x: tl.x - tr.x + br.x - bl.x, y: tl.y - tr.y + br.y - bl.y };
  const right = { x: tr.x - br.x, y: tr.y - br.y };
  const left = { x: bl.x - br.x, y: bl.y - br.y };
  const divisor = right.x * left.y - left.x * right.y;
  const g = (sum.x * left.y - left.x * sum.y) / divisor;
  const h = (right.x * sum.y - sum.x * right.y) / divisor;
  const a = { x: tr.x - tl.x + g * tr.x, y: tr.y - tl.y + g * tr.y };
  const b = { x: bl.x - tl.x + h * bl.x, y: bl.y - tl.y + h * bl.y };
  return (u, v) => {
    const w = g * u + h * v + 1;
    return { x: (a.x * u + b.x * v + tl.x) / w,
      y: (a.y * u + b.y * v + tl.y) / w };
  };
}

// The upright picture of what lies between CORNERS in SOURCE ({data, width,
// height}, RGBA), as {data, width, height} of SIZE; bilinear.
export function rectify(source, corners, { width, height }) {
  const at = projection(corners);
  const { data: pixels, width: stride } = source;
  const data = new Uint8ClampedArray(width * height * 4);
  const right = source.width - 1.001, bottom = source.height - 1.001;
  for (let y = 0, out = 0; y < height; y++)
    for (let x = 0; x < width; x++, out += 4) {
      const point = at((x + 0.5) / width, (y + 0.5) / height);
      const px = Math.min(right, Math.max(0, point.x - 0.5));
      const py = Math.min(bottom, Math.max(0, point.y - 0.5));
      const left = px | 0, top = py | 0;
      const fx = px - left, fy = py - top;
      const i = (top * stride + left) * 4, j = i + stride * 4;
      for (let c = 0; c < 3; c++) {
        const above = pixels[i + c] + (pixels[i + 4 + c] - pixels[i + c]) * fx;
        const below = pixels[j + c] + (pixels[j + 4 + c] - pixels[j + c]) * fx;
        data[out + c] = above + (below - above) * fy;
      }
      data[out + 3] = 255;
    }
  return { data, width, height };
}
