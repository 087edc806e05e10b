// Whose page it is: name, picture and colours of the organization that asks.

// The parts of "#rrggbb", 0 to 255.
function channels(color) {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}

function luminance(color) {
  const [r, g, b] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// The contrast (WCAG 2.2) of COLOR with a lighter one, from 1 to 21; below 1 where that
// is darker.
export function contrastWith(light, color) {
  return (luminance(light) + 0.05) / (luminance(color) + 0.05);
}

// COLOR moved by SHARE towards another one.
function mixed(color, towards, share) {
  const other = channels(towards);
  return `#${channels(color).map((value, i) => Math.round(
    value + (other[i] - value) * share).toString(16).padStart(2, '0')).join('')}`;
}

const DARK = '#171f29';        // the card of the dark theme
const DARK_SOFT = '#1c2f47';   // and what is chosen on it
const ROUND = { none: 0, small: .5, large: 1.6 }; // times the usual radius
const FONT = { serif: '"Iowan Old Style", Georgia, "Noto Serif", serif',
  rounded: 'ui-rounded, "Arial Rounded MT Bold", Nunito, Quicksand, system-ui, '
    + 'sans-serif' };

// The texts that an organization may word itself: brand_wording.def has the same,
// and nothing about consent or data.
export const WORDS = ['cancelled.title', 'choose.lead', 'choose.title',
  'expired.text', 'failed.next', 'failed.title', 'help.contact', 'link.text',
  'methods.lead', 'methods.title', 'page.backTo', 'page.continue', 'verified.text',
  'verified.title'];

// What ACCENT becomes on a dark page: lighter, until it can be read there.
function accentOnDark(accent) {
  let share = 0;
  while (share < 1 && contrastWith(mixed(accent, '#ffffff', share), DARK_SOFT) < 5)
    share += 0.05;
  return mixed(accent, '#ffffff', Math.min(share, 1));
}

// The name that persons know the organization of VIEW by; null: unknown.
export function nameOf(view) {
  return (view.brand && view.brand.name) || view.organization_name || null;
}

// Gives T, the texts of its language, the words of the organization of VIEW.
export function reword(t, view) {
  const own = ((view.brand || {}).wording || {})[t.language] || {};
  t.reword(Object.fromEntries(WORDS.filter((key) => typeof own[key] === 'string')
    .map((key) => [key, own[key]])));
}

export const isColor = (text) => /^#[0-9a-f]{6}$/i.test(text || '');

// The variables of the style sheet that are as BRAND wants them.
export function looksOf({ accent, background, font, radius }) {
  const dark = isColor(accent) && accentOnDark(accent);
  return { ...(dark && { '--brand': accent, '--brand-deep': mixed(accent, '#000000', 0.2),
    '--brand-soft': mixed(accent, '#ffffff', 0.9), '--brand-dark': dark,
    '--brand-dark-soft': mixed(DARK, dark, 0.1) }),
  ...(isColor(background) && { '--brand-ground': background }),
  ...(FONT[font] && { '--font': FONT[font] }),
  ...(radius in ROUND && { '--round': String(ROUND[radius]) }) };
}

// Dresses the page as the organization of VIEW wants it.
export function dress(view, page = document) {
  const brand = view.brand || {};
  const { style, dataset } = page.documentElement;
  for (const [name, value] of Object.entries(looksOf(brand)))
    style.setProperty(name, value);
  if (['light', 'dark'].includes(brand.theme) && !dataset.theme)
    dataset.theme = brand.theme;
  if (brand.density === 'compact') dataset.density = 'compact';
  const name = nameOf(view);
  if (name) page.getElementById('brand').textContent = name;
  if (brand.logo && !page.querySelector('.logo')) {
    const logo = page.createElement('img');
    logo.className = 'logo';
    logo.alt = '';
    logo.src = brand.logo;
    page.querySelector('.brand .icon').replaceWith(logo);
  }
}
