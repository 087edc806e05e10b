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
  requires_input: 'The last attempt did not pass; the widget says why and offers '
    + 'another one.',
  under_review: 'A person decides: see Reviews in the dashboard.',
};
const OWN = 'Photos of a real document are read on this machine, and deleted when the '
  + 'check is over. Only licences and identity cards of the United States pass this '
  + 'workflow.';
const HANDED = 'In the widget press “Choose a picture”: it gets the front of this '
  + 'card, and then the back, as if they lay among your files.';
const HERE = 'Demonstration: “{name}” brings the specimen.';
const LOOK_MS = 300;
const NEAR_PX = 24;   // as far from the end the reader of the log is still there
// What the shop is told, in words: the screens of the widget, and its webhooks.
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

// Says above the buttons of each screen that takes a picture what is to be pressed:
// the start page, which has said it before, may be covered by the widget. The button
// has the name that the widget gives it, in its language.
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
    buttons.before(note);
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

// Looks for the widget's document, which a reload replaces, until the session is
// over or another one begins.
function serveWherever(specimen, mine) {
  if (specimen === 'own') return;
  const timer = setInterval(() => {
    if (mine !== run) return clearInterval(timer);
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

function log({ symbol, what, from, shown, tone = '' }) {
  $('nothing').hidden = true;
  const entry = element('li', { class: tone }, icon(symbol), element('div', {},
    element('p', { class: 'what' }, what)));
  if (from) entry.lastChild.append(element('p', { class: 'from' }, from));
  if (shown)
    entry.append(element('details', {}, element('summary', {}, say('Show')),
      element('pre', { tabindex: '0' }, JSON.stringify(shown, null, 2))));
  $('log').append(entry);
  showNewest();
}

function showSession({ status, verification_result: result }) {
  const place = $('status');
  place.textContent = status.replaceAll('_', ' ');
  place.className = `status ${TONES[status] || 'open'}`;
  $('outcome').hidden = !ENDS[status];
  $('outcome').textContent = `${say(ENDS[status] || '')}${result
    ? ` ${say('Assurance:')} ${result.assurance}.` : ''}`;
  showNewest(); // there is less room for the log now
}

const timeOf = (seconds) => new Date(seconds * 1000).toLocaleTimeString(
  document.documentElement.lang);

function logWebhook({ time, fault, event }) {
  const [subject, name] = event.type.split('.');
  const words = subject === 'verification_session' && EVENTS[name];
  log({ symbol: fault ? 'cross' : 'check', what: words ? say(words) : event.type,
    from: `Webhook ${event.type}, ${timeOf(time)}: ${say(fault ? 'signature wrong'
      : 'signature right')}${fault ? `: ${fault}` : ''}`, shown: event, tone: fault ? 'wrong' : 'webhook' });
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
      : `${say('Widget: screen')} ${rest.screen}`, tone: 'step' });
  else
    log({ symbol: 'info', what: say(texts[type] || type), from: `Widget: ${type}`,
      shown: Object.keys(rest).length ? rest : null });
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

function openWidget({ id, client_secret: secret }, way) {
  const options = { sessionId: id, clientSecret: secret, onEvent: tellEvent };
  if (way === 'inline') options.container = '#place';
  if (way !== 'hosted') widget = window.IdvWidget.open(options);
  else if (hosted) hosted.location.replace(`/verify/${id}#${secret}`);
  else location.assign(`/verify/${id}#${secret}`);
  if (way === 'inline') $('place').scrollIntoView({ block: 'start' });
}

async function start() {
  const way = chosen('way'), specimen = chosen('specimen');
  run++;
  const mine = run;
  if (widget) widget.close();
  widget = null;
  // A window that is opened later than the press would be refused.
  hosted = way === 'hosted' ? window.open('about:blank') : null;
  showProblem(null);
  $('log').replaceChildren();
  isFollowed = true;
  $('start').setAttribute('aria-busy', 'true');
  try {
    const { asked, session, next } = await create();
    const { client_secret: secret, url, ...shown } = session;
    log({ symbol: 'lock', what: say('Session created'),
      from: 'POST /v1/verification_sessions', shown: { request: asked,
        answer: { ...shown, client_secret: '…', url: '…' } } });
    showSession(session);
    openWidget(session, way);
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
// A hosted page has led back here.
const [, returned] = /^\?session_id=(vks_[0-9a-z]{26})$/.exec(location.search)
  || [];
if (returned) {
  run++;
  follow(returned, 0, run);
}
