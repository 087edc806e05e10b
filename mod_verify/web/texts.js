// The texts of the widget: one file a language, chosen once, exchangeable
// while the widget runs.

export const LANGUAGES = { en: 'English', de: 'Deutsch' };
const FALLBACK = 'en';

// The best of AVAILABLE for the wishes in their order ("de-AT" is served by
// "de").
export function negotiate(wishes, available = Object.keys(LANGUAGES)) {
  for (const wish of wishes) {
    const base = String(wish).toLowerCase().split('-')[0];
    if (available.includes(base)) return base;
  }
  return FALLBACK;
}

// Looks up "a.b.c"; undefined when there is no such text.
export function find(tree, key) {
  return key.split('.').reduce(
    (node, part) => (node && typeof node === 'object'
      && Object.prototype.hasOwnProperty.call(node, part)
      ? node[part] : undefined), tree);
}

// Replaces {name} by its value.
export function fill(text, values = {}) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (
    name in values ? String(values[name]) : whole));
}

// The translator of one language. A text that depends on a number N is an
// object with the plural categories of the language as keys.
export function translator(language, tree) {
  const plural = new Intl.PluralRules(language);
  const t = (key, values) => {
    let text = find(tree, key);
    if (text && typeof text === 'object' && values && 'n' in values)
      text = text[plural.select(values.n)] || text.other;
    return typeof text === 'string' ? fill(text, values) : key;
  };
  t.has = (key) => find(tree, key) !== undefined;
  t.list = (key) => find(tree, key) || [];
  t.language = language;
  t.direction = tree.direction || 'ltr';
  return t;
}

export async function load(language) {
  const answer = await fetch(`assets/texts/${language}.json`);
  if (!answer.ok) throw new Error(`texts: ${answer.status}`);
  return translator(language, await answer.json());
}
