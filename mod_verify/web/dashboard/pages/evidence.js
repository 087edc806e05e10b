// Pictures of a person, behind a reason: one large with a strip of all, or all side by side,
// each to be moved, enlarged and turned by mouse, touch and keyboard. What was read of the
// document points into them.

import { html, t, Icon, named, useState, useEffect, useLayoutEffect, useRef,
  preference } from '../view.js';
import { useService } from '../operator.js';
import { useKey } from '../resource.js';
import { place as placeName, valueName } from '../format.js';
import { Badge, Button, Card, Dialog, Field, Print } from '../parts.js';
import { documentsOf } from './findings.js';

// Faces beside each other.
const ORDER = ['front', 'portrait', 'still', 'back'];
// Parts that are no pictures.
const UNSEEN = /^(chip|challenge|relay|relay_step|printed_zone|wallet_response|mdoc_portrait)$/;
const place = (name) => (ORDER.indexOf(name) + 1 || ORDER.length + 1);
export const nameOfPicture = (name) => named(`evidence.${name}`, name);

// The parts of NAMES that are pictures, in their order.
export const picturesOf = (names) => names.filter((name) => !UNSEEN.test(name)).sort((a, b) =>
  place(a) - place(b) || a.localeCompare(b));

// How somebody looks at a case: for which `reason`, what was `read` of the document, which
// picture is `shown`, and the place that is `pointed` to or was gone to (`led`). It ends with
// KEY, so that another claim asks for a reason again.
export function useLook(key) {
  const [look, set] = useState({});
  useLayoutEffect(() => () => set({}), [key]);
  return { reason: '', ...(look.key === key ? look : {}),
    change: (more) => set((now) => ({ ...(now.key === key ? now : { key }), ...more })) };
}

const NEAREST = 8;
const STEP = 1.25;
const FILLED = .8; // of the view by a place that is gone to
const PAN = 48; // pixels
const WHOLE = { scale: 1, x: 0, y: 0, turn: 0 };
const AT_SIGNS = { '+': STEP, '=': STEP, '-': 1 / STEP };
const MOVES = { ArrowLeft: [PAN, 0], ArrowRight: [-PAN, 0], ArrowUp: [0, PAN],
  ArrowDown: [0, -PAN] };
// Keys that need no focus on the picture; arrows scroll elsewhere while it is whole.
const ANYWHERE = [...Object.keys(AT_SIGNS), '0', 't'];

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
// as they are however near the picture is; the rest of the picture is darkened (ISALONE).
function Mark({ corners, size, view, style, isAlone }) {
  const points = corners.map(([x, y]) => `${x * size[0]},${y * size[1]}`).join(' ');
  return html`<svg class="mark" viewBox=${`0 0 ${size.join(' ')}`} aria-hidden="true"
    style=${style}>${isAlone && html`<path fill-rule="evenodd" d=${`M0 0H${size[0]}V${
    size[1]}H0ZM${points}Z`} />`}${[7, 3].map((width) => html`<polygon points=${points}
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

// A picture at ADDRESS that can be moved, if ISCURRENT by keys from anywhere. MARK is a place
// to point to, NEAR one to go to, each with its corners. The page's wheel and fingers move
// the page where the picture is whole.
function Movable({ address, title, mark, near, isCurrent, onLarge }) {
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
  useKey(isCurrent ? { ...Object.fromEntries([...ANYWHERE, ...(view.scale > 1
    ? Object.keys(MOVES) : [])].map((key) => [key, () => act(key)])), f: onLarge } : {});
  useEffect(() => { if (!onLarge) box.current.focus(); }, []); // of a dialog, which keys stay in
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
  // All of the picture while a place is pointed to, which may be out of view.
  const isAlone = mark !== near;
  const seen = mark && isAlone ? { ...WHOLE, turn: view.turn } : view;
  const style = { transform: `translate(${seen.x}px, ${seen.y}px) scale(${seen.scale
    * Math.min(1, fit)}) rotate(${seen.turn}deg)` };
  const tool = (key, sign, label, deed = () => act(key)) => html`<button type="button"
    class="button tool tiny" aria-label=${`${label}: ${title}`} title=${`${label} (${key})`}
    onClick=${deed}><${Icon} name=${sign} /></button>`;
  return html`<div class=${`picture movable ${view.scale > 1 ? 'moved' : ''}`} ref=${box}
    tabindex="0" role="group" aria-label=${t('bench.picture', { name: title })}
    onKeyDown=${press}><img src=${address} alt=${title} draggable=${false} style=${style}
      onLoad=${({ target }) => measure([target.naturalWidth, target.naturalHeight])} />
    ${mark && size && html`<${Mark} corners=${mark.corners} size=${size} view=${seen}
      style=${style} isAlone=${isAlone} />`}
    <div class="lens">${tool('+', 'plus', t('bench.nearer'))}${tool('-', 'minus', t('bench.farther'))}
      ${tool('0', 'whole', t('bench.whole'))}${tool('t', 'turn', t('bench.turn'))}
      ${onLarge && tool('f', 'large', t('bench.large'), onLarge)}</div></div>`;
}

// Pictures are asked for when somebody has said why, kept by this view alone, and gone with
// the reason or with the view: {name: {address} or {error}}.
function usePictures(names, at, reason) {
  const { api } = useService();
  const [all, set] = useState({});
  useEffect(() => {
    if (!reason) return undefined;
    const abort = new AbortController();
    const made = [];
    const tell = (name, of) => set((now) => ({ ...now, [name]: of }));
    for (const name of names)
      api.post(`${at}/evidence/${encodeURIComponent(name)}`, { body: { reason },
        signal: abort.signal, read: 'blob' }).then((blob) => {
        if (abort.signal.aborted) return;
        made.push(URL.createObjectURL(blob));
        tell(name, { address: made.at(-1) });
      }, (error) => { if (!abort.signal.aborted) tell(name, { error }); });
    return () => {
      abort.abort();
      made.forEach((one) => URL.revokeObjectURL(one));
      set({});
    };
  }, [names.join(), at, reason]);
  return all;
}

function Picture({ name, of, reason, mark, near, isCurrent, isHidden }) {
  const [isLarge, enlarge] = useState(false);
  const { address, error } = of;
  const title = nameOfPicture(name);
  useEffect(() => { if (!address) enlarge(false); }, [address]);
  return html`<figure class="evidence" id=${`picture-${name}`} hidden=${isHidden}><figcaption>
    ${title}</figcaption>${address ? html`<${Movable} address=${address} title=${title}
      mark=${mark} near=${near} isCurrent=${isCurrent} onLarge=${() => enlarge(true)} />` : html`<div class="picture hidden-picture">
      <${Icon} name=${error ? 'warning' : 'lock'} /><span>${error
        ? t(error.kind === 'missing' ? 'review.noPicture' : `state.${error.kind}.title`)
        : t(reason ? 'state.loading' : 'review.hidden')}</span></div>`}
    ${isLarge && address && html`<${Dialog} title=${title} wide onClose=${() => enlarge(false)}>
      <div class="evidence large"><${Movable} address=${address} title=${title}
        mark=${mark} near=${near} /></div><//>`}</figure>`;
}

// Which picture is large: each as its small self.
function Strip({ names, all, now, isBeside, onShow, onBeside }) {
  return html`<div class="strip" role="group" aria-label=${t('bench.pictures')}>${names.map((name, i) =>
    html`<button type="button" aria-pressed=${!isBeside && name === now ? 'true' : 'false'}
      onClick=${() => onShow(name)}><span class="thumb">${all[name] && all[name].address
        ? html`<img src=${all[name].address} alt="" />` : html`<${Icon} name="lock" />`}</span>
      <span>${nameOfPicture(name)} <kbd aria-hidden="true">${i + 1}</kbd></span></button>`)}
    <button type="button" class="beside" aria-pressed=${isBeside ? 'true' : 'false'}
      onClick=${onBeside}><${Icon} name="beside" /><span>${t('bench.beside')} <kbd aria-hidden="true">b</kbd></span></button></div>`;
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

// VALUE of the field NAME of FIELDS in words; undefined: it is as it is.
function inWords(name, value, fields) {
  if (name === 'kind') return named(`bench.kinds.${value}`, value);
  if (name === 'sex') return named(`bench.sexes.${value}`);
  if (name === 'issuing_country' || name === 'nationality') return placeName(value);
  return name === 'issuing_region'
    ? named(`regions.${fields.issuing_country}.${value}`) : undefined;
}

const sideOf = (read, names) => (names.includes(read.side) ? read.side : names[0]);

// Where FIELD of READ was read, with the pictures of NAMES.
export const placeOfField = (read, names, field) => (read.source
  ? sourceOf(read.source, sideOf(read, names), field) : valueName('methods', read.method));

const told = (fields) => Object.entries(fields).filter(([name, value]) => value
  && !UNTOLD.includes(name));

// The field NAME of FIELDS; AS makes more of its words.
function Row({ name, fields, onPoint, as = (words) => words, children }) {
  const value = fields[name];
  const words = inWords(name, value, fields);
  return html`<div onMouseEnter=${onPoint} onMouseLeave=${onPoint && (() => onPoint(null))}>
    <dt>${t(`bench.field.${name}`)}</dt><dd>${as(words || value)}${words && name !== 'kind'
    && html` <${Print} of=${value} />`}${children}</dd></div>`;
}

// What a chip or a wallet says; nothing of it is in a picture.
const Signed = ({ of: { fields, ages } }) => html`${told(fields).map(([name]) => html`
  <${Row} name=${name} fields=${fields} />`)}${Object.entries(ages || {}).map(([n, is]) => html`
  <div><dt>${t('bench.atLeast', { n })}</dt><dd>${t(is ? 'list.yes' : 'list.no')}</dd></div>`)}`;

// Of a photographed document; pointing to a value shows its place in the pictures of NAMES,
// choosing it goes there.
function Photographed({ of: read, names, look, sources }) {
  const side = sideOf(read, names);
  const pointed = (name) => (read.places && read.places[name] ? { side,
    corners: [0, 2, 4, 6].map((i) => read.places[name].slice(i, i + 2)) } : null);
  const point = (name) => look.change({ pointed: name && pointed(name) });
  const lead = (name) => {
    look.change({ led: pointed(name), pointed: null, shown: side });
    // Once it is shown, which another one may be until then.
    requestAnimationFrame(() => document.querySelector(`#picture-${side} .picture`).focus());
  };
  const print = read.print || {};
  return told(read.fields).map(([name]) => html`<${Row} name=${name} fields=${read.fields}
    onPoint=${(event) => point(event && name)}
    as=${(words) => (read.places && !read.places[name] ? words : html`<button type="button"
      class="as-link" title=${t('bench.goThere')} onFocus=${() => point(name)}
      onBlur=${() => point(null)} onClick=${() => lead(name)}>${words}<${Icon} name="search" /></button>`)}>
    ${sources.size > 1 && html` <span class="where muted">${placeOfField(read, names, name)}</span>`}
    ${print[name] === 'contradicted' ? html` <${Badge} kind="warn" icon="warning">
      ${t('bench.differs')}<//>` : print[name] === 'consistent' && html` <${Badge} kind="good"
      icon="check">${t('bench.agrees')}<//>`}<//>`);
}

// What was read below AT, of the document with the pictures of NAMES first. FORM asks for the
// reason where no pictures do, before what METHOD says.
export function Fields({ at, names, look, form, method }) {
  const { api } = useService();
  const { reason, read } = look;
  const [isNone, miss] = useState(false);
  useEffect(() => {
    if (!reason) return undefined;
    const abort = new AbortController();
    api.post(`${at}/fields`, { body: { reason }, signal: abort.signal })
      .then((all) => look.change({ read: all }),
        (fault) => miss(fault.kind === 'missing')); // nothing is stored
    return () => {
      abort.abort();
      look.change({ read: null, led: null, pointed: null });
    };
  }, [at, reason]);
  if (isNone && !form) return null;
  const [first, ...others] = read ? documentsOf(read) : [];
  const title = (one) => ((one ? one.source : !form) ? t('bench.fields')
    : valueName('methods', one ? one.method : method));
  const sources = new Set(first && first.source ? told(first.fields).map(([name]) =>
    placeOfField(first, names, name)) : []);
  return html`<section class="card read" tabindex="-1"><header><h2>${title(first)}</h2>${sources.size === 1
      && html`<span class="where muted">${[...sources][0]}</span>`}</header>${form}
    ${isNone ? html`<p class="inside muted">${t('session.nothingTold')}</p>` : (first || !form) && html`<dl
      class="facts inside">${!first ? USUAL.map((name) => html`<div>
      <dt>${t(`bench.field.${name}`)}</dt><dd class="muted">${MASK}</dd></div>`)
      : first.source ? html`<${Photographed} of=${first} names=${names} look=${look}
      sources=${sources} />` : html`<${Signed} of=${first} />`}</dl>`}
    ${others.map((one) => html`<details class="more inside"><summary>${title(one)}</summary>
      <dl class="facts"><${Signed} of=${one} /></dl></details>`)}</section>`;
}

// Why somebody looks, one of REASONS; who decides (ISOWN) may choose the decision. Each
// reason is recorded, so that one is chosen first and shown for by a button or Enter.
export function Reason({ look, reasons, isOwn, hint }) {
  const { reason } = look;
  const [chosen, choose] = useState(reason);
  const field = useRef();
  useEffect(() => choose(reason), [reason]);
  useKey({ v: () => field.current.focus() });
  const show = (event) => {
    event.preventDefault();
    if (chosen === reason) return;
    event.target.closest('section').focus(); // with keys for the picture
    look.change({ reason: chosen });
  };
  return html`<form class="look" onSubmit=${show} onKeyDown=${(event) => {
    if (event.key === 'Enter' && event.target === field.current) show(event);
  }}><${Field} label=${html`${t('review.lookReason')} <kbd aria-hidden="true">v</kbd>`}
    hint=${hint || t(isOwn ? 'review.lookHint' : 'review.claimFirst')}>${(of) => html`
    <div><select ...${of} ref=${field} name="look" required value=${isOwn || chosen !== 'review'
    ? chosen : ''}
      onChange=${({ target: { value } }) => {
      choose(value);
      if (!value) look.change({ reason: '' });
    }}>${['', ...reasons].filter((one) => one !== 'review' || isOwn).map((one) => html`
      <option key=${one} value=${one}>${t(one ? `review.looks.${one}` : 'review.lookChoose')}</option>`)}
      </select>${!(reason && chosen === reason) && html`
      <${Button} type="submit">${t('bench.show')}<//>`}</div>`}<//></form>`;
}

// The pictures of NAMES below AT, shown for one of REASONS; the reviewer who decides
// (isOwn) may also choose the decision as the reason. LOOK comes from useLook(). NOTE
// says which picture is missing, and why.
export function Evidence({ names: given, at, reasons, isOwn, look, note }) {
  const { may } = useService();
  const { reason, led, pointed } = look;
  const names = picturesOf(given);
  const isSeen = may('reviewer') && names.length > 0;
  const all = usePictures(names, at, isSeen && reason);
  const [isWide] = useState(() => matchMedia('(min-width: 100rem)').matches);
  const now = [pointed && pointed.side, look.shown].find((one) => names.includes(one)) || names[0];
  // A face belongs next to that of the document.
  const faces = names.filter((one) => one === 'front' || one === 'still');
  const together = look.isBeside || isWide ? names : faces;
  const isBeside = names.length > 1 && (look.isBeside
    ?? (together.length > 1 && together.includes(now)));
  const show = (name) => look.change({ shown: name, isBeside: false });
  const beside = () => look.change({ isBeside: !isBeside });
  useKey(isSeen && names.length > 1 ? { b: beside, ...Object.fromEntries(names.map((name, i) =>
    [i + 1, () => show(name)])) } : {});
  if (!isSeen)
    return html`<${Card} title=${t('review.evidence')}>
      <p class="muted">${t(names.length ? 'review.notYours' : 'review.noEvidence')}</p><//>`;
  const on = (name, place) => (place && place.side === name ? place : null);
  return html`<section class="card desk" tabindex="-1"><header><h2>${t('review.evidence')}</h2>
    <${Reason} look=${look} reasons=${reasons} isOwn=${isOwn} hint=${reason && html`
      <span class="for-keys">${t('bench.pictureKeys')}</span>`} /></header>
    <div class="inside"><div class=${`pictures ${isBeside ? `of-${together.length}` : ''}`}>
      ${names.map((name) => html`<${Picture} key=${name} name=${name} of=${all[name] || {}}
        reason=${reason} near=${on(name, led)} mark=${on(name, pointed || led)}
        isCurrent=${name === now} isHidden=${isBeside ? !together.includes(name) : name !== now} />`)}</div>
    ${names.length > 1 && html`<${Strip} names=${names} all=${all} now=${now} isBeside=${isBeside}
      onShow=${show} onBeside=${beside} />`}${note && html`<p class="muted small">${note}</p>`}
    </div></section>`;
}
