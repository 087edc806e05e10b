// Where the document lies in a picture: the four corners of the quadrangle
// whose sides are the best supported by edges. Pure functions over pixels.
//
// Each side is looked for among straight lines that lean at most MOST_LEAN
// from upright or level, so a document that is held askew is not found: the
// person can turn it. Lines come from a Hough transform, separately for edges
// that grow lighter and darker inwards, since lines of print have both.

const MOST_LEAN = 0.36;     // slope, about 20 degrees
const LEAN_STEP = 0.04;
const LINES = 5;            // candidates for each side
const LEAST_GRADIENT = 14;  // of a pixel on an edge
const SAMPLES = 36;         // looks along each side
const LEAST_SUPPORT = 0.62; // share of these that meet an edge, each side
const MEAN_SUPPORT = 0.8;
const NEARLY = 0.3;         // of at most 2 in all
const LEAST_AREA = 0.1;     // of the picture
// Long side to short side: cards have 1.586, pages of passports 1.42, the
// forms of older documents up to 1.5; leaning shortens either.
const RATIO = { least: 1.15, most: 1.95 };

// One channel of RGBA bytes as the mean of each pixel and its eight neighbours;
// noise makes edges of its own.
function smooth(rgba, channel, width, height) {
  const rows = new Uint16Array(width * height);
  const out = new Uint8Array(width * height);
  for (let i = 1, p = 4 + channel; i < rows.length - 1; i++, p += 4)
    rows[i] = rgba[p - 4] + rgba[p] + rgba[p + 4];
  for (let i = width; i < rows.length - width; i++)
    out[i] = (rows[i - width] + rows[i] + rows[i + width]) / 9;
  return out;
}

// Differences across two pixels, in x and in y, each of the channel in which it
// is the greatest: a blue card on a brown table is of one brightness.
function gradients(rgba, width, height) {
  const dx = new Int16Array(width * height), dy = new Int16Array(width * height);
  for (let channel = 0; channel < 3; channel++) {
    const values = smooth(rgba, channel, width, height);
    for (let y = 2; y < height - 2; y++)
      for (let x = 2, i = y * width + 2; x < width - 2; x++, i++) {
        const right = values[i + 1] - values[i - 1];
        const down = values[i + width] - values[i - width];
        if (Math.abs(right) > Math.abs(dx[i])) dx[i] = right;
        if (Math.abs(down) > Math.abs(dy[i])) dy[i] = down;
      }
  }
  return { dx, dy };
}

// The strongest lines v = at + lean * (u - half), where u runs along the side
// and v across it. GRADIENT holds the differences across.
function lines(gradient, along, size, range) {
  const { across, stepAlong, stepAcross } = size;
  const leans = Math.round(MOST_LEAN / LEAN_STEP) * 2 + 1;
  const votes = [new Float32Array(leans * across),
    new Float32Array(leans * across)];
  const half = along / 2;
  for (let v = range.from; v < range.to; v++)
    for (let u = 2; u < along - 2; u += 1) {
      const i = u * stepAlong + v * stepAcross;
      const strength = Math.abs(gradient.main[i]);
      if (strength < LEAST_GRADIENT
          || strength < Math.abs(gradient.other[i])) continue;
      const vote = Math.min(strength, 48);
      const table = votes[gradient.main[i] > 0 ? 0 : 1];
      for (let k = 0; k < leans; k++) {
        const lean = (k - (leans - 1) / 2) * LEAN_STEP;
        const at = Math.round(v - lean * (u - half));
        if (at >= 0 && at < across) table[k * across + at] += vote;
      }
    }
  return peaks(votes, leans, across, range);
}

function peaks(votes, leans, across, range) {
  const found = [];
  for (const table of votes)
    for (let n = 0; n < LINES; n++) {
      let best = 0, where = -1;
      for (let i = 0; i < table.length; i++)
        if (table[i] > best) { best = table[i]; where = i; }
      if (where < 0) break;
      const at = where % across, k = (where - at) / across;
      found.push({ at, lean: (k - (leans - 1) / 2) * LEAN_STEP, votes: best });
      for (let row = 0; row < leans; row++)
        for (let d = -4; d <= 4; d++) {
          const near = at + d;
          if (near >= 0 && near < across) table[row * across + near] = 0;
        }
    }
  found.sort((a, b) => b.votes - a.votes);
  return found.filter(({ at }) => at >= range.from && at < range.to)
    .slice(0, LINES + 2);
}

// Where a level and an upright line cross.
function crossing(level, upright, width, height) {
  // y = level.at + level.lean (x - w/2), x = upright.at + upright.lean (y - h/2)
  const x = (upright.at + upright.lean
      * (level.at - level.lean * width / 2 - height / 2))
    / (1 - upright.lean * level.lean);
  return { x, y: level.at + level.lean * (x - width / 2) };
}

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

// Whether four corners can be those of a document, seen from above or nearly.
function isPlausible(corners, width, height) {
  const [tl, tr, br, bl] = corners;
  const margin = 0.02 * Math.max(width, height);
  if (corners.some(({ x, y }) => x < -margin || y < -margin
      || x > width + margin || y > height + margin)) return false;
  const top = distance(tl, tr), bottom = distance(bl, br);
  const left = distance(tl, bl), right = distance(tr, br);
  if (Math.max(top, bottom) > 1.5 * Math.min(top, bottom)
      || Math.max(left, right) > 1.5 * Math.min(left, right)) return false;
  const wide = (top + bottom) / 2, high = (left + right) / 2;
  const ratio = Math.max(wide, high) / Math.min(wide, high);
  return ratio >= RATIO.least && ratio <= RATIO.most
    && area(corners) >= LEAST_AREA * width * height;
}

// The share of looks along A to B that meet an edge with this sign across.
function support(a, b, gradient, width, height) {
  const level = Math.abs(b.x - a.x) >= Math.abs(b.y - a.y);
  const main = level ? gradient.dy : gradient.dx;
  const step = level ? width : 1;
  let up = 0, down = 0, looks = 0;
  // Corners of cards are round: the sixteenth at each end is left out.
  for (let n = 0; n < SAMPLES; n++) {
    const share = 0.06 + 0.88 * n / (SAMPLES - 1);
    const x = Math.round(a.x + (b.x - a.x) * share);
    const y = Math.round(a.y + (b.y - a.y) * share);
    if (x < 4 || y < 4 || x >= width - 4 || y >= height - 4) continue;
    looks++;
    let most = 0, least = 0;
    for (let d = -2; d <= 2; d++) {
      const value = main[y * width + x + d * step];
      if (value > most) most = value;
      if (value < least) least = value;
    }
    if (most >= LEAST_GRADIENT) up++;
    if (-least >= LEAST_GRADIENT) down++;
  }
  return looks >= SAMPLES * 0.6 ? Math.max(up, down) / looks : 0;
}

function rate(corners, gradient, width, height) {
  let least = 1, sum = 0;
  for (let i = 0; i < 4; i++) {
    const value = support(corners[i], corners[(i + 1) % 4], gradient, width,
      height);
    if (value < LEAST_SUPPORT) return 0;
    least = Math.min(least, value);
    sum += value;
  }
  return sum / 4 < MEAN_SUPPORT ? 0 : least + sum / 4;
}

// Of a card and a picture printed on it the card is meant: the largest of those
// that are supported nearly as well as the best.
function outermost(found) {
  const best = Math.max(...found.map(({ score }) => score));
  return found.filter(({ score }) => score >= best - NEARLY)
    .sort((a, b) => b.area - a.area)[0] || null;
}

// The outline in a picture {data, width, height} in RGBA, best of 200 to 400
// pixels a side: {corners: [top left, top right, bottom right, bottom left]}, or
// null.
export function findOutline({ data, width, height }) {
  const gradient = gradients(data, width, height);
  const level = { across: height, stepAlong: 1, stepAcross: width };
  const upright = { across: width, stepAlong: width, stepAcross: 1 };
  const vertical = { main: gradient.dy, other: gradient.dx };
  const horizontal = { main: gradient.dx, other: gradient.dy };
  const tops = lines(vertical, width, level,
    { from: 2, to: Math.floor(height * 0.6) });
  const bottoms = lines(vertical, width, level,
    { from: Math.floor(height * 0.4), to: height - 2 });
  const lefts = lines(horizontal, height, upright,
    { from: 2, to: Math.floor(width * 0.6) });
  const rights = lines(horizontal, height, upright,
    { from: Math.floor(width * 0.4), to: width - 2 });
  const found = [];
  for (const top of tops)
    for (const bottom of bottoms) {
      if (bottom.at - top.at < height * 0.15) continue;
      for (const left of lefts)
        for (const right of rights) {
          if (right.at - left.at < width * 0.15) continue;
          const corners = [crossing(top, left, width, height),
            crossing(top, right, width, height),
            crossing(bottom, right, width, height),
            crossing(bottom, left, width, height)];
          if (!isPlausible(corners, width, height)) continue;
          const score = rate(corners, gradient, width, height);
          if (score) found.push({ corners, score, area: area(corners) });
        }
    }
  return outermost(found);
}
