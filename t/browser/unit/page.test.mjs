import assert from 'node:assert/strict';
import test from 'node:test';
import { forgetLate, forgetWallet }
  from '../../../mod_verify/web/page/page.js';

// What a browser keeps: the entries are properties, the methods are not listed.
function storage(entries) {
  return Object.assign(Object.create({
    getItem(key) { return this[key]; },
    removeItem(key) { delete this[key]; },
  }), entries);
}

function keptOf(entries, action) {
  globalThis.localStorage = storage(entries);
  action();
  return Object.keys(globalThis.localStorage);
}

const at = (until) => JSON.stringify({ secret: 's', until });
import { contrastWith, looksOf } from '../../../mod_verify/web/page/brand.js';

test('a secret that was left for a wallet goes after its time', () => {
  const entries = { 'idv:a:wallet': at(1000), 'idv:b:wallet': at(1001),
    'idv:c:wallet': 'no JSON', 'idv:d:wallet': 'null', 'idv:device': 'x',
    'shop:wallet': at(1) };
  assert.deepEqual(keptOf(entries, () => forgetLate(1000)),
    ['idv:b:wallet', 'idv:device', 'shop:wallet']);
});

test('the secret of this browser goes after its time', () => {
  const entries = { 'idv:a:browser': at(1000), 'idv:b:browser': at(1001) };
  assert.deepEqual(keptOf(entries, () => forgetLate(1000)), ['idv:b:browser']);
});

test('and when the session has ended', () => {
  const entries = { 'idv:a:wallet': at(1000), 'idv:b:wallet': at(1000) };
  assert.deepEqual(keptOf(entries, () => forgetWallet('idv:a')),
    ['idv:b:wallet']);
});

test('storage that is switched off breaks nothing', () => {
  globalThis.localStorage = new Proxy({}, {
    ownKeys() { throw new Error('denied'); },
    get() { throw new Error('denied'); },
  });
  forgetLate(1000);
  forgetWallet('idv:a');
});

test('an accent is seen on what it tints in the dark', () => {
  for (const accent of ['#000000', '#4a1d2b', '#0a5c2f', '#7a4b00', '#767676']) {
    const looks = looksOf({ accent });
    const [text, ground] = [looks['--brand-dark'], looks['--brand-dark-soft']];
    assert.ok(contrastWith(text, ground) >= 4.5, `${accent}: ${text} on ${ground}`);
    assert.ok(contrastWith(ground, '#171f29') > 1.1, `${accent}: ${ground} stands out`);
  }
});
