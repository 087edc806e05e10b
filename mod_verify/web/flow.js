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
const RUNNABLE = ['document_capture'];

export const REVIEW_WATCH_MS = 15 * 60 * 1000;
export const POLL_SECONDS = 25;
export const EARLY_MS = 5000;

export function hasEnded(view) {
  return ENDED.includes(view.status);
}

// The method that the person works on: the current one, or the first that
// this widget can run while none is active yet.
export function methodOf(view) {
  if (view.current_method)
    return RUNNABLE.includes(view.current_method) ? view.current_method : null;
  return (view.methods || []).find((m) => RUNNABLE.includes(m)) || null;
}

// The name of the screen for a view.
export function screenFor(view) {
  if (SCREENS[view.status]) return SCREENS[view.status];
  if (view.consent_required && !view.consented) return 'consent';
  if (!methodOf(view)) return 'methodUnavailable';
  if (view.status === 'requires_input'
      && (view.hint || (view.checks_failed || []).length || view.last_error))
    return 'tryAgain';
  return 'choose';
}

// Where a screen stands on the way of three steps; null outside of it.
export function stepOf(screen) {
  const steps = {
    consent: 1, choose: 2, camera: 2, preview: 2, otherSide: 2, tryAgain: 2,
    sending: 3, processing: 3,
  };
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
