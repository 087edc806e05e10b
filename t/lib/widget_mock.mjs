// A service that knows the widget endpoints and nothing else: it serves the
// files of mod_verify/web with the headers of mod_verify/api, and one session
// that a test puts into any state through /mock. Prints its port.
import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const WEB = join(ROOT, 'mod_verify', 'web');
const TYPES = { html: 'text/html; charset=utf-8', css: 'text/css',
  js: 'text/javascript; charset=utf-8', json: 'application/json', svg: 'image/svg+xml' };
const HEADERS = readHeaders();

let session = null;
let grant = null;    // what the link of a notification names
let plan = [];       // what each submission leads to
let faults = [];     // answers that replace the next ones
let held = [];       // answers that wait for the next faults
let log = [];
const waiting = new Set();

// IDV_WEB_HEADER("Name", "value") lines, string pieces joined.
function readHeaders() {
  const text = readFileSync(join(ROOT, 'mod_verify/api/http/web_headers.def'),
    'utf8');
  return [...text.matchAll(/^IDV_WEB_HEADER\(((?:[^)"]|"[^"]*")*)\)/gm)]
    .map(([, inside]) => {
      const [name, ...rest] = inside.split(/,/);
      return [name.match(/"(.*)"/)[1],
        [...rest.join(',').matchAll(/"([^"]*)"/g)].map((m) => m[1]).join('')];
    });
}

function newSession(changes) {
  session = {
    object: 'widget_session', id: 'vks_01jd0000000000000000000000',
    status: 'created', type: 'age', revision: 1, jurisdiction: 'US-VA',
    parts_received: [], organization_name: 'SPECIMEN Shop', brand: null,
    review_possible: false, current_method: null,
    methods: ['document_capture'], consent_required: true, consented: false,
    passive_checks: [], trust_reuse_available: false, attempts_remaining: 3,
    hint: null, hint_side: null,
    checks_failed: [], last_error: null, user_message: null,
    return_url: 'https://shop.example/done',
    cancel_url: 'https://shop.example/cancelled',
    expires_at: Math.floor(Date.now() / 1000) + 3600, review: false,
    passkey: null, vp_token: null, ...changes,
  };
  const step = (methods) => ({ methods, done: false });
  session.steps ??= [...session.requires_email_otp ? [step(['email_otp'])] : [],
    step(session.methods)];
  grant = null;
  plan = [];
  faults = [];
  for (const free of held.splice(0)) free();
  log = [];
}

function change(changes) {
  Object.assign(session, changes, { revision: session.revision + 1 });
  for (const wake of waiting) wake();
}

function answer(response, status, body, extra = {}) {
  response.writeHead(status, { 'Content-Type': 'application/json',
    'Cache-Control': 'no-store', ...extra });
  response.end(JSON.stringify(body));
}

function refuse(response, status, code, extra) {
  answer(response, status, { error: { type: 'invalid_request_error', code,
    message: code } }, extra);
}

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

// A page as apxs/embed_web.pl makes it of its parts, but with its modules one by
// one, as they were written.
function page(name, language) {
  const read = (file) => readFileSync(join(WEB, file), 'utf8');
  const texts = read(`texts/${language}.json`).replaceAll('</', '<\\/');
  return read(name).replace(/<html lang="\w+">/, `<html lang="${language}">`)
    .replace('<!-- icons -->', () => read('icons.svg'))
    .replace('<!-- texts -->', () => '<script type="application/json" '
      + `id="texts" data-language="${language}">${texts}</script>`);
}

function languageOf(request, url) {
  const wishes = [url.searchParams.get('lang'),
    ...(request.headers['accept-language'] || '').split(',')];
  return wishes.filter(Boolean).map((wish) => wish.trim().slice(0, 2))
    .find((wish) => existsSync(join(WEB, 'texts', `${wish}.json`))) || 'en';
}

function serveFile(response, path, language) {
  const file = normalize(join(WEB, path));
  const instead = { 'Content-Security-Policy': (value) => (
    `${value}; frame-ancestors *`) };
  // The service has its files kept for ever; texts, which tests have fail, are not.
  if (/\.(js|css)$/.test(file) && !language)
    instead['Cache-Control'] = () => 'max-age=3600';
  try {
    const data = language ? page(path, language) : readFileSync(file);
    response.writeHead(200, [
      ...HEADERS.map(([name, value]) => [name,
        instead[name] ? instead[name](value) : value]),
      ['Content-Type', TYPES[file.split('.').pop()]]].flat());
    response.end(data);
  } catch {
    refuse(response, 404, 'resource_missing');
  }
}

async function watch(url, response) {
  const after = Number(url.searchParams.get('after_revision') || -1);
  const wait = Number(url.searchParams.get('wait_seconds') || 0);
  if (after >= session.revision && wait) {
    await new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, wait * 1000);
      waiting.add(done);
    });
  }
  answer(response, 200, session);
}

function submit(body) {
  const next = plan.shift();
  const submitted = session;
  change({ parts_received: [], status: 'processing', current_method: body.method, hint: null, hint_side: null,
    checks_failed: [], last_error: null });
  if (next) setTimeout(() => session === submitted && change(next), 300);
}

// Links for phones, codes by e-mail and requests to wallets: answered, and no
// more; `link_life` is the time in seconds that a link is good for, `resend_in` the one
// until another code may be sent, `join_fault` what the phone is refused with.
const QR = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 21 21">'
  + '<path fill="#fff" d="M0 0h21v21H0z"/><path d="M2 2h7v7H2zM12 2h7v7h-7z'
  + 'M2 12h7v7H2zM12 12h3v3h-3z"/></svg>';
const inSeconds = (seconds) => Math.floor(Date.now() / 1000) + seconds;
const ANSWERS = {
  'POST /handoff': () => ({ url: 'https://verify.example/verify/handoff#'
    + '01jd0000000000000000000000abcdefghijklmnopqrstuv', pairing: 47,
  organization: session.organization_name, qr_svg: QR,
  expires_at: inSeconds(session.link_life ?? 300) }),
  'POST /email_otp': () => ({ sent_to: 'a…@example.com',
    expires_at: inSeconds(600), resend_at: inSeconds(session.resend_in ?? 60) }),
  'POST /mdl/requests': () => ({ id: 'mdr_x', url: 'about:blank', requests: [],
    expires_at: inSeconds(600) }),
};

const ROUTES = {
  'POST /open': ({ unless_checked: unlessChecked }) => {
    const isHeld = unlessChecked && session.passive_checks.length;
    if (session.status === 'created' && !isHeld) change({ status: 'pending' });
  },
  'POST /consent': (body) => change({ consented: true, shared: body.share }),
  'POST /submissions': submit,
  'POST /cancel': () => change({ status: 'cancelled' }),
};

async function widget(request, response, url) {
  const asked = session;
  const raw = await bodyOf(request);
  const rest = url.pathname.slice(`/v1/widget/sessions/${session.id}`.length);
  const fault = faults.length && (!faults[0].path
    || rest.startsWith(faults[0].path)) && faults.shift();
  log.push({ method: request.method, path: rest, bytes: raw.length,
    type: request.headers['content-type'] || null, query: url.search,
    magic: raw.subarray(0, 4).toString('hex'),
    body: request.headers['content-type'] === 'application/json'
      ? JSON.parse(raw) : null });
  if (fault && fault.drop) return request.socket.destroy();
  if (fault && fault.delay)
    await new Promise((resolve) => { setTimeout(resolve, fault.delay); });
  else if (fault && fault.hold)
    await new Promise((resolve) => { held.push(resolve); });
  else if (fault)
    return refuse(response, fault.status, fault.code || 'internal_error',
      fault.retry_after ? { 'Retry-After': String(fault.retry_after) } : {});
  // What a page before wanted of its session, this one must not be changed by.
  if (session !== asked) return request.socket.destroy();
  if (request.headers.authorization !== `Bearer ${session.id}_secret_test`)
    return refuse(response, 401, 'client_secret_invalid');
  if (request.method === 'GET') return watch(url, response);
  if (rest === '/cancel' && session.status === 'under_review')
    return refuse(response, 409, 'session_state_conflict');
  const say = ANSWERS[`${request.method} ${rest}`];
  if (say) return answer(response, 200, say());
  const route = ROUTES[`${request.method} ${rest}`];
  if (route) route(JSON.parse(raw.length ? raw : '{}'));
  else if (request.method !== 'PUT')
    return refuse(response, 404, 'resource_missing');
  else session.parts_received = [...new Set([...session.parts_received,
    rest.split('/').pop()])];
  answer(response, 200, session);
}

// The phone's side of a handoff.
async function handoffs(request, response) {
  await bodyOf(request);
  if (session.join_fault) refuse(response, 410, session.join_fault);
  else answer(response, 200, { organization: session.organization_name,
    brand: session.brand, choices: [12, 47, 83] });
}

// Whose page a link is that opens nothing any more; `spent` is its secret.
async function brandOf(request, response) {
  const { secret } = JSON.parse(await bodyOf(request));
  if (!session.spent || secret !== session.spent)
    return refuse(response, 401, 'client_secret_invalid');
  answer(response, 200, { object: 'widget_brand',
    organization: session.organization_name, brand: session.brand });
}

// The link of a notification e-mail: grant is what GET answers, and how many
// acceptances a revocation ends; without it the link is unknown.
async function trustReuse(request, response, url) {
  const raw = await bodyOf(request);
  const body = raw.length ? JSON.parse(raw) : null;
  const path = url.pathname.slice('/v1/widget/trust_reuse'.length);
  const fault = faults.length && faults[0].path === path && faults.shift();
  log.push({ method: request.method, path, query: url.search, body });
  if (fault) return refuse(response, fault.status, 'internal_error');
  if (!grant || request.headers.authorization
      !== 'Bearer trg_01jd0000000000000000000000_revoke_test')
    return refuse(response, 401, 'client_secret_invalid');
  const { revoked, ...view } = grant;
  if (path === '/grant') return answer(response, 200, view);
  grant.status = 'revoked';
  answer(response, 200, { object: 'trust_reuse_revocation',
    scope: body.scope, grants_revoked: revoked });
}

async function mock(request, response) {
  const wish = request.method === 'POST'
    ? JSON.parse(await bodyOf(request)) : {};
  if (wish.reset) newSession(wish.reset);
  if (wish.grant)
    grant = { object: 'trust_reuse_link', organization_name: 'SPECIMEN Shop',
      status: 'active', age_tier: 'min_age_21', granted_at: 1790000000,
      expires_at: 1797776000, revoked: 1, ...wish.grant };
  if (wish.change) change(wish.change);
  if (wish.plan) plan = wish.plan;
  if (wish.faults) {
    faults = wish.faults;
    for (const free of held.splice(0)) free();
  }
  answer(response, 200, { session, log });
}

// A customer's page that embeds the widget, on whichever host it is asked; with the
// policies that conf/manual/widget.md names, where `strict` is asked for.
function embedding(response, url) {
  const script = url.searchParams.get('script');
  const { origin } = new URL(script, 'http://localhost');
  response.writeHead(200, { 'Content-Type': 'text/html',
    ...(url.searchParams.has('strict') && {
      'Content-Security-Policy': `default-src 'none'; script-src ${origin}; `
        + `frame-src ${origin}`,
      'Permissions-Policy': `camera=(self "${origin}"), `
        + `digital-credentials-get=(self "${origin}")` }) });
  response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>
    <button id="start">Start</button><div id="place"></div>
    <script src="${script}"></script>`);
}

newSession({});
const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  if (url.pathname === '/mock') mock(request, response);
  else if (url.pathname === '/v1/health/live') answer(response, 200, { status: 'live' });
  else if (url.pathname === '/shop') embedding(response, url);
  else if (url.pathname.startsWith(`/v1/widget/sessions/${session.id}`))
    widget(request, response, url);
  else if (url.pathname === '/v1/widget/handoffs') handoffs(request, response);
  else if (url.pathname === '/v1/widget/brand') brandOf(request, response);
  else if (url.pathname.startsWith('/v1/widget/trust_reuse/'))
    trustReuse(request, response, url);
  else if (url.pathname === '/verify/revoke')
    serveFile(response, 'revoke.html', languageOf(request, url));
  else if (url.pathname === '/verify/embed.js') serveFile(response, 'embedding/embed.js');
  else if (url.pathname.startsWith('/verify/assets/') && faults.length
      && url.pathname.includes(faults[0].path)) {
    const { delay, status } = faults.shift();
    if (delay)
      setTimeout(serveFile, delay, response,
        url.pathname.slice('/verify/assets/'.length));
    else refuse(response, status, 'internal_error');
  } else if (url.pathname.startsWith('/verify/assets/'))
    serveFile(response, url.pathname.slice('/verify/assets/'.length));
  else if (url.pathname.startsWith('/verify/vks_')
      || url.pathname === '/verify/handoff')
    serveFile(response, 'index.html', languageOf(request, url));
  else if (url.pathname.startsWith('/refused/')) {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end('<!doctype html><title>no widget</title>');
  } else refuse(response, 404, 'resource_missing');
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${server.address().port}\n`);
});
// Ends with the test that started it.
process.stdin.on('end', () => process.exit(0)).resume();
