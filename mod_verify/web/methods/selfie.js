// The screens of the challenge before the camera, and of the comparison with the
// portrait of the document that follows from it.

import { cameraChoice, cameraFacts, isAvailable, startCamera }
  from '../capture/camera.js';
import { actions, alertBox, announce, button, cancelButton, h, heading, icon,
  isAnotherAttempt, leaveButton, list, moreOptions, otherMethodButton,
  phoneButton, problemBox, reasonBox, scene }
  from '../widget.js';

const SELFIE_SCENE = [['', 'M48 6c12 0 18 9 18 22S59 52 48 52 30 41 30 28 36 6 48 6z'],
  ['looking', 'M41 26v.01M55 26v.01M48 28v8M43 43c3 2 7 2 10 0'],
  ['closing', 'M18 16 10 28l8 12M78 16l8 12-8 12']];

const STILL_SIDE = 1280;
const FRAME_SIDE = 640;
const STILL_QUALITY = 0.9;
const FRAME_QUALITY = 0.8;
// When the pictures of a movement are taken, in ms from its prompt.
const MOMENTS = [700, 1300, 1900, 2500];
// How long a camera may show the same picture, in ms. A slow device does so for a
// moment; the server takes two equal pictures for a replay.
const STILL_MOST = 1500;
const STILL_PAUSE = 40;

// What the person sees is mirrored, so that their left is on the left.
const ARROWS = { left: '←', right: '→', up: '↑', down: '↓', neutral: '●' };

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new Error('left'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
}

// What VIDEO shows now, as JPEG in base64.
function picture(video, longest, quality) {
  const scale = Math.min(1,
    longest / Math.max(video.videoWidth, video.videoHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext('2d').drawImage(video, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/jpeg', quality).split(',')[1];
}

// A picture that is not among those TAKEN, as soon as the camera gives one.
async function newPicture(video, taken, signal) {
  const begun = performance.now();
  let frame = picture(video, FRAME_SIDE, FRAME_QUALITY);
  while (taken.has(frame) && performance.now() < begun + STILL_MOST) {
    await pause(STILL_PAUSE, signal);
    frame = picture(video, FRAME_SIDE, FRAME_QUALITY);
  }
  taken.add(frame);
  return frame;
}

// The pictures of one movement, taken while it is made.
async function takeFrames(video, taken, signal) {
  const frames = [];
  const begun = performance.now();
  for (const moment of MOMENTS) {
    await pause(Math.max(0, begun + moment - performance.now()), signal);
    frames.push(await newPicture(video, taken, signal));
  }
  return frames;
}

// Goes through a challenge; tell(prompt) shows what is to be done.
async function takeChallenge(widget, { video, isAssisted, tell, signal }) {
  const { client, view } = widget;
  const agreed = { consent: true, assisted: isAssisted };
  const still = picture(video, STILL_SIDE, STILL_QUALITY);
  if (view.liveness_provider) agreed.provider = view.liveness_provider;
  let challenge = await client.call('POST', '/liveness', agreed, signal);
  const taken = new Set();
  while (challenge.step) {
    tell(challenge);
    const body = { frames: await takeFrames(video, taken, signal) };
    if (challenge.step === 1) body.still = still;
    const blob = new Blob([JSON.stringify(body)], { type: 'application/json' });
    challenge = await client.upload(
      `/liveness/${challenge.id}/steps/${challenge.step}`, blob);
    if (signal.aborted) throw new Error('left');
  }
}

// Whoever else gets the pictures is named by the consent.
function factsOf(view) {
  return view.liveness_provider ? ['what', 'provider', 'why', 'kept']
    : ['what', 'why', 'kept'];
}

// What a person has to know before the camera is opened; folded, when they have read
// it in this tab.
function facts(widget) {
  const { t, view } = widget;
  const texts = h('dl', { class: 'facts' }, factsOf(view).map((key) => [
    h('dt', {}, icon(key === 'provider' ? 'eye' : `fact-${key}`),
      t(`selfie.${key}.title`)),
    h('dd', {}, t(`selfie.${key}.text`,
      { provider: view.liveness_provider })),
  ]));
  return isAnotherAttempt(view) && widget.recall('selfie') ? h('details',
    { class: 'details' }, h('summary', {}, t('consent.details')), texts) : texts;
}

// The way to the camera, and why they are asked again.
function start(widget, { problem, method }) {
  const { t, view } = widget;
  const again = isAnotherAttempt(view);
  const tips = list(t.list('selfie.tips'), 'check');
  const open = (isAssisted) => {
    widget.remember('selfie', true);
    widget.show('selfieCamera', { method, isAssisted });
  };
  return h('div', {},
    heading(t(again ? 'selfie.again' : 'selfie.title')),
    again && reasonBox(widget),
    problemBox(widget, problem),
    !isAvailable() && alertBox(h('p', {}, t('selfie.noCamera'))),
    h('p', { class: 'lead' }, t('selfie.lead')),
    scene(SELFIE_SCENE, { small: true }),
    again && Number.isInteger(view.attempts_remaining) && h('p', { class: 'muted' },
      t('again.attempts', { n: view.attempts_remaining })),
    again ? [tips, facts(widget)] : [facts(widget), tips],
    h('div', { class: 'actions' },
      isAvailable() && button(t('selfie.agree'), () => open(false),
        { symbol: 'camera', id: 'open-camera' }),
      isAvailable() && button(t('selfie.assisted'), () => open(true),
        { kind: 'quiet', id: 'assisted' }),
      !isAvailable() && phoneButton(widget, 'primary'),
      moreOptions(widget, otherMethodButton(widget),
        isAvailable() ? leaveButton(widget) : cancelButton(widget))));
}

// The window is the mirror, as it is the finder of a document; its buttons are at
// the thumb.
function camera(widget, props) {
  const { t } = widget;
  const { method, isAssisted } = props;
  const abort = new AbortController();
  const video = h('video', { playsinline: true, muted: true,
    'aria-label': t('selfie.view') });
  const arrow = h('p', { class: 'direction', 'aria-hidden': 'true' });
  const advice = h('p', { class: 'advice', role: 'status' },
    t('selfie.starting'));
  const tell = ({ prompt, step, steps }) => {
    const text = t(`selfie.prompt.${prompt}`);
    arrow.textContent = ARROWS[prompt];
    advice.textContent = t('selfie.step', { text, n: step, of: steps });
  };
  const begin = button(t('selfie.begin'), () => run(widget, { method,
    isAssisted, video, tell, begin, signal: abort.signal }), { id: 'begin' });
  const device = startCamera(widget, video, { facing: 'user',
    fail: (problem) => widget.show('selfieStart', { method, problem }) });

  widget.expand();
  begin.disabled = true;
  widget.onLeave(() => abort.abort());
  device.then((found) => {
    if (!found) return;
    begin.disabled = false;
    advice.textContent = t('selfie.straight');
  });
  return h('div', { class: 'finder mirror' },
    h('div', { class: 'stage' }, video, arrow),
    h('div', { class: 'finder-head' }, heading(t('selfie.title')), advice),
    h('div', { class: 'finder-tools' },
      h('div', { class: 'tools' }, button(t('page.back'),
        () => widget.show('selfieStart', { method }),
        { kind: 'tool', symbol: 'back', id: 'leave-camera' })),
      h('div', {}, begin),
      h('div', { class: 'tools' }, cameraChoice(widget, device, 'user'))));
}

// What went wrong that beginning again helps against; null: something else.
function problemOf({ status, code }) {
  if (code === 'challenge_expired') return 'challenge_expired';
  return status === 429 ? 'challenges_used_up' : null;
}

async function run(widget, { video, isAssisted, method, tell, begin, signal }) {
  begin.hidden = true;
  try {
    await takeChallenge(widget, { video, isAssisted, tell, signal });
  } catch (error) {
    if (signal.aborted) return;
    const problem = problemOf(error);
    if (problem) widget.show('selfieStart', { method, problem });
    else widget.fail(error, () => widget.show('selfieStart', { method }));
    return;
  }
  await widget.attempt(async () => {
    widget.show('sending');
    announce(widget.t('selfie.done'));
    widget.showProgress(1);
    await widget.submit({ method, ...cameraFacts() });
  });
}

// The comparison takes nothing of the person where a challenge was passed just
// before; where the service has no picture any more, it takes a new one. Shown
// again, after the person was asked whether they mean to leave, it has begun.
function compare(widget, props) {
  const { t } = widget;
  if (!props.hasBegun)
    widget.attempt(async () => {
      try {
        await widget.submit({ method: 'selfie_match' });
      } catch (error) {
        if (error.status !== 400) throw error;
        widget.show('selfieStart', { method: 'selfie_match' });
      }
    });
  props.hasBegun = true;
  return h('div', { class: 'outcome' },
    h('div', { class: 'spinner', 'aria-hidden': 'true' }),
    heading(t('selfie.comparing')),
    actions(cancelButton(widget)));
}

const screens = { selfieStart: start, selfieCamera: camera,
  selfieCompare: compare };

export const liveness = {
  screens: { ...screens,
    selfieLiveness: (widget) => start(widget, { method: 'selfie_liveness' }) },
  screenFor: () => 'selfieLiveness',
  takes: () => 30,
};

// Offered where no challenge is to be passed before it.
export const match = {
  screens: { ...screens,
    selfieMatch: (widget) => start(widget, { method: 'selfie_match' }) },
  screenFor: ({ view }) => (isAnotherAttempt(view) ? 'selfieMatch'
    : 'selfieCompare'),
  takes: () => 20,
  isPossible: (view) => !(view.methods || []).includes('selfie_liveness'),
};
