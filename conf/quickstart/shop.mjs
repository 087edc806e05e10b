// SPDX-License-Identifier: Apache-2.0
// A shop that asks for the age before it sells: node shop.mjs
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { VERIFY_URL, VERIFY_SECRET_KEY, VERIFY_WORKFLOW, VERIFY_WEBHOOK_SECRET,
  PORT = '3000' } = process.env;
const orders = new Map(); // a real shop has a database

async function createSession(order) {
  const answer = await fetch(`${VERIFY_URL}/v1/verification_sessions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${VERIFY_SECRET_KEY}`,
      'Content-Type': 'application/json', 'Idempotency-Key': order },
    body: JSON.stringify({ type: 'age', workflow_id: VERIFY_WORKFLOW,
      jurisdiction: 'US-CA', client_reference_id: order }),
  });
  if (!answer.ok) throw new Error(`the service answers ${answer.status}`);
  return answer.json();
}

// Whether the service sent this body, in the last five minutes.
function isSigned(header, body) {
  const match = /^t=([0-9]{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '');
  if (!match || Math.abs(Date.now() / 1000 - Number(match[1])) > 300) return false;
  const expected = createHmac('sha256', VERIFY_WEBHOOK_SECRET)
    .update(`${match[1]}.`).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(match[2], 'hex'));
}

// An event may come twice, and what came late changes no end.
function takeEvent(event) {
  const [kind, what] = event.type.split('.');
  const order = event.data.object.client_reference_id;
  if (kind === 'verification_session' && orders.get(order) === 'waits'
      && ['verified', 'failed', 'cancelled', 'expired'].includes(what)) {
    orders.set(order, what); // "verified": send the goods
  }
}

async function bodyOf(request) {
  const parts = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > 1000000) throw new Error('too long');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function answer(request) {
  const order = request.url.split('/').at(-1);
  if (request.method === 'GET' && request.url === '/') {
    return [200, '<form method="post" action="/orders"><button>Buy wine</button></form>'];
  }
  if (request.method === 'GET' && orders.has(order)) return [200, orders.get(order)];
  if (request.method !== 'POST') return [404, 'no such page'];
  const body = await bodyOf(request);
  if (request.url === '/orders') {
    const created = randomBytes(8).toString('hex');
    const session = await createSession(created);
    orders.set(created, 'waits');
    return [303, '', { Location: session.url, 'X-Order': created }];
  }
  if (request.url === '/webhooks') {
    if (!isSigned(request.headers['service-signature'], body)) return [400, 'not signed'];
    takeEvent(JSON.parse(body));
    return [200, ''];
  }
  return [404, 'no such page'];
}

createServer(async (request, response) => {
  const [status, text, headers] = await answer(request)
    .catch((error) => [500, error.message]);
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...headers });
  response.end(text);
}).listen(Number(PORT), '127.0.0.1');
