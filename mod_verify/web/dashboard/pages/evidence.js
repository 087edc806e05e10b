// Pictures of a person, behind a reason: next to each other, each to be moved, enlarged
// and turned by mouse, touch and keyboard.

import { html, t, Icon, named, useState, useEffect, useRef, preference } from '../view.js';
import { useService } from '../operator.js';
import { Badge, Card, Dialog, Select } from '../parts.js';

// Faces beside each other, sides of a document in their order.
const ORDER = ['front', 'back', 'portrait', 'still'];
// Parts that are no pictures.
const UNSEEN = /^(chip|challenge|relay|relay_step|printed_zone|wallet_response|mdoc_portrait)$/;
const place = (name) => (ORDER.indexOf(name) + 1 || ORDER.length + 1);
export const nameOfPicture = (name) => named(`evidence.${name}`, name);

const NEAREST = 8;
const STEP = 1.25;
const FILLED = .8; // of the view by a place that is gone to
const PAN = 48; // pixels
const WHOLE = { scale: 1, x: 0, y: 0, turn: 0 };
const AT_SIGNS = { '+': STEP, '=': STEP, '-': 1 / STEP };
const MOVES = { ArrowLeft: [PAN, 0], ArrowRight: [-PAN, 0], ArrowUp: [0, PAN],
  ArrowDown: [0, -PAN] };

// What the keys and buttons do to a VIEW, by the key; null for other keys.
function changedView(view, key) {
  if (AT_SIGNS[key]) return scaled(view, AT_SIGNS[key]);
  if (key === '0') return WHOLE;
  if (key === 't') return { ...view, turn: (view.turn + 90) % 360 };
  if (!MOVES[key] || view.scale === 1) return null;
  return { ...view, x: view.x + MOVES[key][0], y: view.y + MOVES[key][1] };
}

// FACTOR times as large around the point X, Y, measured from the middle.
function scaled(view, factor, x = 0, y = 0) {
  const scale = Math.min(NEAREST, Math.max(1, view.scale * factor));
  if (scale === 1) return { ...view, scale, x: 0, y: 0 };
  const by = scale / view.scale;
  return { ...view, scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
}

// Around the place with CORNERS, shares of a picture of SIZE, in a VIEW. Lines stay as wide
// as they are however near the picture is.
function Mark({ corners, size, view, style }) {
  const points = corners.map(([x, y]) => `${x * size[0]},${y * size[1]}`).join(' ');
  return html`<svg class="mark" viewBox=${`0 0 ${size.join(' ')}`} aria-hidden="true"
    style=${style}>${[5, 2].map((width) => html`<polygon points=${points}
      vector-effect="non-scaling-stroke" stroke-width=${width / view.scale} />`)}</svg>`;
}

// The view in which the place with CORNERS of a picture of SIZE fills BOX.
function viewOf(corners, size, box, view) {
  const by = Math.min(box.clientWidth / size[0], box.clientHeight / size[1]);
  const [xs, ys] = [0, 1].map((i) => corners.map((one) => (one[i] - .5) * size[i] * by));
  const middle = (all) => (Math.min(...all) + Math.max(...all)) / 2;
  const wide = (all) => Math.max(...all) - Math.min(...all) || 1;
  const scale = Math.min(NEAREST, Math.max(1, Math.min(box.clientWidth / wide(xs),
    box.clientHeight / wide(ys)) * FILLED));
  const turn = view.turn * Math.PI / 180;
  const [x, y] = [middle(xs), middle(ys)];
  return scale === 1 ? { ...view, ...WHOLE, turn: view.turn } : { ...view, scale,
    x: (y * Math.sin(turn) - x * Math.cos(turn)) * scale,
    y: -(x * Math.sin(turn) + y * Math.cos(turn)) * scale };
}

// A picture at ADDRESS that can be moved. MARK is a place to point to, NEAR one to go to,
// each with its corners. The page's wheel and fingers move the page where the picture is
// whole.
function Movable({ address, title, mark, near, onLarge }) {
  const box = useRef();
  const fingers = useRef(new Map());
  const [view, set] = useState(WHOLE);
  const [size, measure] = useState(null);
  useEffect(() => {
    if (near && size) set((now) => viewOf(near.corners, size, box.current, now));
  }, [near, size]);
  useEffect(() => {
    const element = box.current;
    const middle = (event) => {
      const area = element.getBoundingClientRect();
      return [event.clientX - area.left - area.width / 2,
        event.clientY - area.top - area.height / 2];
    };
    const wheel = (event) => {
      event.preventDefault();
      set((now) => scaled(now, event.deltaY < 0 ? STEP : 1 / STEP, ...middle(event)));
    };
    const held = fingers.current;
    const spread = () => {
      const [a, b] = [...held.values()];
      return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    };
    const down = (event) => {
      if (event.target.closest('button')) return;
      held.set(event.pointerId, event);
    };
    const move = (event) => {
      const before = held.get(event.pointerId);
      if (!before) return;
      if (held.size === 1) {
        set((now) => (now.scale === 1 ? now : { ...now, x: now.x + event.clientX
          - before.clientX, y: now.y + event.clientY - before.clientY }));
        held.set(event.pointerId, event);
        return;
      }
      const was = spread();
      held.set(event.pointerId, event);
      const by = spread() / (was || 1);
      set((now) => scaled(now, by, ...middle(event)));
    };
    const up = (event) => held.delete(event.pointerId);
    element.addEventListener('wheel', wheel, { passive: false });
    element.addEventListener('pointerdown', down);
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', up);
    return () => {
      element.removeEventListener('wheel', wheel);
      element.removeEventListener('pointerdown', down);
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', up);
    };
  }, []);
  const act = (key) => set((now) => changedView(now, key) || now);
  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isLarge = event.key === 'f' && onLarge;
    if (!isLarge && !changedView(view, event.key)) return;
    // Letters are shortcuts, which can be switched off.
    if (/[a-z]/.test(event.key) && event.key.length === 1
      && preference('shortcuts') !== 'on') return;
    event.preventDefault();
    event.stopPropagation();
    if (isLarge) onLarge();
    else act(event.key);
  };
  const fit = view.turn % 180 && box.current
    ? box.current.clientHeight / box.current.clientWidth : 1;
  const style = { transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale
    * Math.min(1, fit)}) rotate(${view.turn}deg)` };
  const tool = (key, sign, label, deed = () => act(key)) => html`<button type="button"
    class="button tool tiny" aria-label=${`${label}: ${title}`} title=${`${label} (${key})`}
    onClick=${deed}><${Icon} name=${sign} /></button>`;
  return html`<div class=${`picture movable ${view.scale > 1 ? 'moved' : ''}`} ref=${box}
    tabindex="0" role="group" aria-label=${t('bench.picture', { name: title })}
    onKeyDown=${press}><img src=${address} alt=${title} draggable=${false} style=${style}
      onLoad=${({ target }) => measure([target.naturalWidth, target.naturalHeight])} />
    ${mark && size && html`<${Mark} corners=${mark.corners} size=${size} view=${view} style=${style} />`}
    <div class="lens">${tool('+', 'plus', t('bench.nearer'))}${tool('-', 'minus', t('bench.farther'))}
      ${tool('0', 'whole', t('bench.whole'))}${tool('t', 'turn', t('bench.turn'))}
      ${onLarge && tool('f', 'large', t('bench.large'), onLarge)}</div></div>`;
}

// A picture is asked for when somebody has said why, kept by this view alone, and
// gone with the reason or with the view.
function Picture({ name, at, reason, mark, near }) {
  const { api } = useService();
  const [address, set] = useState(null);
  const [error, fail] = useState(null);
  const [isLarge, enlarge] = useState(false);
  useEffect(() => {
    fail(null);
    if (!reason) return undefined;
    const abort = new AbortController();
    let made = null;
    api.post(`${at}/evidence/${encodeURIComponent(name)}`,
      { body: { reason }, signal: abort.signal, read: 'blob' }).then((blob) => {
      if (abort.signal.aborted) return;
      made = URL.createObjectURL(blob);
      set(made);
    }, (fault) => { if (!abort.signal.aborted) fail(fault); });
    return () => {
      abort.abort();
      if (made) URL.revokeObjectURL(made);
      set(null);
    };
  }, [name, at, reason]);
  const title = nameOfPicture(name);
  return html`<figure class="evidence" id=${`picture-${name}`}><figcaption>${title}</figcaption>
    ${address ? html`<${Movable} address=${address} title=${title}
      mark=${mark} near=${near} onLarge=${() => enlarge(true)} />` : html`<div class="picture hidden-picture">
      <${Icon} name=${error ? 'warning' : 'lock'} /><span>${error
        ? t(error.kind === 'missing' ? 'review.noPicture' : `state.${error.kind}.title`)
        : t(reason ? 'state.loading' : 'review.hidden')}</span></div>`}
    ${isLarge && html`<${Dialog} title=${title} wide onClose=${() => enlarge(false)}>
      <div class="evidence large"><${Movable} address=${address} title=${title}
        mark=${mark} /></div><//>`}</figure>`;
}

// What was read of the document, asked for with the pictures; each value points to the
// place that it was read from, and leads there.
const UNTOLD = ['truncation'];
// What most codes have: named before somebody has said why they look.
const USUAL = ['kind', 'issuing_country', 'number', 'surname', 'given_names', 'date_of_birth',
  'date_of_expiry', 'date_of_issue'];
const MASK = '••••';

// The line of a machine-readable zone that has a field: those of its first and third line,
// all others are in the second. Barcodes have no lines.
const LINES = { mrz_td1: [['kind', 'issuing_country', 'number'], ['surname', 'given_names']],
  mrz_id_fra: [['kind', 'issuing_country', 'surname'], []] };
const USUAL_LINES = [['kind', 'issuing_country', 'surname', 'given_names'], []];

export function lineOf(source, field) {
  if (!/^mrz_/.test(source)) return null;
  const [first, third] = LINES[source] || USUAL_LINES;
  return first.includes(field) ? 1 : third.includes(field) ? 3 : 2;
}

// Where FIELD was read: "Front, MRZ line 2", "Back, PDF417 barcode".
function sourceOf(source, side, field) {
  const line = lineOf(source, field);
  return `${nameOfPicture(side)}, ${line ? t('bench.line', { n: line })
    : named(`bench.sources.${source}`, source)}`;
}

function Fields({ at, reason, names, onRead, onPoint, onLead }) {
  const { api } = useService();
  const [read, set] = useState(null);
  const [isNone, miss] = useState(false);
  const tell = (all) => {
    set(all);
    onRead(all);
  };
  useEffect(() => {
    if (!reason) return undefined;
    const abort = new AbortController();
    api.post(`${at}/fields`, { body: { reason }, signal: abort.signal })
      .then(tell, (fault) => miss(fault.kind === 'missing')); // nothing is stored
    return () => {
      abort.abort();
      tell(null);
      onLead(null);
    };
  }, [at, reason]);
  if (isNone) return null;
  if (!read)
    return html`<section class="read"><h3>${t('bench.fields')}</h3><dl class="facts">
      ${USUAL.map((name) => html`<dt>${t(`bench.field.${name}`)}</dt><dd class="muted">${MASK}
        </dd>`)}</dl></section>`;
  const side = names.includes(read.side) ? read.side : names[0];
  const pointed = (name) => read.places && read.places[name] && { side,
    corners: [0, 2, 4, 6].map((i) => read.places[name].slice(i, i + 2)) };
  const lead = (name) => {
    onLead(pointed(name));
    document.querySelector(`#picture-${side} .picture`).focus();
  };
  const shown = (name, value) => (name === 'kind' ? named(`bench.kinds.${value}`, value) : value);
  const print = read.print || {};
  const fields = Object.entries(read.fields || {}).filter(([name, value]) =>
    value && !UNTOLD.includes(name));
  const sources = new Set(fields.map(([name]) => sourceOf(read.source, side, name)));
  const where = (source) => html`<span class="where muted">${source}</span>`;
  return html`<section class="read"><h3>${t('bench.fields')}</h3>
    ${sources.size === 1 && html`<p>${where([...sources][0])}</p>`}<dl class="facts">
    ${fields.map(([name, value]) => html`<dt>${t(`bench.field.${name}`)}</dt>
      <dd onMouseEnter=${() => onPoint(pointed(name))} onMouseLeave=${() => onPoint(null)}>
        ${read.places && !read.places[name] ? shown(name, value) : html`<button type="button"
          class="as-link" onFocus=${() => onPoint(pointed(name))} onBlur=${() => onPoint(null)}
          onClick=${() => lead(name)}>${shown(name, value)}</button>`}
        ${sources.size > 1 && html` ${where(sourceOf(read.source, side, name))}`}
        ${print[name] === 'contradicted' ? html` <${Badge} kind="warn" icon="warning">
          ${t('bench.differs')}<//>` : print[name] === 'consistent' && html` <${Badge} kind="good"
          icon="check">${t('bench.agrees')}<//>`}</dd>`)}</dl></section>`;
}

// The pictures of NAMES below AT, for one of REASONS; who decides about them (isOwn)
// may look for that. ONREAD hears what was read of the document, null when it is masked.
export function Evidence({ names: given, at, reasons, isOwn, hasFields, onRead }) {
  const { may } = useService();
  const [reason, choose] = useState('');
  const [pointed, point] = useState(null); // while a value has the focus or the pointer
  const [led, lead] = useState(null); // what was pressed
  const on = (name, place) => (place && place.side === name ? place : null);
  const names = given.filter((name) => !UNSEEN.test(name)).sort((a, b) => place(a) - place(b)
    || a.localeCompare(b));
  if (!names.length)
    return html`<${Card} title=${t('review.evidence')}>
      <p class="muted">${t('review.noEvidence')}</p><//>`;
  if (!may('reviewer'))
    return html`<${Card} title=${t('review.evidence')}>
      <p class="muted">${t('review.notYours')}</p><//>`;
  return html`<section class="card desk"><header><h2>${t('review.evidence')}</h2>
    <${Select} label=${t('review.lookReason')} name="look" value=${reason} onChange=${choose}
      hint=${t(reason ? 'bench.pictureKeys' : isOwn ? 'review.lookHint' : 'review.claimFirst')}
      options=${[['', t('review.lookChoose')], ...reasons.filter((one) => one !== 'review'
        || isOwn).map((one) => [one, t(`review.looks.${one}`)])]} /></header>
    <div class=${`inside pictures of-${Math.min(names.length, 3)}`}>${names.map((name) => html`
      <${Picture} key=${name} name=${name} at=${at} reason=${reason} near=${on(name, led)}
        mark=${on(name, pointed || led)} />`)}
      ${hasFields && html`<${Fields} at=${at} reason=${reason} names=${names}
        onRead=${onRead} onPoint=${point} onLead=${lead} />`}</div></section>`;
}
