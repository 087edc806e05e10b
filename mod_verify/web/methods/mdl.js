// The screens for the person's wallet: over the Digital Credentials API, where
// the browser has it, else by a link that opens a wallet on the same phone, which
// leads back to the hosted page with a code.

import { actions, button, cancelButton, h, heading, isAnotherAttempt,
  leaveButton, moreOptions, otherMethodButton, phoneButton, problemBox, reasonBox,
  scene } from '../widget.js';
import { leaveForWallet } from '../page/page.js';

const PHONE = 'M37 4h22a4 4 0 0 1 4 4v48a4 4 0 0 1-4 4H37a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z'
  + 'M45 55h6';
const WALLET_SCENE = [['', PHONE], ['rising', 'M39 18h18v12H39zM42 26h6'], ['sign', 'm42 42 4 4 8-9']];

const PROTOCOLS = ['openid4vp-v1-signed', 'openid4vp-v1-unsigned',
  'openid4vp-v1-multisigned', 'org-iso-mdoc'];
const KEPT_MS = 8 * 60 * 1000; // a request is good for ten minutes

// Whether the browser passes requests of PROTOCOL to wallets; older ones do not say.
function allows(protocol) {
  const { DigitalCredential: api } = window;
  return !!api && (!api.userAgentAllowsProtocol
    || api.userAgentAllowsProtocol(protocol));
}

// Whether the browser itself can ask a wallet.
const knowsWallets = () => PROTOCOLS.some(allows);

// A wallet leads back to a page of its own, which has to be this one.
const canFollowLinks = () => window.matchMedia('(pointer: coarse)').matches
  && window === window.top;

// Asks the service for a request before the person presses the button, since
// the browser opens a wallet only right after that. A failure is told then.
function ask(widget, channel) {
  const asked = { at: Date.now(),
    request: widget.client.call('POST', '/mdl/requests', { channel }) };
  asked.request.catch(() => {});
  return asked;
}

// Opens the browser's own dialog; null when the person closed it. A browser may refuse
// a list with a protocol that it does not know.
async function choose(offered) {
  const requests = offered.filter(({ protocol }) => allows(protocol));
  try {
    const { protocol, data } = await navigator.credentials.get({
      mediation: 'required', digital: { requests } });
    return { protocol,
      data: typeof data === 'string' ? JSON.parse(data) : data };
  } catch {
    return null;
  }
}

function askBrowser(widget, asked) {
  return widget.attempt(async () => {
    const request = await asked.request;
    const answer = await choose(request.requests);
    if (!answer) {
      widget.show('mdlWallet', { problem: 'wallet_closed' });
      return;
    }
    widget.show('mdlSent');
    await widget.apply(await widget.client.call('POST', '/mdl/responses',
      { request_id: request.id, ...answer }));
  });
}

// By the link called NAME in the answer: of a wallet, or of an app for proofs of
// age, where there is one.
function openLink(widget, asked, name) {
  return widget.attempt(async () => {
    const { [name]: url } = await asked.request;
    leaveForWallet(`idv:${widget.sessionId}`);
    widget.show('mdlOpened', { url });
    window.location.assign(url);
    await widget.watch();
  });
}

function mdlWallet(widget, { problem } = {}) {
  const { t, view } = widget;
  const again = isAnotherAttempt(view);
  const isOfBrowser = knowsWallets();
  const channel = isOfBrowser ? 'dc_api' : 'redirect';
  let asked = ask(widget, channel);
  const open = (name) => {
    if (Date.now() - asked.at > KEPT_MS) asked = ask(widget, channel);
    return isOfBrowser ? askBrowser(widget, asked)
      : openLink(widget, asked, name);
  };
  const wallet = button(t('mdl.open'), () => open('url'),
    { symbol: 'method-mdl', id: 'wallet' });
  const ageApp = button(t('mdl.openAgeApp'), () => open('age_app_url'),
    { symbol: 'method-mdl', id: 'age-app' });
  ageApp.hidden = true;
  asked.request.then((request) => {
    ageApp.hidden = !request.age_app_url;
    wallet.hidden = !isOfBrowser && !request.url && !ageApp.hidden;
  }, () => {});
  return h('div', {},
    heading(t(again ? 'mdl.again' : 'mdl.title')),
    again && reasonBox(widget),
    problemBox(widget, problem),
    h('p', { class: 'lead' }, t(view.type === 'age' ? 'mdl.leadAge'
      : 'mdl.lead')),
    scene(WALLET_SCENE),
    again && Number.isInteger(view.attempts_remaining)
      && h('p', { class: 'muted' },
        t('again.attempts', { n: view.attempts_remaining })),
    h('div', { class: 'actions' },
      wallet, ageApp, phoneButton(widget),
      moreOptions(widget, otherMethodButton(widget), cancelButton(widget))));
}

function mdlSent(widget) {
  const { t } = widget;
  return h('div', { class: 'outcome' },
    h('div', { class: 'spinner', 'aria-hidden': 'true' }),
    heading(t('mdl.sent.title')),
    h('p', { class: 'lead' }, t('mdl.sent.text')),
    actions(cancelButton(widget)));
}

// While the person is in the wallet.
function mdlOpened(widget, { url }) {
  const { t } = widget;
  return h('div', {},
    heading(t('mdl.opened.title')),
    h('p', { class: 'lead' }, t('mdl.opened.text')),
    h('div', { class: 'actions' },
      h('a', { class: 'button secondary', href: url, id: 'wallet' },
        h('span', {}, t('mdl.open'))),
      moreOptions(widget, otherMethodButton(widget), leaveButton(widget))));
}

export default {
  screens: { mdlWallet, mdlSent, mdlOpened },
  screenFor: () => 'mdlWallet',
  isPossible: () => knowsWallets() || canFollowLinks(),
  takes: () => (knowsWallets() ? 30 : 60),
};
