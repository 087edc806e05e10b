// The graph in which a workflow is edited, by mouse, touch and keyboard: steps are chosen,
// connected, moved and removed in it, and each exit has a button that adds a step or
// leads the exit elsewhere. Drags are pointer events; whatever they do can be done
// without them.

import { html, t, Fragment, useContext, useState, useRef, named } from '../view.js';
import { Button, Dialog, Select } from '../parts.js';
import { Arrow, Box, HEIGHT, Label, gistOf, graphOf, head, sized, useInView } from '../graph.js';
import { TYPES, exitsOf, stepsOf, targetsOf } from '../definition.js';
import { Editing, choiceOf, exitName, useActs } from './workflow_steps.js';

const MOVED = 6; // pixels: less is a click
const EDGE = 24; // pixels within which a drag scrolls
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1],
  ArrowDown: [0, 1] };

// The step next to FROM in the direction of [x, y], by their places; itself without one.
function nextTo(from, [x, y], steps, at) {
  const start = at(from);
  const ahead = steps.map(([name]) => {
    const [dx, dy] = [at(name).x - start.x, at(name).y - start.y];
    const along = dx * x + dy * y;
    return { name, along, cost: along + 2 * Math.abs(dx * y + dy * x) };
  }).filter(({ along }) => along > 1).sort((a, b) => a.cost - b.cost);
  return ahead.length ? ahead[0].name : from;
}

// Where an exit leads: to another step, or to a new one before the one it leads to now.
// A choice changes nothing yet: arrow keys go through it.
function Exit({ of: { from, exits: [exit], to, isOpen }, steps, acts, onClose }) {
  const [target, choose] = useState(isOpen ? '' : to);
  const connect = (event) => {
    event.preventDefault();
    onClose();
    if (target !== to) acts.connect(from, exit, target);
  };
  const called = (name) => gistOf(steps.find(([one]) => one === name)[1]);
  return html`<${Dialog} title=${html`${t('steps.exitOf', { exit: exitName(exit),
    name: called(from) })} <span class="print code">${from}</span>`}
    onClose=${onClose}><form class="filters" onSubmit=${connect}>
    <${Select} label=${t('steps.exit', { exit: exitName(exit) })} value=${target} required
      options=${[...(isOpen ? [['', t('steps.choose')]] : []), ...targetsOf(steps, from, to)
        .map(choiceOf)]} onChange=${choose} />
    <${Button} kind="primary" type="submit">${t('steps.connect')}<//></form>
    <h3 id="adds">${isOpen ? t('steps.add') : t('steps.addBefore', { name: called(to) })}</h3>
    <div class="actions adding" role="group" aria-labelledby="adds">${TYPES.filter((type) =>
      isOpen || type !== 'outcome').map((type) => html`<${Button} icon="plus" onClick=${() => {
      onClose();
      acts.insert(type, from, exit);
    }}>${t(`steps.types.${type}`)}<//>`)}</div><//>`;
}

// Scrolls PLACE on when the pointer is at its edge.
function scrollAt(place, { clientX, clientY }) {
  const { left, right, top, bottom } = place.getBoundingClientRect();
  const by = (at, from, to) => (at < from + EDGE ? -EDGE : at > to - EDGE ? EDGE : 0) / 2;
  place.scrollBy(by(clientX, left, right), by(clientY, top, bottom));
}

// What is dragged: {step} or {step, exit}, from where it was taken to where it is.
function useDrag(picture, acts) {
  const [drag, set] = useState(null);
  const start = useRef(null);
  const stepAt = (event) => document.elementFromPoint(event.clientX, event.clientY)
    ?.closest('[data-step]:not([data-exit])')?.dataset.step;
  const placeOf = (event) => new DOMPoint(event.clientX, event.clientY)
    .matrixTransform(picture.current.getScreenCTM().inverse());
  const end = () => {
    start.current = null;
    set(null);
  };
  return { drag, handlers: {
    onPointerDown(event) {
      const taken = event.target.closest('[data-step]');
      // A finger that moves over a step scrolls, unless the step was chosen before.
      if (!taken || event.button || !event.isPrimary || (event.pointerType === 'touch'
        && !taken.matches('[data-exit], .on'))) return;
      start.current = { ...taken.dataset, x: event.clientX, y: event.clientY };
    },
    onTouchMove(event) {
      if (start.current) event.preventDefault();
    },
    onPointerMove(event) {
      const from = start.current;
      // The button was released where this page did not learn of it.
      if (from && !event.buttons) {
        end();
        return;
      }
      if (!from || (!from.isMoved && Math.hypot(event.clientX - from.x,
        event.clientY - from.y) < MOVED)) return;
      from.isMoved = true;
      // From now on no click, and everything that the pointer does comes here.
      picture.current.setPointerCapture(event.pointerId);
      scrollAt(picture.current.parentNode, event);
      const over = stepAt(event);
      set({ ...from, at: placeOf(event), over: over === from.step ? null : over });
    },
    onPointerLeave(event) {
      // So fast that it was outside before it moved.
      if (start.current && event.buttons) picture.current.setPointerCapture(event.pointerId);
    },
    onPointerUp(event) {
      const { step, exit, isMoved } = start.current || {};
      const over = isMoved && stepAt(event);
      end();
      acts.miss(isMoved && !over);
      if (!over || over === step) return;
      if (exit) acts.connect(step, exit, over);
      else acts.move(step, over);
    },
    onPointerCancel: end,
  } };
}

// What follows the pointer.
function Dragged({ drag, from, node }) {
  const { x, y } = drag.at;
  if (!drag.exit)
    return html`<${Box} name=${drag.step} node=${node} at=${{ ...from, x, y }} kind="dragged" />`;
  const points = [{ x: from.x, y: from.y + HEIGHT / 2 }, { x, y }];
  return html`<g class="dragged taken"><path d=${`M${points[0].x} ${points[0].y}L${x} ${y}`} />
    <path class="arrow" d=${head(points)} /></g>`;
}

const kindOf = ({ line }) => (line.isOpen ? 'open' : '');

// The accessible name of a step: it begins with the visible text.
const said = (name, node, isStart, isFaulty) => [`${gistOf(node)} ${name}`,
  named(`steps.types.${node.type}`, ''), isStart && t('steps.start'),
  isFaulty && t('workflows.faulty'), ...exitsOf(node).map(([exit, to]) =>
    `${t('steps.exit', { exit: exitName(exit) })} ${to || t('steps.nowhere')}`)]
  .filter(Boolean).join(', ');

// The graph of the definition that is edited. `now`: the step that is open; `faulty`:
// those with faults; `onOpen(name)`: one is to be edited.
export function GraphEditor({ now, faulty, onEnter, onOpen }) {
  const { definition, isFixed } = useContext(Editing);
  const picture = useInView(now);
  const [last, goOn] = useState(null);
  const [asked, ask] = useState(null);
  const acts = useActs(onEnter);
  const [hasMissed, miss] = useState(false);
  const { drag, handlers } = useDrag(picture, { ...acts, miss });
  const steps = stepsOf(definition) || [];
  if (!steps.length) return null;
  const drawn = graphOf(steps, true);
  const isThere = (name) => steps.some(([one]) => one === name);
  const current = [last, now, definition.start].find(isThere) ?? steps[0][0];
  const goTo = (name) => {
    goOn(name);
    picture.current.querySelector(`[data-step="${CSS.escape(name)}"]:not([data-exit])`).focus();
  };
  const press = (name) => (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const arrow = ARROWS[event.key];
    const place = steps.findIndex(([one]) => one === name);
    const other = arrow && steps[place + arrow[0] + arrow[1]];
    if (arrow && event.altKey) {
      if (other && !isFixed) acts.move(name, other[0]);
    } else if (arrow) goTo(nextTo(name, arrow, steps, drawn.at));
    else if (event.key === 'Enter' || event.key === ' ') onOpen(name);
    else if ((event.key === 'Delete' || event.key === 'Backspace') && !isFixed)
      acts.remove(name);
    else return;
    event.preventDefault();
  };
  const exitOf = ({ line }) => ({ 'data-step': line.from, 'data-exit': line.exits[0],
    role: 'button', tabindex: line.from === current ? 0 : -1,
    'aria-label': `${line.text}: ${t('steps.change', { name: line.from })}`,
    onClick: () => ask(line), onKeyDown: (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      ask(line);
    } });
  const stepOf = (name, node) => ({ 'data-step': name, role: 'button',
    tabindex: name === current ? 0 : -1, 'aria-pressed': name === now ? 'true' : 'false',
    'aria-label': said(name, node, name === definition.start, faulty.has(name)),
    onFocus: () => goOn(name), onClick: () => onEnter(name), onKeyDown: press(name) });
  return html`<svg class="graph edited" ref=${picture} ...${sized(drawn)} role="group"
    aria-label=${t('steps.picture')} aria-describedby="graph-help" ...${isFixed ? {} : handlers}>
    ${drawn.lines.map((one) => html`<${Arrow} of=${one} kind=${kindOf(one)} />`)}
    ${steps.map(([name, node]) => html`<${Fragment} key=${name}><${Box} name=${name}
      node=${node} at=${drawn.at(name)} kind=${`opens ${name === now ? 'on' : ''} ${
        faulty.has(name) ? 'faulty' : ''} ${drag && drag.over === name ? 'target' : ''}`}
      more=${stepOf(name, node)} />${drawn.lines.filter(({ line }) => line.from === name)
        .map((one) => html`<${Label} of=${one} kind=${kindOf(one)}
        more=${isFixed ? {} : exitOf(one)}>${!isFixed && html`<path class="plus" d=${
        `M${one.x + one.line.label.width / 2 - 18} ${one.y}h10m-5-5v10`} />`}<//>`)}<//>`)}
    ${drag && isThere(drag.step) && html`<${Dragged} drag=${drag} from=${drawn.at(drag.step)}
      node=${definition.nodes[drag.step]} />`}</svg>
    ${hasMissed && html`<p class="small" role="alert">${t('steps.missed')}</p>`}
    ${asked && html`<${Exit} of=${asked} steps=${steps} acts=${acts}
      onClose=${() => ask(null)} />`}`;
}
