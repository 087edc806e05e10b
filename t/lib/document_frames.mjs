// Frames of a camera that looks at a document, generated: 12 grounds, 8 designs
// and 8 views of each, with the true corners. The same arguments make the same
// pixels. A frame is {data, width, height, corners, focal, kind}: RGBA, the corners
// from the document's top left on clockwise, the focal length in pixels.

// ---- chance -----------------------------------------------------------------

// Numbers from 0 to 1 that follow from SEED.
export function chance(seed) {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ state >>> 15, 1 | state);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
}

// A fixed number from 0 to 1 for each cell of a plane.
function cell(x, y) {
  let n = Math.imul(x, 374761393) + Math.imul(y, 668265263) | 0;
  n = Math.imul(n ^ n >>> 13, 1274126177);
  return ((n ^ n >>> 16) >>> 0) / 4294967296;
}

// The same, smooth: what wood, stone and light are made of.
function cloud(x, y) {
  const left = Math.floor(x), top = Math.floor(y);
  const fx = x - left, fy = y - top;
  const u = fx * fx * (3 - 2 * fx), v = fy * fy * (3 - 2 * fy);
  const above = cell(left, top) * (1 - u) + cell(left + 1, top) * u;
  const below = cell(left, top + 1) * (1 - u) + cell(left + 1, top + 1) * u;
  return above * (1 - v) + below * v;
}

const times = ([r, g, b], k) => [r * k, g * k, b * k];

// ---- grounds: colours by place in millimetres -------------------------------

function wood(base, strength) {
  return (x, y) => times(base, 1 + strength
    * (cloud(x / 40, y / 3.5) + 0.5 * cloud(x / 15, y / 1.2) - 0.75));
}

export const GROUNDS = {
  black: () => [16, 16, 18],
  night: (x, y) => times([34, 37, 44], 1 + 0.1 * (cloud(x / 9, y / 9) - 0.5)),
  graphite: () => [62, 63, 66],
  walnut: wood([84, 56, 38], 0.5),
  oak: wood([168, 126, 84], 0.28),
  brick: () => [140, 66, 50],
  gray: (x, y) => times([122, 122, 120], 1 + 0.08 * (cloud(x / 25, y / 25) - 0.5)),
  cloth: (x, y) => times([70, 84, 120], 1 + 0.16
    * (Math.sin(x * 1.7) * Math.sin(y * 1.7) + cell(x * 3 | 0, y * 3 | 0) - 0.5)),
  granite: (x, y) => times([136, 132, 128], 1 + 0.5
    * (cell(Math.floor(x / 1.6), Math.floor(y / 1.6)) - 0.5)),
  tiles: (x, y) => ((x + 900) % 150 < 3 || (y + 920) % 150 < 3
    ? [120, 116, 110] : times([186, 180, 170], 1 + 0.05 * cloud(x / 30, y / 30))),
  beige: () => [214, 202, 180],
  white: () => [243, 243, 240],
};

const middleOf = (name) => {
  let sum = [0, 0, 0];
  for (let i = 0; i < 400; i++) {
    const color = GROUNDS[name](cell(i, 1) * 200, cell(i, 2) * 200);
    sum = sum.map((v, k) => v + color[k] / 400);
  }
  return sum;
};

// ---- designs: colours by place on the document, from 0 to 1 ------------------

// Lines of print in a box: dark where a letter is.
function isPrint(x, y, size) {
  const row = y / size, letter = x / (0.62 * size);
  return row - Math.floor(row) < 0.5
    && letter - Math.floor(letter) < 0.62
    && cell(Math.floor(letter), Math.floor(row)) > 0.2;
}

const isIn = (x, y, [left, top, right, bottom]) => x > left && x < right
  && y > top && y < bottom;

// A head on a gray field in a box.
function portrait(x, y, [left, top, right, bottom]) {
  const u = (x - left) / (right - left) - 0.5, v = (y - top) / (bottom - top);
  if (u * u / 0.05 + (v - 0.42) ** 2 / 0.05 < 1) return v < 0.3 ? [58, 46, 40]
    : [196, 158, 134];
  if (u * u / 0.2 + (v - 1.1) ** 2 / 0.16 < 1) return [70, 82, 104];
  return [206, 208, 210];
}

const CARD = [85.6, 53.98], PAGE = [125, 88];

// A card with a portrait and print on PAPER, with what BANDS (x, y in mm) paint
// over it.
function card(paper, ink, bands = () => null) {
  const face = [5, 15, 27, 43];
  return (x, y) => {
    const band = bands(x, y);
    if (band) return band;
    if (isIn(x, y, face)) return portrait(x, y, face);
    if (isIn(x, y, [32, 14, 80, 44]) && isPrint(x, y, 4.2)) return ink;
    return times(paper, 1 + 0.05 * Math.sin(x / 2.3 + 2 * Math.sin(y / 5)));
  };
}

// The ground's brightness in another hue: what a band of an unlucky colour has.
const near = (ground) => [ground[0] - 9, ground[1] + 1, ground[2] + 13]
  .map((v) => Math.min(252, Math.max(4, v)));

// Each is made for the mean color of a ground. `hides`: a band has its color.
export const DESIGNS = {
  plain: { size: CARD, kind: 'card', paint: () => card([226, 228, 220],
    [40, 42, 48]) },
  header: { size: CARD, kind: 'card', paint: () => card([218, 220, 208],
    [40, 42, 48], (x, y) => (y < 9.2 ? (isIn(x, y, [3, 2, 40, 7])
      && isPrint(x, y, 4) ? [240, 236, 226] : [92, 106, 122])
      : y > 46.4 ? [228, 224, 214] : null)) },
  camouflage: { size: CARD, kind: 'card', paint: (ground) => card(
    ground[1] > 150 ? [150, 170, 190] : [218, 220, 208], [30, 32, 38],
    (x, y) => (y < 9.2 ? (isIn(x, y, [3, 2, 40, 7]) && isPrint(x, y, 4)
      ? (ground[1] > 150 ? [40, 40, 50] : [240, 236, 226]) : near(ground))
      : null)) },
  footer: { size: CARD, kind: 'card', paint: (ground) => card([190, 206, 214],
    [40, 42, 48], (x, y) => (y < 7 ? [60, 84, 140] : y > 48.6 ? near(ground)
      : null)) },
  spine: { size: CARD, kind: 'card', paint: (ground) => card([222, 214, 206],
    [40, 42, 48], (x) => (x < 4.6 ? near(ground) : x > 82 ? [150, 60, 66]
      : null)) },
  framed: { size: CARD, kind: 'card', paint: () => card([208, 220, 214],
    [36, 40, 60], (x, y) => (isIn(x, y, [2.6, 2.6, 83, 51.4])
      && !isIn(x, y, [3.4, 3.4, 82.2, 50.6]) ? [70, 100, 110] : null)) },
  dark: { size: CARD, kind: 'card', paint: () => card([38, 58, 108],
    [224, 220, 206], (x, y) => (y > 40 && y < 43 ? [190, 160, 80] : null)) },
  passport: { size: PAGE, kind: 'passport', paint: () => (x, y) => {
    const face = [6, 18, 41, 63];
    if (isIn(x, y, face)) return portrait(x, y, face);
    if (isIn(x, y, [48, 14, 116, 60]) && isPrint(x, y, 5.6)) return [46, 44, 52];
    if (isIn(x, y, [4, 68, 121, 82]) && isPrint(x, y, 6.6)) return [24, 24, 26];
    if (y < 10) return [206, 188, 190];
    return times([226, 216, 214], 1 + 0.05 * Math.sin((x + y) / 3));
  } },
};

// ---- views --------------------------------------------------------------------

// Sides of the frame as width to height; angles in degrees; share: of the frame's
// width or height, whichever the document fills first; fingers: on which sides;
// upright: the document is turned by a quarter; light: how it falls off.
export const VIEWS = {
  level: { frame: [9, 16], share: 0.86 },
  leaning: { frame: [9, 16], share: 0.8, roll: 5, pitch: 14, light: 0.3 },
  held: { frame: [9, 16], share: 0.78, roll: -3, yaw: 10, fingers: ['left'] },
  upright: { frame: [9, 16], share: 0.74, roll: 2, pitch: -8, upright: true },
  wide: { frame: [4, 3], share: 0.76 },
  turned: { frame: [4, 3], share: 0.7, roll: -8, pitch: -12, light: -0.3 },
  handed: { frame: [16, 9], share: 0.74, roll: 3, yaw: -14,
    fingers: ['right', 'bottom'] },
  steep: { frame: [3, 4], share: 0.76, roll: -6, pitch: 20, yaw: 8, light: 0.2 },
};

// Views on which no limit was tuned.
export const OTHER_VIEWS = {
  flat: { frame: [9, 16], share: 0.82, roll: 1 },
  tilted: { frame: [9, 16], share: 0.77, roll: 7, pitch: 11, light: 0.2 },
  gripped: { frame: [9, 16], share: 0.81, roll: -5, yaw: 8, fingers: ['left'] },
  standing: { frame: [9, 16], share: 0.7, roll: -2, pitch: -10, upright: true },
  broad: { frame: [4, 3], share: 0.72, roll: -1.5 },
  twisted: { frame: [4, 3], share: 0.73, roll: -6, pitch: -9, light: -0.2 },
  carried: { frame: [16, 9], share: 0.78, roll: 1, yaw: -11,
    fingers: ['right', 'bottom'] },
  sloped: { frame: [3, 4], share: 0.72, roll: -4, pitch: 17, yaw: -8, light: 0.25 },
};

const FOCAL = 0.8; // of the longer side: phones have 0.7 to 0.9
const RADIUS = 3.2;

function turnOf({ roll = 0, pitch = 0, yaw = 0 }) {
  const [a, b, c] = [roll, pitch, yaw].map((v) => v * Math.PI / 180);
  const [sa, sb, sc] = [a, b, c].map(Math.sin);
  const [ca, cb, cc] = [a, b, c].map(Math.cos);
  // First the roll in the plane, then the tilts: columns of the two directions.
  const tilt = ([x, y]) => [x * cc + y * sb * sc, y * cb, -x * sc + y * sb * cc];
  return [tilt([ca, sa]), tilt([-sa, ca])];
}

// Where the point P of the document's plane, in mm from its middle, is seen.
function seen(p, { across, down, centre, focal, middle }) {
  const at = [0, 1, 2].map((i) => across[i] * p[0] + down[i] * p[1] + centre[i]);
  return { x: middle.x + focal * at[0] / at[2],
    y: middle.y + focal * at[1] / at[2] };
}

// The camera for VIEW and a document of SIZE mm in a frame of WIDTH x HEIGHT.
// OFF moves the document, in shares of the frame.
function cameraOf(view, size, width, height, off = [0, 0]) {
  let [across, down] = turnOf(view);
  if (view.upright) [across, down] = [down, across.map((v) => -v)];
  const focal = FOCAL * Math.max(width, height);
  const middle = { x: width / 2, y: height / 2 };
  const [w, h] = view.upright ? [size[1], size[0]] : size;
  const span = Math.min(width / w, height / h) * view.share;
  const distance = focal / span;
  return { across, down, focal, middle, centre: [
    distance * (off[0] * width) / focal, distance * (off[1] * height) / focal,
    distance] };
}

// The inverse: the place on the plane that a pixel shows.
function ground({ across, down, centre, focal, middle }) {
  const [a, b, c] = [across, down, centre];
  const m = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2],
    b[0] * c[1] - b[1] * c[0]];
  const n = [c[1] * a[2] - c[2] * a[1], c[2] * a[0] - c[0] * a[2],
    c[0] * a[1] - c[1] * a[0]];
  const o = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0]];
  return (x, y) => {
    const r = [(x - middle.x) / focal, (y - middle.y) / focal, 1];
    const w = o[0] * r[0] + o[1] * r[1] + o[2];
    return [(m[0] * r[0] + m[1] * r[1] + m[2]) / w,
      (n[0] * r[0] + n[1] * r[1] + n[2]) / w];
  };
}

// How far outside a rectangle with round corners a place is; negative: inside.
function outside(x, y, [w, h], radius) {
  const dx = Math.max(Math.abs(x) - w / 2 + radius, 0);
  const dy = Math.max(Math.abs(y) - h / 2 + radius, 0);
  const inner = Math.max(Math.abs(x) - w / 2, Math.abs(y) - h / 2);
  return dx > 0 || dy > 0 ? Math.hypot(dx, dy) - radius : inner;
}

// Fingers as capsules from outside over an edge of the document: [x, y] of the
// tip, the direction outwards, half the width.
function fingersOf(sides, [w, h], random) {
  const along = () => 0.25 + 0.5 * random() - 0.5;
  const reach = () => 3 + 4 * random();
  const ways = {
    left: () => ({ at: [-w / 2 + reach(), h * along()], to: [-1, 0.2] }),
    right: () => ({ at: [w / 2 - reach(), h * along()], to: [1, 0.25] }),
    top: () => ({ at: [w * along(), -h / 2 + reach()], to: [0.2, -1] }),
    bottom: () => ({ at: [w * along(), h / 2 - reach()], to: [-0.2, 1] }),
  };
  return sides.map((side) => ({ ...ways[side](), half: 6.5 }));
}

function skinAt(x, y, { at, to, half }) {
  const length = Math.hypot(to[0], to[1]);
  const [ux, uy] = [to[0] / length, to[1] / length];
  const along = (x - at[0]) * ux + (y - at[1]) * uy;
  const across = Math.abs((x - at[0]) * uy - (y - at[1]) * ux);
  const off = along < 0 ? Math.hypot(along, across) : across;
  return off < half ? times([206, 152, 124], 1 - 0.3 * (off / half) ** 2) : null;
}

const GRAIN = 3;  // samples a side of each pixel
const NOISE = 1.6; // of a pixel, in levels

function paintScene({ camera, size, radius, paint, floor, fingers, light,
  hasShadow }) {
  const at = ground(camera);
  return (px, py, lit) => {
    const [x, y] = at(px, py);
    for (const finger of fingers) {
      const skin = skinAt(x, y, finger);
      if (skin) return times(skin, lit(px, py, light));
    }
    const off = outside(x, y, size, radius);
    const color = off < 0 ? paint(x + size[0] / 2, y + size[1] / 2)
      : floor(x + 210, y + 170);
    // Where the document rests on the ground, less light arrives.
    const shade = hasShadow && off >= 0 && off < 1 && y > -size[1] * 0.7
      ? 1 - 0.12 * (1 - off) : 1;
    return times(color, shade * lit(px, py, light));
  };
}

function render(scene, width, height) {
  const lit = (x, y, light) => 1 + light * (x / width - 0.5)
    - 0.12 * ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2);
  const color = paintScene(scene);
  const values = new Float32Array(width * height * 3);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i += 3)
      for (let s = 0; s < GRAIN * GRAIN; s++) {
        const c = color(x + (s % GRAIN + 0.5) / GRAIN,
          y + (Math.floor(s / GRAIN) + 0.5) / GRAIN, lit);
        for (let k = 0; k < 3; k++) values[i + k] += c[k] / GRAIN ** 2;
      }
  return values;
}

function noisy(values, width, height, random) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let i = 0, o = 0; i < values.length; i += 3, o += 4) {
    for (let k = 0; k < 3; k++) {
      const noise = random() + random() + random() - 1.5; // deviation 0.5
      data[o + k] = values[i + k] + 2 * NOISE * noise;
    }
    data[o + 3] = 255;
  }
  return { data, width, height };
}

// A scene by its names: {frames(count): pictures of it that differ in noise, as
// the document rests; corners; width, height}. SIZE(width, height) says how large
// a picture is made of a frame with these sides. OFF moves the document out of the
// frame; BARE leaves the document away; HIDDEN lets bands have the ground's very
// color, with no shadow.
export function sceneOf({ ground: name, design, view: viewName, off, bare, hidden },
  size) {
  const view = VIEWS[viewName] || OTHER_VIEWS[viewName];
  const [width, height] = size(...view.frame.map((v) => v * 120));
  const { size: mm, kind, paint } = DESIGNS[design];
  const random = chance([...`${name} ${design} ${viewName}`]
    .reduce((n, c) => n * 31 + c.charCodeAt(0) >>> 0, 7));
  const camera = cameraOf(view, mm, width, height, off);
  const mean = middleOf(name);
  const values = render({ camera, size: bare ? [0, 0] : mm,
    radius: bare ? 0 : kind === 'card' ? RADIUS : 1.5,
    paint: paint(hidden ? [mean[0] + 9, mean[1] - 1, mean[2] - 13] : mean),
    floor: GROUNDS[name], light: view.light || 0.08, hasShadow: !hidden && !bare,
    fingers: fingersOf(bare ? [] : view.fingers || [], mm, random) }, width, height);
  const [w, h] = mm;
  const corners = [[-w, -h], [w, -h], [w, h], [-w, h]].map(([x, y]) => (
    seen([x / 2, y / 2], camera)));
  return { width, height, corners, kind, focal: camera.focal,
    frames: (count) => Array.from({ length: count }, () => (
      noisy(values, width, height, random))) };
}
