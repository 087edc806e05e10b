// What a person with a camera should do next, and when the picture is taken by
// itself: decisions only, fed with one look after the other.

import { area, distance } from './outline.js';

const LEAST_SHARE = 0.5;   // of the visible width or height that it spans
const LEAST_PIXELS = 640;  // of its longer side, for print to be legible
const EDGE = 0.012;        // of the visible size: so near is cut off
const OFF_CENTRE = 0.12;   // of the visible size
const STEADY = 0.012;      // of the diagonal that corners move between looks
const LOOKS = 3;           // steady looks before the picture is taken
const LOOKS_IN_VAIN = 40;  // looks, some 8 s, before the ground is to blame
const LOOKS_AT_GLARE = 12; // the same, where a reflection does not go away:
                           // white paper looks like one

// Where CORNERS lie in a visible area of WIDTH x HEIGHT pixels: what should
// change, or null.
export function placement(corners, { width, height }) {
  const xs = corners.map(({ x }) => x), ys = corners.map(({ y }) => y);
  const box = { left: Math.min(...xs), right: Math.max(...xs),
    top: Math.min(...ys), bottom: Math.max(...ys) };
  const wide = (box.right - box.left) / width;
  const high = (box.bottom - box.top) / height;
  if (box.left < EDGE * width || box.right > (1 - EDGE) * width
      || box.top < EDGE * height || box.bottom > (1 - EDGE) * height)
    return Math.max(wide, high) > 0.9 ? 'further' : 'whole';
  const side = Math.max(distance(corners[0], corners[1]),
    distance(corners[1], corners[2]));
  // A camera that shows few pixels along this side has to come as near as it can.
  const pixels = Math.min(LEAST_PIXELS, 0.8 * (wide * width > high * height ? width : height));
  if (Math.max(wide, high) < LEAST_SHARE || side < pixels)
    return 'closer';
  // The phone has to follow the document.
  const right = (box.left + box.right) / 2 / width - 0.5;
  const down = (box.top + box.bottom) / 2 / height - 0.5;
  if (Math.abs(right) > OFF_CENTRE) return right > 0 ? 'right' : 'left';
  if (Math.abs(down) > OFF_CENTRE) return down > 0 ? 'down' : 'up';
  return null;
}

// Whether the document lies where it lay before.
export function isSteady(before, now, { width, height }) {
  const most = STEADY * Math.hypot(width, height);
  return Boolean(before) && Math.abs(area(before) - area(now))
      < 0.06 * area(now)
    && before.every((corner, i) => distance(corner, now[i]) < most);
}

// Keeps count over the looks. look({corners, size, isDark, quality, isConfirmed}) answers
// {advice, isReady}: advice is a key below camera.advice; quality() is asked only of a
// document that lies well, and isConfirmed() before the picture is taken, because they
// take time.
export function createGuide() {
  let before = null, steady = 0, inVain = 0;
  return {
    look({ corners, size, isDark, quality, isConfirmed }) {
      if (!corners) {
        before = null;
        steady = 0;
        inVain++;
        if (isDark()) return { advice: 'too_dark', isReady: false };
        return { advice: inVain > LOOKS_IN_VAIN ? 'ground' : 'none', isReady: false };
      }
      inVain = 0;
      const wrong = placement(corners, size);
      const rests = !wrong && isSteady(before, corners, size);
      before = corners;
      if (!rests) {
        steady = 0;
        return { advice: wrong || 'hold', isReady: false };
      }
      const [problem] = quality().problems;
      steady = problem && problem !== 'glare' ? 0 : steady + 1;
      return { advice: problem || 'hold',
        isReady: steady >= (problem ? LOOKS_AT_GLARE : LOOKS) && isConfirmed() };
    },
  };
}
