// What automatic capture makes of generated frames: the page's own guide and outline
// look at a scene until the photo is taken, and its corners are compared with the
// true ones.

import { createGuide }
  from '../../mod_verify/web/methods/document_capture/guidance.js';
import { agreed, distance, findOutline, firstLook, lookScale }
  from '../../mod_verify/web/methods/document_capture/outline.js';
import { MARGIN, widened }
  from '../../mod_verify/web/methods/document_capture/rectify.js';
import { DESIGNS, GROUNDS, OTHER_VIEWS, VIEWS, sceneOf } from './document_frames.mjs';

const LOOKS = 8;        // in which a document that rests should be taken
const SENSOR = 6;       // pixels of the camera for each of the reduced frame
export const MOST = 0.02; // of the document's width, from a true corner
const LOST = 0.01;      // of the width: less than the curve of a card's corner
const BANDED = ['header', 'camouflage', 'footer', 'spine'];

const enlarged = (corners) => corners && corners.map(({ x, y }) => (
  { x: x * SENSOR, y: y * SENSOR }));

const lookSize = (share) => (width, height) => {
  const scale = lookScale(50 * width, 50 * height, share) * 50;
  return [Math.round(width * scale), Math.round(height * scale)];
};

// How far a point is outside of the quadrangle; negative: inside.
function outside(point, corners) {
  return Math.max(...corners.map((a, i) => {
    const b = corners[(i + 1) % 4];
    return ((b.y - a.y) * (point.x - a.x) - (b.x - a.x) * (point.y - a.y))
      / distance(a, b);
  }));
}

// {error: the largest distance of a corner, cut: how far the document reaches out of
// the photo}, in shares of its width.
function compare(found, truth) {
  const photo = widened(found, MARGIN, Infinity, Infinity);
  const width = Math.max(distance(truth[0], truth[1]),
    distance(truth[1], truth[2]));
  const errors = [0, 1, 2, 3].map((turn) => Math.max(...truth.map((corner, i) => (
    distance(corner, found[(i + turn) % 4])))));
  return { error: Math.min(...errors) / width,
    cut: Math.max(...truth.map((corner) => outside(corner, photo))) / width };
}

// Finds the corners in the scene NAMES at a scale, in pixels of the one at scale 1. Adds
// what that takes of the processor to SPENT.
function finderOf(names, base, spent) {
  const scenes = { 1: base };
  return (share) => {
    const scene = scenes[share] ||= sceneOf(names, lookSize(share));
    const [frame] = scene.frames(1);
    const before = process.cpuUsage();
    const outline = findOutline(frame, { kind: scene.kind, focal: scene.focal });
    const { user, system } = process.cpuUsage(before);
    spent.microseconds += user + system;
    return outline && outline.corners.map(({ x, y }) => ({
      x: x * base.width / scene.width, y: y * base.height / scene.height }));
  };
}

// Looks at a scene: {isTaken, error, cut, looks, microseconds}.
export function shoot(names) {
  const scene = sceneOf(names, lookSize(1));
  const guide = createGuide();
  const size = { width: scene.width * SENSOR, height: scene.height * SENSOR };
  const spent = { microseconds: 0 };
  const find = finderOf(names, scene, spent);
  for (let looks = 1; looks <= LOOKS; looks++) {
    const first = firstLook(find);
    let sure = null;
    const { isReady } = guide.look({ corners: enlarged(first.corners), size,
      isDark: () => false, quality: () => ({ problems: [] }),
      isConfirmed() {
        sure = agreed(find, first);
        return Boolean(sure);
      } });
    if (isReady) return { isTaken: true, looks, ...spent,
      ...compare(sure, scene.corners) };
  }
  return { isTaken: false, looks: LOOKS, ...spent };
}

// ---- the set ------------------------------------------------------------------

export const SIDES = { left: [-1, 0], right: [1, 0], top: [0, -1], bottom: [0, 1] };

// The move after which SHARE of the document is outside of the frame on a side.
export function moveOut(names, side, share) {
  const { corners, width, height } = sceneOf({ ...names, bare: true },
    (w, h) => [w / 8, h / 8]);
  const [dx, dy] = SIDES[side];
  const range = (values) => [Math.min(...values), Math.max(...values)];
  const [left, right] = range(corners.map(({ x }) => x / width));
  const [top, bottom] = range(corners.map(({ y }) => y / height));
  const out = (low, high, to) => (to < 0 ? -low - share * (high - low)
    : 1 - high + share * (high - low));
  return [dx && out(left, right, dx), dy && out(top, bottom, dy)];
}

// The groups of scenes. In all but `whole` nothing should be taken, or it is no
// matter whether it is, as long as no document is cut.
export function* scenes() {
  let count = 0;
  for (const ground in GROUNDS)
    for (const view in VIEWS) {
      for (const design in DESIGNS)
        yield { group: 'whole', ground, design, view };
      for (const design of BANDED)
        yield { group: 'hidden', ground, design, view, hidden: true };
      yield { group: 'bare', ground, design: 'plain', view, bare: true };
    }
  for (const ground in GROUNDS)
    for (const design in DESIGNS)
      for (const side in SIDES) {
        const view = Object.keys(VIEWS)[count % 6];
        const share = [0.05, 0.1, 0.2][count++ % 3];
        const names = { ground, design, view };
        yield { group: 'beyond', ...names, share, side,
          off: moveOut(names, side, share) };
      }
}

// Whole documents in the other views.
export function* otherScenes() {
  for (const ground in GROUNDS)
    for (const view in OTHER_VIEWS)
      for (const design in DESIGNS)
        yield { group: 'whole', ground, design, view };
}

// {group: {frames, taken, right, cut, worst}} and the time of all, of each STEP-th
// scene of ALL. TELL(scene, shot) hears of each.
export function measure(step = 1, tell = () => {}, all = scenes()) {
  const groups = {};
  let microseconds = 0, looks = 0, count = 0;
  for (const scene of all) {
    if (count++ % step) continue;
    const shot = shoot(scene);
    const sums = groups[scene.group] ||= { frames: 0, taken: 0, right: 0, cut: 0,
      worst: 0 };
    // What is beyond the frame's edge is cut by whatever is taken of it.
    const isCut = shot.isTaken && scene.group !== 'bare'
      && (scene.group === 'beyond' || shot.cut > LOST);
    sums.frames++;
    sums.taken += shot.isTaken;
    sums.right += shot.isTaken && shot.error <= MOST;
    sums.cut += isCut;
    if (shot.isTaken) sums.worst = Math.max(sums.worst, shot.error);
    microseconds += shot.microseconds;
    looks += shot.looks;
    tell(scene, shot, isCut);
  }
  return { groups, milliseconds: microseconds / 1000 / looks };
}
