// The few things that every screen does to the document.

const SVG = 'http://www.w3.org/2000/svg';

// An element: attributes by name, handlers as on<event>, false and null left
// out. Children are nodes or text, never markup: whatever comes from the
// server or the customer cannot become an element.
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function')
      element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false)
      element.append(child);
}

// An icon of icons.svg, which stands in the page; decorative, the text beside it
// says the same.
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}

let busy = null; // what the pressed button began, until it is over

// A new screen has begun: its buttons wait for nothing, and nothing that was said
// of the one before is found on it.
export function release() {
  busy = null;
  announce();
}

// Runs ACTION, a handler of ELEMENT, which may take its time: until it is over
// the element shows that, and no other button that would begin something does
// anything.
async function press(element, action, isAlways) {
  if (busy && !isAlways) return;
  const result = action();
  if (!result || typeof result.then !== 'function' || isAlways) return;
  if (!element.isConnected) return; // it has led to another screen already
  busy = result;
  element.setAttribute('aria-busy', 'true');
  try {
    await result;
  } finally {
    if (busy === result) busy = null;
    element.removeAttribute('aria-busy');
  }
}

// KIND is its look; a button with ALWAYS works while another one is busy.
export function button(label, action,
  { kind = 'primary', symbol, id, always = false } = {}) {
  const element = h('button', { type: 'button', class: `button ${kind}`, id,
    onclick: () => press(element, action, always) },
  symbol && icon(symbol), h('span', {}, label));
  return element;
}

export function link(label, href, kind = 'primary') {
  return h('a', { class: `button ${kind}`, href, rel: 'noreferrer' },
    h('span', {}, label));
}

// The heading that receives the focus when its screen appears.
export function heading(text) {
  return h('h1', { tabindex: '-1' }, text);
}

export function list(items, symbol) {
  return h('ul', { class: symbol ? 'marked' : null },
    items.map((item) => h('li', {}, symbol && icon(symbol),
      h('span', {}, item))));
}

let saying = null;

// Says TEXT to assistive technology without moving the focus. Emptied first,
// because a repeated text would not be announced; without TEXT it stays so.
export function announce(text = '') {
  const region = document.getElementById('announcer');
  clearTimeout(saying);
  region.textContent = '';
  if (text) saying = setTimeout(() => { region.textContent = text; }, 50);
}
