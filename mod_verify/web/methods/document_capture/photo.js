// Photos of a document: what a look at a picture tells, and the picture that is
// sent. A photo is {blob, size, quality, isCutOut}.

import { MAX_SIDE, draw, fromFile, pixelsOf, sizeOf, toJpeg }
  from '../../capture/picture.js';
import { FOCAL, agreed, findOutline, firstLook, isSame, lookScale } from './outline.js';
import { LIMITS, SAMPLE_SIZE, assess, luma } from './quality.js';
import { MARGIN, rectifiedSize, rectify, widened } from './rectify.js';

const LONGEST_CUT_OUT = 2600;

const outlineCanvas = document.createElement('canvas');

// The corners of the document in AREA of SOURCE, in pixels of AREA from 0, or
// null. OPTIONS are those of findOutline, with the focal length in pixels of SOURCE.
// SHARE is one of the scales for firstLook().
export function cornersIn(source, area, { kind, focal } = {}, share = 1) {
  const look = lookScale(area.width, area.height, share);
  const canvas = draw(source, Math.max(area.width, area.height) * look, area,
    outlineCanvas);
  const scale = area.width / canvas.width;
  const outline = findOutline(pixelsOf(canvas),
    { kind, focal: focal && focal / scale });
  return outline && outline.corners.map(({ x, y }) => ({ x: x * scale,
    y: y * scale }));
}

// What findOutline needs to know of a VIDEO that shows a document of KIND.
export function optionsOf(video, kind) {
  const { width, height } = sizeOf(video);
  return { kind, focal: FOCAL * Math.max(width, height) };
}

function canvasOf({ data, width, height }) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d').putImageData(new ImageData(data, width, height), 0,
    0);
  return canvas;
}

// CORNERS in AREA with a little around them.
function around(area, corners) {
  return widened(corners, MARGIN, area.width, area.height);
}

// What lies between CORNERS in AREA of SOURCE, with a little around it, as
// {data, width, height}. Reduced before, so that every pixel counts.
function cutOut(source, area, corners, longest) {
  const outside = around(area, corners);
  const { width, height } = rectifiedSize(outside, Infinity);
  const scale = Math.min(1, longest / Math.max(width, height));
  const canvas = draw(source, Math.max(area.width, area.height) * scale, area);
  return rectify(pixelsOf(canvas),
    outside.map(({ x, y }) => ({ x: x * scale, y: y * scale })),
    rectifiedSize(outside, longest));
}

// How readable the picture will be that shows the document between CORNERS in AREA of
// SOURCE.
export function qualityOf(source, area, corners) {
  const sample = cutOut(source, area, corners, SAMPLE_SIZE);
  return assess(sample, rectifiedSize(around(area, corners), Infinity));
}

// A frame of a running VIDEO, of which the person sees AREA: the document of KIND
// cut out of it, or all that they see where two looks agree on no outline, or on another
// one than EXPECTED, that of the last looks (null: the person pressed the shutter).
export async function fromVideo(video, area, { kind, expected }) {
  const canvas = draw(video, MAX_SIDE, area);
  const whole = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  const scale = canvas.width / area.width;
  const { focal } = optionsOf(video, kind);
  const find = (share) => cornersIn(canvas, whole, { kind, focal: focal * scale }, share);
  const found = agreed(find, firstLook(find));
  const corners = found && (!expected || isSame(found,
    expected.map(({ x, y }) => ({ x: x * scale, y: y * scale })))) ? found : null;
  const picture = corners
    ? canvasOf(cutOut(canvas, whole, corners, LONGEST_CUT_OUT)) : canvas;
  return { blob: await toJpeg(picture), size: sizeOf(picture),
    quality: judge(picture), isCutOut: Boolean(corners) };
}

function judge(source) {
  return assess(pixelsOf(draw(source, SAMPLE_SIZE)), sizeOf(source));
}

// A chosen file; it is sent as it is, and judged by the document in it.
export async function fromChosenFile(file) {
  const { blob, source } = await fromFile(file);
  const { width, height } = sizeOf(source);
  const area = { x: 0, y: 0, width, height };
  const corners = cornersIn(source, area);
  const cut = corners && qualityOf(source, area, corners);
  return { blob, size: { width, height }, quality: cut || judge(source),
    isCutOut: false };
}

// Mean luma of AREA of SOURCE says that it is too dark to find anything.
export function isDark(source, area) {
  const { data } = pixelsOf(draw(source, 64, area, outlineCanvas));
  const gray = luma(data);
  return gray.reduce((sum, v) => sum + v, 0) / gray.length < LIMITS.brightness;
}
