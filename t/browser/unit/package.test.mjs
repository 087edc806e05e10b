import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { loadWidget, verify } from '../../../mod_verify/web/package/index.js';

const FOLDER = new URL('../../../mod_verify/web/package/', import.meta.url);

// A document that keeps the scripts that are put into it.
function page() {
  const scripts = [];
  globalThis.window = {};
  globalThis.document = {
    createElement: () => ({ remove() {} }),
    head: { append: (script) => scripts.push(script) },
  };
  return scripts;
}

test('the script of a service is loaded once', async () => {
  const scripts = page();
  const first = loadWidget('https://a.example/'), second = loadWidget(
    'https://a.example');
  assert.equal(scripts.length, 1);
  assert.equal(scripts[0].src, 'https://a.example/verify/embed.js');
  window.IdvWidget = { verify: async ({ sessionId }) => ({ sessionId }) };
  scripts[0].onload();
  assert.equal(await first, await second);
  assert.deepEqual(await verify({ baseUrl: 'https://a.example',
    sessionId: 'vks_a' }), { sessionId: 'vks_a' });
});

test('what could not be loaded is tried again', async () => {
  const scripts = page();
  const failed = loadWidget('https://b.example');
  scripts[0].onerror();
  await assert.rejects(failed, { code: 'not_loaded' });
  loadWidget('https://b.example');
  assert.equal(scripts.length, 2);
});

test('what is published is there', () => {
  const { files, exports } = JSON.parse(
    readFileSync(new URL('package.json', FOLDER), 'utf8'));
  for (const file of files) assert.ok(readFileSync(new URL(file, FOLDER)));
  for (const entry of Object.values(exports).flatMap(Object.values))
    assert.ok(files.includes(entry.slice(2)), entry);
});

test('the types know every event of the embedding script', () => {
  const script = readFileSync(new URL('../embed.js', FOLDER), 'utf8');
  const types = readFileSync(new URL('index.d.ts', FOLDER), 'utf8');
  const told = [...script.matchAll(/\btell\('(\w+)'/g)].map((m) => m[1]);
  assert.ok(told.length >= 7);
  for (const type of told) assert.ok(types.includes(`type: '${type}'`), type);
});
