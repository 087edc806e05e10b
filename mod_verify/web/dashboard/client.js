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
    super((!isFourEyes && error.message) || '');
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

// randomUUID() is there on secure origins alone.
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function ask(address, options) {
  try {
    return await fetch(address, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ServiceError(0, {});
  }
}

// A request, whose failures are ServiceErrors. METHOD GET changes nothing; a POST
// carries a key by which the service knows a repetition. IFMATCH: the version of the
// object that is changed; it is refused (conflict) when there is another one.
async function send(method, path, { query, body, signal, ifMatch } = {}) {
  const isWrite = method !== 'GET';
  const answer = await ask(addressOf(path, query), { method, signal,
    credentials: 'same-origin', cache: 'no-store', redirect: 'manual',
    headers: { ...(isWrite ? { 'Content-Type': 'application/json' } : {}),
      ...(method === 'POST' ? { 'Idempotency-Key': newKey() } : {}),
      ...(ifMatch ? { 'If-Match': ifMatch } : {}) },
    body: isWrite && method !== 'DELETE' ? JSON.stringify(body || {}) : undefined });
  if (answer.ok) return answer;
  // The way to a login, which only a page can take.
  if (answer.type === 'opaqueredirect') throw new ServiceError(401, {});
  const content = await answer.json().catch(() => null); // else a gateway's words
  throw new ServiceError(answer.status, (content && content.error) || {},
    answer.headers.get('X-Request-Id'));
}

// The answer's JSON.
export async function call(method, path, options) {
  const answer = await send(method, path, options);
  return answer.json().catch(() => {
    // A login page, most likely.
    throw new ServiceError(502, {}, answer.headers.get('X-Request-Id'));
  });
}

// The same below an organization; "." is itself.
export function organization(id) {
  const base = `organizations/${encodeURIComponent(id)}/`;
  const at = (method) => (path, options) => call(method,
    path === '.' ? base.slice(0, -1) : base + path, options);
  return { id, get: at('GET'), post: at('POST'), put: at('PUT'),
    patch: at('PATCH'), delete: at('DELETE'),
    address: (path, query) => addressOf(base + path, query).href, picture: async (path, options) =>
      (await send('POST', base + path, options)).blob() };
}
