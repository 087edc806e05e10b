import assert from 'node:assert/strict';
import { webcrypto as crypto } from 'node:crypto';
import test from 'node:test';
import { browserSecret } from '../../../mod_verify/web/session/browser.js';

// A browser with a store of its own, given to every page of it.
function browser(kept = {}) {
  const items = new Map(Object.entries(kept));
  return { items, crypto, now: () => 1000,
    storage: () => ({ getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => items.set(key, value) }) };
}

test('a secret is random, stays, and differs by session and browser', () => {
  const page = browser();
  const secret = browserSecret('vks_1', page);
  assert.match(secret, /^[0-9a-f]{32}$/);
  assert.equal(browserSecret('vks_1', page), secret);
  assert.notEqual(browserSecret('vks_2', page), secret);
  assert.notEqual(browserSecret('vks_1', browser()), secret);
});

test('it is kept for a week, for other tabs', () => {
  const page = browser();
  const secret = browserSecret('vks_1', page);
  assert.deepEqual(JSON.parse(page.items.get('idv:vks_1:browser')),
    { secret, until: 1000 + 7 * 24 * 60 * 60 * 1000 });
});

test('what somebody else left is replaced', () => {
  for (const kept of ['', 'null', '{"secret":"x"}', '{"secret":null}'])
    assert.match(browserSecret('vks_1', browser({ 'idv:vks_1:browser': kept })),
      /^[0-9a-f]{32}$/);
});

test('storage that is switched off breaks nothing', () => {
  const forbidden = { ...browser(), storage: () => { throw new Error('no'); } };
  assert.match(browserSecret('vks_1', forbidden), /^[0-9a-f]{32}$/);
});
