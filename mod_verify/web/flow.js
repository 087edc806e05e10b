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

// The widget's own screen for a view; null when a method's comes next.
export function screenFor(view) {
  if (SCREENS[view.status]) return SCREENS[view.status];
  return view.consent_required && !view.consented ? 'consent' : null;
}

// Of the POSSIBLE methods the one that the person works on: the one they CHOSE,
// the current one, or the only one; null when they have to choose.
export function methodOf(view, possible, chosen) {
  const found = [chosen, view.current_method].find((name) => (
    possible.includes(name)));
  return found || (possible.length === 1 ? possible[0] : null);
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

// Where a screen stands on the way of three steps; null outside of it.
export function stepOf(screen) {
  const steps = { consent: 1, chooseMethod: 2, sending: 3, processing: 3 };
  return steps[screen] || null;
}

// Checks that say the same as a last_error.
const SAME = { expired: 'document_expired',
  test_issuer_refused: 'document_not_accepted' };

// What went wrong in the last attempt, as keys below "reason" in the texts,
// most telling first; known(KEY) says whether there is a text for it. Most
// checks have none: which digit was wrong helps nobody but a forger.
export function reasonsOf(view, known) {
  const codes = [view.hint, view.last_error && view.last_error.code,
    ...(view.checks_failed || []).map((code) => SAME[code] || code)];
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
