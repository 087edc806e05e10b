// What the widget says of the browser, and only where the workflow checks
// devices: a random identifier that the browser keeps, and whether a program
// drives it.

const KEY = 'idv:device';
const FORM = /^[0-9a-f]{32}$/;

function invent(crypto) {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

// The identifier in STORAGE, made on the first time; null when the browser
// keeps none: a new one each time would say less than none.
function identifier(storage, crypto) {
  try {
    const kept = storage().getItem(KEY);
    if (FORM.test(kept)) return kept;
    const made = invent(crypto);
    storage().setItem(KEY, made);
    return storage().getItem(KEY);
  } catch {
    return null;
  }
}

// The body of the opening request for VIEW. STORAGE is a function, because to
// ask a browser that forbids it is an error by itself.
export function opening(view, { storage, crypto, navigator }) {
  if (!(view.passive_checks || []).includes('device_risk')) return {};
  const id = identifier(storage, crypto);
  return { ...(id && { device_id: id }),
    webdriver: navigator.webdriver === true };
}
