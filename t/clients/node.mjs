// The steps of clients.t with the client for Node.
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { ApiError, ApiConnectionError, SignatureError, VerifyClient, verifyWebhook }
  from '../../conf/clients/node/index.js';

const input = JSON.parse(readFileSync(process.env.VERIFY_CLIENT_TEST));
const options = { url: input.url, secretKey: input.key };
const client = new VerifyClient(options);
const behindProxy = new VerifyClient({ ...options, url: input.proxy, timeout: 5000 });
const run = Date.now();

function ok(isRight, name, got) {
  console.log(isRight ? `ok - ${name}` : `not ok - ${name}\n${inspect(got)}`);
}
const is = (got, expected, name) => ok(got === expected, name, got);
const errorOf = (promise) => promise.then((got) => ({ got }), (error) => error);
const create = (reference, more, from = client) => from.createVerificationSession(
  { type: 'age', workflow_id: input.workflow, client_reference_id: reference }, more);

async function sessions() {
  ok(input.operations.every((name) => typeof client[name] === 'function'),
    'every operation', input.operations);
  const session = await create(`node-first-${run}`);
  ok(session.client_secret && session.url, 'a session', session.status);
  const expanded = await client.retrieveVerificationSession(session.id, { expand: ['results'] });
  ok(Array.isArray(expanded.results), 'its results', expanded);
  const done = await client.setTestOutcome(session.id, { value: 'passed' });
  is(done.status, 'verified', 'its outcome');
  const options = { idempotencyKey: `node-key-${run}` };
  const twice = [await create('node-key', options), await create('node-key', options)];
  is(twice[0].id, twice[1].id, 'one session for one idempotency key');
  const check = await client.checkCompliance({ use_cases: 'alcohol_delivery', jurisdiction: 'US-CA' });
  is(check.most_restrictive.required_age_tier, 'min_age_21', 'a compliance check');
}

async function lists() {
  const filter = { client_reference_id: `node-list-${run}` };
  const ids = [];
  for (let count = 0; count < 5; count++) {
    ids.unshift((await create(filter.client_reference_id)).id);
  }
  const idsOf = async (list) => {
    const found = [];
    for await (const item of list) found.push(item.id);
    return String(found);
  };
  is(await idsOf(client.listVerificationSessions({ ...filter, limit: 2 })), String(ids),
    'all of three pages');
  is(await idsOf(client.listVerificationSessions({ ...filter, limit: 2, ending_before: ids[4] })),
    String(ids.slice(0, 4).reverse()), 'backwards, oldest first');
  const sizes = [];
  for await (const page of client.listVerificationSessions({ ...filter, limit: 2 }).pages()) {
    sizes.push(page.data.length);
  }
  is(String(sizes), '2,2,1', 'pages');
  is(await idsOf(client.listVerificationSessions({ client_reference_id: 'node-none' })), '',
    'an empty list');
}

async function errors() {
  const refused = await errorOf(client.createVerificationSession(
    { type: 'ages', workflow_id: input.workflow }));
  ok(refused instanceof ApiError && refused.status === 400 && refused.code === 'parameter_invalid'
    && refused.param === 'type' && refused.type === 'invalid_request_error'
    && /^req_/.test(refused.requestId) && refused.message.includes(refused.requestId),
  'an error with its code, parameter and request id', refused);
  const unknown = `${input.key.slice(0, -4)}AAAA`;
  const denied = await errorOf(create('node', {}, new VerifyClient({ ...options, secretKey: unknown })));
  ok(denied.code === 'api_key_invalid' && !inspect(denied).includes(unknown), 'a wrong key', denied);
  const nobody = new VerifyClient({ ...options, url: 'http://127.0.0.1:9', maxRetries: 0 });
  const lost = await errorOf(create('node', {}, nobody));
  ok(lost instanceof ApiConnectionError && !inspect(lost).includes(input.key), 'no connection', lost);
  ok(!inspect(client, { depth: 9, showHidden: true }).includes(input.key), 'the client hides its key');
  for (const secretKey of [`${input.key}\n`, '', undefined]) {
    let error;
    try { new VerifyClient({ ...options, secretKey }); } catch (thrown) { error = thrown; }
    ok(error instanceof TypeError && !error.message.includes(input.key), 'a malformed key', error);
  }
  const unfit = await errorOf(create('node', { idempotencyKey: 'a\nb' }));
  ok(unfit instanceof TypeError, 'an idempotency key that cannot be sent', unfit);
  for (const id of ['../events', '', undefined, 'vks_1/cancel']) {
    let error;
    try { await client.retrieveVerificationSession(id); } catch (thrown) { error = thrown; }
    ok(error instanceof TypeError, `not an id: ${id}`, error);
  }
}

async function retries() {
  for (const kind of ['drop', 'hang', 'busy', 'unavailable', 'page']) {
    const reference = `fault-${kind}-node${run}`;
    const session = await create(reference, kind === 'hang' ? { timeout: 1000 } : {}, behindProxy);
    const found = [];
    for await (const each of client.listVerificationSessions({ client_reference_id: reference })) {
      found.push(each.id);
    }
    is(String(found), session.id, `${kind}: one session`);
  }
  const started = Date.now();
  const closed = await errorOf(create(`fault-closed-node${run}`, {}, behindProxy));
  ok(closed.status === 429 && closed.retryAfter === 900 && closed.requestId === 'req_0proxy'
    && Date.now() - started < 5000, 'a long Retry-After is left to the caller', closed);
  const moved = await errorOf(create(`fault-moved-node${run}`, {}, behindProxy));
  is(moved.status, 307, 'redirects are not followed');
  const once = await errorOf(create(`fault-drop-nodeonce${run}`, { maxRetries: 0 }, behindProxy));
  ok(once instanceof ApiConnectionError, 'no retries', once);
  const signal = AbortSignal.timeout(300);
  const aborted = await errorOf(create(`fault-hang-nodeabort${run}`, { signal }, behindProxy));
  is(aborted.name, 'TimeoutError', 'the signal of the caller');
}

function webhooks() {
  for (const { name, headers, body, secrets, expected } of input.webhooks) {
    for (const given of [headers, new Headers(headers)]) {
      let got;
      try {
        got = verifyWebhook(Buffer.from(body), given, secrets.length > 1 ? secrets : secrets[0]).id;
      } catch (error) {
        got = error instanceof SignatureError ? error.reason : error;
      }
      is(got, expected, name);
    }
  }
  const [{ headers, body, secrets }] = input.webhooks;
  is(verifyWebhook(body, headers, secrets, { tolerance: 60 }).object, 'event', 'a body as text');
  for (const [given, secret] of [[JSON.parse(body), secrets], [body, 'secret'], [body, undefined]]) {
    let error;
    try { verifyWebhook(given, headers, secret); } catch (thrown) { error = thrown; }
    ok(error instanceof TypeError && !error.message.includes(secrets[0]), 'wrong arguments', error);
  }
}

await sessions();
await lists();
await errors();
await retries();
webhooks();
