// The client of /dashboard/v1/. Whoever httpd has let in is known by the request
// itself; the page holds no secret.

const BASE = new URL('v1/', document.baseURI);
const KINDS = { 0: 'offline', 401: 'login', 403: 'noRight', 404: 'missing',
  409: 'conflict', 412: 'conflict', 429: 'busy' };

export class ServiceError extends Error {
  constructor(status, error, requestId) {
    super(error.message || '');
    this.status = status;
    this.code = error.code || null;
    this.param = error.param || null;
    this.requestId = error.request_id || requestId || null;
    this.kind = KINDS[status] || (status >= 500 ? 'failed' : 'refused');
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

async function ask(address, options) {
  try {
    return await fetch(address, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ServiceError(0, {});
  }
}

// The answer's JSON. METHOD GET changes nothing; all others carry a key by which
// the service knows a repetition.
export async function call(method, path, { query, body, signal, headers } = {}) {
  const isWrite = method !== 'GET';
  const answer = await ask(addressOf(path, query), { method, signal,
    credentials: 'same-origin', cache: 'no-store', redirect: 'error',
    headers: { Accept: 'application/json',
      ...(isWrite ? { 'Content-Type': 'application/json' } : {}),
      ...(method === 'POST' ? { 'Idempotency-Key': crypto.randomUUID() } : {}),
      ...headers },
    body: isWrite && method !== 'DELETE' ? JSON.stringify(body || {}) : undefined });
  let content = null;
  try {
    content = await answer.json();
  } catch {
    // No JSON: a login page, or a gateway's words.
  }
  if (!answer.ok || content === null)
    throw new ServiceError(answer.ok ? 502 : answer.status,
      (content && content.error) || {}, answer.headers.get('X-Request-Id'));
  return content;
}

// The same below an organization.
export function organization(id) {
  const base = `organizations/${encodeURIComponent(id)}/`;
  const at = (method) => (path, options) => call(method, base + path, options);
  return { id, get: at('GET'), post: at('POST'), patch: at('PATCH'),
    delete: at('DELETE'), put: at('PUT') };
}
