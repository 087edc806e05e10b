// The camera's screen: the whole window shows what the camera sees, a frame
// says where the document goes, its corners are drawn when they are found, and
// the picture is taken when all is well. The shutter is always there. What is
// shown is also said, at a pace that can be followed by ear.

import { cameraChoice, isAvailable, startCamera } from '../../capture/camera.js';
import { sizeOf } from '../../capture/picture.js';
import { announce, button, h, heading, icon } from '../../widget.js';
import { createCodeSight } from './code_sight.js';
import { createGuide } from './guidance.js';
import { agreed, firstLook } from './outline.js';
import { cornersIn, fromVideo, isDark, optionsOf, qualityOf } from './photo.js';
import { createSpeech } from './speech.js';

const LOOK_MS = 140;         // pause between two looks
const SVG = 'http://www.w3.org/2000/svg';
// Width to height of what goes into the frame.
const SHAPES = { card: 1.586, passport: 1.42 };

let isWithoutCamera = false;

export function hasCamera() {
  return isAvailable() && !isWithoutCamera;
}

// The part of VIDEO that its element shows, which is cut at the edges so that
// it fills the place; in pixels of the video.
function visibleArea(video, place) {
  const { width, height } = sizeOf(video);
  const scale = Math.max(place.width / width, place.height / height);
  const shown = { width: Math.min(width, place.width / scale),
    height: Math.min(height, place.height / scale) };
  return { x: (width - shown.width) / 2, y: (height - shown.height) / 2,
    ...shown };
}

// What is printed where, in a frame of 100 x 100: the person sees which side is meant
// and which way up it goes.
const GHOSTS = {
  card: 'M6 24h26v52H6zM40 30h46M40 46h36M40 62h42',
  passport: 'M5 20h27v48H5zM40 26h48M40 40h38M40 54h44M5 82h90M5 92h90',
  barcode: 'M8 16h84M8 34h84v30H8zM16 34v30M25 34v30M30 34v30M41 34v30M47 34v30M58 34v30'
    + 'M64 34v30M75 34v30M84 34v30M8 82h50',
  lines: 'M8 18h40M8 30h28M6 64h88M6 76h88M6 88h88',
};

// The frame in a PLACE of this size, all in CSS pixels.
function guideIn(place, kind) {
  const room = { width: place.width * 0.9, height: place.height * 0.86 };
  const width = Math.min(room.width, room.height * SHAPES[kind]);
  const height = width / SHAPES[kind];
  return { x: (place.width - width) / 2, y: (place.height - height) / 2,
    width, height };
}

function shape(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes))
    element.setAttribute(key, value);
  return element;
}

// What is drawn over the camera's picture: the frame, dimmed around, and the
// outline that was found.
function createOverlay(kind, ghost) {
  const svg = shape('svg', { class: 'overlay', 'aria-hidden': 'true' });
  const dim = shape('path', { class: 'dim', 'fill-rule': 'evenodd' });
  const frame = shape('rect', { class: 'frame', rx: 14 });
  const outline = shape('polygon', { class: 'outline' });
  const print = shape('path', { class: 'ghost', d: GHOSTS[ghost] });
  svg.append(dim, frame, print, outline);
  return {
    element: svg,
    layOut(place) {
      const { x, y, width, height } = guideIn(place, kind);
      svg.setAttribute('viewBox', `0 0 ${place.width} ${place.height}`);
      for (const [key, value] of Object.entries({ x, y, width, height }))
        frame.setAttribute(key, value);
      print.setAttribute('transform', `translate(${x} ${y}) scale(${width / 100
      } ${height / 100})`);
      dim.setAttribute('d', `M0 0H${place.width}V${place.height}H0z`
        + `M${x} ${y}v${height}h${width}v${-height}z`);
    },
    // CORNERS in pixels of a visible area as wide as WIDTH; null: none.
    draw(corners, place, width, isGood) {
      const scale = corners ? place.width / width : 1;
      outline.setAttribute('points', (corners || []).map(({ x, y }) => (
        `${x * scale},${y * scale}`)).join(' '));
      svg.classList.toggle('found', Boolean(corners));
      svg.classList.toggle('good', isGood);
    },
  };
}

// The switch of a lamp: shown when DEVICE, a promise, turns out to have one.
function lightSwitch({ t }, device) {
  const light = button(t('camera.light'), async () => {
    const on = light.getAttribute('aria-pressed') !== 'true';
    try {
      await (await device).setLight(on);
      light.setAttribute('aria-pressed', String(on));
    } catch {
      light.hidden = true;
    }
  }, { kind: 'tool', symbol: 'light', id: 'light' });
  light.hidden = true;
  light.setAttribute('aria-pressed', 'false');
  device.then((found) => { light.hidden = !(found && found.hasLight); });
  return light;
}

// Looks at the picture again and again, says what to do next, and shoots when
// all is well. A word is shown when it has been true for two looks, so that it
// can be read.
function watch(widget, { kind, video, stage, overlay, advice, shoot, code }) {
  const { t } = widget;
  const guide = createGuide();
  const speech = createSpeech((key) => announce(
    t(key === 'code' ? 'camera.code' : `camera.advice.${key}`)));
  let seen = '', isOver = false, timer = null;
  const look = () => {
    const place = stage.getBoundingClientRect();
    if (isOver || !place.width) return;
    if (video.videoWidth) {
      const area = visibleArea(video, place);
      const options = optionsOf(video, kind);
      const find = (share) => cornersIn(video, area, options, share);
      const first = firstLook(find);
      const { corners } = first;
      let sure = null;
      const result = guide.look({ corners, size: area,
        isDark: () => isDark(video, area),
        quality: () => qualityOf(video, area, corners),
        isConfirmed() {
          sure = agreed(find, first);
          return Boolean(sure);
        } });
      overlay.draw(corners, place, area.width, result.advice === 'hold');
      if (result.advice === seen) {
        say(advice, t(`camera.advice.${seen}`));
        speech.hear(seen);
      }
      seen = result.advice;
      code.look(() => speech.hear('code'));
      if (result.isReady) {
        shoot(sure);
        return;
      }
    }
    timer = setTimeout(look, LOOK_MS);
  };
  const layOut = () => overlay.layOut(stage.getBoundingClientRect());
  const observer = new ResizeObserver(layOut);
  observer.observe(stage);
  widget.onLeave(() => {
    isOver = true;
    clearTimeout(timer);
    observer.disconnect();
  });
  look();
}

// The sign that the browser sees the code in VIDEO, and what looks for it, only
// where a code is WANTED. The first time, tell() is asked to say so until it does.
function codeSign({ t }, video, wanted) {
  const element = h('p', { class: 'code-seen', hidden: true }, icon('check'),
    h('span', {}, t('camera.code')));
  let sight = null, isTold = false;
  if (wanted) createCodeSight().then((made) => { sight = made; });
  return { element,
    look(tell) {
      if (!sight) return;
      sight.look(video);
      element.hidden = !sight.isSeen();
      isTold = isTold || (!element.hidden && tell());
    } };
}

function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// The screen. Of OPTIONS: kind: card or passport; ghost: what is printed on this side,
// of GHOSTS; title: its heading; count:
// "photo 1 of 2", or false; hint: the first advice; hasCode: whether the large
// barcode is on this side; taken(photo) and fail(problem) are called once; back()
// leaves it.
export function finder(widget, options) {
  const { kind, ghost, title, count, hint, hasCode, taken, fail, back } = options;
  const { t } = widget;
  const video = h('video', { playsinline: true, muted: true,
    'aria-label': t('camera.view') });
  const overlay = createOverlay(kind, ghost);
  const stage = h('div', { class: 'stage' }, video, overlay.element);
  const advice = h('p', { class: 'advice' }, t('camera.starting'));
  const code = codeSign(widget, video, hasCode);
  let isTaken = false;
  // EXPECTED: the corners that were seen last, if the picture is taken by itself.
  const shoot = async (expected) => {
    if (isTaken) return;
    isTaken = true;
    shutter.disabled = true;
    stage.classList.add('flash');
    shutter.setAttribute('aria-busy', 'true');
    say(advice, t('preview.reading'));
    taken(await fromVideo(video, visibleArea(video,
      stage.getBoundingClientRect()), { kind, expected }));
  };
  const shutter = h('button', { type: 'button', class: 'shutter', id: 'shoot',
    'aria-label': t('camera.shoot'), onclick: () => shoot(null) });
  const device = startCamera(widget, video, { fail: (problem) => {
    isWithoutCamera = problem === 'camera_absent';
    fail(problem);
  } });

  widget.expand();
  announce(advice.textContent);
  shutter.disabled = true;
  device.then((found) => {
    if (!found) return;
    shutter.disabled = false;
    advice.textContent = hint;
    announce(`${hint} ${t('camera.auto')}`);
    watch(widget, { kind, video, stage, overlay, advice, shoot, code });
  });
  return h('div', { class: 'finder' },
    stage,
    h('div', { class: 'finder-head' },
      count && h('p', { class: 'count' }, count), heading(title), advice,
      code.element),
    h('div', { class: 'finder-tools' },
      h('div', { class: 'tools' }, button(t('page.back'), back,
        { kind: 'tool', symbol: 'back', id: 'leave-camera' })),
      shutter,
      h('div', { class: 'tools' }, lightSwitch(widget, device),
        cameraChoice(widget, device))));
}
