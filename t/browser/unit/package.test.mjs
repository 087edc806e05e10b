import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync,
  writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
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

test('what is no script of a service is an error with a code', async () => {
  const scripts = page();
  const other = loadWidget('https://d.example');
  scripts[0].onload();
  await assert.rejects(other, { code: 'not_loaded' });
});

test('what is published is there', () => {
  const { files, exports } = JSON.parse(
    readFileSync(new URL('package.json', FOLDER), 'utf8'));
  for (const file of files) assert.ok(readFileSync(new URL(file, FOLDER)));
  for (const entry of Object.values(exports).filter((one) => one.types)
    .flatMap(Object.values)) assert.ok(files.includes(entry.slice(2)), entry);
  // Else a server would be asked to run its effects.
  assert.match(readFileSync(new URL('react.js', FOLDER), 'utf8'),
    /^'use client';/);
});

test('the types know every event of the embedding script', () => {
  const script = readFileSync(new URL('../embedding/embed.js', FOLDER), 'utf8');
  const types = readFileSync(new URL('index.d.ts', FOLDER), 'utf8');
  const told = [...script.matchAll(/\btell\('(\w+)'/g)].map((m) => m[1]);
  assert.ok(told.length >= 7);
  for (const type of told) assert.ok(types.includes(`type: '${type}'`), type);
});

// A folder that goes with the test T.
function folder(t) {
  const made = mkdtempSync(join(tmpdir(), 'widget-'));
  t.after(() => rmSync(made, { recursive: true }));
  return made;
}

test('an effect that React begins twice opens one widget and keeps it', async (t) => {
  // As much of React as the component takes; the effect is run by hand.
  const react = `let effect; export const runEffect = () => effect();
    export const useEffect = (run) => { effect = run; };
    export const useRef = (current) => ({ current });
    export const createElement = () => ({});`;
  const place = folder(t);
  writeFileSync(join(place, 'react.mjs'), react);
  writeFileSync(join(place, 'component.mjs'),
    readFileSync(new URL('react.js', FOLDER), 'utf8')
      .replace("'react'", "'./react.mjs'")
      .replace("'./index.js'", `'${new URL('index.js', FOLDER)}'`));
  const at = (name) => import(pathToFileURL(join(place, name)));
  const { Verification } = await at('component.mjs');
  const { runEffect } = await at('react.mjs');
  const scripts = page(), opened = [];
  Verification({ baseUrl: 'https://c.example', sessionId: 'vks_a',
    clientSecret: 's' });
  const first = runEffect();
  first();
  const second = runEffect();
  window.IdvWidget = { open: (options) => {
    const handle = { options, isOpen: true, close() { this.isOpen = false; } };
    opened.push(handle);
    return handle;
  } };
  scripts[0].onload();
  await new Promise((resolve) => { setImmediate(resolve); });
  assert.equal(opened.length, 1);
  assert.equal(opened[0].isOpen, true);
  second();
  assert.equal(opened[0].isOpen, false);

  // What the widget throws at a malformed secret is no fault of the network.
  window.IdvWidget.open = () => { throw new TypeError('malformed'); };
  const told = [];
  Verification({ baseUrl: 'https://c.example', sessionId: 'vks_a',
    clientSecret: 's', onEvent: (event) => told.push(event.code) });
  runEffect();
  await new Promise((resolve) => { setImmediate(resolve); });
  assert.deepEqual(told, ['options_invalid']);
});

const HOST = `import { loadWidget, open, verify, type Outcome, type WidgetEvent }
  from 'mod-verify-widget';
const options = { baseUrl: 'https://v.example', sessionId: 'a',
  clientSecret: 'b' };
export const outcome: Promise<Outcome> = verify({ ...options, lang: 'de' });
open({ ...options, theme: 'dark', container: '#place',
  onEvent: (event: WidgetEvent) => {
    if (event.type === 'completed') console.log(event.vpToken);
    // @ts-expect-error
    if (event.type === 'closed') console.log(event.vpToken);
  } }).then((handle) => handle.close());
// Of a script that the page has loaded, the address is known.
loadWidget('https://v.example').then((widget) => widget.open(
  { sessionId: 'a', clientSecret: 'b' }));
window.IdvWidget?.verify({ sessionId: 'a', clientSecret: 'b' });
// @ts-expect-error
open({ ...options, theme: 'blue' });
// @ts-expect-error
open({ baseUrl: options.baseUrl });
`;

const COMPILER = fileURLToPath(
  new URL('../node_modules/typescript/bin/tsc', import.meta.url));

test('the types fit a host that is checked strictly', (t) => {
  const place = folder(t);
  mkdirSync(join(place, 'node_modules'));
  symlinkSync(fileURLToPath(FOLDER),
    join(place, 'node_modules', 'mod-verify-widget'));
  writeFileSync(join(place, 'host.mts'), HOST);
  const { status, stdout } = spawnSync(COMPILER, ['--noEmit',
    '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib',
    'es2022,dom', 'host.mts'], { cwd: place, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});
