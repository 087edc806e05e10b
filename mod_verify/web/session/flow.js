// What follows from a session's view: decisions only, no document, no network.

const SCREENS = {
  processing: 'processing',
  under_review: 'underReview',
  verified: 'verified',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
};
const ENDED = ['verified', 'failed', 'cancelled', 'expired'];

export const REVIEW_WATCH_MS = 15 * 60 * 1000;
export const POLL_SECONDS = 25;
export const EARLY_MS = 5000;

export function hasEnded(view) {
  return ENDED.includes(view.status);
}

// Whether the person has nothing more to do in VIEW, which may not be there yet.
export function isOver(view) {
  return Boolean(view) && (hasEnded(view) || view.status === 'under_review');
}

// The widget's own screen for a view; null when a method's comes next.
export function screenFor(view) {
  if (SCREENS[view.status]) return SCREENS[view.status];
  return view.consent_required && !view.consented ? 'consent' : null;
}

// The methods of which one is enough for what the person does next in VIEW.
function methodsAhead({ steps = [], methods = [] }) {
  const next = steps.find((step) => !step.done && !step.methods.includes('email_otp'));
  return next ? next.methods : methods;
}

// Of the POSSIBLE methods the one that the person works on: the one they CHOSE, the
// only one, or the current one; null when they have to choose. The service names one
// of several as current before any was tried.
export function methodOf(view, possible, chosen) {
  if (possible.includes(chosen)) return chosen;
  if (possible.length === 1) return possible[0];
  const isOpen = methodsAhead(view).length > 1 && !isAnotherAttempt(view);
  return !isOpen && possible.includes(view.current_method) ? view.current_method : null;
}

// Whether the last attempt of VIEW left something to tell.
export function isAnotherAttempt(view) {
  return view.status === 'requires_input' && Boolean(view.hint
    || (view.checks_failed || []).length || view.last_error);
}

// Whether Back may lead to SCREEN: to one on which the person decides
// something, not to one that was passing or told them of an end.
export function canReturnTo(screen) {
  return Boolean(screen) && ![...Object.values(SCREENS), 'sending', 'problem',
    'leave', 'linkInvalid'].includes(screen);
}

// ---- the way ---------------------------------------------------------------

// What the person does between consent and check, as the service tells it; taking
// and comparing pictures of their face is one thing for them. `last`: what it is
// over with.
function partsOf(view) {
  const told = (view.steps || []).length ? view.steps
    : [{ methods: view.methods || [], done: false }];
  const parts = [];
  for (const { methods, done } of told) {
    const before = parts.at(-1);
    if (before && String(before.methods) === 'selfie_liveness'
      && String(methods) === 'selfie_match')
      Object.assign(before, { methods: [...before.methods, ...methods], done,
        last: methods });
    else parts.push({ methods, done, last: methods });
  }
  return parts;
}

// Where METHOD, or whatever comes next, stands among PARTS. The proof of an
// address is next only while it is shown: the person may go on without it.
function partOf(parts, method) {
  const find = (fits) => parts.findIndex((part) => !part.done && fits(part));
  const own = find(({ methods }) => methods.includes(method));
  return own >= 0 ? own : find(({ methods }) => !methods.includes('email_otp'));
}

// The place of SCREEN: -1 for the consent, as many as there are parts for the
// check; null: it is no part of the way.
function placeOf(parts, screen, method, isMethods) {
  if (screen === 'consent') return -1;
  const isWaiting = ['sending', 'processing'].includes(screen);
  if (!isMethods && !isWaiting && screen !== 'chooseMethod') return null;
  const at = partOf(parts, method);
  if (at < 0) return parts.length;
  const isLast = at === parts.length - 1
    && (!parts[at].last.length || !method || parts[at].last.includes(method));
  return isWaiting && isLast ? parts.length : at;
}

// The way of VIEW from consent to check, for SCREEN, on which the person works on
// METHOD; ISMETHODS: a method brings it. [{kind, methods, isDone, isCurrent}], of
// which `kind` is consent, proof or check; null: the screen is no part of it.
export function wayOf(view, screen, { method = null, isMethods = false } = {}) {
  const parts = view ? partsOf(view) : [];
  const place = view ? placeOf(parts, screen, method, isMethods) : null;
  if (place === null) return null;
  const way = parts.map(({ methods, done }, i) => ({ kind: 'proof',
    methods: place === i && method && !methods.length ? [method] : methods,
    isDone: done || (i < place && !methods.includes('email_otp')),
    isCurrent: i === place }));
  if (view.consent_required)
    way.unshift({ kind: 'consent', methods: [], isDone: place >= 0,
      isCurrent: place < 0 });
  way.push({ kind: 'check', methods: [], isDone: false,
    isCurrent: place === parts.length });
  return way;
}

// Checks that say the same as a last_error.
const SAME = { expired: 'document_expired',
  test_issuer_refused: 'document_not_accepted' };

// What went wrong in the last attempt, as keys below "reason" in the texts,
// most telling first; known(KEY) says whether there is a text for it. Most
// checks have none: which digit was wrong helps nobody but a forger.
export function reasonsOf(view, known) {
  const failed = (view.checks_failed || []).map((code) => SAME[code] || code);
  // Whoever is too young is told that first: nothing else is worth mending.
  const codes = [view.hint, failed.includes('under_age') && 'under_age',
    view.last_error && view.last_error.code, ...failed];
  const found = codes.filter((code) => code && known(code));
  return [...new Set(found)];
}

// Milliseconds before attempt N (from 1) is repeated, as the interface
// suggests; a Retry-After of the server (seconds) wins.
export function retryDelay(attempt, retryAfter, random = Math.random) {
  if (retryAfter > 0) return Math.min(retryAfter, 60) * 1000;
  return Math.min(30000, 500 * 2 ** attempt + random() * 250);
}

// Milliseconds before a service is asked again that answered N times in a row
// without waiting and without news: analyses take seconds, reviews hours.
export function watchPause(n) {
  return Math.min(15000, 750 * 1.5 ** (n - 1));
}

// Whether to repeat after an error: lost connections, overload, faults.
export function isTransient(error) {
  return error.status === 0 || error.status === 429 || error.status >= 500;
}

// Only addresses that a person may be sent to; everything else is null.
export function safeUrl(text) {
  if (!text) return null;
  try {
    const url = new URL(text);
    return ['https:', 'http:'].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

// URL of the customer with the session's id added to its query, or null.
export function returnTo(url, view) {
  if (!safeUrl(url)) return null;
  const target = new URL(url);
  target.searchParams.set('session_id', view.id);
  return target.href;
}
