// The screens of every status that asks for no photo. Each takes the widget
// and returns an element; the texts say what, this says where.

import { announce, button, h, heading, icon, link, list } from './dom.js';
import { nameOf } from './brand.js';
import { canSavePasskey, canUsePasskey, savePasskey, skipPasskey,
  usePasskey } from '../session/passkeys.js';
import { REVIEW_WATCH_MS, hasEnded, reasonsOf, returnTo, safeUrl } from '../session/flow.js';
import { isolated } from '../texts.js';

const SLOW_AFTER_MS = 15000;
const RETURN_AFTER = 5; // seconds
const RETURN_WITH_OFFER = 20; // there is something to read and to decide

// What a step of the way is called: of several METHODS, of which one is enough, as
// the one that the person works on, CHOSEN, or by a name for all.
function stepName({ t }, { kind, methods }, chosen) {
  const [consents, proves, checks] = t.list('steps');
  if (kind !== 'proof') return kind === 'check' ? checks : consents;
  const names = new Set((methods.includes(chosen) ? [chosen] : methods).map(
    (name) => (t.has(`${name}.step`) ? t(`${name}.step`) : proves)));
  return names.size === 1 ? [...names][0] : proves;
}

// The WAY above each screen of it, as flow.wayOf() has it; CHOSEN is the method
// that the person works on.
function frame(widget, way, chosen) {
  const { t } = widget;
  if (!way) return [];
  return [h('ol', { class: `steps${way.length > 3 ? ' many' : ''}${way.length > 4
    ? ' crowded' : ''}`, 'aria-label': t('page.steps') },
  way.map((step, i) => h('li', {
    class: step.isDone ? 'done' : null,
    'aria-current': step.isCurrent ? 'step' : null,
  }, h('span', { class: 'dot', 'aria-hidden': 'true' },
    step.isDone ? icon('check') : String(i + 1)),
  h('span', {}, stepName(widget, step, chosen)),
  step.isDone && h('span', { class: 'visually-hidden' },
    ` (${t('page.done')})`))))];
}

export function actions(...children) {
  return h('div', { class: 'actions' }, children);
}

// What is seldom wanted, folded below the one or two actions that are, unless it is
// a single one. What opens below the window comes into view.
export function moreOptions({ t }, ...children) {
  const given = children.flat().filter(Boolean);
  return given.length < 2 ? given : h('details', { class: 'more',
    ontoggle: ({ target }) => target.scrollIntoView({ block: 'nearest' }) },
  h('summary', {}, t('page.more')), actions(given));
}

// The way out that every screen offers on which the person has something to
// do. While a review holds the session there is none: it is not theirs to end.
// Beside it, at a desk, the way to a phone.
export function leaveButton(widget) {
  return [phoneButton(widget), cancelButton(widget)];
}

// At a desk, the way to the camera in one's pocket. Where a camera or a wallet is
// needed it stands beside the other ways; elsewhere it comes with leaveButton().
export function phoneButton(widget, kind = 'quiet') {
  const { view } = widget;
  const isWanted = view && view.device === 'desktop' && !view.active_device
    && (view.consented || !view.consent_required)
    && ['pending', 'requires_input'].includes(view.status)
    && !window.matchMedia('(pointer: coarse)').matches;
  return isWanted && button(widget.t('handoff.offer'),
    () => widget.handOver(), { kind, symbol: 'phone', id: 'phone' });
}

// Before the service has told of a session there is nothing to leave.
export function cancelButton(widget) {
  return widget.view && button(widget.t('cancel.button'), () => widget.show('leave',
    { back: widget.current }),
  { kind: 'quiet', id: 'cancel', always: true });
}

export function alertBox(...children) {
  return h('div', { class: 'alert', role: 'alert' }, icon('warning'),
    h('div', {}, children));
}

// What keeps the person from going on, by its key below `problems`.
export function problemBox({ t }, code) {
  return code && alertBox(h('strong', {}, t(`problems.${code}.title`)),
    h('p', {}, t(`problems.${code}.text`)));
}

// Why the last attempt did not pass, and what helps: something else, for some
// reasons, where BOTHSIDES were shown.
export function reasonBox({ t, view }, { bothSides = false } = {}) {
  const textOf = (code) => (bothSides && t.has(`reason.${code}.bothSides`)
    ? t(`reason.${code}.bothSides`) : t(`reason.${code}.text`));
  const known = reasonsOf(view, (code) => t.has(`reason.${code}`));
  const codes = known.length ? known : ['other'];
  const said = !known.length && view.last_error && view.last_error.message;
  return h('div', { class: 'alert' }, icon('warning'), h('div', {},
    said ? h('p', {}, h('bdi', {}, said)) : codes.map((code) => [
      h('strong', {}, t(`reason.${code}.title`)),
      h('p', {}, textOf(code)),
    ])));
}

function customMessage(widget) {
  const text = widget.view && widget.view.user_message;
  return text && h('p', { class: 'note' }, icon('info'),
    h('span', {}, h('bdi', {}, text)));
}

// The version of the texts below `consent`, which goes with the consent that is
// given: to be raised with every change of what they say.
export const CONSENT_VERSION = '2026-11-28.1';

function organizationOf({ t, view, worn }) {
  const name = nameOf(view || worn || {});
  return name ? isolated(name) : t('consent.someone');
}

// A link that leads away from the page, in a window of its own.
function outward(label, href) {
  return h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, label);
}

function contacts({ t, view, worn }) {
  const { support, privacy_url: privacy } = (view || worn || {}).brand || {};
  return [support && outward(t('consent.contact.support'), support),
    safeUrl(privacy) && outward(t('consent.contact.privacy'), safeUrl(privacy))]
    .filter(Boolean);
}

const contactLine = (widget) => h('p', { class: 'contacts' }, contacts(widget));

// "30 days" in the person's language.
function inDays({ t }, days) {
  return new Intl.NumberFormat(t.language, { style: 'unit', unit: 'day',
    unitDisplay: 'long' }).format(days);
}

// What is kept, and how long, as far as anybody has said.
function keptTexts({ view }, say) {
  const { sightings = 0 } = view.kept_days || {};
  const { result_days: result } = view.brand || {};
  return [say('kept.text'), sightings > 0 && say('kept.codes', sightings),
    result ? say('kept.resultFor', result) : say('kept.result')];
}

// All that a person may want to know, as a list of terms; what a workflow has
// nothing of is not spoken of.
function facts(widget) {
  const { t, view } = widget;
  const { controller, operator } = view.brand || {};
  const { risk = 0 } = view.kept_days || {};
  const say = (key, days = 0) => t(`consent.${key}`, {
    organization: organizationOf(widget), operator: isolated(operator),
    host: location.host, days: inDays(widget, days) });
  const texts = {
    controller: [say('controller.text'), controller],
    operator: [say(operator ? 'operator.text' : 'operator.unnamed')],
    purpose: [say('purpose.text')],
    data: [say('data.text')],
    how: [say(view.review_possible ? 'how.review' : 'how.text')],
    checks: (view.passive_checks || []).length > 0
      && [say('checks.text'), risk > 0 && say('checks.kept', risk)],
    basis: [say('basis.text')],
    kept: keptTexts(widget, say),
    rights: [say('rights.text')],
    withdrawal: [say('withdrawal.text')],
    contact: contacts(widget),
  };
  return h('dl', { class: 'facts' }, Object.keys(texts)
    .filter((key) => texts[key] && texts[key].length).map((key) => [
      h('dt', {}, t(`consent.${key}.title`)),
      texts[key].map((text) => text && h('dd', {}, text))]));
}

function consent(widget) {
  const { t, view } = widget;
  const share = h('input', { type: 'checkbox', id: 'share' });
  return h('div', {},
    heading(t('consent.title')),
    h('p', { class: 'lead' }, t(`consent.lead.${view.type}`,
      { organization: organizationOf(widget) })),
    h('ul', { class: 'points' }, ['what', 'kept', 'free'].map((key) => h('li',
      {}, icon(`fact-${key}`), h('span', {}, t(key === 'what'
        && view.review_possible ? 'consent.points.seen'
        : `consent.points.${key}`))))),
    customMessage(widget), // never between the person and what is agreed to
    h('details', { class: 'details' }, h('summary', {}, t('consent.details')),
      facts(widget), h('p', { class: 'muted' },
        t('consent.version', { version: CONSENT_VERSION }))),
    view.trust_reuse_available && h('div', { class: 'choice' },
      share,
      h('label', { for: 'share' }, h('strong', {}, t('consent.share.title')),
        h('span', {}, t('consent.share.text')))),
    actions(
      button(t('consent.agree'), () => widget.agree(share.checked),
        { id: 'agree' }),
      canUsePasskey(view) && button(t('passkey.use.link'),
        () => widget.show('passkeyUse'), { kind: 'quiet', id: 'have-passkey' }),
      leaveButton(widget)));
}

// An analysis under way may end meanwhile, perhaps in a review, which nobody
// leaves.
function leave(widget, { back }) {
  const { t } = widget;
  if (widget.view.status === 'processing') widget.watch();
  return h('div', { class: 'outcome' },
    heading(t('cancel.title')),
    h('p', {}, t('cancel.text')),
    actions(
      button(t('cancel.back'), () => (back.props.resume ? back.props.resume()
        : widget.show(back.name, back.props)), { id: 'back' }),
      button(t('cancel.confirm'), () => widget.cancel(),
        { kind: 'danger', id: 'confirm-cancel' })));
}

// "About 2 minutes" in the person's language.
function takes({ t }, seconds) {
  const [unit, n] = seconds < 60 ? ['second', seconds]
    : ['minute', Math.round(seconds / 60)];
  return t('methods.takes', { time: new Intl.NumberFormat(t.language,
    { style: 'unit', unit, unitDisplay: 'long' }).format(n) });
}

function offer(widget, { id, symbol, key, seconds, choose }) {
  const { t } = widget;
  return h('li', {}, h('button', { type: 'button', class: 'offer', id,
    onclick: choose }, icon(symbol), h('span', {},
    h('strong', {}, t(`${key}.title`)), h('span', {}, t(`${key}.text`)),
    h('span', { class: 'takes' }, takes(widget, seconds)))));
}

// One of several methods, what is easiest on this device first. Each says below
// `offer` in its texts what it takes. A saved verification is quicker than all.
function chooseMethod(widget, { problem: code } = {}) {
  const { t, view } = widget;
  return h('div', {},
    heading(t('methods.title')),
    problemBox(widget, code),
    h('p', { class: 'lead' }, t('methods.lead')),
    h('ul', { class: 'offers' },
      canUsePasskey(view) && offer(widget, { id: 'have-passkey', symbol: 'key',
        key: 'passkey.choice', seconds: 5,
        choose: () => widget.show('passkeyUse') }),
      widget.possible.map((name) => offer(widget, { id: `method-${name}`,
        symbol: `method-${name}`, key: `${name}.offer`,
        seconds: widget.modules.get(name).takes(view),
        choose: () => widget.choose(name) }))),
    actions(phoneButton(widget), cancelButton(widget)));
}

// To the choice, where there is one.
export function otherMethodButton(widget) {
  return (widget.possible || []).length > 1 && button(
    widget.t('methods.other'), () => widget.choose(),
    { kind: 'quiet', id: 'other-method' });
}

function sending(widget) {
  const { t } = widget;
  return h('div', { class: 'outcome' },
    heading(t('sending.title')),
    h('label', { for: 'progress' }, t('sending.label')),
    h('progress', { id: 'progress', max: '100', value: '0' }),
    h('p', { class: 'muted' }, t('sending.text')),
    actions(cancelButton(widget)));
}

sending.update = (share) => {
  const bar = document.getElementById('progress');
  if (bar) bar.value = Math.round(share * 100);
};

// A wallet that was opened by a link may have been somebody else's, or has not led
// back: whoever still waits here may ask it anew, in place of what was answered.
function walletAgainButton(widget) {
  const isByLink = widget.view.current_method === 'mdl'
    && !window.DigitalCredential && window === window.top;
  return isByLink && button(widget.t('mdl.open'), () => widget.attempt(async () => {
    await widget.client.call('POST', '/mdl/requests',
      { channel: 'redirect', replace: true });
    // What watches the session may have led on before.
    if (widget.current.name === 'processing') await widget.refresh();
  }), { kind: 'secondary', id: 'wallet-again' });
}

function processing(widget) {
  const { t, view } = widget;
  const again = walletAgainButton(widget);
  if (again) again.hidden = true;
  const own = `${view.current_method}.processing`;
  const text = h('p', { class: 'muted' }, t('processing.text'));
  const timer = setTimeout(() => {
    text.textContent = t('processing.slow');
    if (again) again.hidden = false;
    announce(t('processing.slow'));
  }, SLOW_AFTER_MS);
  widget.onLeave(() => clearTimeout(timer));
  widget.watch();
  return h('div', { class: 'outcome' },
    h('div', { class: 'spinner', 'aria-hidden': 'true' }),
    heading(t(t.has(own) ? own : 'processing.title')),
    text,
    actions(again, leaveButton(widget)));
}

// The end of the way: SYMBOL, TONE and the texts below KEY, and the way on to
// URL; without one the person may close the page, which CLOSING says. OTHER is a
// second action.
function outcome(widget, { key, symbol, tone, extra, url, urlText, other,
  closing = true }) {
  const { t, view } = widget;
  const target = !widget.host && returnTo(url, view);
  return h('div', { class: `outcome ${tone}` },
    h('div', { class: 'seal' }, icon(symbol)),
    heading(t(`${key}.title`)),
    h('p', { class: 'lead' }, t(`${key}.text`,
      { organization: organizationOf(widget) })),
    extra,
    actions(
      target && link(t(urlText, { organization: organizationOf(widget) }), target), other,
      widget.host && button(t('page.close'), () => widget.close(),
        { id: 'close' })),
    closing && !target && !widget.host && h('p', { class: 'muted' },
      t('page.mayClose')));
}

// Offers to keep the verification for the next time; BEGIN is called when the
// person accepts. The offer says what comes of that, in its own place.
function passkeyOffer(widget, begin) {
  const { t } = widget;
  const organization = organizationOf(widget);
  const text = h('div', {});
  const save = button(t('passkey.save.button'), async () => {
    begin();
    try {
      await savePasskey(widget);
      text.replaceChildren(h('strong', {}, t('passkey.save.saved')),
        h('p', {}, t('passkey.save.next', { organization })));
      announce(t('passkey.save.saved'));
    } catch {
      problem.textContent = t('passkey.save.failed');
    }
  }, { kind: 'secondary', symbol: 'key', id: 'save-passkey' });
  const problem = h('p', { role: 'alert' });
  text.append(h('strong', {}, t('passkey.save.title')),
    h('p', {}, t('passkey.save.text', { organization })), save, problem);
  return h('div', { class: 'note passkey' }, text);
}

// Returns the person to TARGET after SECONDS, which are counted down for the eye
// only. {text, button: stays here, stop()}
function returning(widget, target, seconds) {
  const { t } = widget;
  const format = new Intl.NumberFormat(t.language, { style: 'unit',
    unit: 'second', unitDisplay: 'long' });
  const count = h('span', { class: 'countdown', 'aria-hidden': 'true' });
  const text = h('p', { class: 'muted' }, t('verified.next',
    { organization: organizationOf(widget) }), h('br', {}), count);
  const tell = () => { count.textContent = format.format(Math.max(0, seconds)); };
  const timer = setInterval(() => {
    seconds--;
    tell();
    if (seconds > 0) return;
    clearInterval(timer);
    location.assign(target);
  }, 1000);
  const stop = () => {
    clearInterval(timer);
    text.remove();
    stay.remove();
  };
  const stay = button(t('verified.stay'), () => {
    stop();
    document.querySelector('#screen .actions a').focus();
  }, { kind: 'quiet', id: 'stay' });
  tell();
  return { text, button: stay, stop };
}

// The page returns the person to the organization after a moment. It stays if the
// person wants it to, opens another screen or saves the verification.
function verified(widget) {
  const { view } = widget;
  const target = !widget.host && returnTo(view.return_url, view);
  const isOffered = canSavePasskey(view);
  const way = target && returning(widget, target,
    isOffered ? RETURN_WITH_OFFER : RETURN_AFTER);
  const stay = () => way && way.stop();
  widget.onLeave(stay);
  return outcome(widget, { key: 'verified', symbol: 'check', tone: 'good',
    extra: [way && way.text, isOffered && passkeyOffer(widget, stay)],
    url: view.return_url, urlText: 'page.continue', other: way && way.button });
}

// A verification that the person has saved here before. PROBLEM is why the last
// try did not lead on; of those, only a cancelled one is worth another.
function passkeyUse(widget, { problem: code } = {}) {
  const { t } = widget;
  const isOver = code && code !== 'cancelled';
  const use = () => widget.attempt(async () => {
    const { view, problem: why } = await usePasskey(widget);
    if (view) return widget.apply(view);
    return widget.show('passkeyUse', { problem: why }, { replace: true });
  });
  const goOn = () => {
    skipPasskey(widget.view);
    return widget.attempt(() => widget.proceed());
  };
  return h('div', {},
    heading(t('passkey.use.title')),
    code && alertBox(h('p', {}, t(`passkey.use.${code}`))),
    !isOver && h('p', { class: 'lead' }, t('passkey.use.text',
      { organization: organizationOf(widget) })),
    actions(
      !isOver && button(t('passkey.use.button'), use,
        { symbol: 'key', id: 'use-passkey' }),
      button(t('passkey.use.other'), goOn,
        { kind: isOver ? 'primary' : 'secondary', id: 'no-passkey' }),
      leaveButton(widget)));
}

function failed(widget) {
  const { t, view } = widget;
  const reasons = reasonsOf(view, (code) => t.has(`reason.${code}`));
  const texts = reasons.map((code) => t(`reason.${code}.failed`));
  if (!texts.length && view.last_error && view.last_error.message)
    texts.push(view.last_error.message);
  return outcome(widget, { key: 'failed', symbol: 'cross', tone: 'bad',
    extra: [
      texts.length === 1 && h('p', { class: 'note' }, icon('info'),
        h('span', {}, texts[0])),
      texts.length > 1 && list(texts, 'info'),
      customMessage(widget),
      h('p', {}, t('failed.next', { organization: organizationOf(widget) })),
      contactLine(widget),
    ],
    url: view.cancel_url, urlText: 'page.backTo' });
}

function cancelled(widget) {
  return outcome(widget, { key: 'cancelled', symbol: 'stop', tone: 'calm',
    url: widget.view.cancel_url, urlText: 'page.backTo' });
}

function expired(widget) {
  return outcome(widget, { key: 'expired', symbol: 'clock', tone: 'calm',
    url: widget.view.cancel_url, urlText: 'page.backTo' });
}

// Watches for a quarter of an hour, then looks when the person comes back.
function underReview(widget) {
  const started = widget.reviewSince || Date.now();
  widget.reviewSince = started;
  widget.watch({ until: started + REVIEW_WATCH_MS });
  widget.watchFocus();
  return outcome(widget, { key: 'review', symbol: 'eye', tone: 'calm',
    extra: customMessage(widget), closing: false });
}

// Which method does not work, and what else the person can do. A phone may be able
// to do it; on one, the way leads back.
function methodUnavailable(widget) {
  const { t, view } = widget;
  const organization = organizationOf(widget);
  const phone = phoneButton(widget, 'primary');
  const back = !phone && !widget.host && returnTo(view.cancel_url, view);
  const named = [...new Set([...view.methods || [], view.current_method])]
    .filter((name) => name && t.has(`${name}.offer.title`));
  return h('div', { class: 'outcome calm' },
    h('div', { class: 'seal' }, icon('info')),
    heading(t('unavailable.title')),
    h('p', { class: 'lead' }, t('unavailable.text')),
    h('ul', { class: 'points needs' }, named.map((name) => h('li', {},
      icon(`method-${name}`), h('span', {}, h('strong', {}, t(`${name}.offer.title`)),
        h('span', {}, t(`${name}.offer.text`)))))),
    h('div', { class: 'instead' }, h('h2', {}, t('unavailable.instead')),
      h('ul', { class: 'points' }, [['phone', 'device'], ['help', 'ask']].map(
        ([symbol, key]) => h('li', {}, icon(symbol),
          h('span', {}, t(`unavailable.${key}`, { organization })))))),
    contactLine(widget),
    actions(phone, back && link(t('page.backTo', { organization }), back),
      cancelButton(widget)));
}

function linkInvalid(widget) {
  return outcome(widget, { key: 'link', symbol: 'link', tone: 'calm',
    extra: contactLine(widget) });
}

function elsewhere(widget) {
  return outcome(widget, { key: 'elsewhere', symbol: 'phone', tone: 'calm' });
}

const canBeLeft = (view) => view && !hasEnded(view)
  && view.status !== 'under_review';

function problem(widget, { again }) {
  const { t } = widget;
  return h('div', { class: 'outcome calm' },
    h('div', { class: 'seal' }, icon('info')),
    heading(t('problem.title')),
    h('p', { class: 'lead' }, t('problem.text')),
    actions(button(t('problem.again'), again, { id: 'again' }),
      canBeLeft(widget.view) && cancelButton(widget)));
}

export const screens = {
  frame, consent, leave, chooseMethod, sending, processing, verified, failed, cancelled,
  expired, passkeyUse, underReview, methodUnavailable, linkInvalid, problem, elsewhere,
};
