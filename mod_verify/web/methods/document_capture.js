// The screens on which a document is photographed or a picture of it chosen.

import { isAvailable, openCamera } from '../camera.js';
import { examine, fromFile, fromVideo } from '../picture.js';
import { announce, button, h, heading, icon, isAnotherAttempt, leaveButton,
  list, otherMethodButton, problemBox, reasonBox } from '../widget.js';

const ACCEPTED = 'image/jpeg,image/png,image/webp';
const LIVE_CHECK_MS = 900;
const LIVE_SAMPLE_SIZE = 480;

const photos = new Map(); // side -> {blob, quality}, until they are sent
let documentKind = 'card';
let isWithoutCamera = false;

// What is photographed: a card has two sides, a passport one page.
function sides() {
  return documentKind === 'passport' ? ['front'] : ['front', 'back'];
}

function nextSide() {
  return sides().find((side) => !photos.has(side)) || 'front';
}

// The two ways to a picture. The file input comes as a label in the shape of
// a button; the input itself keeps keyboard and screen reader.
function sources(widget, side, first = 'primary') {
  const { t } = widget;
  const input = h('input', {
    type: 'file', id: 'file', accept: ACCEPTED, class: 'visually-hidden',
    onchange: () => input.files[0] && takeFile(widget, side, input.files[0]),
  });
  const hasCamera = isAvailable() && !isWithoutCamera;
  return [
    hasCamera && button(t('choose.camera'),
      () => widget.show('camera', { side }),
      { kind: first, symbol: 'camera', id: 'camera' }),
    input,
    h('label', { for: 'file', class: `button ${hasCamera ? 'secondary'
      : 'primary'}` }, icon('upload'), h('span', {}, t('choose.file'))),
  ];
}

async function takeFile(widget, side, file) {
  announce(widget.t('preview.reading'));
  try {
    widget.show('preview', { side, photo: await fromFile(file) });
  } catch {
    widget.show(screenOf(side), { problem: 'unsupported_image', side });
  }
}

// Which document: decides how many sides are asked for, and what is said.
function kindChoice(widget) {
  const { t } = widget;
  const kinds = ['card', 'passport'];
  return h('fieldset', { class: 'kinds' },
    h('legend', {}, t('choose.kind')),
    kinds.map((kind) => {
      const input = h('input', {
        type: 'radio', name: 'kind', id: `kind-${kind}`, value: kind,
        onchange: () => { documentKind = kind; },
      });
      input.checked = documentKind === kind;
      return h('label', { class: 'kind', for: `kind-${kind}` }, input,
        icon(kind), h('span', {}, t(`choose.${kind}`)));
    }));
}

function choose(widget, { problem } = {}) {
  const { t } = widget;
  photos.clear();
  return h('div', {},
    heading(t('choose.title')),
    h('p', { class: 'lead' }, t('choose.lead')),
    problemBox(widget, problem),
    kindChoice(widget),
    list(t.list('choose.tips'), 'check'),
    h('div', { class: 'actions' }, sources(widget, 'front'),
      otherMethodButton(widget), leaveButton(widget)));
}

function otherSide(widget, { problem } = {}) {
  const { t } = widget;
  return h('div', {},
    heading(t('back.title')),
    h('p', { class: 'lead' }, t('back.lead')),
    problemBox(widget, problem),
    h('div', { class: 'picture' }, icon('card-back')),
    h('div', { class: 'actions' }, sources(widget, 'back'),
      button(t('back.skip'), () => send(widget),
        { kind: 'quiet', id: 'skip' })));
}

// After a hint or a failed attempt: what happened, what helps, how often yet.
function tryAgain(widget, { problem } = {}) {
  const { t, view } = widget;
  photos.clear();
  return h('div', {},
    heading(t(view.hint ? 'again.unreadable' : 'again.rejected')),
    reasonBox(widget),
    problemBox(widget, problem),
    Number.isInteger(view.attempts_remaining) && h('p', { class: 'muted' },
      t('again.attempts', { n: view.attempts_remaining })),
    kindChoice(widget),
    h('div', { class: 'actions' }, sources(widget, 'front'),
      otherMethodButton(widget), leaveButton(widget)));
}

// The screen from which SIDE is photographed.
function screenOf(side) {
  return side === 'front' ? 'choose' : 'otherSide';
}

// The camera in VIDEO, let go of with the screen; null when that was left
// meanwhile, or another one says what is wrong.
async function startCamera(widget, side, video) {
  let device = null, left = false;
  widget.onLeave(() => {
    left = true;
    if (device) device.close();
  });
  try {
    device = await openCamera(video);
  } catch (error) {
    if (left) return null;
    if (error.message === 'absent') isWithoutCamera = true;
    widget.show(screenOf(side), { problem: `camera_${error.message}` });
    return null;
  }
  if (left) {
    device.close();
    return null;
  }
  device.onEnded(() => widget.show(screenOf(side),
    { problem: 'camera_busy' }));
  return device;
}

// A word while the camera runs: only when it says something new, and has been
// true for two looks, because it is read aloud.
function adviser({ t }, video, advice) {
  let seen = '';
  return () => {
    if (!video.videoWidth) return;
    const { problems } = examine(video, LIVE_SAMPLE_SIZE);
    const [worst] = problems.filter((code) => code !== 'too_small');
    const text = t(worst ? `camera.advice.${worst}` : 'camera.advice.good');
    if (text === seen && advice.textContent !== text)
      advice.textContent = text;
    seen = text;
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
  }, { kind: 'secondary', symbol: 'light', id: 'light' });
  light.hidden = true;
  light.setAttribute('aria-pressed', 'false');
  device.then((found) => { light.hidden = !(found && found.hasLight); });
  return light;
}

function camera(widget, { side }) {
  const { t } = widget;
  const video = h('video', { playsinline: true, muted: true,
    'aria-label': t('camera.view') });
  const advice = h('p', { class: 'advice', role: 'status' },
    t('camera.starting'));
  const shutter = button(t('camera.shoot'), async () => {
    shutter.disabled = true;
    const photo = await fromVideo(video);
    widget.show('preview', { side, photo, fromCamera: true });
  }, { symbol: 'camera', id: 'shoot' });
  const device = startCamera(widget, side, video);

  shutter.disabled = true;
  device.then((found) => {
    if (!found) return;
    shutter.disabled = false;
    advice.textContent = t('camera.frame');
    const timer = setInterval(adviser(widget, video, advice), LIVE_CHECK_MS);
    widget.onLeave(() => clearInterval(timer));
  });
  return h('div', {},
    heading(t(`camera.${sideText(side)}`)),
    h('div', { class: `finder ${documentKind}` }, video,
      h('div', { class: 'guide', 'aria-hidden': 'true' })),
    advice,
    h('div', { class: 'actions' }, shutter, lightSwitch(widget, device),
      button(t('camera.leave'), () => widget.show(screenOf(side)),
        { kind: 'quiet', id: 'leave-camera' })));
}

function sideText(side) {
  return documentKind === 'passport' ? 'passport' : side;
}

function verdict({ t }, { problems }) {
  if (!problems.length)
    return h('p', { class: 'verdict good', role: 'status' }, icon('check'),
      h('span', {}, t('preview.good')));
  return h('div', { class: 'alert', role: 'status' }, icon('warning'),
    h('div', {}, h('strong', {}, t('preview.doubt')),
      list(problems.map((code) => t(`preview.${code}`)))));
}

function preview(widget, { side, photo, fromCamera }) {
  const { t } = widget;
  const url = URL.createObjectURL(photo.blob);
  const isDoubtful = photo.quality.problems.length > 0;
  widget.onLeave(() => URL.revokeObjectURL(url));
  const use = button(t(isDoubtful ? 'preview.useAnyway' : 'preview.use'),
    () => accept(widget, side, photo),
    { kind: isDoubtful ? 'secondary' : 'primary', id: 'use' });
  const other = fromCamera
    ? button(t('preview.again'), () => widget.show('camera', { side }),
      { kind: isDoubtful ? 'primary' : 'secondary', symbol: 'camera',
        id: 'retake' })
    : button(t('preview.other'), () => widget.show(screenOf(side)),
      { kind: isDoubtful ? 'primary' : 'secondary', id: 'retake' });
  return h('div', {},
    heading(t('preview.title')),
    h('p', { class: 'lead' }, t('preview.lead')),
    h('img', { class: 'photo', src: url,
      alt: t(`preview.alt.${sideText(side)}`) }),
    verdict(widget, photo.quality),
    h('div', { class: 'actions' }, isDoubtful ? [other, use] : [use, other]));
}

function accept(widget, side, photo) {
  photos.set(side, photo);
  if (sides().every((s) => photos.has(s))) send(widget);
  else widget.show('otherSide', { side: nextSide() });
}

// Sends the photos and hands them to the analysis.
function send(widget) {
  const taken = [...photos.keys()];
  const total = [...photos.values()].reduce((sum, { blob }) => (
    sum + blob.size), 0);
  return widget.attempt(async () => {
    widget.show('sending');
    let before = 0;
    for (const side of taken) {
      const { blob } = photos.get(side);
      await widget.client.upload(`/images/${side}`, blob,
        (loaded) => widget.showProgress((before + loaded) / total));
      before += blob.size;
    }
    widget.showProgress(1);
    await widget.submit({ method: 'document_capture', images: taken });
    photos.clear();
  });
}

export default {
  screens: { choose, otherSide, tryAgain, camera, preview },
  screenFor: ({ view }) => (isAnotherAttempt(view) ? 'tryAgain' : 'choose'),
};
