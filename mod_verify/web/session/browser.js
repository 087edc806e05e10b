// The secret by which the service recognizes this browser within one session: only
// the browser that gave the evidence may save a passkey.

import { invent } from './device.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_MS = 7 * DAY_MS; // a review may take days
const FORM = /^[0-9a-f]{32}$/;

function keptIn(storage, key) {
  try {
    const { secret } = JSON.parse(storage().getItem(key));
    return FORM.test(secret) ? secret : null;
  } catch {
    return null;
  }
}

// The secret for the session with the id; made up on the first time. Other tabs
// have the same one, because a wallet or an e-mail may lead there. STORAGE is a
// function, as in device.js; without it, a reload is another browser.
export function browserSecret(id, { storage, crypto, now = Date.now }) {
  const key = `idv:${id}:browser`;
  const secret = keptIn(storage, key) || invent(crypto);
  try {
    storage().setItem(key, JSON.stringify({ secret, until: now() + KEPT_MS }));
  } catch {
    // Storage is switched off.
  }
  return secret;
}
