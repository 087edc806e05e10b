// The drawn graph of a workflow: where its steps and lines are (layout.js), and how they
// look. `Graph` is a picture, next to which the same is text; the editor's graph, which
// takes its parts, is in pages/workflow_graph.js.

import { html, t, useEffect, useRef, named } from './view.js';
import { stepsOf, exitsOf } from './definition.js';
import { layout } from './layout.js';

export const HEIGHT = 46;
const SMALL = 28;
const LETTERS = 40; // of the text in a box, which is as wide as it needs

// EXITS of NODE that lead to one place.
export const exitNames = (exits, node) => (exits.length > 1
  && exits.length === exitsOf(node).length ? t('exits.any')
  : exits.map((exit) => named(`exits.${exit}`, exit)).join(' / '));

// The exits that lead from one step to the same other one are one line.
function linesOf(steps) {
  const lines = new Map();
  for (const [from, node] of steps)
    for (const [exit, to] of exitsOf(node))
      if (steps.some(([name]) => name === to)) {
        const key = `${from}\0${to}`;
        lines.set(key, { from, to, exits: [...(lines.get(key) || { exits: [] }).exits,
          exit] });
      }
  return [...lines.values()];
}

// Each exit is a line; one that leads nowhere ends at a point of its own.
function exitLinesOf(steps) {
  return steps.flatMap(([from, node]) => exitsOf(node).map(([exit, to]) => {
    const isOpen = !steps.some(([name]) => name === to);
    return { from, to: isOpen ? `\0${from}\0${exit}` : to, exits: [exit], isOpen };
  }));
}

const pen = document.createElement('canvas').getContext('2d');

// Of TEXT as dashboard.css draws it.
function widthOf(text, font) {
  pen.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}

// STEPS laid out; for an editor, with a line for each exit and room for a button in its
// label; small: with neither labels nor names.
export function graphOf(steps, isEdited, isSmall) {
  const lines = (isEdited ? exitLinesOf : linesOf)(steps).map((line) => {
    const text = exitNames(line.exits, new Map(steps).get(line.from));
    return { ...line, text, label: isSmall ? { width: 0, height: 0 }
      : { height: isEdited ? 26 : 20, width: widthOf(text, '12px') + (isEdited ? 36 : 8) } };
  });
  return layout([...steps.map(([name, node]) => {
    const width = 24 + widthOf(cut(gistOf(node)), '600 13px');
    return { name, ...(isSmall ? { width, height: SMALL } : { height: HEIGHT,
      width: Math.max(120, width, 24 + widthOf(cut(name), '12px')) }) };
  }),
    ...lines.filter((line) => line.isOpen).map(({ to }) => ({ name: to, width: 8,
      height: 8 }))], lines);
}

// Through POINTS without corners.
export function curve(points) {
  const last = points[points.length - 1];
  let path = `M${points[0].x} ${points[0].y}`;
  for (let i = 1; i < points.length - 1; i++) {
    const end = i < points.length - 2 ? { x: (points[i].x + points[i + 1].x) / 2,
      y: (points[i].y + points[i + 1].y) / 2 } : last;
    path += `Q${points[i].x} ${points[i].y} ${end.x} ${end.y}`;
  }
  return points.length < 3 ? `${path}L${last.x} ${last.y}` : path;
}

// The head of an arrow that comes to the last of POINTS.
export function head(points) {
  const [before, end] = points.slice(-2);
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const at = (turn) => `${end.x - 9 * Math.cos(angle + turn)} ${
    end.y - 9 * Math.sin(angle + turn)}`;
  return `M${end.x} ${end.y}L${at(0.4)}L${at(-0.4)}z`;
}

const KINDS = { checks: '', methods: 'accent', review: 'warn' };

function kindOf(node) {
  return node.type === 'outcome' ? (node.status === 'verified' ? 'good' : 'bad')
    : KINDS[node.type] || '';
}

// What a step asks for, in a few words.
export function gistOf(node) {
  const list = (names) => (Array.isArray(names) ? names : []).map((one) =>
    named(`methods.${one}`, String(one))).join(node.mode === 'all_of' ? ' + ' : ', ');
  if (node.type === 'outcome') return named(`status.${node.status}`, '');
  return list(node.type === 'checks' ? node.checks : node.methods)
    || named(`steps.types.${node.type}`, String(node.type));
}

const cut = (text) => (text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text);

// A line of a layout, and its label; MORE: attributes, CHILDREN: what else it shows.
export const Arrow = ({ of, kind }) => html`<g class=${kind}><path d=${curve(of.points)} />
  <path class="arrow" d=${head(of.points)} /></g>`;

export function Label({ of: { x, y, line: { text, label: { width, height } } }, kind = '',
  more, children }) {
  return html`<g class=${`label ${kind}`} ...${more}><rect x=${x - width / 2}
    y=${y - height / 2} width=${width} height=${height} rx=${height / 2} />
    <text x=${children ? x - 10 : x} y=${y}>${text}</text>${children}</g>`;
}

// The box of a step, whose middle is at AT; MORE: its attributes.
export function Box({ name, node, at: { x, y, box: width, height }, kind = '', more }) {
  const isSmall = height === SMALL;
  return html`<g class=${`${kindOf(node)} ${kind}`} ...${more}>
    <rect x=${x - width / 2} y=${y - height / 2} width=${width} height=${height}
      rx="9" /><text class="gist" x=${x} y=${isSmall ? y : y - 8}>${cut(gistOf(node))}</text>${' '}
    ${!isSmall && html`<text class="name" x=${x} y=${y + 10}>${cut(name)}</text>`}
    ${!more && html`<title>${`${gistOf(node)} ${name}`}</title>`}</g>`;
}

// A step in words, with its name as small print.
export const Called = ({ of, steps }) => {
  const [, node] = steps.find(([name]) => name === of) || [];
  return html`${node && gistOf(node)} <span class="print code">${of}</span>`;
};

// Scrolls a graph that is wider than its place to the current step, marked `on`.
export function useInView(now) {
  const picture = useRef();
  useEffect(() => {
    const step = picture.current && picture.current.querySelector('.on');
    if (!step) return;
    const place = picture.current.parentNode;
    const middle = ({ left, width }) => left + width / 2;
    place.scrollLeft += middle(step.getBoundingClientRect())
      - middle(place.getBoundingClientRect());
  }, [now]);
  return picture;
}

// Hardly smaller, which could not be read: a graph that is wider than its place is scrolled.
export const sized = ({ width, height }) => ({ viewBox: `0 0 ${width} ${height}`, width,
  height, style: { '--w': `${width}px`, '--h': `${height}px` } });

// DEFINITION drawn. `now`: the step at which one is; `way`: the steps in the order in
// which they were gone through.
export function Graph({ definition, now, way, isSmall }) {
  const picture = useInView(now);
  const steps = stepsOf(definition);
  if (!steps || !steps.length) return null;
  const drawn = graphOf(steps, false, isSmall);
  const isTaken = (line) => !!way && way.some((name, i) => i > 0 && name === line.to
    && way[i - 1] === line.from);
  const svg = html`<svg class="graph" ref=${picture} ...${sized(drawn)} role="img"
    aria-label=${t('steps.graph', { n: steps.length })}>
    ${drawn.lines.map((one) => html`<${Arrow} of=${one}
      kind=${isTaken(one.line) ? 'taken' : ''} />${!isSmall && html`<${Label} of=${one} />`}`)}
    ${steps.map(([name, node]) => html`<${Box} name=${name} node=${node}
      at=${drawn.at(name)} kind=${`${name === now ? 'on' : ''} ${
        way && !way.includes(name) ? 'off' : ''}`} />`)}</svg>`;
  return isSmall ? svg : html`<div class="canvas" tabindex="0" role="group"
    aria-label=${t('steps.picture')}>${svg}</div>`;
}
