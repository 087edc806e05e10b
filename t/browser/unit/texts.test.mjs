import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { WORDS, reword } from '../../../mod_verify/web/page/brand.js';
import { LANGUAGES, fill, negotiate, translator }
  from '../../../mod_verify/web/texts.js';

const WEB = new URL('../../../mod_verify/web/', import.meta.url);
const read = (name) => readFileSync(new URL(name, WEB), 'utf8');
const texts = Object.fromEntries(Object.keys(LANGUAGES).map((language) => (
  [language, JSON.parse(read(`texts/${language}.json`))])));

// Every text as path -> string.
function leaves(tree, path = '') {
  if (typeof tree === 'string') return { [path]: tree };
  return Object.assign({}, ...Object.entries(tree).map(([key, value]) => (
    leaves(value, path ? `${path}.${key}` : key))));
}

test('there is a file for each language and no other', () => {
  assert.deepEqual(readdirSync(new URL('texts/', WEB)).sort(),
    Object.keys(LANGUAGES).map((language) => `${language}.json`).sort());
});

test('an organization words only what the service lets it, and no consent', () => {
  const listed = [...readFileSync(new URL('../domain/account/brand_wording.def', WEB),
    'utf8').matchAll(/^IDV_BRAND_WORD\("(.+)"\)$/gm)].map((m) => m[1]);
  assert.deepEqual(WORDS, listed);
  for (const [language, tree] of Object.entries(texts))
    for (const key of WORDS) {
      assert.equal(typeof leaves(tree)[key], 'string', `${language} ${key}`);
      assert.doesNotMatch(key, /consent|secure|agree/);
    }
  const t = translator('en', texts.en);
  const wording = { en: { 'verified.title': 'Hello <b>{organization}</b>',
    'consent.title': 'Win a prize' }, de: { 'failed.title': 'Nein' } };
  reword(t, { brand: { wording } });
  assert.equal(t('verified.title', { organization: 'A' }), 'Hello <b>A</b>');
  assert.equal(t('consent.title'), texts.en.consent.title);
  assert.equal(t('failed.title'), texts.en.failed.title);
  reword(t, {});
  assert.equal(t('verified.title'), texts.en.verified.title);
});

test('no text is there twice, of which only the last would count', () => {
  for (const language of Object.keys(LANGUAGES)) {
    const reasons = read(`texts/${language}.json`).split('"reason": {')[1]
      .split('\n  }')[0];
    const keys = [...reasons.matchAll(/^    "(\w+)": \{/gm)].map((m) => m[1]);
    assert.deepEqual(keys.filter((key, i) => keys.indexOf(key) !== i), [],
      language);
  }
});

// Texts that depend on a number, as paths; each language has forms of its own.
const PLURALS = ['again.attempts', 'revoke.allStopped.text'];
const isForm = (path) => PLURALS.some((plural) => path.startsWith(`${plural}.`));

test('all languages say the same things with the same values', () => {
  const english = leaves(texts.en);
  const names = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  const paths = (tree) => Object.keys(tree).filter((path) => !isForm(path))
    .sort();
  for (const [language, tree] of Object.entries(texts)) {
    const other = leaves(tree);
    assert.deepEqual(paths(other), paths(english), language);
    for (const [path, text] of Object.entries(other)) {
      assert.ok(text.trim(), path);
      if (!isForm(path))
        assert.deepEqual(names(text), names(english[path]), path);
    }
  }
});

test('each language has the plural forms that counting needs', () => {
  for (const [language, tree] of Object.entries(texts)) {
    const rules = new Intl.PluralRules(language);
    const needed = new Set(['other']);
    for (let n = 0; n <= 200; n++) needed.add(rules.select(n));
    for (const path of PLURALS) {
      const forms = path.split('.').reduce((node, part) => node[part], tree);
      assert.ok(forms.other.includes('{n}'), `${language} ${path}`);
      const missing = [...needed].filter((form) => !forms[form]);
      assert.deepEqual(missing, [], `${language} ${path}`);
      const { pluralCategories } = rules.resolvedOptions();
      for (const form of Object.keys(forms))
        assert.ok(pluralCategories.includes(form), `${language} ${form}`);
    }
  }
});

test('only languages that are written so go from right to left', () => {
  for (const [language, tree] of Object.entries(texts))
    assert.equal(tree.direction, language === 'ar' ? 'rtl' : 'ltr', language);
});

test('every text that the code names exists', () => {
  const t = translator('en', texts.en);
  for (const file of readdirSync(WEB, { recursive: true })
    .filter((f) => f.endsWith('.js') && !f.startsWith('dashboard/')))
    for (const [, key] of read(file).matchAll(/\bt(?:\.list)?\(\s*'([\w.]+)'/g))
      assert.ok(t.has(key), `${file}: ${key}`);
});

test('every hint and every error of the service has a text', () => {
  const document = new URL('../methods/document/', WEB);
  const codes = [['document_findings.h', 'IDV_DOCUMENT_HINTS'],
    ['document_decision.h', 'IDV_DOCUMENT_ERRORS']].flatMap(([file, list]) => {
    const header = readFileSync(new URL(file, document), 'utf8');
    const [, lines] = header.match(
      new RegExp(`define ${list}\\(X\\)((?:.*\\\\\n)+.*)`));
    return [...lines.matchAll(/X\(\w+,\s*"(\w+)"/g)].map((m) => m[1]);
  });
  assert.ok(codes.length >= 10, String(codes));
  for (const code of codes)
    assert.ok(texts.en.reason[code], code);
});

test('the wishes of a person are met in their order', () => {
  assert.equal(negotiate(['xx', 'de-AT', 'en']), 'de');
  assert.equal(negotiate(['en-GB', 'de']), 'en');
  assert.equal(negotiate(['pt-BR', 'en']), 'pt');
  assert.equal(negotiate(['xx']), 'en');
  assert.equal(negotiate([]), 'en');
});

test('values and plurals', () => {
  const t = translator('en', { a: { one: 'one try', other: '{n} tries' } });
  assert.equal(t('a', { n: 1 }), 'one try');
  assert.equal(t('a', { n: 3 }), '3 tries');
  assert.equal(translator('ar', { direction: 'rtl', a: '{b}' })('a',
    { b: 'x@y' }), '\u2068x@y\u2069');
  assert.equal(t('missing.key'), 'missing.key');
  assert.equal(t('constructor.name'), 'constructor.name');
  assert.equal(fill('{a} {b}', { a: '{b}' }), '{b} {b}');
  assert.equal(fill('{constructor}', {}), '{constructor}');
});

test('every icon that the code names stands in the page', () => {
  const icons = new Set([...read('icons.svg').matchAll(/id="icon-([\w-]+)"/g)]
    .map((m) => m[1]));
  const named = readdirSync(WEB, { recursive: true })
    .filter((f) => f.endsWith('.js')).flatMap((file) => (
      [...read(file).matchAll(/(?:icon\(|symbol: )'([\w-]+)'/g)]
        .map((m) => m[1])));
  // Those whose names are put together.
  const methods = Object.keys(texts.en).filter((key) => texts.en[key].offer
    && texts.en[key].offer.title);
  named.push(...methods.map((name) => `method-${name}`),
    ...['what', 'why', 'kept', 'free'].map((name) => `fact-${name}`));
  assert.ok(named.length > 30 && methods.length >= 6);
  assert.deepEqual(named.filter((name) => !icons.has(name)), []);
});

test('each method names its step, what is done, and help', () => {
  for (const [name, tree] of Object.entries(texts.en))
    if (tree.offer && tree.offer.title) {
      assert.ok(tree.step && tree.processing, name);
      assert.ok(tree.help.length >= 3, name);
    }
});
