// The screens on which a document is photographed or a picture of it chosen.

import { cameraFacts } from '../capture/camera.js';
import { KINDS, countries, countryOf, kindsOf }
  from './document_capture/documents.js';
import { finder, hasCamera } from './document_capture/finder.js';
import { fromChosenFile } from './document_capture/photo.js';
import { SCENES } from './document_capture/scenes.js';
import { announce, button, cancelButton, h, heading, icon, isAnotherAttempt,
  leaveButton, list, moreOptions, otherMethodButton, phoneButton, problemBox,
  reasonBox, scene } from '../widget.js';

const ACCEPTED = 'image/jpeg,image/png,image/webp';
// Failures that another photo of the same document does not mend.
const FINAL = ['under_age', 'document_expired', 'document_not_accepted',
  'age_undetermined'];

// ---- what was chosen and what is under way --------------------------------

const uploads = new Map(); // side -> {blob, done: promise, loaded, abort}
let sent = new Map();      // the same of the last attempt, in this tab
let redo = null;           // the only side that has to be photographed again

// The document of the person: {country, kind}; kept over a reload.
function documentOf(widget) {
  const { country, kind } = widget.recall('document') || {};
  const place = country
    || countryOf(widget.view.jurisdiction, navigator.languages);
  const kinds = kindsOf(place);
  return { country: place, kind: kinds.includes(kind) ? kind : kinds[0] };
}

const kindOf = (widget) => KINDS[documentOf(widget).kind];

// What the service has of the present attempt, or is being sent.
function sidesHeld(widget) {
  const { sides } = kindOf(widget);
  const received = widget.view.parts_received || [];
  return sides.filter((side) => uploads.has(side)
    || (!isAnotherAttempt(widget.view) && received.includes(side)));
}

// The side that the hint is about, where the photo of the other one can be sent again;
// null: all of the document is photographed again.
function sideToRedo(widget) {
  const { hint_side: side } = widget.view;
  const { sides } = kindOf(widget);
  return sides.length > 1 && sides.includes(side)
    && sides.every((each) => sent.has(each)) ? side : null;
}

function forgetPhotos() {
  redo = null;
  for (const { abort } of uploads.values()) abort.abort();
  uploads.clear();
}

// Sends a photo in the background, while the person takes the next one.
function upload(widget, side, { blob }) {
  const abort = new AbortController();
  const entry = { blob, loaded: 0, abort };
  entry.done = widget.client.upload(`/images/${side}`, blob, (loaded) => {
    entry.loaded = loaded;
    showSent(widget);
  }, abort.signal);
  entry.done.catch(() => {}); // told when the photo is needed
  if (uploads.has(side)) uploads.get(side).abort.abort();
  uploads.set(side, entry);
}

function showSent(widget) {
  const all = [...uploads.values()];
  const total = all.reduce((sum, { blob }) => sum + blob.size, 0);
  if (total)
    widget.showProgress(all.reduce((sum, { loaded }) => sum + loaded, 0)
      / total);
}

// Waits for the photos to arrive and hands them to the analysis.
function send(widget) {
  const images = sidesHeld(widget);
  return widget.attempt(async () => {
    let isLeft = false;
    widget.show('sending', { resume: () => send(widget) });
    widget.remember('sides', images);
    widget.remember('document', documentOf(widget));
    widget.onLeave(() => { isLeft = true; });
    showSent(widget);
    for (const side of images) {
      const entry = uploads.get(side);
      try {
        if (entry) await entry.done;
      } catch (error) {
        // Sent anew when the person tries again.
        if (error.code !== 'aborted') upload(widget, side, entry);
        throw error;
      }
    }
    if (isLeft) return; // the person is being asked whether they mean to
    widget.showProgress(1);
    if (uploads.size) sent = new Map(uploads);
    await widget.submit({ method: 'document_capture', images,
      ...cameraFacts() });
    uploads.clear();
  });
}

// ---- the choice of the document and of a way to a picture ------------------

// The ways to a picture, of which the last, another DEVICE, is seldom there. The file
// input comes as a label in the shape of a button; the input itself keeps keyboard and
// screen reader.
function sources(widget, side, device = phoneButton(widget, 'secondary')) {
  const { t } = widget;
  const input = h('input', {
    type: 'file', id: 'file', accept: ACCEPTED, class: 'visually-hidden',
    onchange: () => input.files[0] && takeFile(widget, side, input.files[0]),
  });
  return [
    hasCamera() && button(t('choose.camera'),
      () => widget.show('camera', { side }),
      { symbol: 'camera', id: 'camera' }),
    h('div', { class: 'beside' }, input,
      h('label', { for: 'file', class: `button ${hasCamera() ? 'secondary'
        : 'primary'}` }, icon('upload'), h('span', {}, t('choose.file'))), device),
  ];
}

async function takeFile(widget, side, file) {
  announce(widget.t('preview.reading'));
  try {
    widget.show('preview', { side, photo: await fromChosenFile(file) });
  } catch {
    widget.show(screenOf(side), { problem: 'unsupported_image', side },
      { replace: true });
  }
}

function countryChoice(widget, redraw) {
  const { t } = widget;
  const select = h('select', { id: 'country', class: 'field',
    autocomplete: 'country', onchange: () => {
      widget.remember('document', { country: select.value });
      redraw();
    } }, countries(t.language).map(({ code, name }) => (
    h('option', { value: code }, name))));
  select.value = documentOf(widget).country;
  return h('p', { class: 'labelled' },
    h('label', { for: 'country' }, t('choose.country')),
    h('span', { class: 'select' }, select));
}

// Which document: decides how many sides are asked for, and what is said.
function kindChoice(widget) {
  const { t } = widget;
  const { country, kind: chosen } = documentOf(widget);
  return h('fieldset', { class: 'kinds' },
    h('legend', {}, t('choose.kind')),
    kindsOf(country).map((kind) => {
      const input = h('input', {
        type: 'radio', name: 'kind', id: `kind-${kind}`, value: kind,
        onchange: () => widget.remember('document', { country, kind }),
      });
      input.checked = chosen === kind;
      return h('label', { class: 'kind', for: `kind-${kind}` }, input,
        icon(`kind-${kind}`), h('span', {}, t(`choose.${kind}`)));
    }));
}

// Country and kind, which follows from it.
function documentChoice(widget) {
  const place = h('div', {});
  const redraw = () => place.replaceChildren(
    countryChoice(widget, () => {
      redraw();
      place.querySelector('#country').focus();
    }), kindChoice(widget), scene(SCENES[kindOf(widget).shape], { small: true }));
  redraw();
  place.addEventListener('change', () => place.querySelector('.picture').replaceWith(
    scene(SCENES[kindOf(widget).shape], { small: true })));
  return place;
}

// The document of the last attempt, which is not asked for again: the person may
// change it.
function documentChosen(widget) {
  const { t } = widget;
  const { country, kind } = documentOf(widget);
  const { name } = countries(t.language).find(({ code }) => code === country);
  const place = h('div', { class: 'chosen' }, icon(`kind-${kind}`),
    h('p', { id: 'chosen' }, h('strong', {}, t(`choose.${kind}`)), h('span', {}, name)));
  const change = button(t('choose.change'), () => {
    const choice = documentChoice(widget);
    place.replaceWith(choice);
    document.querySelectorAll('.shots').forEach((shots) => shots.remove());
    choice.querySelector('#country').focus();
  }, { kind: 'quiet', id: 'change-document' });
  change.setAttribute('aria-describedby', 'chosen');
  place.append(change);
  return place;
}

function choose(widget, { problem } = {}) {
  const { t } = widget;
  forgetPhotos();
  return h('div', {},
    heading(t('choose.title')),
    h('p', { class: 'lead' }, t('choose.lead')),
    problemBox(widget, problem),
    documentChoice(widget),
    h('div', { class: 'actions' }, sources(widget, 'front'),
      moreOptions(widget, otherMethodButton(widget), cancelButton(widget))));
}

// "Photo 2 of 2", where there are two.
function countOf(widget, side) {
  const { sides } = kindOf(widget);
  return sides.length > 1 && h('p', { class: 'count' }, widget.t('photos.count',
    { number: sides.indexOf(side) + 1, all: sides.length }));
}

function otherSide(widget, { problem } = {}) {
  const { t } = widget;
  const { code } = kindOf(widget);
  return h('div', {},
    countOf(widget, 'back'),
    heading(t('back.title')),
    h('p', { class: 'lead' }, t(`back.lead.${code}`)),
    problemBox(widget, problem),
    scene(SCENES[`back-${code}`]),
    h('div', { class: 'actions' }, sources(widget, 'back', null),
      moreOptions(widget, button(t('back.skip'), () => send(widget),
        { kind: 'quiet', id: 'skip' }), leaveButton(widget))));
}

// The photos of the last attempt that this tab has: which one is good, and which has
// to be taken again.
function photosSent(widget) {
  const { t } = widget;
  const sides = kindOf(widget).sides.filter((side) => sent.has(side));
  return sides.length > 0 && h('ul', { class: 'shots' }, sides.map((side) => {
    const url = URL.createObjectURL(sent.get(side).blob);
    widget.onLeave(() => URL.revokeObjectURL(url));
    const isBad = !redo || side === redo;
    return h('li', { class: isBad ? 'wrong' : null },
      h('img', { src: url, alt: '' }), h('span', {}, t(`camera.${side}`)),
      h('span', { class: 'state' }, icon(isBad ? 'warning' : 'check'),
        t(isBad ? 'again.redo' : 'again.kept')));
  }));
}

// What is asked for again: only the photos, unless another document is needed or this
// tab does not know which one it was.
function askedAgain(widget, isFinal) {
  const isKnown = !isFinal && widget.recall('sides') && widget.recall('document');
  return isKnown ? [!redo && documentChosen(widget), photosSent(widget)]
    : documentChoice(widget);
}

// After a hint or a failed attempt: what happened, what helps, how often yet.
function tryAgain(widget, { problem } = {}) {
  const { t, view } = widget;
  const codes = [...view.checks_failed || [], (view.last_error || {}).code];
  const isFinal = codes.some((code) => FINAL.includes(code));
  const isCut = view.hint === 'cut_off';
  forgetPhotos();
  redo = sideToRedo(widget);
  return h('div', {},
    heading(t(isCut ? 'again.cutOff' : view.hint ? 'again.unreadable' : 'again.rejected')),
    reasonBox(widget, { bothSides: (widget.recall('sides') || []).length > 1
      && !(isCut && view.hint_side) }),
    problemBox(widget, problem),
    !isFinal && Number.isInteger(view.attempts_remaining)
      && h('p', { class: 'muted' },
        t('again.attempts', { n: view.attempts_remaining })),
    isFinal && h('p', { class: 'muted' }, t('again.otherDocument')),
    // Whoever is too young is not asked for the same document again.
    !codes.includes('under_age') && askedAgain(widget, isFinal),
    h('div', { class: 'actions' }, codes.includes('under_age')
      ? button(t('choose.title'), () => widget.show('choose'),
        { kind: 'secondary', id: 'another' }) : sources(widget, redo || 'front'),
      moreOptions(widget, redo && button(t('again.all'),
        () => widget.show('choose'), { kind: 'quiet', id: 'all-again' }),
      otherMethodButton(widget), cancelButton(widget))));
}

// The screen from which SIDE is photographed.
function screenOf(side) {
  if (redo) return 'tryAgain';
  return side === 'front' ? 'choose' : 'otherSide';
}

// ---- camera and preview ----------------------------------------------------

function textOf(widget, side) {
  return kindOf(widget).shape === 'passport' ? 'passport' : side;
}

function camera(widget, { side }) {
  const { t } = widget;
  const { shape, sides } = kindOf(widget);
  return finder(widget, {
    kind: shape,
    title: t(`camera.${textOf(widget, side)}`),
    count: sides.length > 1 && t('photos.count',
      { number: sides.indexOf(side) + 1, all: sides.length }),
    hint: t('camera.frame'),
    ghost: side === 'back' ? kindOf(widget).code : shape,
    hasCode: side === 'back' && kindOf(widget).code === 'barcode',
    taken: (photo) => widget.show('preview', { side, photo, fromCamera: true },
      { replace: true }),
    fail: (problem) => widget.show(screenOf(side), { problem },
      { replace: true }),
    back: () => widget.back(),
  });
}

function verdict({ t }, { problems }) {
  if (!problems.length)
    return h('p', { class: 'verdict good', role: 'status' }, icon('check'),
      h('span', {}, t('preview.good')));
  return h('div', { class: 'alert', role: 'status' }, icon('warning'),
    h('div', {}, h('strong', {}, t('preview.doubt')),
      list(problems.map((code) => t(`preview.${code}`)))));
}

// The picture of PHOTO, exactly as it is sent; enlarged it can be moved about in. It
// has its place before it is decoded, so that what is below does not jump.
function picture(widget, side, url, { size }) {
  const { t } = widget;
  const zoom = button(t('preview.enlarge'), () => {
    const isLarge = frame.classList.toggle('large');
    zoom.setAttribute('aria-pressed', String(isLarge));
    frame.scrollTo((frame.scrollWidth - frame.clientWidth) / 2,
      (frame.scrollHeight - frame.clientHeight) / 2);
  }, { kind: 'tool', symbol: 'zoom', id: 'enlarge' });
  const alt = t(`preview.alt.${textOf(widget, side)}`);
  const frame = h('div', { class: 'photo', tabindex: '0', role: 'group',
    'aria-label': alt }, h('img', { src: url, alt: '' }));
  frame.style.aspectRatio = `${size.width} / ${size.height}`;
  zoom.setAttribute('aria-pressed', 'false');
  return h('div', { class: 'photo-place' }, frame, zoom);
}

function preview(widget, { side, photo, fromCamera }) {
  const { t } = widget;
  const url = URL.createObjectURL(photo.blob);
  const isDoubtful = photo.quality.problems.length > 0;
  widget.onLeave(() => URL.revokeObjectURL(url));
  // Said here: what the camera's screen says ends with it.
  if (fromCamera) announce(t('camera.taken'));
  const use = button(t(isDoubtful ? 'preview.useAnyway' : 'preview.use'),
    () => accept(widget, side, photo),
    { kind: isDoubtful ? 'secondary' : 'primary', id: 'use' });
  const other = fromCamera
    ? button(t('preview.again'), () => widget.show('camera', { side },
      { replace: true }),
    { kind: isDoubtful ? 'primary' : 'secondary', symbol: 'camera',
      id: 'retake' })
    : button(t('preview.other'), () => widget.show(screenOf(side)),
      { kind: isDoubtful ? 'primary' : 'secondary', id: 'retake' });
  return h('div', {},
    countOf(widget, side),
    heading(t('preview.title')),
    h('p', { class: 'lead' }, t('preview.lead')),
    picture(widget, side, url, photo),
    verdict(widget, photo.quality),
    h('div', { class: 'actions' }, isDoubtful ? [other, use] : [use, other],
      cancelButton(widget)));
}

function accept(widget, side, photo) {
  upload(widget, side, photo);
  if (redo)
    sent.forEach((entry, other) => other !== side && upload(widget, other, entry));
  const held = sidesHeld(widget);
  const next = kindOf(widget).sides.find((s) => !held.includes(s));
  return next ? widget.show('otherSide', { side: next }) : send(widget);
}

export default {
  takes: () => 120,
  screens: { choose, otherSide, tryAgain, camera, preview },
  screenFor: (widget) => {
    if (isAnotherAttempt(widget.view)) return 'tryAgain';
    return sidesHeld(widget).includes('front') && kindOf(widget).sides.length > 1
      ? 'otherSide' : 'choose';
  },
};
