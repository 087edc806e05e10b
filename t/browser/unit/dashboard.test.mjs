// What can be said of the dashboard by reading it: its colours are the widget's,
// its texts are there in every language, and no text is asked for that is not.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { register } from 'node:module';
import { PLACES } from '../../../mod_verify/web/dashboard/places.js';

const WEB = new URL('../../../mod_verify/web/', import.meta.url);
const read = (name) => readFileSync(new URL(name, WEB), 'utf8');
const scripts = ['dashboard/', 'dashboard/pages/'].flatMap((folder) =>
  readdirSync(new URL(folder, WEB)).filter((name) => name.endsWith('.js'))
    .map((name) => folder + name));

test('the colours are those of the widget, light and dark', () => {
  const widget = read('widget.css');
  const dark = widget.slice(widget.indexOf(':root[data-theme="dark"]'));
  const colour = (text, name) => new RegExp(
    `--${name}: (?:var\\([\\w-]+, )?(#\\w+)`).exec(text)[1];
  const found = [...read('dashboard/dashboard.css').matchAll(
    /--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)];
  assert.ok(found.length > 12);
  // Only charts here need more of them.
  for (const [, name, light, night] of found.filter(([, name]) => name !== 'ink'))
    assert.deepEqual([light, night], [colour(widget, name), colour(dark, name)], name);
});

function keysOf(tree, before = '') {
  return Object.entries(tree).flatMap(([key, value]) => (typeof value === 'object'
    ? keysOf(value, `${before}${key}.`) : [before + key]));
}

const texts = Object.fromEntries(['en', 'de'].map((language) =>
  [language, JSON.parse(read(`dashboard/texts/${language}.json`))]));

test('the languages have the same texts, none of them empty', () => {
  assert.deepEqual(keysOf(texts.de), keysOf(texts.en));
  const at = (tree, key) => key.split('.').reduce((node, part) => node[part], tree);
  const values = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const key of keysOf(texts.en)) {
    assert.ok(at(texts.en, key) && at(texts.de, key), key);
    if (!key.endsWith('.one'))
      assert.deepEqual(values(at(texts.de, key)), values(at(texts.en, key)), key);
  }
});

test('states and provinces have names in every language', () => {
  const issuers = read('../methods/document/aamva_issuers.def')
    .matchAll(/^ISSUER\("\d+", "(\w+)", "(\w*)"\)/gm);
  const codes = [...PLACES.map((code) => code.split('-')), ...[...issuers].map((one) =>
    one.slice(1))].filter(([, region]) => region);
  assert.ok(codes.length > 180);
  for (const { regions, countries } of [texts.en, texts.de]) {
    for (const [country, region] of codes)
      assert.ok(regions[country] && regions[country][region], `${country}-${region}`);
    assert.ok(countries.UT, 'the issuer of specimens');
  }
});

test('checks, reasons, failures and hints have words in every language', () => {
  const { paths, components: { schemas } } = JSON.parse(readFileSync(
    new URL('../api/openapi.json', WEB)));
  const own = JSON.parse(read('dashboard/codes/de.json'));
  for (const list of ['CheckName', 'CheckReason', 'FailureCode', 'Hint', 'DeliveryError',
    'SignatureFinding']) {
    assert.deepEqual(Object.keys(own[list]).sort(), Object.keys(schemas[list]['x-codes']).sort());
    for (const [code, text] of Object.entries(own[list]))
      assert.match(text, /^[A-ZÄÖÜ].*\.$/, code);
  }
  // Of errors, those that the page can get and whose kind (KINDS in client.js) does not say
  // it.
  const BY_KIND = ['parameter_invalid', 'resource_missing', 'session_not_found',
    'rate_limit_exceeded', 'service_unavailable', 'operator_login_required',
    'operator_role_required', 'four_eyes_required', 'precondition_failed'];
  // Faults of the page itself, and those of API keys.
  const OTHER = ['idempotency_key_reuse', 'idempotency_in_progress', 'unsupported_media_type',
    'cross_site_refused', 'if_match_required', 'body_too_large', 'api_key_invalid',
    'key_scope_required', 'publishable_key_scope', 'client_secret_invalid',
    'org_credential_required', 'application_credential_required',
    'jurisdiction_unresolvable']; // a place is always passed
  // What the page does not do, or the sandbox of workflows says in its own words.
  const NOT_HERE = ['/v1/verification_sessions', '/v1/verification_sessions/{id}/test_outcome',
    '/dashboard/v1/organizations/{org}/workflows/simulate'];
  const codesOf = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods)
    .filter(([method]) => method === 'get' || !NOT_HERE.includes(path)).map(([, one]) => one))
    .filter((one) => one['x-operator-role']).flatMap((one) => one['x-error-codes'] || []);
  assert.deepEqual(Object.keys(own.ErrorCode).sort(), [...new Set(codesOf)].filter((code) =>
    ![...BY_KIND, ...OTHER].includes(code)).sort());
  // Short ones for lists, as well.
  for (const language of ['en', 'de'])
    assert.deepEqual(Object.keys(JSON.parse(read(`dashboard/texts/${language}.json`)).deliveries.errors)
      .sort(), Object.keys(schemas.DeliveryError['x-codes']).sort());
  assert.deepEqual(Object.keys(own.RiskSignalName).sort(),
    [...schemas.RiskSignalName['x-extensible-enum']].sort());
  for (const [code, text] of Object.values(own).flatMap(Object.entries))
    assert.doesNotMatch(text, /`|[a-z]_[a-z]/, `${code}: a sentence names no code`);
});

test('every text that is asked for is there', () => {
  const isThere = (key) => key.split('.').reduce((node, part) => node && node[part],
    texts.en) !== undefined;
  let asked = 0;
  for (const name of scripts) {
    for (const [, key] of read(name).matchAll(/\bt\('([\w.]+)'/g)) {
      asked++;
      assert.ok(isThere(key), `${name}: ${key}`);
    }
  }
  assert.ok(asked > 100);
  const [labels] = read('dashboard/parts.js').match(/const LABELS = \{[^}]*\}/);
  for (const [, key] of labels.matchAll(/'([\w.]+)'/g)) assert.ok(isThere(key), key);
});

// What an operator does by them leaves no record.
const UNRECORDED = ['diff', 'check', 'paths', 'simulate', 'scenarios/run', 'diagnosis'];

test('every deed that is recorded is told in words, each in its own', () => {
  const routes = readFileSync(new URL('../api/routes.def', WEB), 'utf8').matchAll(
    /^IDV_ROUTE\(\s*(\w+),\s*"([^"]+)",\s*\w+,\s*(\w+)/gm);
  const deeds = [...routes].filter(([, method, path, role]) => method !== 'GET'
    && role !== 'NONE' && !UNRECORDED.some((end) => path.endsWith(`/${end}`)))
    .map(([, method, path]) => `${method} ${path.replace(
      /^\/(dashboard\/v1\/organizations\/:org|v1)\/?/, '')}`.trim());
  assert.ok(deeds.length > 30);
  for (const language of [texts.en, texts.de]) {
    assert.deepEqual(Object.keys(language.audit.deeds).sort(), [...deeds].sort());
    const words = Object.values(language.audit.deeds);
    assert.equal(new Set(words).size, words.length);
  }
});

test('every command that is recorded is told in words', () => {
  const tables = readdirSync(new URL('../cli/', WEB), { recursive: true }).filter((name) =>
    name.endsWith('.c')).map((name) => readFileSync(new URL(`../cli/${name}`, WEB), 'utf8'));
  const commands = tables.flatMap((text) => text.split(/\n {4}\{/).slice(1).map((row) =>
    row.split('\n    },')[0])).filter((row) => row.includes('.changes = 1')).map((row) =>
    [/\.noun = "([^"]+)"/, /\.verb = "([^"]+)"/].map((name) => (name.exec(row) || [])[1])
      .filter(Boolean).join(' '));
  assert.ok(commands.length > 70);
  for (const language of [texts.en, texts.de])
    assert.deepEqual(Object.keys(language.audit.commands).sort(), commands.sort());
});

test('every type of event and every role is told in words', () => {
  const { schemas } = JSON.parse(readFileSync(new URL('../api/openapi.json', WEB), 'utf8'))
    .components;
  for (const language of [texts.en, texts.de]) {
    assert.deepEqual(Object.keys(language.events.types).sort(), schemas.EventType.enum
      .map((type) => type.replace(/\./g, '_')).sort());
    assert.deepEqual(Object.keys(language.roles).sort(), [...schemas.OperatorRole.enum].sort());
  }
});

// What the service names by a list of its own, and where the texts of the names are.
const LISTS = [['domain/transition/session_change.h', 'IDV_SESSION_EFFECTS', 'sandbox.deeds'],
  ['domain/session/review.h', 'IDV_REVIEW_ACTIONS', 'review.actions'],
  ['domain/value/jurisdiction.h', 'IDV_JURISDICTION_SOURCES', 'session.sources']];

test('every rule of workflows and every finding of the health is told in words', () => {
  const api = JSON.parse(read('../api/openapi.json')).components.schemas;
  assert.deepEqual(Object.keys(texts.en.faults).sort(),
    [...api.WorkflowFault.properties.rule.enum].sort());
  const rules = ['definition_reader', 'workflow_check', 'workflow_compile', 'workflow_nodes']
    .flatMap((name) => [...read(`../domain/workflow/${name}.c`).matchAll(
      /(?:_fault\(\s*&?\w+, |IDV_EXIT_\w+, |exit, |\*?message\)\s+return |return |"?\/\w+"(?:, NULL\))?,\s+)"([a-z_]+)"/g)])
    .map(([, rule]) => rule);
  const statements = [...read('../domain/method/statement.c').matchAll(
    /^ {4}\w+ = \{"([a-z_]+)",/gm)].map(([, rule]) => rule);
  assert.equal(statements.length, 10);
  rules.push(...statements);
  assert.deepEqual([...new Set(rules)].filter((rule) =>
    !api.WorkflowFault.properties.rule.enum.includes(rule)), []);
  const codes = [...read('../domain/trust/health_checks.def')
    .matchAll(/^IDV_HEALTH_CHECK\(\w+, "(\w+)"/gm)].map(([, code]) => code);
  // "failing" is what the page itself finds, before the service does.
  for (const kind of ['wrong', 'deed']) {
    assert.ok(texts.en.health[kind].failing);
    assert.deepEqual(Object.keys(texts.en.health[kind]).filter((code) => code !== 'failing'),
      codes);
  }
});

test('what the service names is told in words', () => {
  for (const [file, list, key] of LISTS) {
    const source = readFileSync(new URL(`../${file}`, WEB), 'utf8');
    const begin = source.indexOf(`#define ${list}(X)`);
    const names = [...source.slice(begin, source.indexOf('\n\n', begin)).matchAll(
      /\bX\((\w+)(?:, "(\w+)")?\)/g)].map(([, name, value]) => value || name.toLowerCase());
    assert.ok(names.length > 3, list);
    for (const language of [texts.en, texts.de])
      assert.deepEqual(Object.keys(key.split('.').reduce((node, part) => node[part],
        language)).sort(), names.sort(), list);
  }
});

// The page's texts and preferences, for format.js alone.
const VIEW = `export const language = () => 'en', preference = () => 'utc',
  named = (key, otherwise) => otherwise;`;

test('how far away a time is, never less than it is', async () => {
  register(`data:text/javascript,${encodeURIComponent(`export const resolve = (name, context,
    next) => (name === './view.js' ? { shortCircuit: true, url:
    'data:text/javascript,' + encodeURIComponent(${JSON.stringify(VIEW)}) }
    : next(name, context));`)}`);
  const { relative } = await import(new URL('dashboard/format.js', WEB));
  const HOUR = 3600;
  for (const [seconds, said] of [[72 * HOUR - 5, 'in 3 days'], [-72 * HOUR + 5, '3 days ago'],
    [40 * HOUR, 'in 40 hr.'], [48 * HOUR, 'in 2 days'], [47 * HOUR + 3540, 'in 48 hr.'],
    [HOUR, 'in 1 hr.'], [HOUR - 1, 'in 60 min.'], [-100, '2 min. ago'], [-59, '59 sec. ago'],
    [0.2, 'now']])
    assert.equal(relative(1e9 + seconds, 1e9), said, `${seconds} s`);
});

test('the percents of all parts add up to 100', () => {
  const [own] = /^export function percents[^]*?^}/m.exec(read('dashboard/charts.js'));
  const percents = new Function(`${own.replace('export ', '')}return percents;`)();
  for (const [parts, said] of [[[12, 4, 0, 1], [71, 23, 0, 6]], [[1, 1, 1], [34, 33, 33]],
    [[5, 0], [100, 0]], [[1, 199], [1, 99]]])
    assert.deepEqual(percents(parts, parts.reduce((sum, one) => sum + one)), said);
});

test('a time that was taken has a unit in which it can be read', () => {
  const [own] = /^export function duration[^]*?^}/m.exec(read('dashboard/charts.js'));
  const duration = new Function('number', `${own.replace('export ', '')}return duration;`)(
    (value, options) => new Intl.NumberFormat('en', options).format(value));
  for (const [seconds, said] of [[null, '–'], [0, '0 sec'], [0.045, '45 ms'], [0.9994, '999.4 ms'],
    [1, '1 sec'], [119, '119 sec'], [150, '2.5 min'], [7200, '2 hr']])
    assert.equal(duration(seconds), said, `${seconds} s`);
});

test('every icon that is named is drawn', () => {
  const icons = read('dashboard/icons.svg');
  for (const name of scripts)
    for (const [, icon] of read(name).matchAll(/\b(?:icon|Icon\} name)="(\w+)"/g))
      assert.ok(icons.includes(`id="icon-${icon}"`), `${name}: ${icon}`);
});

test('a value read from a machine-readable zone names its line', () => {
  const source = read('dashboard/pages/evidence.js');
  const own = source.slice(source.indexOf('const LINES'), source.indexOf('// Where FIELD was'));
  const lineOf = new Function(`${own.replace('export ', '')}return lineOf;`)();
  assert.equal(lineOf('pdf417_aamva', 'number'), null);
  for (const [code, field, line] of [['mrz_td3', 'surname', 1], ['mrz_td3', 'number', 2],
    ['mrz_td1', 'number', 1], ['mrz_td1', 'date_of_birth', 2], ['mrz_td1', 'given_names', 3],
    ['mrz_id_fra', 'surname', 1], ['mrz_id_fra', 'given_names', 2],
    ['mrz_mrva', 'date_of_expiry', 2]])
    assert.equal(lineOf(code, field), line, `${code} ${field}`);
});

// TEXT in the cells of a spreadsheet that separates them by SEPARATOR, of which our quotes
// are seen only where a cell begins with one.
function cellsOf(text, separator) {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)")?([^${separator}\n]*)([${separator}\n]|$)`, 'g');
  return [...text.matchAll(cell)].map(([, quoted, rest]) => (quoted || '') + rest);
}

test('no cell of the exported sessions is a formula', () => {
  const source = read('dashboard/pages/sessions.js');
  const own = source.slice(source.indexOf('const COLUMNS'), source.indexOf('function Export('));
  const csvOf = new Function(`${own.replace('export ', '')}return csvOf;`)();
  const said = ['=1+1', '\t=1+1', '\r=1+1', '\n=1+1', ' =1+1', '\uff1d1+1', 'x;=1+1', 'x; -1+1',
    'x;"=1+1;"', 'x\n+1', 'x\t@sum(A1)', '";=1+1', 'a","=1+1', "'", 'order-17'];
  for (const separator of [',', ';', '\t'])
    for (const text of said)
      for (const cell of cellsOf(csvOf([{ id: 'vks_1', client_reference_id: text }]), separator))
        assert.doesNotMatch(cell, /^[\s"]*[=+\-@\uff1d]/,
          `${JSON.stringify(text)} by ${separator}`);
  assert.ok(csvOf([{ id: 'vks_1', client_reference_id: 'order-17' }]).includes('"order-17"'));
});
