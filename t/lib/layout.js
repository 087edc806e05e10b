// What a page looks like, as text: for each thing that can be seen what it is, its
// text, its colours, and the box that it fills. WidgetLayout.pm runs it in the page;
// its result is { items: [{ what, colours, box }], faint: [text] }, where faint are
// texts with less contrast than WCAG 2.2 AA asks for.

const hex = (colour) => `#${colour.slice(0, 3)
  .map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

function parsed(text) {
  const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number);
  return [red, green, blue, alpha];
}

const over = (front, back) => back.map((part, i) => (i === 3 ? 1
  : front[i] * front[3] + part * (1 - front[3])));

// What is behind the element's text, as far as style sheets say it.
function groundOf(element) {
  const layers = [];
  for (let e = element; e; e = e.parentElement)
    layers.push(parsed(getComputedStyle(e).backgroundColor));
  return layers.reduceRight((back, front) => over(front, back), [255, 255, 255, 1]);
}

function luminance(colour) {
  const [red, green, blue] = colour.slice(0, 3).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const rounded = ({ left, top, width, height }) => [left + scrollX, top + scrollY,
  width, height].map(Math.round);

function nameOf(element) {
  const [first] = element.classList;
  const suffix = element.id ? `#${element.id}` : first ? `.${first}` : '';
  return element.localName + suffix;
}

function textItem(element, style, items, faint) {
  const nodes = [...element.childNodes].filter((node) => node.nodeType === 3
    && node.data.trim());
  if (!nodes.length) return;
  const range = document.createRange();
  range.setStart(nodes[0], 0);
  range.setEnd(nodes[nodes.length - 1], nodes[nodes.length - 1].length);
  const box = rounded(range.getBoundingClientRect());
  const text = nodes.map((node) => node.data).join(' ').replace(/\s+/g, ' ').trim()
    // Ports and clocks are different each time.
    .replace(/localhost:\d+/g, 'localhost').replace(/\d+:\d\d\b/g, '0:00');
  const ground = groundOf(element);
  const ink = over(parsed(style.color), ground);
  const weight = style.fontWeight >= 600 ? ' bold' : '';
  const bare = element.closest('.visually-hidden') ? ' unseen' : '';
  items.push({ what: `${nameOf(element)} "${text}"${weight}${bare}`,
    colours: bare ? '' : `${hex(ink)} on ${hex(ground)}`,
    box: bare ? [0, 0, 0, 0] : box });
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (weight && size >= 18.66);
  const excused = bare || element.closest(':disabled, .stage');
  if (!excused && contrast(ink, ground) < (isLarge ? 3 : 4.5)) faint.push(text);
}

// Grounds, edges and pictures.
function boxItem(element, style, items) {
  const edges = ['Top', 'Right', 'Bottom', 'Left']
    .filter((side) => parseFloat(style[`border${side}Width`]) > 0
      && parsed(style[`border${side}Color`])[3] > 0);
  const ground = parsed(style.backgroundColor);
  const isPicture = /^(img|svg|video|canvas|input|select|progress)$/
    .test(element.localName);
  if (!isPicture && !edges.length && !ground[3]) return;
  if (element.closest('.visually-hidden')) return;
  const symbol = element.querySelector(':scope > use');
  const colours = [ground[3] && `ground ${hex(groundOf(element))}`,
    edges.length && `edge ${hex(parsed(style[`border${edges[0]}Color`]))}`,
    symbol && `ink ${hex(parsed(style.color))}`].filter(Boolean);
  const state = `${element.disabled ? ' disabled' : ''}${
    element.checked ? ' checked' : ''}`;
  items.push({ what: nameOf(element) + (symbol ? ` ${symbol.getAttribute('href')}`
    : '') + state, colours: colours.join(' '),
  box: rounded(element.getBoundingClientRect()) });
}

// What charts draw. The box of a line is that of its points.
const DRAWN = '.plot .ink, .plot .line, .plot .point, .share .ink';

function drawnItem(element, style, items) {
  const box = rounded(element.getBoundingClientRect());
  if (element.matches('.ink') && !(box[2] && box[3])) return;
  const colour = element.matches('.ink') ? style.fill : style.stroke;
  items.push({ what: `${element.localName}.${[...element.classList].join('.')}`,
    colours: hex(parsed(colour)), box });
}

// What is said of the camera's picture, which is never the same twice.
const PASSING = '#announcer, .advice';

function layout() {
  const items = [], faint = [];
  const { scrollWidth, scrollHeight } = document.documentElement;
  items.push({ what: 'page', colours: hex(groundOf(document.body)),
    box: [0, 0, scrollWidth, scrollHeight] });
  for (const element of document.querySelectorAll('body *')) {
    if (element.matches(DRAWN)) drawnItem(element, getComputedStyle(element), items);
    if (element.closest('svg *, option, select *, script, noscript')) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest(PASSING)) {
      const [, top] = rounded(element.getBoundingClientRect());
      items.push({ what: nameOf(element), colours: '', box: element.id
        ? [0, 0, 0, 0] : [0, top, 0, 0] });
      continue;
    }
    const style = getComputedStyle(element);
    boxItem(element, style, items);
    textItem(element, style, items, faint);
  }
  return { items, faint };
}
