/* The rival of the watchdog: claims deliveries in batches with a lease, signs
 * and sends them by undici over kept connections, settles them in batches with
 * what was answered. At most AT_ONCE are under way.
 *
 *   node dispatcher.mjs AT_ONCE   PGHOST, PGPORT, ... say where its schema is;
 *                            CA_FILE holds the authority of the receivers
 *
 * It prints a line when it works, and ends with its standard input. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { Pool } from 'undici';

const batch = 256;
const atOnce = Number(process.argv[2]);
const leaseMs = 60_000;
const idleMs = 5;

const claimText = `WITH chosen AS (
    SELECT organization_id, id FROM rival.delivery
     WHERE due_at <= $1 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  UPDATE rival.delivery d SET due_at = $3
    FROM chosen c, rival.event e, rival.endpoint w
   WHERE d.organization_id = c.organization_id AND d.id = c.id
     AND e.organization_id = d.organization_id AND e.id = d.event_id
     AND w.organization_id = d.organization_id AND w.id = d.endpoint_id
  RETURNING d.organization_id, d.id, d.attempt, w.url, w.secret, e.body`;
const settleText = `UPDATE rival.delivery d
     SET status = s.status, attempt = d.attempt + 1, due_at = s.due_at,
         response = s.response
    FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::json[])
         AS s (organization_id, id, status, due_at, response)
   WHERE d.organization_id = s.organization_id AND d.id = s.id`;
const delays = [300_000, 1_800_000, 7_200_000, 28_800_000];

const claims = new pg.Client();
const settles = new pg.Client();
const ca = readFileSync(process.env.CA_FILE);
const pools = new Map();
const waiting = [];
let settled = [];
let open = 0;
let settling = false;
let hungry = () => {};    /* called when the queue has room for a claim */

function poolOf(origin) {
  let pool = pools.get(origin);
  if (!pool) {
    pool = new Pool(origin, { connections: atOnce, pipelining: 1,
      connect: { ca }, headersTimeout: 30_000, bodyTimeout: 30_000 });
    pools.set(origin, pool);
  }
  return pool;
}

async function send(delivery) {
  const [, id, , url, secret, body] = delivery;
  const { origin, pathname } = new URL(url);
  const time = Math.floor(Date.now() / 1000);
  const sign = (text) => createHmac('sha256', secret).update(text);
  const begin = Date.now();
  const answer = await poolOf(origin).request({ method: 'POST', path: pathname,
    body, headers: {
      'content-type': 'application/json', 'user-agent': 'rival/1',
      'service-webhook-id': id, 'webhook-id': id, 'webhook-timestamp': `${time}`,
      'service-signature':
        `t=${time},v1=${sign(`${time}.${body}`).digest('hex')}`,
      'webhook-signature':
        `v1,${sign(`${id}.${time}.${body}`).digest('base64')}`,
    } });
  const text = (await answer.body.text()).slice(0, 4096);
  return { ok: answer.statusCode >= 200 && answer.statusCode < 300,
    response: { status_code: answer.statusCode, headers: answer.headers,
      body: text, duration_ms: Date.now() - begin } };
}

async function deliver(delivery) {
  const [organization, id, attempt] = delivery;
  const { ok, response } = await send(delivery)
    .catch((error) => ({ ok: false, response: { error: error.code } }));
  const delay = ok ? undefined : delays[attempt];
  settled.push([organization, id, ok ? 'delivered'
    : delay ? 'pending' : 'failed', delay ? Date.now() + delay : null,
  JSON.stringify(response)]);
  open--;
  pump();
  settle();
}

/* Everything that has ended since the last one began, in one statement. */
async function settle() {
  if (settling || !settled.length) return;
  settling = true;
  while (settled.length) {
    const rows = settled;
    settled = [];
    await settles.query({ name: 'settle', text: settleText,
      values: [0, 1, 2, 3, 4].map((i) => rows.map((row) => row[i])) });
  }
  settling = false;
}

function pump() {
  while (open < atOnce && waiting.length) {
    open++;
    deliver(waiting.shift());
  }
  if (waiting.length <= batch / 2) hungry();
}

async function work() {
  for (;;) {
    if (waiting.length > batch / 2) {
      await new Promise((resolve) => { hungry = resolve; });
      continue;
    }
    const now = Date.now();
    const { rows } = await claims.query({ name: 'claim', text: claimText,
      values: [now, batch, now + leaseMs], rowMode: 'array' });
    waiting.push(...rows);
    pump();
    if (!rows.length)
      await new Promise((resolve) => setTimeout(resolve, idleMs));
  }
}

await claims.connect();
await settles.connect();
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
console.log('working');
await work();
