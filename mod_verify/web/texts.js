// The texts of the widget: one file a language, chosen once, exchangeable
// while the widget runs.

export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español',
  fr: 'Français', it: 'Italiano', nl: 'Nederlands', pl: 'Polski',
  pt: 'Português', tr: 'Türkçe', uk: 'Українська', ar: 'العربية' };
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
  return text.replace(/\{(\w+)\}/g, (whole, name) => find(values, name) ?? whole);
}

// A name from elsewhere, which must not turn the text around it.
export const isolated = (name) => (
  `\u2068${String(name).replace(/[\u202a-\u202e\u2066-\u2069]/g, '')}\u2069`);

// The translator of one language. A text that depends on a number N is an
// object with the plural categories of the language as keys.
export function translator(language, tree) {
  const plural = new Intl.PluralRules(language);
  let own = {}; // key -> text of the organization
  // Between letters that run from right to left, an address or a date would be
  // shown in pieces.
  const shown = (values) => (tree.direction !== 'rtl' || !values ? values
    : Object.fromEntries(Object.entries(values).map(([name, value]) => (
      [name, isolated(value)]))));
  const t = (key, values) => {
    let text = own[key] || find(tree, key);
    if (text && typeof text === 'object' && values && 'n' in values)
      text = text[plural.select(values.n)] || text.other;
    return typeof text === 'string' ? fill(text, shown(values)) : key;
  };
  t.has = (key) => find(tree, key) !== undefined;
  t.list = (key) => find(tree, key) || [];
  t.reword = (texts) => { own = texts; };
  t.language = language;
  t.direction = tree.direction || 'ltr';
  return t;
}

// The texts that came with the page, which are in the language that the server
// chose; null when there are none.
export function delivered(page = document) {
  const element = page.getElementById('texts');
  return element && translator(element.dataset.language,
    JSON.parse(element.textContent));
}

export async function load(language) {
  const answer = await fetch(new URL(`texts/${language}.json`,
    import.meta.url));
  if (!answer.ok) throw new Error(`texts: ${answer.status}`);
  return translator(language, await answer.json());
}

// The texts with which a page begins: those that came with it, when they are in
// the language that WISHES lead to.
export async function begin(wishes) {
  const language = negotiate(wishes);
  const texts = delivered();
  return texts && texts.language === language ? texts : load(language);
}
