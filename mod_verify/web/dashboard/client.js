// The client of /dashboard/v1/. Whoever httpd has let in is known by the request
// itself; the page holds no secret.

const BASE = new URL('v1/', document.baseURI);
// Whoever wrote name and password into the address has them there; fetch refuses it.
BASE.username = '';
BASE.password = '';
const KINDS = { 0: 'offline', 401: 'login', 403: 'noRight', 404: 'missing',
  409: 'conflict', 412: 'conflict', 429: 'busy' };

export class ServiceError extends Error {
  constructor(status, error, requestId) {
    const isFourEyes = error.code === 'four_eyes_required';
    super((!isFourEyes && error.message && error.message.replaceAll('`', '')) || '');
    this.status = status;
    this.code = error.code || null;
    this.param = error.param || null;
    this.requestId = error.request_id || requestId || null;
    this.kind = (isFourEyes && 'fourEyes') || KINDS[status]
      || (status >= 500 ? 'failed' : 'refused');
  }
}

function addressOf(path, query) {
  const address = new URL(path, BASE);
  for (const [name, value] of Object.entries(query || {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== null && one !== undefined && one !== '')
        address.searchParams.append(name, one);
  return address;
}

// By its key the service knows a deed that is repeated because its answer was lost. The
// last one keeps its key until its answer has come whole, for as long as somebody tries
// again; another deed has another, and what can be given up (SIGNAL) only asks.
const last = {};
const AGAIN = 180000; // milliseconds, less than until a claim is renewed

function keyOf(signal, ...deed) {
  const text = JSON.stringify(deed);
  // randomUUID() is there on secure origins alone.
  const key = crypto.getRandomValues(new Uint32Array(4)).join('');
  if (signal) return key;
  if (last.deed !== text || Date.now() > last.until)
    Object.assign(last, { deed: text, key, until: Date.now() + AGAIN });
  return last.key;
}

async function ask(address, options) {
  try {
    return await fetch(address, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ServiceError(0, {});
  }
}

// A request and its answer, which is JSON or as READ says, or a ServiceError. METHOD GET
// changes nothing. IFMATCH: the version of the object that is changed; it is refused
// (conflict) when there is another one.
export async function call(method, path, { query, body, signal, ifMatch, read = 'json' } = {}) {
  const isWrite = method !== 'GET';
  const key = isWrite ? keyOf(signal, method, path, body, ifMatch) : '';
  const answer = await ask(addressOf(path, query), { method, signal,
    credentials: 'same-origin', cache: 'no-store', redirect: 'manual',
    headers: { ...(isWrite && { 'Content-Type': 'application/json',
      'Idempotency-Key': key }), ...(ifMatch && { 'If-Match': ifMatch }) },
    body: isWrite && method !== 'DELETE' ? JSON.stringify(body || {}) : undefined });
  // The way to a login, which only a page can take.
  if (answer.type === 'opaqueredirect') throw new ServiceError(401, {});
  const content = await answer[answer.ok ? read : 'json']().catch(() => null);
  if (answer.ok && content) {
    if (last.key === key) last.deed = '';
    return content;
  }
  // Without content: a login page, a gateway's words, or the beginning of an answer.
  throw new ServiceError(answer.ok ? 502 : answer.status, (content && content.error) || {},
    answer.headers.get('X-Request-Id'));
}

// The same below an organization; "." is itself.
export function organization(id) {
  const base = `organizations/${encodeURIComponent(id)}/`;
  const at = (method) => (path, options) => call(method,
    path === '.' ? base.slice(0, -1) : base + path, options);
  return { id, get: at('GET'), post: at('POST'), put: at('PUT'),
    patch: at('PATCH'), delete: at('DELETE'),
    address: (path, query) => addressOf(base + path, query).href };
}
