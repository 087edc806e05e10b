// The drawn graph of a workflow: it mirrors the steps, which stand beside it as text,
// and says nothing that they do not. dagre lays it out; nobody moves anything.

import { html, t, useState, useEffect, useRef, named } from './view.js';
import { stepsOf, exitsOf } from './definition.js';

const WIDTH = 136;
const HEIGHT = 46;
const LETTERS = 17;
const SMALLEST = 0.8; // of its size: smaller, it cannot be read, and is scrolled
const library = { dagre: null };

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

const labelOf = (exits) => exits.map((exit) => named(`exits.${exit}`, exit)).join(', ');

function layout(dagre, steps) {
  const graph = new dagre.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 20, ranksep: 28, marginx: 4, marginy: 4 });
  for (const [name] of steps) graph.setNode(name, { width: WIDTH, height: HEIGHT });
  const lines = linesOf(steps);
  for (const line of lines)
    graph.setEdge(line.from, line.to, { line, labelpos: 'c', height: 18,
      width: labelOf(line.exits).length * 6 + 8 });
  dagre.layout(graph);
  return { ...graph.graph(), at: (name) => graph.node(name),
    lines: graph.edges().map((edge) => graph.edge(edge)) };
}

// Through POINTS without corners.
function curve(points) {
  const last = points[points.length - 1];
  let path = `M${points[0].x} ${points[0].y}`;
  for (let i = 1; i < points.length - 1; i++) {
    const end = i < points.length - 2 ? { x: (points[i].x + points[i + 1].x) / 2,
      y: (points[i].y + points[i + 1].y) / 2 } : last;
    path += `Q${points[i].x} ${points[i].y} ${end.x} ${end.y}`;
  }
  return path;
}

// The head of an arrow that comes to the last of POINTS.
function head(points) {
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

const cut = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…`
  : text);

function Line({ of, isTaken }) {
  const text = labelOf(of.line.exits);
  return html`<g class=${isTaken ? 'taken' : ''}><path d=${curve(of.points)} />
    <path class="arrow" d=${head(of.points)} />
    <g class="label"><rect x=${of.x - of.width / 2} y=${of.y - 9} width=${of.width}
      height="18" /><text x=${of.x} y=${of.y}>${text}</text></g></g>`;
}

// DEFINITION drawn. `now`: the step at which one is; `way`: the steps in the order in
// which they were gone through; `faulty`: those with faults; `onChoose(name)` when
// one is clicked.
export function Graph({ definition, now, way, faulty, onChoose }) {
  const [, again] = useState(0);
  useEffect(() => {
    if (!library.dagre)
      import('dagre').then((dagre) => {
        library.dagre = dagre;
        again(1);
      }, () => {});
  }, []);
  // What is wider than its place begins with the step at which one is.
  const picture = useRef();
  useEffect(() => {
    const step = picture.current && picture.current.querySelector('.on');
    if (!step) return;
    const place = picture.current.parentNode;
    const middle = ({ left, width }) => left + width / 2;
    place.scrollLeft += middle(step.getBoundingClientRect())
      - middle(place.getBoundingClientRect());
  }, [now, library.dagre]);
  const steps = stepsOf(definition);
  if (!library.dagre || !steps || !steps.length) return null;
  const drawn = layout(library.dagre, steps);
  const isTaken = (line) => !!way && way.some((name, i) => i > 0 && name === line.to
    && way[i - 1] === line.from);
  return html`<svg class="graph" ref=${picture} viewBox=${`0 0 ${drawn.width} ${drawn.height}`}
    width=${drawn.width} height=${drawn.height} role="img"
    style=${{ minWidth: `${drawn.width * SMALLEST}px` }}
    aria-label=${t('steps.graph', { n: steps.length })}>
    ${drawn.lines.map((line) => html`<${Line} of=${line} isTaken=${isTaken(line.line)} />`)}
    ${steps.map(([name, node]) => {
      const { x, y } = drawn.at(name);
      return html`<g class=${`${kindOf(node)} ${name === now ? 'on' : ''} ${
        faulty && faulty.has(name) ? 'faulty' : ''} ${
        way && !way.includes(name) ? 'off' : ''} ${onChoose ? 'opens' : ''}`}
        onClick=${onChoose ? () => onChoose(name) : null}>
        <rect x=${x - WIDTH / 2} y=${y - HEIGHT / 2} width=${WIDTH} height=${HEIGHT}
          rx="9" /><text class="name" x=${x} y=${y - 8}>${cut(name, LETTERS)}</text>
        <text class="gist" x=${x} y=${y + 10}>${cut(gistOf(node), LETTERS + 4)}</text>
        <title>${`${name}: ${gistOf(node)}`}</title></g>`;
    })}</svg>`;
}
