// What every page does around its screens: language, labels, waiting.

import { announce } from './dom.js';
import { LANGUAGES, load } from '../texts.js';

// The languages that the person wants, the most wanted first.
export function wishes() {
  const wish = new URLSearchParams(location.search).get('lang');
  return [wish, ...(navigator.languages || [])].filter(Boolean);
}

// Says in the footer what becomes of what is sent, the text KEY, and that the
// connection is encrypted only where it is.
function labelFoot(t, key) {
  const isEncrypted = location.protocol === 'https:';
  document.getElementById('secure').textContent = [
    isEncrypted && t('page.encrypted'), t(key)].filter(Boolean).join(' ');
  document.querySelector('.foot .icon').toggleAttribute('hidden', !isEncrypted);
}

// Puts the texts of T around the screen; SECURE is the key of the footer's.
// CHANGE is called with the texts of the language that the person chooses; of
// several chosen one after the other the last counts, whichever arrives last.
export function labelPage(t, change, secure = 'page.secure') {
  document.documentElement.lang = t.language;
  document.documentElement.dir = t.direction;
  document.getElementById('brand').textContent = t('page.brand');
  labelFoot(t, secure);
  document.getElementById('language-label').textContent = t('page.language');
  const select = document.getElementById('language');
  const failed = t('page.languageFailed');
  if (!select.options.length) {
    for (const [code, name] of Object.entries(LANGUAGES)) {
      const option = new Option(name, code);
      option.lang = code;
      select.add(option);
    }
    select.addEventListener('change', async () => {
      const { value } = select;
      const texts = await load(value).catch(() => null);
      if (select.value !== value) return;
      if (texts) {
        change(texts);
        return;
      }
      // What is shown stays in the language that it was in.
      select.value = document.documentElement.lang;
      announce(failed);
    });
    select.parentElement.hidden = false;
  }
  select.value = t.language;
}

// What a screen reader says after the heading that gets the focus.
export function describe(title, texts) {
  texts.forEach((text, i) => { text.id = `said-${i}`; });
  if (texts.length)
    title.setAttribute('aria-describedby',
      [...texts].map((text) => text.id).join(' '));
}

// Something to look at while a slow connection brings the texts.
export function showWaiting() {
  const spinner = document.createElement('div');
  spinner.className = 'spinner late';
  document.getElementById('screen').replaceChildren(spinner);
}

// Says whether the service can be reached, when that changes.
export function showConnection(t, works) {
  const banner = document.getElementById('connection');
  if (banner.hidden === works) return;
  banner.hidden = works;
  banner.textContent = works ? '' : t('page.offline');
  if (works) announce(t('page.online'));
}

// Without texts there is no screen; the two sentences of last resort.
export function giveUp() {
  const sentences = { en: 'The page could not be loaded. Please reload it.',
    de: 'Die Seite konnte nicht geladen werden. Bitte laden Sie sie neu.' };
  const place = document.getElementById('screen');
  place.removeAttribute('aria-busy');
  place.replaceChildren(...Object.entries(sentences).map(([lang, text]) => {
    const line = document.createElement('p');
    line.lang = lang;
    line.textContent = text;
    line.setAttribute('role', 'alert');
    return line;
  }));
}

// Keeps the secret for the page to which a wallet leads back, which may be in
// another tab: in this browser alone, and for as long as a wallet may take.
const WALLET_MS = 10 * 60 * 1000;

export function leaveForWallet(key) {
  try {
    localStorage.setItem(`${key}:wallet`, JSON.stringify({
      secret: sessionStorage.getItem(key), until: Date.now() + WALLET_MS }));
  } catch {
    // Storage is switched off: then the way ends in the wallet.
  }
}

// Takes back what was kept for a wallet that no longer matters.
export function forgetWallet(key) {
  try {
    localStorage.removeItem(`${key}:wallet`);
  } catch {
    // Storage is switched off: nothing is kept.
  }
}

// Of a wallet that never led back, and of this browser (session/browser.js), the
// secret is of no use after its time, and goes when any page of the service is
// opened.
export function forgetLate(now = Date.now()) {
  const isLate = (text) => {
    try {
      return !(now < JSON.parse(text).until);
    } catch {
      return true;
    }
  };
  try {
    for (const key of Object.keys(localStorage))
      if (/^idv:.*:(wallet|browser)$/.test(key) && isLate(localStorage.getItem(key)))
        localStorage.removeItem(key);
  } catch {
    // As above.
  }
}

// What a wallet has led back with: {request_id, response_code}, or without a code
// the PROBLEM that it reported; null: it has not led back. The secret is where
// takeSecret() finds it then.
export function takeReturn(key) {
  const [, id, code, other]
    = /^#wallet=(mdr_\w+)(?:\.([\w-]+)|(!))?$/.exec(location.hash) || [];
  if (!id) return null;
  history.replaceState(null, '', location.pathname + location.search);
  try {
    const { secret, until }
      = JSON.parse(localStorage.getItem(`${key}:wallet`)) || {};
    localStorage.removeItem(`${key}:wallet`);
    if (secret && Date.now() < until) sessionStorage.setItem(key, secret);
  } catch {
    // As above.
  }
  if (code) return { request_id: id, response_code: code };
  return { problem: other ? 'document_not_provided' : 'wallet_declined' };
}

// The secret of the page's address: from the fragment, which leaves the address
// bar at once, or from an earlier load of the same tab, kept under KEY; null
// when FITS(fragment) says that it is none.
export function takeSecret(key, fits) {
  const fragment = location.hash.slice(1);
  if (!fragment) return remembered(key);
  history.replaceState(null, '', location.pathname + location.search);
  if (!fits(fragment)) return null;
  try {
    sessionStorage.setItem(key, fragment);
  } catch {
    // Storage is switched off: then a reload needs the link again.
  }
  return fragment;
}

// What early.js has asked for with SECRET, once: the promise of an answer, or null.
export function takeEarly(secret) {
  const { secret: asked, answer = null } = window.idvEarly || {};
  delete window.idvEarly;
  return asked === secret ? answer : null;
}

function remembered(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
