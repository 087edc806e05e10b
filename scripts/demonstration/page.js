// The start page: creates a session by its server, opens the widget, hands it the
// specimen that was chosen, and shows what happens.

import { say, translate } from './texts.js';

const SPECIMENS = {
  good: { title: 'Good', text: 'Ends verified' },
  expired: { title: 'Expired', text: 'Is not accepted' },
  'under-age': { title: 'Under age', text: 'Is 15 years old' },
  blurred: { title: 'Blurred', text: 'Cannot be read' },
  own: { title: 'Your own', text: 'Files or camera' },
};
const TONES = { verified: 'good', failed: 'bad', expired: 'bad',
  cancelled: 'bad' };
const ENDED = Object.keys(TONES);
const ENDS = {
  verified: 'The customer is old enough. A real shop would go on now.',
  failed: 'The customer did not pass. last_error and the webhook say why.',
  cancelled: 'The customer left.',
  expired: 'The time of the session is over.',
  requires_input: 'The last attempt did not pass.',
  under_review: 'A person decides: see Reviews in the dashboard.',
};
const OFFERS = 'The widget says why and offers another attempt.';
const LEFT = 'The widget is closed, but the session is still open.';
const OWN = 'Photos of a real document are read on this machine, and deleted when the '
  + 'check is over. Only licenses and identity cards of the United States pass this '
  + 'workflow.';
const HANDED = 'In the widget press “Choose a picture”: it gets the front of this '
  + 'card, and then the back, as if they lay among your files.';
const HERE = 'Demonstration: “{name}” brings the specimen.';
const LOOK_MS = 300;
const NEAR_PX = 24;   // as far from the end the reader of the log is still there
// What happens, in words: the screens that the widget tells this page, and the webhooks
// that the shop's server gets.
const SCREENS = {
  consent: 'The customer is asked for consent',
  choose: 'The customer chooses a document',
  camera: 'The customer opens the camera',
  preview: 'The customer looks at the photo',
  otherSide: 'The back of the document is asked for',
  sending: 'The photos are being sent',
  processing: 'The photos are being checked',
  tryAgain: 'The customer has to try again',
  verified: 'The customer sees that they passed',
  failed: 'The customer sees that they did not pass',
  cancelled: 'The customer sees that they ended the check',
  expired: 'The customer sees that the time is over',
  leave: 'The customer is asked whether to cancel',
  handoffOffer: 'A code for a phone is shown',
  handoffWaiting: 'The customer goes on with a phone',
  underReview: 'The customer sees that a person looks at it',
};
const EVENTS = {
  created: 'The session was created',
  processing: 'The check of the photos has begun',
  requires_input: 'The customer has to show something else',
  under_review: 'A person has to look at the session',
  verified: 'The session is verified',
  failed: 'The session failed',
  cancelled: 'The session was cancelled',
  expired: 'The session expired',
};

const $ = (id) => document.getElementById(id);
let run = 0;          // counts the sessions, so that an older one falls silent
let widget = null;    // the handle of the one that is open
let hosted = null;    // the window of a page of its own
let seen = null;      // the session as the shop's server last saw it
let opened = null;    // what the widget was opened with, and whether it still is

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}

// ---- the form --------------------------------------------------------------

function drawSpecimens() {
  $('specimens').replaceChildren(...Object.entries(SPECIMENS).map(
    ([name, { title, text }]) => {
      const input = element('input', { type: 'radio', name: 'specimen',
        value: name, id: `specimen-${name}` });
      input.checked = name === 'good';
      const picture = name === 'own' ? icon('camera') : element('img', {
        src: `/start/specimens/${name}-front.jpg`, alt: '', loading: 'lazy',
        width: 1440, height: 1080 });
      return element('label', { class: 'specimen', for: `specimen-${name}` },
        element('span', { class: 'pictures' }, picture),
        element('span', { class: 'words' }, input, element('strong', {}, say(title)),
          element('small', {}, say(text))));
    }));
}

const chosen = (name) => document.querySelector(
  `input[name="${name}"]:checked`).value;

function showTip() {
  $('tip').textContent = say(chosen('specimen') === 'own' ? OWN : HANDED);
}

// ---- the specimen is handed over -------------------------------------------

async function pictureOf(specimen, side) {
  const name = `${specimen}-${side}.jpg`;
  const answer = await fetch(`/start/specimens/${name}`);
  return new File([await answer.blob()], name, { type: 'image/jpeg' });
}

// Says at the head of each screen that takes a picture what is to be pressed: the start
// page, which has said it before, may be covered by the widget, and the button below the
// window's edge. It has the name that the widget gives it, in its language.
function hint(document_) {
  const screen = document_.getElementById('screen');
  const show = () => {
    const buttons = screen.querySelector('.actions:has(#file)');
    if (!buttons || screen.querySelector('#hint')) return;
    const note = document_.createElement('p');
    note.id = 'hint';
    note.className = 'note';
    const { lang } = document_.documentElement;
    note.lang = lang === 'de' ? 'de' : 'en';
    note.dir = 'ltr';
    note.textContent = say(HERE, lang).replace('{name}', (buttons.querySelector(
      'label[for="file"]') || buttons.querySelector('#file')).textContent.trim());
    const lead = screen.querySelector('.lead');
    if (lead) lead.after(note);
    else buttons.before(note);
  };
  show();
  new document_.defaultView.MutationObserver(show)
    .observe(screen, { childList: true });
}

// In the widget's DOCUMENT, which is of this origin, a press on "Choose a picture"
// brings the specimen in the place of the browser's own window for files.
function serve(document_, specimen) {
  if (document_.documentElement.dataset.served) return;
  document_.documentElement.dataset.served = specimen;
  hint(document_);
  document_.addEventListener('click', async (event) => {
    const pressed = event.target.closest('#file, label[for="file"]');
    if (!pressed) return;
    event.preventDefault();
    const input = document_.getElementById('file');
    const { screen } = document_.getElementById('screen').dataset;
    const { DataTransfer, Event } = document_.defaultView;
    const files = new DataTransfer();
    files.items.add(await pictureOf(specimen,
      screen === 'otherSide' ? 'back' : 'front'));
    input.files = files.files;
    input.dispatchEvent(new Event('change'));
  }, true);
}

// Looks for the widget's document, which a reload replaces, and whether its window is
// still there, until another session begins.
function serveWherever(specimen, mine) {
  const timer = setInterval(() => {
    if (mine !== run) return clearInterval(timer);
    if (hosted && hosted.closed && opened.isOpen) showClosed();
    if (specimen === 'own') return null;
    const frame = document.querySelector('iframe');
    const window_ = hosted || (frame && frame.contentWindow);
    try {
      const { document: found } = window_;
      if (found.getElementById('screen')) serve(found, specimen);
    } catch {
      // Not there yet, or closed.
    }
    return null;
  }, LOOK_MS);
}

// ---- what happens ----------------------------------------------------------

// The log scrolls with its newest entry until the reader scrolls up, or unfolds
// something above it, and again once the reader is back at the end.
let isFollowed = true;

function isAtEnd({ scrollHeight, scrollTop, clientHeight }) {
  return scrollHeight - scrollTop - clientHeight < NEAR_PX;
}

function showNewest() {
  if (isFollowed) $('log').scrollTop = $('log').scrollHeight;
}

// SIDE says who knows of it: the page or the server. Returns the entry.
function log({ symbol, what, side, from, shown, tone = '' }) {
  const entry = element('li', { class: tone }, icon(symbol), element('div', {},
    element('p', { class: 'what' }, what, element('span', { class: 'side' }, say(side)))));
  $('log').append(entry);
  logMore(entry, from, shown);
  return entry;
}

// Adds to an entry where it is FROM, and what was SHOWN there.
function logMore(entry, from, shown) {
  if (from) entry.lastChild.append(element('p', { class: 'from' }, from));
  if (shown)
    entry.lastChild.append(element('details', {}, element('summary', {}, say('Show')),
      element('pre', { tabindex: '0' }, JSON.stringify(shown, null, 2))));
  showNewest();
}

function showSession(session) {
  seen = session;
  const { status, verification_result: result } = session;
  const place = $('status');
  place.textContent = status.replaceAll('_', ' ');
  place.className = `status ${TONES[status] || 'open'}`;
  const isTurn = !ENDS[status] || status === 'requires_input'; // the customer's
  const isLeft = isTurn && opened !== null && !opened.isOpen;
  const words = [ENDS[status], isLeft ? LEFT : status === 'requires_input' && OFFERS]
    .filter(Boolean).map((one) => say(one));
  if (result) words.push(`${say('Assurance:')} ${result.assurance}.`);
  $('outcome').hidden = !words.length;
  $('outcome').textContent = words.join(' ');
  $('again').hidden = !isLeft;
  showNewest(); // there is less room for the log now
}

function showClosed() {
  opened.isOpen = false;
  showSession(seen);
  if (!$('again').hidden) $('again').focus();
}

const timeOf = (seconds) => new Date(seconds * 1000).toLocaleTimeString(
  document.documentElement.lang);

function logWebhook({ time, fault, event }) {
  const [subject, name] = event.type.split('.');
  const words = subject === 'verification_session' && EVENTS[name];
  const from = `Webhook ${event.type}, ${timeOf(time)}: ${say(fault ? 'signature wrong'
    : 'signature right')}${fault ? `: ${fault}` : ''}`;
  // The entry of the request says that already.
  if (name === 'created' && opened && !fault) logMore(opened.entry, from, event);
  else
    log({ symbol: fault ? 'cross' : 'check', what: words ? say(words) : event.type, from,
      side: 'Server', shown: event, tone: fault ? 'wrong' : 'webhook' });
}

// Follows the session ID from the position NEXT in the record of webhooks, until
// the webhook of its end has come.
async function follow(id, next, mine) {
  let status = '', announced = false;
  while (mine === run && !(ENDED.includes(status) && announced)) {
    const answer = await fetch(`/start/sessions/${id}?after=${next}&status=`
      + `${status}`).catch(() => null);
    if (mine !== run) return;
    if (!answer || answer.status >= 500) {
      await new Promise((resolve) => { setTimeout(resolve, 2000); });
      continue;
    }
    const news = await answer.json();
    if (!answer.ok) {
      showProblem(news.error.message);
      return;
    }
    news.webhooks.forEach(logWebhook);
    announced ||= news.webhooks.some(({ event }) => ENDED.some((end) => (
      event.type === `verification_session.${end}`)));
    ({ next } = news);
    ({ status } = news.session);
    showSession(news.session);
  }
}

function tellEvent({ type, sessionId, ...rest }) {
  const texts = { ready: 'The widget is ready', closed: 'The widget was closed',
    completed: 'The widget is done',
    cancelled: 'The customer cancelled', error: 'The widget reports an error',
    blocked: 'The widget was blocked' };
  if (type === 'step')
    log({ symbol: 'phone', what: SCREENS[rest.screen] ? say(SCREENS[rest.screen])
      : `${say('Widget: screen')} ${rest.screen}`, side: 'Page', tone: 'step' });
  else
    log({ symbol: 'info', what: say(texts[type] || type), from: `Widget: ${type}`,
      side: 'Page', shown: Object.keys(rest).length ? rest : null });
  if (type === 'closed' && sessionId === opened?.id) showClosed();
}

// ---- a session -------------------------------------------------------------

function showProblem(text) {
  $('problem').hidden = !text;
  $('problem').textContent = text || '';
}

async function create() {
  const answer = await fetch('/start/sessions', { method: 'POST',
    headers: { 'Content-Type': 'application/json' }, body: '{}' });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error.message);
  return body;
}

function openWidget() {
  const { id, secret, way } = opened;
  opened.isOpen = true;
  showSession(seen);
  const options = { sessionId: id, clientSecret: secret, onEvent: tellEvent };
  if (way === 'inline') options.container = '#place';
  if (way !== 'hosted') widget = window.IdvWidget.open(options);
  else if (hosted) hosted.location.replace(`/verify/${id}#${secret}`);
  else location.assign(`/verify/${id}#${secret}`);
  if (way === 'inline') $('place').scrollIntoView({ block: 'start' });
}

// A window that is opened later than the press would be refused.
function openWindow(way) {
  hosted = way === 'hosted' ? window.open('about:blank') : null;
}

async function start() {
  const way = chosen('way'), specimen = chosen('specimen');
  run++;
  const mine = run;
  opened = null;
  $('again').hidden = true;
  if (widget) widget.close();
  widget = null;
  openWindow(way);
  showProblem(null);
  $('log').replaceChildren();
  isFollowed = true;
  $('start').setAttribute('aria-busy', 'true');
  try {
    const { asked, session, next } = await create();
    const { client_secret: secret, url, ...shown } = session;
    const entry = log({ symbol: 'lock', what: say(EVENTS.created), side: 'Server',
      from: 'POST /v1/verification_sessions', shown: { request: asked,
        answer: { ...shown, client_secret: '…', url: '…' } } });
    seen = session;
    opened = { id: session.id, secret, way, entry, isOpen: true };
    openWidget();
    serveWherever(specimen, mine);
    follow(session.id, next, mine);
  } catch (error) {
    if (hosted) hosted.close();
    showProblem(error.message);
  } finally {
    $('start').removeAttribute('aria-busy');
  }
}

translate();
drawSpecimens();
showTip();
$('try').addEventListener('change', showTip);
for (const type of ['scroll', 'toggle']) // neither bubbles
  $('log').addEventListener(type, () => { isFollowed = isAtEnd($('log')); },
    { capture: true });
$('try').addEventListener('submit', (event) => {
  event.preventDefault();
  if (!$('start').hasAttribute('aria-busy')) start();
});
$('again').addEventListener('click', () => {
  openWindow(opened.way);
  openWidget();
});
// A hosted page has led back here.
const [, returned] = /^\?session_id=(vks_[0-9a-z]{26})$/.exec(location.search)
  || [];
if (returned) {
  run++;
  follow(returned, 0, run);
}
