import assert from 'node:assert/strict';
import test from 'node:test';
import { isAnotherAttempt, isTransient, methodOf, reasonsOf, retryDelay, safeUrl,
  screenFor, watchPause, wayOf } from '../../../mod_verify/web/session/flow.js';
import { methodsOf, stepsBefore } from '../../../mod_verify/web/methods.js';
import { isStart } from '../../../mod_verify/web/embedding/host.js';

const view = (changes) => ({ status: 'pending', methods: ['document_capture'],
  current_method: null, consent_required: true, consented: true, hint: null,
  checks_failed: [], last_error: null, ...changes });

test('every status leads to a screen, or to the method', () => {
  const expected = { created: null, pending: null, requires_input: null,
    processing: 'processing', under_review: 'underReview',
    verified: 'verified', failed: 'failed', cancelled: 'cancelled',
    expired: 'expired' };
  for (const [status, screen] of Object.entries(expected))
    assert.equal(screenFor(view({ status })), screen, status);
});

test('consent comes before everything that a person does', () => {
  for (const status of ['created', 'pending', 'requires_input'])
    assert.equal(screenFor(view({ status, consented: false })), 'consent');
  assert.equal(screenFor(view({ status: 'verified', consented: false })),
    'verified');
  assert.equal(screenFor(view({ consent_required: false, consented: false })),
    null);
});

test('a hint, a failed check or an error is told at the next attempt', () => {
  const status = 'requires_input';
  assert.ok(isAnotherAttempt(view({ status, hint: 'glare' })));
  assert.ok(isAnotherAttempt(view({ status, checks_failed: ['x'] })));
  assert.ok(isAnotherAttempt(view({ status, last_error: { code: 'x' } })));
  assert.ok(!isAnotherAttempt(view({ status })));
  assert.ok(!isAnotherAttempt(view({ hint: 'glare' })));
});

test('the method: the chosen, the current or the only one', () => {
  const both = ['mdl', 'document_capture'];
  assert.equal(methodOf(view({}), both, 'mdl'), 'mdl');
  const named = { methods: both, current_method: 'mdl' };
  assert.equal(methodOf(view(named), both, null), null, 'named, but not tried yet');
  assert.equal(methodOf(view({ ...named, status: 'requires_input', hint: 'cut_off' }), both,
    null), 'mdl', 'tried');
  assert.equal(methodOf(view({ ...named, steps: [{ methods: ['email_otp'], done: false },
    { methods: ['selfie_match'], done: true }, { methods: both, done: false }] }), both,
  null), null, 'in a later step');
  assert.equal(methodOf(view({ ...named, steps: both.map((name) => (
    { methods: [name], done: false })) }), both, null), 'mdl', 'both are needed');
  assert.equal(methodOf(view({}), both, null), null, 'to be chosen');
  assert.equal(methodOf(view({}), ['mdl'], 'document_capture'), 'mdl');
  assert.equal(methodOf(view({ current_method: 'mdl' }), [], null), null);
});

test('modules are found by method, or because they are wanted first', () => {
  const modules = { a: {}, b: {}, code: { wanted: (v) => v.unproven } };
  assert.deepEqual(methodsOf(view({ methods: ['b', 'x', 'a', 'code'] }),
    modules), ['b', 'a']);
  assert.deepEqual(methodsOf(view({ methods: [], current_method: 'a' }),
    modules), ['a']);
  assert.deepEqual(stepsBefore(view({ unproven: true }), modules), ['code']);
  assert.deepEqual(stepsBefore(view({}), modules), []);
});

// "consent document_capture+ [check]": what is done has a plus, the current step
// is in brackets.
const shown = (way) => way && way.map(({ kind, methods, isDone, isCurrent }) => {
  const text = (kind === 'proof' ? methods.join('|') : kind) + (isDone ? '+' : '');
  return isCurrent ? `[${text}]` : text;
}).join(' ');
const steps = (text) => text.split(' ').map((step) => ({
  methods: step.replace('+', '').split('|'), done: step.endsWith('+') }));

test('the way of one method: consent, proof, check', () => {
  const way = (screen, more) => shown(wayOf(view({}), screen, more));
  const method = 'document_capture';
  assert.equal(way('consent'), '[consent] document_capture check');
  assert.equal(way('choose', { method, isMethods: true }),
    'consent+ [document_capture] check');
  assert.equal(way('sending', { method }),
    'consent+ document_capture+ [check]');
  for (const screen of ['leave', 'verified', 'problem'])
    assert.equal(way(screen), null, screen);
  assert.equal(wayOf(null, 'linkInvalid'), null);
});

test('the way has all of its steps from the beginning, and keeps them', () => {
  const way = (text, screen, method, isMethods) => shown(wayOf(
    view({ steps: steps(text) }), screen, { method, isMethods }));
  const all = 'document_capture selfie_liveness selfie_match';
  const selfie = 'selfie_liveness|selfie_match';
  assert.equal(way(all, 'consent'),
    `[consent] document_capture ${selfie} check`);
  for (const screen of ['sending', 'processing'])
    assert.equal(way(all, screen, 'document_capture'),
      `consent+ [document_capture] ${selfie} check`, screen);
  const later = 'document_capture+ selfie_liveness selfie_match';
  for (const [screen, isMethods] of [['selfieStart', true], ['processing', false]])
    assert.equal(way(later, screen, 'selfie_liveness', isMethods),
      `consent+ document_capture+ [${selfie}] check`, screen);
  const last = 'document_capture+ selfie_liveness+ selfie_match';
  assert.equal(way(last, 'selfieCompare', 'selfie_match', true),
    `consent+ document_capture+ [${selfie}] check`);
  assert.equal(way(last, 'processing', 'selfie_match'),
    `consent+ document_capture+ ${selfie}+ [check]`);
});

test('the way with a choice, an address and another device', () => {
  const told = view({ steps: steps('email_otp mdl|document_capture') });
  const way = (screen, method) => shown(wayOf(told, screen, { method,
    isMethods: screen !== 'chooseMethod' }));
  assert.equal(way('emailOtpCode', 'email_otp'),
    'consent+ [email_otp] mdl|document_capture check');
  for (const [screen, method] of [['chooseMethod', null], ['choose',
    'document_capture'], ['handoffOffer', 'handoff']])
    assert.equal(way(screen, method),
      'consent+ email_otp [mdl|document_capture] check', screen);
  assert.equal(shown(wayOf(view({ consent_required: false }), 'choose',
    { method: 'document_capture', isMethods: true })),
  '[document_capture] check', 'without consent');
});

test('reasons: known ones, each once, the hint first, then the age', () => {
  const known = (code) => code !== 'names_missing';
  assert.deepEqual(reasonsOf(view({ hint: 'glare',
    checks_failed: ['names_missing', 'expired', 'under_age'],
    last_error: { code: 'document_expired' } }), known),
  ['glare', 'under_age', 'document_expired']);
  assert.deepEqual(reasonsOf(view({}), known), []);
});

test('pauses grow to half a minute; Retry-After wins', () => {
  const pauses = [1, 2, 3, 9].map((n) => retryDelay(n, 0, () => 0));
  assert.deepEqual(pauses, [1000, 2000, 4000, 30000]);
  assert.equal(retryDelay(1, 7), 7000);
  assert.equal(retryDelay(1, 9999), 60000);
});

test('a service that does not wait is asked less and less', () => {
  const pauses = [1, 2, 3, 4, 20].map((n) => Math.round(watchPause(n)));
  assert.deepEqual(pauses, [750, 1125, 1688, 2531, 15000]);
});

test('only passing failures are repeated', () => {
  assert.deepEqual([0, 429, 500, 503, 400, 401, 409, 413]
    .filter((status) => isTransient({ status })), [0, 429, 500, 503]);
});

test('a person is sent to the web and nowhere else', () => {
  assert.equal(safeUrl('https://shop.example/a?b'), 'https://shop.example/a?b');
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'shop', '',
    null]) assert.equal(safeUrl(bad), null);
});

test('a frame listens to its own parent and its own session', () => {
  const parent = {};
  const good = { source: parent, origin: 'https://shop.example', data: {
    source: 'idv-host', version: 1, type: 'start', sessionId: 'vks_a',
    clientSecret: 'vks_a_secret_x' } };
  assert.ok(isStart(good, parent, 'vks_a'));
  assert.ok(!isStart({ ...good, source: {} }, parent, 'vks_a'));
  assert.ok(!isStart({ ...good, origin: 'null' }, parent, 'vks_a'));
  assert.ok(!isStart({ ...good, data: null }, parent, 'vks_a'));
  assert.ok(!isStart(good, parent, 'vks_b'));
  for (const change of [{ source: 'x' }, { version: 2 }, { type: 'x' },
    { clientSecret: 'vks_b_secret_x' }, { clientSecret: 7 }])
    assert.ok(!isStart({ ...good, data: { ...good.data, ...change } }, parent,
      'vks_a'));
});
