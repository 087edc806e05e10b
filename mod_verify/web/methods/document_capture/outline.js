// Finds the four corners of a document in a picture: the quadrangle whose sides
// have edges under them and whose shape is that of a document seen at an angle.
// Pure functions over pixels.
//
// 1. Edges: the gradient of the color channel in which it is the greatest.
// 2. Lines for each side by a Hough transform. A side leans at most MOST_LEAN, so a
//    document that is held askew is not found: the person can turn it.
// 3. Quadrangles of four lines with the aspect ratio of a card or a page. The ratio
//    is measured in space, with the focal length, not in the picture. A band whose
//    color is that of the table hides a side, and the ratio of the rest is wrong.
// 4. The sides are fitted to the edges under them, and judged again, strictly.
// 5. The largest of those that are supported nearly as well as the best is the
//    document; the others are printed on it. If there is another edge next to it,
//    there is no answer: it is better to ask again than to cut a document.

const PIXELS = 64000;       // of the picture in which corners are looked for
const SCALES = [1, 1.4, 0.85]; // times as many, for looks at the same picture
const SAME = 0.02;          // of the document's longer side, between two looks
const MOST_LEAN = 0.36;     // slope, about 20 degrees
const LEAN_STEP = 0.04;
const LINES = 10;           // candidates for each side
const SAMPLES = 32;         // looks along each side
const LEAST_AREA = 0.1;     // of the picture
const REFINED = 18;         // quadrangles that are fitted and judged strictly
// Long side to short side: cards are 85.6 x 54 mm, pages of passports 125 x 88.
const RATIOS = { card: [1.586], passport: [1.42], any: [1.586, 1.42] };
const COARSE = { ratio: 0.14, square: 0.2, support: 0.45, mean: 0 };
const STRICT = { ratio: 0.025, square: 0.015, support: 0.6, mean: 0.78 };
const LOOSE = { support: 0, mean: 0 };
// The share of a side, and of all, whose edge is next to it and not under it.
const OFF_EDGE = { least: 0.16, mean: 0.06 };
const NEARLY = 0.6;         // of at most 2 in all
const GOES_ON = 0.7;        // share of edge beyond a corner, which is then none
const ALIKE = 0.045;        // of the size, between corners of one outline's variants
// An edge outside of a side that is tried instead, and one that makes it doubtful.
const GROWING = { from: 2, share: 0.4 }, DOUBTFUL = { from: 3.4, share: 0.4 };
const DARK = 40;            // sum of three channels; below it, color is ignored
const EDGE = 16;
const LEAST_EDGES = [9 * 15, 9 * 10, 9 * 10]; // of brightness, red, blue
export const FOCAL = 0.8;   // focal length of phones, of the longer side

// By how much a picture of this size is reduced before corners are looked for; SHARE is
// one of the scales for firstLook().
export function lookScale(width, height, share = 1) {
  return Math.min(1, Math.sqrt(share * PIXELS / (width * height)));
}

// ---- edges --------------------------------------------------------------------

// The picture as brightness and two shares of color, which light and the grain of
// wood or stone leave alone.
function planes(rgba, pixels) {
  const light = new Int16Array(pixels), red = new Int16Array(pixels);
  const blue = new Int16Array(pixels);
  for (let i = 0, p = 0; i < pixels; i++, p += 4) {
    const sum = rgba[p] + rgba[p + 1] + rgba[p + 2];
    light[i] = sum;
    red[i] = 1024 * rgba[p] / (sum + DARK);
    blue[i] = 1024 * rgba[p + 2] / (sum + DARK);
  }
  return [light, red, blue];
}

// Each value as the sum of itself and its eight neighbours; noise makes edges of
// its own.
function smooth(values, width, height) {
  const rows = new Int16Array(values.length), out = new Int16Array(values.length);
  for (let i = 1; i < rows.length - 1; i++)
    rows[i] = values[i - 1] + values[i] + values[i + 1];
  for (let i = width; i < rows.length - width; i++)
    out[i] = rows[i - width] + rows[i] + rows[i + width];
  return out;
}

// Differences across two pixels, in x and in y, each of the plane in which it is
// the greatest, in units of which EDGE is the weakest that counts.
function gradients(rgba, width, height) {
  const dx = new Int16Array(width * height), dy = new Int16Array(width * height);
  planes(rgba, width * height).forEach((plane, n) => {
    const values = smooth(plane, width, height);
    const unit = EDGE / leastEdge(values, width, height, LEAST_EDGES[n]);
    for (let y = 2; y < height - 2; y++)
      for (let x = 2, i = y * width + 2; x < width - 2; x++, i++) {
        const right = unit * (values[i + 1] - values[i - 1]);
        const down = unit * (values[i + width] - values[i - width]);
        if (Math.abs(right) > Math.abs(dx[i])) dx[i] = right;
        if (Math.abs(down) > Math.abs(dy[i])) dy[i] = down;
      }
  });
  return { dx, dy, width, height, least: EDGE };
}

// The weakest difference that is an edge: what the grain of this picture's table
// and the camera's noise do not reach in most places, and no less than LEAST.
function leastEdge(values, width, height, least) {
  const counts = new Uint32Array(512);
  let all = 0;
  for (let i = 2 * width; i < values.length - 2 * width; i += 3, all++)
    counts[Math.min(511, Math.max(Math.abs(values[i + 1] - values[i - 1]),
      Math.abs(values[i + width] - values[i - width])) >> 2)]++;
  let at = 0;
  for (let sum = 0; sum < all / 2; at++) sum += counts[at];
  return Math.max(least, 2.2 * 4 * at);
}

// ---- lines --------------------------------------------------------------------

// The strongest lines v = at + lean * (u - half), where u runs along the side
// and v across it.
function lines(gradient, isLevel) {
  const { width, height, dx, dy, least } = gradient;
  const [along, across] = isLevel ? [width, height] : [height, width];
  const [stepAlong, stepAcross] = isLevel ? [1, width] : [width, 1];
  const [main, other] = isLevel ? [dy, dx] : [dx, dy];
  const leans = Math.round(MOST_LEAN / LEAN_STEP) * 2 + 1;
  const votes = [new Float32Array(leans * across),
    new Float32Array(leans * across)];
  const half = along / 2, most = 3 * least;
  for (let v = 2; v < across - 2; v++)
    for (let u = 2; u < along - 2; u++) {
      const i = u * stepAlong + v * stepAcross;
      const strength = Math.abs(main[i]);
      if (strength < least || strength < Math.abs(other[i])) continue;
      // Only the ridge of an edge votes.
      if (strength < Math.abs(main[i - stepAcross])
          || strength <= Math.abs(main[i + stepAcross])) continue;
      const table = votes[main[i] > 0 ? 0 : 1];
      const vote = Math.min(strength, most);
      let at = v + MOST_LEAN * (u - half) + 0.5;
      const step = LEAN_STEP * (u - half);
      for (let k = 0; k < leans; k++, at -= step)
        if (at >= 0 && at < across) table[k * across + (at | 0)] += vote;
    }
  return peaks(votes, leans, across);
}

// The lines with the most votes of each half of the picture, apart from each other.
function peaks(votes, leans, across) {
  const found = [[], []];
  for (const table of votes) {
    const sums = new Float32Array(table.length);
    for (let i = 1; i < table.length - 1; i++)
      sums[i] = table[i] + 0.7 * (table[i - 1] + table[i + 1]);
    for (const [half, from, to] of [[0, 2, 0.6 * across],
      [1, 0.4 * across, across - 2]])
      found[half].push(...strongest(sums.slice(), leans, across,
        Math.floor(from), Math.floor(to)));
  }
  return found.map((all) => all.sort((a, b) => b.votes - a.votes)
    .slice(0, LINES));
}

function strongest(sums, leans, across, from, to) {
  const found = [];
  while (found.length < LINES * 0.7) {
    let best = 0, k = 0, at = 0;
    for (let row = 0; row < leans; row++)
      for (let v = from; v < to; v++)
        if (sums[row * across + v] > best) {
          best = sums[row * across + v];
          k = row;
          at = v;
        }
    if (!best) break;
    found.push({ at, lean: k * LEAN_STEP - MOST_LEAN, votes: best });
    for (let row = Math.max(0, k - 4); row <= Math.min(leans - 1, k + 4); row++)
      sums.fill(0, row * across + Math.max(from, at - 3),
        row * across + Math.min(to, at + 4));
  }
  return found;
}

// Where a level and an upright line cross.
function crossing(level, upright, width, height) {
  // y = level.at + level.lean (x - w/2), x = upright.at + upright.lean (y - h/2)
  const x = (upright.at + upright.lean
      * (level.at - level.lean * width / 2 - height / 2))
    / (1 - upright.lean * level.lean);
  return { x, y: level.at + level.lean * (x - width / 2) };
}

// ---- shape --------------------------------------------------------------------

export function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

export function area(corners) {
  let sum = 0;
  corners.forEach((a, i) => {
    const b = corners[(i + 1) % corners.length];
    sum += a.x * b.y - b.x * a.y;
  });
  return Math.abs(sum) / 2;
}

// The shape in space of what is seen between corners, by a camera of FOCAL pixels
// that aims at MIDDLE: {ratio: long to short side, square: 0 for right angles}.
// The sides' directions are the columns of the projection of the unit square
// (Heckbert, Fundamentals of Texture Mapping, 2.2.3), seen as rays.
export function shapeOf([tl, tr, br, bl], middle, focal) {
  const sx = tl.x - tr.x + br.x - bl.x, sy = tl.y - tr.y + br.y - bl.y;
  const ax = tr.x - br.x, ay = tr.y - br.y, bx = bl.x - br.x, by = bl.y - br.y;
  const divisor = ax * by - bx * ay;
  const g = (sx * by - bx * sy) / divisor, h = (ax * sy - sx * ay) / divisor;
  const ray = (corner, share) => [
    (corner.x - tl.x + share * corner.x - middle.x * share) / focal,
    (corner.y - tl.y + share * corner.y - middle.y * share) / focal, share];
  const right = ray(tr, g), down = ray(bl, h);
  const wide = Math.hypot(...right), high = Math.hypot(...down);
  const dot = right[0] * down[0] + right[1] * down[1] + right[2] * down[2];
  return { ratio: Math.max(wide, high) / Math.min(wide, high),
    square: Math.abs(dot) / (wide * high) };
}

// How far RATIO is from the nearest of RATIOS, as a share.
function offRatio(ratio, ratios) {
  return Math.min(...ratios.map((r) => Math.abs(Math.log(ratio / r))));
}

function hasShape(corners, search, limits) {
  const { width, height, middle, focal, ratios } = search;
  const margin = 0.02 * Math.max(width, height);
  if (corners.some(({ x, y }) => x < -margin || y < -margin
      || x > width + margin || y > height + margin)) return false;
  const { ratio, square } = shapeOf(corners, middle, focal);
  return offRatio(ratio, ratios) <= limits.ratio && square <= limits.square
    && area(corners) >= LEAST_AREA * width * height;
}

// ---- support ------------------------------------------------------------------

// The share of looks along A to B, between FROM and TO of the way, that meet an
// edge within REACH pixels.
function support(gradient, a, b, reach, from = 0.06, to = 0.94) {
  const { width, height, dx, dy, least } = gradient;
  const isLevel = Math.abs(b.x - a.x) >= Math.abs(b.y - a.y);
  const [main, other] = isLevel ? [dy, dx] : [dx, dy];
  const step = isLevel ? width : 1;
  let met = 0, looks = 0;
  for (let n = 0; n < SAMPLES; n++) {
    const share = from + (to - from) * n / (SAMPLES - 1);
    const x = Math.round(a.x + (b.x - a.x) * share);
    const y = Math.round(a.y + (b.y - a.y) * share);
    if (x < 4 || y < 4 || x >= width - 4 || y >= height - 4) continue;
    looks++;
    for (let d = -reach; d <= reach; d++) {
      const i = y * width + x + d * step;
      if (Math.abs(main[i]) >= least
          && Math.abs(main[i]) > 1.2 * Math.abs(other[i])) {
        met++;
        break;
      }
    }
  }
  return looks >= SAMPLES * 0.6 ? met / looks : 0;
}

// The share of looks along A to B that meet the ridge of an edge.
function ridge({ width, height, dx, dy, least }, a, b) {
  const isLevel = Math.abs(b.x - a.x) >= Math.abs(b.y - a.y);
  const main = isLevel ? dy : dx, step = isLevel ? width : 1;
  let met = 0;
  for (let n = 0; n < SAMPLES; n++) {
    const share = 0.06 + 0.88 * n / (SAMPLES - 1);
    const x = Math.round(a.x + (b.x - a.x) * share);
    const y = Math.round(a.y + (b.y - a.y) * share);
    if (x < 4 || y < 4 || x >= width - 4 || y >= height - 4) continue;
    const i = y * width + x, strength = Math.abs(main[i]);
    met += strength >= least && strength >= Math.abs(main[i - step])
      && strength >= Math.abs(main[i + step]);
  }
  return met / SAMPLES;
}

// {least, mean} of the sides' support.
function supports(gradient, corners, reach) {
  const all = corners.map((corner, i) => (
    support(gradient, corner, corners[(i + 1) % 4], reach)));
  return { least: Math.min(...all), mean: all.reduce((a, b) => a + b) / 4 };
}

// 0: not an outline; else up to 2.
function rate(gradient, corners, reach, limits) {
  const { least, mean } = supports(gradient, corners, reach);
  return least < limits.support || mean < limits.mean ? 0 : least + mean;
}

// Whether each side lies on its edge. One that does not leads from one edge to
// another: from the border to what is printed next to it.
function liesOnEdges(gradient, corners) {
  const near = supports(gradient, corners, 1), at = supports(gradient, corners, 0);
  return near.least - at.least <= OFF_EDGE.least
    && near.mean - at.mean <= OFF_EDGE.mean;
}

// How many ends of sides, and how many sides, go on beyond the corners. Two sides do
// around what is printed on a document, and around a tile; one does that lies on a joint.
function goesOn(gradient, corners) {
  const ends = corners.map((a, i) => {
    const b = corners[(i + 1) % 4];
    return (support(gradient, a, b, 2, 1.04, 1.14) >= GOES_ON)
      + (support(gradient, a, b, 2, -0.14, -0.04) >= GOES_ON);
  });
  return { ends: ends.reduce((one, other) => one + other),
    sides: ends.filter(Boolean).length };
}

// ---- fitting ------------------------------------------------------------------

// The straight line through the ridge of the edge within REACH of A to B as {at, lean} over
// the picture's middle; null where there is none. Places off the line are dropped
// in a second round: fingers, letters.
function fit(gradient, a, b, reach) {
  const { width, height, dx, dy, least } = gradient;
  const isLevel = Math.abs(b.x - a.x) >= Math.abs(b.y - a.y);
  const main = isLevel ? dy : dx, step = isLevel ? width : 1;
  const points = [];
  for (let n = 0; n < 2 * SAMPLES; n++) {
    const share = 0.05 + 0.9 * n / (2 * SAMPLES - 1);
    const x = Math.round(a.x + (b.x - a.x) * share);
    const y = Math.round(a.y + (b.y - a.y) * share);
    if (x < 5 || y < 5 || x >= width - 5 || y >= height - 5) continue;
    let best = least - 1, where = 0;
    for (let d = -reach; d <= reach; d++) {
      const value = Math.abs(main[y * width + x + d * step]);
      if (value > best) {
        best = value;
        where = d;
      }
    }
    if (best < least) continue;
    const i = y * width + x + where * step;
    const before = Math.abs(main[i - step]), after = Math.abs(main[i + step]);
    const bend = before + after - 2 * best;
    const v = (isLevel ? y : x) + where
      + (bend < 0 ? Math.max(-0.5, Math.min(0.5, 0.5 * (before - after) / bend))
        : 0);
    points.push({ u: isLevel ? x - width / 2 : y - height / 2, v });
  }
  return straight(straight(points, 9, null), 1.2, points);
}

// The least squares line of POINTS; of those within MOST of LINE in the second
// round.
function straight(first, most, again) {
  const points = again && first ? again.filter(({ u, v }) => (
    Math.abs(v - first.at - first.lean * u) < most)) : again ? [] : first;
  if (points.length < SAMPLES / 2) return null;
  let su = 0, sv = 0, suu = 0, suv = 0;
  for (const { u, v } of points) {
    su += u;
    sv += v;
    suu += u * u;
    suv += u * v;
  }
  const n = points.length, spread = n * suu - su * su;
  if (spread < 1) return null;
  const lean = (n * suv - su * sv) / spread;
  return { lean, at: (sv - lean * su) / n };
}

function fitted(gradient, [tl, tr, br, bl], reach) {
  const { width, height } = gradient;
  const top = fit(gradient, tl, tr, reach), left = fit(gradient, tl, bl, reach);
  const bottom = fit(gradient, bl, br, reach);
  const right = fit(gradient, tr, br, reach);
  return top && bottom && left && right
    && cornersOf(top, right, bottom, left, width, height);
}

function cornersOf(top, right, bottom, left, width, height) {
  return [crossing(top, left, width, height), crossing(top, right, width, height),
    crossing(bottom, right, width, height), crossing(bottom, left, width, height)];
}

// The side A to B moved by D pixels away from MIDDLE.
function moved(a, b, middle, d) {
  const length = distance(a, b);
  const nx = (b.y - a.y) / length, ny = -(b.x - a.x) / length;
  const by = nx * (middle.x - a.x) + ny * (middle.y - a.y) > 0 ? -d : d;
  return [a, b].map(({ x, y }) => ({ x: x + by * nx, y: y + by * ny }));
}

// The last place within a few pixels outside of the side A to B where there is
// an edge along SHARE of it, at least FROM pixels away; else null.
function nextOutside(gradient, corners, i, { from, share }) {
  const a = corners[i], b = corners[(i + 1) % 4];
  const middle = { x: (corners[0].x + corners[2].x) / 2,
    y: (corners[0].y + corners[2].y) / 2 };
  for (let d = Math.min(16, 0.06 * distance(a, b) + 4); d > from; d--) {
    const side = moved(a, b, middle, d);
    if (ridge(gradient, ...side) > share) return side;
  }
  return null;
}

// CORNERS with each side moved outwards to the last edge next to it, so that a
// thin frame printed along the border is not taken for the border.
function grown(gradient, corners) {
  const { width, height } = gradient;
  const [top, right, bottom, left] = corners.map((corner, i) => {
    const [a, b] = nextOutside(gradient, corners, i, GROWING)
      || [corner, corners[(i + 1) % 4]];
    const lean = i % 2 ? (b.x - a.x) / (b.y - a.y) : (b.y - a.y) / (b.x - a.x);
    return { lean, at: i % 2 ? a.x + lean * (height / 2 - a.y)
      : a.y + lean * (width / 2 - a.x) };
  });
  return cornersOf(top, right, bottom, left, width, height);
}

// ---- the search ---------------------------------------------------------------

// All quadrangles of candidate lines that could be documents, best first.
function candidates(gradient, search) {
  const { width, height } = search;
  const [tops, bottoms] = lines(gradient, true);
  const [lefts, rights] = lines(gradient, false);
  const found = [];
  for (const top of tops)
    for (const bottom of bottoms) {
      const high = bottom.at - top.at;
      if (high < height * 0.15) continue;
      for (const left of lefts)
        for (const right of rights) {
          const wide = right.at - left.at;
          if (wide < width * 0.15 || wide > 2.3 * high || high > 2.3 * wide)
            continue;
          const corners = cornersOf(top, right, bottom, left, width, height);
          if (!hasShape(corners, search, COARSE)) continue;
          const score = rate(gradient, corners, 2, COARSE);
          if (score) found.push({ corners,
            score: score + Math.sqrt(area(corners) / (width * height)) });
        }
    }
  return found.sort((a, b) => b.score - a.score);
}

// Without those that are nearly the same as a better one.
function distinct(found, most) {
  const kept = [];
  for (const one of found) {
    if (kept.length === most) break;
    if (!kept.some(({ corners }) => corners.every((corner, i) => (
      distance(corner, one.corners[i]) < 3.5)))) kept.push(one);
  }
  return kept;
}

function isAlike(one, other) {
  const most = ALIKE * Math.sqrt(other.area);
  return one.corners.every((corner, i) => distance(corner, other.corners[i]) < most);
}

// Of a card and a picture printed on it the card is meant: the largest of those
// that are supported nearly as well as the best, in the variant that fits best. If no
// variant lies on its edges, there is no answer.
function outermost(found) {
  const best = Math.max(...found.map(({ score }) => score));
  const [largest] = found.filter(({ score }) => score >= best - NEARLY)
    .sort((a, b) => b.area - a.area);
  if (!largest) return null;
  return found.filter((one) => one.isOnEdges && isAlike(one, largest))
    .sort((a, b) => b.exact - a.exact || b.area - a.area)[0];
}

// The outline in a picture {data, width, height} in RGBA, best of PIXELS:
// {corners: [top left, top right, bottom right, bottom left]}, or null. Of OPTIONS:
// kind: "card", "passport" or "any"; focal: the camera's focal length in pixels of the
// picture.
export function findOutline({ data, width, height }, options = {}) {
  const search = { width, height, middle: { x: width / 2, y: height / 2 },
    focal: options.focal || FOCAL * Math.max(width, height),
    ratios: RATIOS[options.kind] || RATIOS.any };
  const gradient = gradients(data, width, height);
  const found = [];
  const looked = distinct(candidates(gradient, search), REFINED)
    .flatMap(({ corners }) => [{ corners, reach: 3 },
      { corners: grown(gradient, corners), reach: 1 }]);
  for (const { corners, reach } of looked) {
    const exact = fitted(gradient, corners, reach);
    if (!exact || !hasShape(exact, search, STRICT)) continue;
    const score = rate(gradient, exact, 1, STRICT);
    const { ends, sides } = goesOn(gradient, exact);
    if (score && sides < 2)
      found.push({ corners: exact, score, area: area(exact), ends,
        exact: rate(gradient, exact, 0, LOOSE),
        isOnEdges: liesOnEdges(gradient, exact) });
  }
  const free = found.filter(({ ends }) => ends < 2);
  const best = outermost(free.length ? free : found);
  return best && [0, 1, 2, 3].some((i) => (
    nextOutside(gradient, best.corners, i, DOUBTFUL))) ? null
    : best && { corners: best.corners.map(({ x, y }) => (
      { x: x + 0.5, y: y + 0.5 })) }; // from the middles of pixels
}

// ---- several looks ------------------------------------------------------------

// Whether two looks found the same outline.
export function isSame(corners, others) {
  const most = SAME * Math.max(distance(corners[0], corners[1]),
    distance(corners[1], corners[2]));
  return corners.every((corner, i) => distance(corner, others[i]) < most);
}

// The corners that find(scale) finds in a picture, with the scales at which it was not
// looked at; corners: null where there are none.
export function firstLook(find) {
  for (const n of [0, 1]) {
    const corners = find(SCALES[n]);
    if (corners) return { corners, others: SCALES.slice(n + 1) };
  }
  return { corners: null, others: [] };
}

// The corners on which two looks at different scales agree, in the middle between them, or
// null: an outline on a wrong edge is seldom found twice. After a first look, as
// firstLook() describes it.
export function agreed(find, { corners, others }) {
  const found = [corners];
  for (const scale of others) {
    const next = find(scale);
    const same = next && found.find((one) => isSame(one, next));
    if (same) return same.map(({ x, y }, i) => (
      { x: (x + next[i].x) / 2, y: (y + next[i].y) / 2 }));
    if (next) found.push(next);
  }
  return null;
}
