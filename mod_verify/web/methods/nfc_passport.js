// The screens for the chip of a passport, which a page cannot read itself: an app
// does (VerifyPassportApp). The app gets the session by a handoff, with a secret
// of its own; this page reads on and goes on when the app is done.

import { button, cancelButton, h, heading, icon, isAnotherAttempt, moreOptions,
  otherMethodButton, problemBox, reasonBox, scene } from '../widget.js';

const BOOK = 'M20 4h56a4 4 0 0 1 4 4v48a4 4 0 0 1-4 4H20a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z'
  + 'M16 28h64';
const CHIP_SCENE = [['', BOOK], ['', 'M48 52a6 6 0 1 0-.01-12 6 6 0 0 0 .01 12z'],
  ['lowering solid', 'M38 12h20a3 3 0 0 1 3 3v24a3 3 0 0 1-3 3H38a3 3 0 0 1-3-3V15'
    + 'a3 3 0 0 1 3-3z'], ['sign', 'M66 38a9 9 0 0 1 0 14M71 34a15 15 0 0 1 0 22']];

// Whether this device is one that an app can be opened on.
const isPhone = () => window.matchMedia('(pointer: coarse)').matches;

// Makes a link to the app number APP. It is opened here, on a phone, with the
// number that would stand on the other screen; else it is shown as a QR code.
function offer(widget, app) {
  return widget.attempt(async () => {
    const handoff = await widget.client.call('POST', '/handoff', { app });
    widget.show('nfcPassportOffered', { handoff, app });
    if (isPhone())
      window.location.assign(linkOf(handoff));
    await widget.watch();
  });
}

function linkOf({ url, pairing }) {
  return `${url}&pairing=${pairing}`;
}

// One button for each app; usually there is one link for all systems. At a desk it leads
// to a phone, so there is no other button for that.
function apps(widget) {
  const { t, view } = widget;
  return view.passport_apps.map((link, app) => button(
    view.passport_apps.length > 1
      ? t('nfc_passport.openAt', { host: new URL(link).host })
      : t(isPhone() ? 'nfc_passport.open' : 'handoff.offer'),
    () => offer(widget, app), { symbol: isPhone() ? 'method-nfc_passport' : 'phone',
      id: app ? `app-${app}` : 'app', kind: app ? 'secondary' : 'primary' }));
}

function nfcPassport(widget, { problem } = {}) {
  const { t, view } = widget;
  const again = isAnotherAttempt(view);
  return h('div', {},
    heading(t(again ? 'nfc_passport.again' : 'nfc_passport.title')),
    again && reasonBox(widget),
    problemBox(widget, problem),
    h('p', { class: 'lead' }, t('nfc_passport.lead')),
    scene(CHIP_SCENE),
    again && Number.isInteger(view.attempts_remaining)
      && h('p', { class: 'muted' },
        t('again.attempts', { n: view.attempts_remaining })),
    h('div', { class: 'actions' }, apps(widget),
      moreOptions(widget, otherMethodButton(widget), cancelButton(widget))));
}

// The QR code is an SVG document of the service; as an image it can do nothing.
function code(widget, { qr_svg: svg, pairing }) {
  const { t } = widget;
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  widget.onLeave(() => URL.revokeObjectURL(url));
  return h('div', { class: 'handoff' },
    h('img', { class: 'qr', src: url, alt: t('nfc_passport.offered.code') }),
    h('p', {}, t('handoff.number')),
    h('p', { class: 'pairing', id: 'pairing' }, String(pairing)));
}

// While the app has the session; the page comes back by itself.
function nfcPassportOffered(widget, { handoff, app }) {
  const { t } = widget;
  const here = isPhone();
  return h('div', {},
    heading(t(here ? 'nfc_passport.opened.title'
      : 'nfc_passport.offered.title')),
    h('p', { class: 'lead' }, t(here ? 'nfc_passport.opened.text'
      : 'nfc_passport.offered.text')),
    here || code(widget, handoff),
    h('div', { class: 'actions' },
      here && h('a', { class: 'button secondary', href: linkOf(handoff),
        id: 'app' }, h('span', {}, t('nfc_passport.open'))),
      moreOptions(widget,
        button(t('nfc_passport.offered.again'), () => offer(widget, app),
          { kind: 'quiet', id: 'again' }),
        otherMethodButton(widget), cancelButton(widget))));
}

export default {
  screens: { nfcPassport, nfcPassportOffered },
  screenFor: () => 'nfcPassport',
  takes: () => 180,
  // A phone that was handed the session cannot hand it on to an app.
  isPossible: (view) => (view.passport_apps || []).length > 0
    && view.device !== 'mobile',
};
