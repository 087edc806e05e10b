// The clients of /v1/widget: of a session, and of the link that ends sharing.
// Their secret goes into the Authorization header and nowhere else.

import { isTransient, retryDelay } from './flow.js';

const TIMEOUT_MS = 45000; // for an answer, or for progress of an upload
const BRAND_MS = 4000; // nobody waits longer for looks

export class ApiError extends Error {
  // status 0: no answer at all.
  constructor(status, code, retryAfter = 0) {
    super(code);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

function errorOf(status, body, retryAfter) {
  const code = (body && body.error && body.error.code) || 'unknown';
  return new ApiError(status, code, Number(retryAfter) || 0);
}

// Resolves after MS, or as soon as the connection is back; rejects when
// SIGNAL aborts.
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const done = (settle, value) => () => {
      clearTimeout(timer);
      window.removeEventListener('online', wake);
      if (signal) signal.removeEventListener('abort', stop);
      settle(value);
    };
    const wake = done(resolve);
    const stop = done(reject, new ApiError(0, 'aborted'));
    const timer = setTimeout(wake, ms);
    window.addEventListener('online', wake);
    if (signal) signal.addEventListener('abort', stop);
  });
}

// fetch() does not report the progress of an upload, XMLHttpRequest does.
function put(url, headers, blob, { onProgress, signal }) {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    const stop = () => call.abort();
    call.open('PUT', url);
    call.responseType = 'json';
    for (const [name, value] of Object.entries(headers))
      call.setRequestHeader(name, value);
    call.setRequestHeader('Content-Type', blob.type);
    let timer = setTimeout(() => call.abort(), TIMEOUT_MS);
    call.upload.onprogress = (event) => {
      clearTimeout(timer);
      timer = setTimeout(() => call.abort(), TIMEOUT_MS);
      onProgress(event.loaded);
    };
    if (signal) signal.addEventListener('abort', stop);
    call.onloadend = () => {
      clearTimeout(timer);
      if (signal) signal.removeEventListener('abort', stop);
    };
    call.onerror = () => reject(new ApiError(0,
      signal && signal.aborted ? 'aborted' : 'network'));
    call.onabort = call.onerror;
    call.onload = () => {
      if (call.status >= 200 && call.status < 300 && call.response)
        resolve(call.response);
      else reject(errorOf(call.status, call.response,
        call.getResponseHeader('Retry-After')));
    };
    call.send(blob);
  });
}

// Calls below ROOT with SECRET, from the browser with the secret BROWSER.
function createCaller({ root, secret, browser, onConnection }) {
  const headers = { ...(secret && { Authorization: `Bearer ${secret}` }),
    ...(browser && { 'Verify-Browser': browser }) };

  // EARLY: the promise of an answer that somebody has asked for already, or null.
  async function request(method, path, body, signal, early) {
    const abort = new AbortController();
    const stop = () => abort.abort();
    const timer = setTimeout(stop, TIMEOUT_MS);
    if (signal) signal.addEventListener('abort', stop);
    try {
      const answer = await (early || fetch(root + path, {
        method,
        headers: body ? { ...headers, 'Content-Type': 'application/json' }
          : headers,
        body: body ? JSON.stringify(body) : undefined,
        cache: 'no-store',
        credentials: 'omit',
        signal: abort.signal,
      }));
      const json = await answer.json().catch(() => null);
      if (!answer.ok || !json)
        throw errorOf(answer.ok ? 502 : answer.status, json,
          answer.headers.get('Retry-After'));
      return json;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw new ApiError(0, signal && signal.aborted ? 'aborted' : 'network');
    } finally {
      clearTimeout(timer);
      if (signal) signal.removeEventListener('abort', stop);
    }
  }

  // Repeats CALL while the failure is a passing one: a service that answers at
  // most ATTEMPTS times, a lost connection until it is back.
  async function persist(call, { attempts = 6, signal } = {}) {
    let refused = 0;
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await call();
        onConnection(true);
        return result;
      } catch (error) {
        if (error.status) refused++;
        if (error.code === 'aborted' || (signal && signal.aborted)
            || !isTransient(error) || refused >= attempts)
          throw error;
        onConnection(false);
        await pause(retryDelay(attempt, error.retryAfter), signal);
      }
    }
  }

  const upload = (path, blob, onProgress, signal) => persist(
    () => put(root + path, headers, blob, { onProgress, signal }),
    { signal });

  return { request, upload, persist };
}

// onView(view) hears every view of the session. Whatever is more than a look at
// it waits until HELD (kept.js), if there is one, is over, and fails as that does;
// what is asked later does neither.
export function createClient({ base, sessionId, secret, browser, onConnection,
  onView, held = null }) {
  const caller = createCaller({ secret, browser, onConnection,
    root: `${base}/v1/widget/sessions/${encodeURIComponent(sessionId)}` });
  const { persist } = caller;

  async function ask(...request) {
    const answer = await caller.request(...request);
    if (answer.object === 'widget_session') onView(answer);
    return answer;
  }

  async function untilFree(signal) {
    if (held && !held.isOver) await held.over;
    if (signal && signal.aborted) throw new ApiError(0, 'aborted');
  }

  async function request(method, path, body, signal) {
    await untilFree(signal);
    return ask(method, path, body, signal);
  }

  async function upload(path, blob, onProgress, signal) {
    await untilFree(signal);
    const view = await caller.upload(path, blob, onProgress, signal);
    onView(view);
    return view;
  }

  return {
    // EARLY is taken for the answer to the first try.
    view: (early = null) => persist(() => {
      const answer = early;
      early = null;
      return ask('GET', '', null, undefined, answer);
    }),
    // Waits for a revision after REVISION; answers the same one on time-out.
    watch: (revision, seconds, signal) => persist(() => request('GET',
      `?after_revision=${revision}&wait_seconds=${seconds}`, null, signal),
    { attempts: Infinity, signal }),
    open: (device) => persist(() => request('POST', '/open', device)),
    consent: (share, version) => persist(() => request('POST', '/consent',
      { consent: true, share, text_version: version })),
    // Any other request below the session, repeated while it fails in passing:
    // for those that do no harm twice.
    call: (method, path, body, signal) => persist(
      () => request(method, path, body, signal), { signal }),
    // The same once: a refusal for being too often is the person's to see.
    once: request,
    // BLOB with its type to PATH; onProgress(bytes sent) and SIGNAL are optional.
    upload: (path, blob, onProgress = () => {}, signal = undefined) => upload(
      path, blob, onProgress, signal),
    // Not repeated blindly: the caller looks at the session first.
    submit: (body) => request('POST', '/submissions', body),
    cancel: () => persist(() => request('POST', '/cancel', {})),
  };
}

// Of a link by which a phone takes a session over.
export function createHandoffClient({ base, onConnection }) {
  const { request, persist } = createCaller({ onConnection,
    root: `${base}/v1/widget/handoffs` });

  return {
    scan: (token) => persist(() => request('POST', '', { token })),
    // Not repeated: it uses the link up.
    take: (token, pairing) => request('POST', '', { token, pairing }),
  };
}

// Whose page it is that SECRET led to, which may open nothing any more; null: that
// is not known.
export function brandOf(secret, base = '..') {
  const { request } = createCaller({ root: `${base}/v1/widget` });
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), BRAND_MS);
  return request('POST', '/brand', { secret }, abort.signal)
    .catch(() => null).finally(() => clearTimeout(timer));
}

// Of the link in a notification e-mail. SCOPE: grant or all; repeating it does
// no harm.
export function createRevokeClient({ base, secret, onConnection }) {
  const { request, persist } = createCaller({ secret, onConnection,
    root: `${base}/v1/widget/trust_reuse` });

  return {
    grant: () => persist(() => request('GET', '/grant')),
    revoke: (scope) => persist(() => request('POST', '/revocations',
      { scope })),
  };
}
