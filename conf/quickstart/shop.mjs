// SPDX-License-Identifier: Apache-2.0
// A shop that asks for the age before it sells: node shop.mjs
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
// In your project: from 'mod-verify-client'
import { SignatureError, VerifyClient, verifyWebhook } from '../clients/node/index.js';

const { VERIFY_URL, VERIFY_SECRET_KEY, VERIFY_WORKFLOW, VERIFY_WEBHOOK_SECRET,
  PORT = '3000' } = process.env;
const client = new VerifyClient({ url: VERIFY_URL, secretKey: VERIFY_SECRET_KEY });
const orders = new Map(); // a real shop has a database

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
    const session = await client.createVerificationSession({ type: 'age',
      workflow_id: VERIFY_WORKFLOW, jurisdiction: 'US-CA', client_reference_id: created },
    { idempotencyKey: created });
    orders.set(created, 'waits');
    return [303, '', { Location: session.url, 'X-Order': created }];
  }
  if (request.url === '/webhooks') {
    takeEvent(verifyWebhook(body, request.headers, VERIFY_WEBHOOK_SECRET));
    return [200, ''];
  }
  return [404, 'no such page'];
}

createServer(async (request, response) => {
  const [status, text, headers] = await answer(request)
    .catch((error) => [error instanceof SignatureError ? 400 : 500, error.message]);
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...headers });
  response.end(text);
}).listen(Number(PORT), '127.0.0.1');
