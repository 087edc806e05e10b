// What the widget says of the browser, and only what the workflow's checks look
// at: a random identifier that the browser keeps and whether a program drives it
// (device_risk), and the time zone of its clock (ip_analysis).

const KEY = 'idv:device';
const FORM = /^[0-9a-f]{32}$/;
const ZONE = /^[A-Za-z0-9_/+-]{1,64}$/;

export function invent(crypto) {
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

// The name of the clock's zone; null where the browser does not tell.
function timeZone() {
  try {
    return new Intl.DateTimeFormat().resolvedOptions().timeZone || null;
  } catch {
    return null;
  }
}

// The body of the opening request for VIEW. STORAGE is a function, because to
// ask a browser that forbids it is an error by itself.
export function opening(view, { storage, crypto, navigator, zone = timeZone }) {
  const checks = view.passive_checks || [];
  const id = checks.includes('device_risk') ? identifier(storage, crypto) : null;
  const named = checks.includes('ip_analysis') ? zone() : null;
  return { ...(id && { device_id: id }),
    ...(checks.includes('device_risk')
      && { webdriver: navigator.webdriver === true }),
    ...(named && ZONE.test(named) && { time_zone: named }) };
}
