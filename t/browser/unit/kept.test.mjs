import assert from 'node:assert/strict';
import test from 'node:test';
import { createHold, forgetView, isSame, keepView, keptView }
  from '../../../mod_verify/web/session/kept.js';

const ID = 'vks_1';
const KEY = `idv:${ID}:view`;
const VIEW = { object: 'widget_session', id: ID, status: 'pending',
  revision: 3, expires_at: 100 };
const NOW = 99999;

// What a tab keeps; nothing but the secret at first.
function tab(entries = { [`idv:${ID}`]: 'secret' }) {
  const kept = new Map(Object.entries(entries));
  globalThis.sessionStorage = {
    getItem: (key) => (kept.has(key) ? kept.get(key) : null),
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
  return kept;
}

test('a view is kept while the person has something to do', () => {
  const kept = tab();
  keepView(VIEW);
  assert.deepEqual(keptView(ID, NOW), VIEW);
  keepView({ ...VIEW, status: 'requires_input' });
  assert.equal(keptView(ID, NOW).status, 'requires_input');
  for (const status of ['created', 'processing', 'under_review', 'verified',
    'failed', 'cancelled', 'expired']) {
    keepView(VIEW);
    keepView({ ...VIEW, status });
    assert.equal(kept.has(KEY), false, status);
  }
});

test('only beside its secret', () => {
  const kept = tab({});
  keepView(VIEW);
  assert.equal(kept.size, 0);
});

test('what cannot be this session as it may be is ignored', () => {
  const of = (text) => {
    tab({ [`idv:${ID}`]: 'secret', [KEY]: text });
    return keptView(ID, NOW);
  };
  assert.deepEqual(of(JSON.stringify(VIEW)), VIEW);
  for (const text of ['', '{', 'null', '[]', '"x"', '7',
    JSON.stringify({ ...VIEW, id: 'vks_2' }),
    JSON.stringify({ ...VIEW, object: 'error' }),
    JSON.stringify({ ...VIEW, status: 'verified' }),
    JSON.stringify({ ...VIEW, expires_at: 99 }),
    JSON.stringify({ ...VIEW, expires_at: undefined })])
    assert.equal(of(text), null, text);
  tab();
  assert.equal(keptView(ID, NOW), null);
});

test('storage that is switched off or full breaks nothing', () => {
  const kept = tab({ [`idv:${ID}`]: 'secret', [KEY]: '{"of":"before"}' });
  globalThis.sessionStorage.setItem = () => { throw new Error('full'); };
  keepView(VIEW);
  assert.equal(kept.has(KEY), false, 'nothing old is left');
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true,
    get() { throw new Error('denied'); } });
  keepView(VIEW);
  forgetView(ID);
  assert.equal(keptView(ID, NOW), null);
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true,
    writable: true, value: null });
});

test('a view that differs anywhere is another one', () => {
  assert.ok(isSame(VIEW, { ...VIEW }));
  assert.ok(!isSame(VIEW, { ...VIEW, revision: 4 }));
  assert.ok(!isSame(null, VIEW));
});

test('what is held is let through or dropped', async () => {
  const [good, gone] = [createHold(), createHold()];
  good.end(true);
  await good.over;
  gone.end(false);
  await assert.rejects(gone.over, { code: 'aborted' });
});
