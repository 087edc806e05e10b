// What pages are made of. t/browser/design/page.js shows each part in its states.

import { html, t, named, Icon, Fragment, useState, useEffect, useLayoutEffect, useRef, useId,
  usePreferences, preference, announce, language } from './view.js';
import { useCodes } from './resource.js';
import { changed, go, to } from './address.js';
import { dateTime, day, eventName, midnight, place, shortTime, relative, valueName } from './format.js';

// --- texts that stand out, and states ---

export function Note({ kind = '', title, children }) {
  const icon = { good: 'check', bad: 'warning', warn: 'warning' }[kind] || 'info';
  return html`<div class=${`note ${kind}`}><${Icon} name=${icon} />
    <div>${title && html`<strong>${title}</strong>`}${children}</div></div>`;
}

export function State({ icon = 'empty', title, children, live }) {
  return html`<div class="state" role=${live || null}><${Icon} name=${icon} />
    <strong>${title}</strong>${children}</div>`;
}

export function Loading({ lines = 6 }) {
  return html`<div class="skeleton" role="status">
    <span class="visually-hidden">${t('state.loading')}</span>
    ${Array.from({ length: lines }, () => html`<i></i>`)}</div>`;
}

// What forms call the parameters whose faults they do not show at a field.
const LABELS = { name: 'settings.name', label: 'apiKeys.label', amount: 'usage.amount',
  note: 'usage.note', certificates: 'trustLists.pem', from: 'simulation.days', to: 'simulation.days',
  since: 'list.from', until: 'list.until', assignee: 'bench.assignee', text: 'bench.addNote',
  search: 'sessions.search', jurisdiction: 'compliance.place' };

// What the service says of a FAULT: its sentence, with NAME instead of the parameter; in
// another language words for the code, or OTHERWISE, with its sentence as small print.
export function Said({ of: { code, param, message, requestId }, name, otherwise }) {
  const isEnglish = language() === 'en';
  const codes = useCodes(!isEnglish);
  const predicate = param && message.startsWith(`${param} `) && message.slice(param.length + 1);
  const called = (text) => (name ? t('state.named', { name, text }) : text);
  if (isEnglish || !requestId) {
    const said = called(predicate || '');
    return predicate ? said[0].toUpperCase() + said.slice(1) : message || otherwise;
  }
  const words = param ? called(t('state.unfit'))
    : codes('ErrorCode', code).meaning;
  return html`${words || otherwise}${message && (param || !words) && html` <span
    class="print" lang="en">${message}</span>`}`;
}

// What the service refused or could not do, with what one can do about it.
export function Failure({ error, retry }) {
  const kind = error.kind || 'failed';
  return html`<${State} icon=${kind === 'noRight' ? 'lock'
    : kind === 'missing' ? 'search' : 'warning'} title=${t(`state.${kind}.title`)}
    live="alert">
    <p>${t(`state.${kind}.text`)}</p>
    ${error.message && !['offline', 'missing'].includes(kind) && html`<p class="small">
      <${Said} of=${error} /></p>`}
    ${error.requestId && html`<p class="small">${t('state.request')}${' '}
      <${Copyable} text=${error.requestId} /></p>`}
    <div class="actions">${kind === 'login' ? html`<a class="button primary"
      href=${location.href}>${t('state.login.again')}</a>`
      : retry && html`<button type="button" class="button secondary"
        onClick=${retry}>${t('state.retry')}</button>`}</div><//>`;
}

// What RESOURCE has, by CHILDREN(data); before, that it comes, or that it does not.
export function Loaded({ resource, lines, children }) {
  if (resource.data) {
    return html`<${Fragment}>
      ${resource.error && html`<${Note} kind="warn" title=${t('state.stale')}>
        <button type="button" class="button secondary tiny"
          onClick=${resource.reload}>${t('state.retry')}</button><//>`}
      ${children(resource.data)}<//>`;
  }
  if (resource.error)
    return html`<${Failure} error=${resource.error} retry=${resource.reload} />`;
  return html`<${Loading} lines=${lines} />`;
}

// Why a deed was not done; nothing where it was.
export function Fault({ fault }) {
  if (!fault) return null;
  const label = LABELS[fault.param];
  return html`<div role="alert"><${Note} kind="bad"
    title=${t(`state.${fault.kind || 'failed'}.title`)}>
    <p><${Said} of=${fault} name=${label ? t(label) : fault.param}
      otherwise=${t(`state.${fault.kind || 'failed'}.text`)} /></p>
    ${fault.kind === 'login' && html`<p><a class="button secondary" href=${location.href}>
      ${t('state.login.again')}</a></p>`}
    ${fault.requestId && html`<p class="small code">${fault.requestId}</p>`}<//></div>`;
}

// --- small things ---

export function Badge({ kind = '', icon, children }) {
  return html`<span class=${`badge ${kind} ${icon ? '' : 'plain'}`}>
    ${icon && html`<${Icon} name=${icon} />`}${children}</span>`;
}

export const STATUSES = {
  created: ['', 'clock'], pending: ['accent', 'clock'],
  processing: ['accent', 'clock'], requires_input: ['accent', 'clock'],
  under_review: ['warn', 'reviews'], verified: ['good', 'check'],
  failed: ['bad', 'cross'], cancelled: ['', 'minus'], expired: ['', 'clock'],
  delivered: ['good', 'check'], enabled: ['good', 'check'],
  disabled: ['', 'minus'], active: ['good', 'check'], revoked: ['', 'minus'],
  passed: ['good', 'check'], undetermined: ['warn', 'help'],
  unreadable: ['warn', 'help'], low: ['good', 'check'],
  medium: ['warn', 'warning'], high: ['bad', 'warning'],
  open: ['warn', 'reviews'], approved: ['good', 'check'],
  rejected: ['bad', 'cross'], escalated: ['warn', 'warning'],
  requested: ['warn', 'clock'], erased: ['bad', 'check'], published: ['good', 'check'], draft: ['accent', 'clock'],
  running: ['accent', 'clock'], finished: ['good', 'check'], limited: ['warn', 'warning'],
};

export function Status({ of }) {
  const [kind, icon] = STATUSES[of] || ['', null];
  return html`<${Badge} kind=${kind} icon=${icon}>${t(`status.${of}`)}<//>`;
}

// Passed, failed or neither, as a sign beside its text.
export function Verdict({ of }) {
  const [kind, icon] = STATUSES[of] || ['', 'minus'];
  return html`<span class=${`verdict ${kind}`}><${Icon} name=${icon} />
    <span class="visually-hidden">${t(`status.${of}`)}</span></span>`;
}

// SECONDS in the chosen zone; `long` with how long ago.
export function Time({ at, long }) {
  usePreferences();
  if (!at) return html`<span class="muted">–</span>`;
  const iso = new Date(at * 1000).toISOString().replace('.000Z', 'Z');
  return html`<time datetime=${iso} title=${`${iso} · ${relative(at)}`}>
    ${long ? html`${dateTime(at)} <span class="muted">(${relative(at)})</span>`
      : shortTime(at)}</time>`;
}

export function Copyable({ text, children, label }) {
  const [done, set] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return; // not allowed here: the text can be selected
    }
    set(true);
    announce(t('parts.copied'));
    setTimeout(() => set(false), 1500);
  };
  return html`<span class="id">${children || html`<span class="code">${text}</span>`}
    <button type="button" class="button tool tiny" onClick=${copy}
      aria-label=${label || t('parts.copy')} title=${t('parts.copy')}>
      <${Icon} name=${done ? 'check' : 'copy'} /></button></span>`;
}

// A code, next to its words; in little room it goes on below after a dot.
export const Print = ({ of }) => html`<span class="print"><${Copyable} text=${of}
  label=${`${t('parts.copy')}: ${of}`}><span class="code">${String(of ?? '').split(/(?<=\.)/).map((word) =>
    html`${word}<wbr />`)}</span><//></span>`;

// A value of LIST in words, with itself as small print.
export const Named = ({ list, of }) => html`${valueName(list, of)} <${Print} of=${of} />`;

// The place CODE in words, as those; nothing without one.
export const placed = (code) => code && html`${place(code)} <${Print} of=${code} />`;

// A rule that gives roles: ROLE ORGANIZATION|* PROVIDER VALUE.
export function Rule({ of }) {
  const [, where, provider, name] = /^\S+ (\S+) (\S+) ?(.*)$/s.exec(of) || [];
  return html`${provider && `${t('team.rule', { where: t(where === '*' ? 'team.everywhere'
    : 'team.here'), who: named(`team.rules.${provider}`, '') ? t(`team.rules.${provider}`,
    { name }) : `${provider} ${name}` })} `}<${Print} of=${of} />`;
}

// An event's type in words, as the link to TO if there is one.
export function EventType({ of, to: address }) {
  return html`<span class="badges">${address ? html`<a class="row" href=${address}>
    ${eventName(of)}</a>` : html`<span>${eventName(of)}</span>`}<${Print} of=${of} /></span>`;
}

// Where the object of an id is shown, by the prefix of the id.
const PLACES = { vks: 'session', evt: 'event', we: 'endpoint', rsk: 'risk',
  trg: 'trust_reuse', wf: 'workflow', wfd: 'draft', sim: 'simulation',
  tls: 'trust_list', vp: 'person',
  srv: 'second_review', oic: 'oidc_client' };

export function placeOf(id, more = {}) {
  const page = PLACES[String(id).split('_')[0]];
  return page ? to(page, { id, ...more }) : null;
}

// An id as the link to what it names; `short` shows only its end. The id of an
// example has only zeros, and no link.
export function Id({ of, short, more }) {
  if (!of) return html`<span class="muted">–</span>`;
  const address = !/_0+$/.test(of) && placeOf(of, more);
  const text = short ? `…${of.slice(-6)}` : of;
  const label = html`<span class="code" title=${of}>${text}</span>`;
  const shown = address ? html`<a href=${address} class="code" title=${of}>${text}</a>`
    : label;
  return short ? shown : html`<${Copyable} text=${of}>${shown}<//>`;
}

export function Json({ value, label }) {
  const text = JSON.stringify(value, null, 2) || '';
  const parts = text.split(/("(?:[^"\\]|\\.)*"(?:\s*:)?|\b(?:true|false|null)\b)/);
  return html`<div class="code-box has-copy json"><pre tabindex="0"
    aria-label=${label || 'JSON'}>${parts.map((part, i) => (i % 2
      ? html`<span class=${part.endsWith(':') ? 'key'
        : part.startsWith('"') ? 'text' : 'word'}>${part}</span>` : part))}</pre>
    <${CopyButton} text=${text} /></div>`;
}

export function Code({ text, label }) {
  return html`<div class="code-box has-copy"><pre tabindex="0"
    aria-label=${label || t('parts.code')}>${text}</pre>
    <${CopyButton} text=${text} /></div>`;
}

function CopyButton({ text }) {
  return html`<${Copyable} text=${text}><span></span><//>`;
}

// Name and value of what is there: [[name, value], …]; without a value it is left
// out.
export function Facts({ of }) {
  return html`<dl class="facts">${of.filter(([, value]) => value || value === 0).map(([name, value]) => html`
      <dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

export function Card({ title, tools, children, flush }) {
  return html`<section class="card">
    ${title && html`<header><h2>${title}</h2>${tools}</header>`}
    ${flush ? children : html`<div class="inside">${children}</div>`}</section>`;
}

// The heading of a page takes the focus when one comes to it.
export function Head({ title, badge, children, actions, crumbs }) {
  const heading = useRef();
  useEffect(() => {
    document.title = `${title} – ${t('shell.brand')}`;
  }, [title]);
  return html`<div class="head"><div>
    ${crumbs && html`<nav aria-label=${t('parts.crumbs')}><ol class="crumbs">
      ${crumbs.map(([label, address]) => html`<li><a href=${address}>${label}</a></li>`)}
    </ol></nav>`}
    <div class="title"><h1 tabindex="-1" ref=${heading}>${title}</h1>${badge}</div>
    ${children && html`<p>${children}</p>`}</div>
    ${actions && html`<div class="actions">${actions}</div>`}</div>`;
}

export function Button({ kind = 'secondary', icon, busy, disabled, onClick, children,
  type = 'button' }) {
  return html`<button type=${type} class=${`button ${kind}`} onClick=${onClick}
    disabled=${disabled} aria-busy=${busy ? 'true' : null}>
    ${icon && html`<${Icon} name=${icon} />`}<span>${children}</span></button>`;
}

// --- lists ---

// A workflow's version as people call it.
export function nameOf(version) {
  return t('workflows.version', { number: version.number });
}

// Views of one page: [[name, text], …], of which NOW is shown.
export function Tabs({ names, now }) {
  return html`<nav class="tabs" aria-label=${t('parts.views')}>${names.map(([name, text]) =>
    html`<a href=${changed({ tab: name, after: '', before: '' })} aria-current=${now === name ? 'page' : null}>
    ${text}</a>`)}</nav>`;
}

// COLUMNS: {title, cell(row), class}; `at(row)` is the address of a row, which a
// click anywhere in it opens. `label` names the table.
export function Table({ columns, rows, at, label }) {
  const open = (event, row) => {
    if (event.target.closest('a, button, input, label, summary')
      || String(getSelection())) return;
    const address = at(row);
    if (event.metaKey || event.ctrlKey) window.open(address, '_blank', 'noopener');
    else go(address);
  };
  return html`<div class="table"><table><caption class="visually-hidden">${label}
    </caption><thead><tr>${columns.map((column) => html`
      <th scope="col" class=${column.class}>${column.title}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr key=${row.id} class=${at ? 'opens' : null}
      onClick=${at ? (event) => open(event, row) : null}>${columns.map((column) => html`
        <td class=${column.class}>${column.cell(row)}</td>`)}</tr>`)}</tbody></table></div>`;
}

// The ways to the newer and older rows of a list of the API.
export function Pager({ list, state }) {
  const rows = list.data;
  const isBack = !!state.before;
  const older = isBack ? true : list.has_more;
  const newer = isBack ? list.has_more : !!state.after;
  if (!rows.length || (!older && !newer)) return null;
  const first = rows[0].id;
  const last = rows[rows.length - 1].id;
  return html`<nav class="pager" aria-label=${t('list.pages')}>
    <a class="button secondary" aria-disabled=${newer ? null : 'true'}
      href=${newer ? changed({ before: first, after: '' }) : null}>
      <${Icon} name="left" /><span>${t('list.newer')}</span></a>
    ${(state.after || state.before) && html`<a class="button quiet"
      href=${changed({ before: '', after: '' })}>${t('list.newest')}</a>`}
    <a class="button secondary" aria-disabled=${older ? null : 'true'}
      href=${older ? changed({ after: last, before: '' }) : null}>
      <span>${t('list.older')}</span><${Icon} name="right" /></a></nav>`;
}

// The page of an object that has not come yet, or does not. No component of its own, so
// that the heading stays, with the focus, when the object comes.
export function awaited(title, crumbs, resource, lines) {
  return html`<${Head} title=${title} crumbs=${crumbs} /><${Card} flush><${Loaded}
    resource=${resource} lines=${lines}>${() => null}<//><//>`;
}

// A list of the API in its states: its rows by CHILDREN(rows), or what EMPTY says.
export function List({ title, resource, state, empty, children }) {
  return html`<${Card} title=${title} flush><${Loaded} resource=${resource}>${(list) => (
    list.data.length ? html`${children(list.data)}<${Pager} list=${list} state=${state} />`
      : empty)}<//><//>`;
}

// The column of the time that a row has as NAME.
export const timeColumn = (title, name = 'created', kind = '') => ({ title,
  class: `time ${kind}`, cell: (row) => html`<${Time} at=${row[name]} />` });

// How many LIST has, as far as it was asked for: "7", "25+", or nothing for none.
export function amount(list) {
  return list.data.length ? `${list.data.length}${list.has_more ? '+' : ''}` : '';
}

// What a list asks the API for by the state of the address.
export function pageOf(state, limit = 25) {
  return { limit, starting_after: state.after, ending_before: state.before };
}

// --- fields ---

// FAULT: a text, or what the service refused.

export function Field({ label, hint, fault, children, search }) {
  const id = useId();
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean)
    .join(' ') || null;
  return html`<div class=${`field ${search ? 'search' : ''}`}>
    <label for=${id}>${label}</label>
    ${children({ id, 'aria-describedby': described,
      'aria-invalid': fault ? 'true' : null })}
    ${hint && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
    ${fault && html`<p class="fault" id=${`${id}-fault`} role=${fault.message && 'alert'}>${fault.message
    ? html`<${Said} of=${fault} />` : fault}</p>`}</div>`;
}

function optionsOf(options) {
  return options.map(([one, text]) => (Array.isArray(text)
    ? html`<optgroup key=${one} label=${one}>${optionsOf(text)}</optgroup>`
    : html`<option key=${one} value=${one}>${text}</option>`));
}

// A choice of one of OPTIONS, [[value, name], …], or of groups [[name, options], …].
export function Select({ label, hint, fault, value, options, onChange, ...more }) {
  return html`<${Field} label=${label} hint=${hint} fault=${fault}>
    ${(field) => html`<select ...${field}
    ...${more} value=${value} onChange=${onChange && ((event) =>
    onChange(event.target.value))}>${optionsOf(options)}</select>`}<//>`;
}

export function Choice({ label, hint, checked, onChange, name, type = 'checkbox',
  disabled }) {
  return html`<label class="choice"><input type=${type} name=${name}
    checked=${checked} disabled=${disabled}
    onChange=${(event) => onChange(event.target.checked)} /><span>${label}
    ${hint && html`<span>${hint}</span>`}</span></label>`;
}

// A filter of the address: [[value, name], …], the empty value is all.
// `more`: what else of the address changes with it.
// ANY: what the first entry is called, which takes the filter away.
export function Filter({ label, name, state, options, more, any }) {
  return html`<${Select} label=${label} value=${state[name] || ''}
    options=${[['', any || t('list.all')], ...options]} onChange=${(value) => go(changed({
      ...more, [name]: value, after: '', before: '' }))} />`;
}

// Text that filters; it is in the address once it is finished, with what `more` says.
export function Search({ label, name, state, hint, more }) {
  const [text, set] = useState(state[name] || '');
  useLayoutEffect(() => set(state[name] || ''), [state[name]]);
  const submit = (event) => {
    event.preventDefault();
    go(changed({ ...more, [name]: event.target.elements[0].value.trim(), after: '',
      before: '' }));
  };
  return html`<${Field} label=${label} search hint=${hint}>${(field) => html`
    <form class="search-box" role="search" onSubmit=${submit}><${Icon} name="search" />
    <input ...${field} type="search" value=${text} data-search autocomplete="off"
      enterkeyhint="search" onInput=${(event) => {
        set(event.target.value);
        if (!event.target.value && state[name])
          go(changed({ [name]: '', after: '', before: '' }));
      }} /><kbd class="only-wide" aria-hidden="true">s</kbd></form>`}<//>`;
}

// From when until when, as the address has it: UTC to the minute, so that it means
// the same to whom it is sent. The fields show the browser's zone, or UTC: whole days, or
// minutes (EXACT).
const MINUTES = 16;

function shift(text, sign) {
  const time = Date.parse(`${text}Z`);
  if (Number.isNaN(time)) return '';
  const offset = preference('zone') === 'utc' ? 0
    : new Date(time).getTimezoneOffset() * 60000;
  return new Date(time + sign * offset).toISOString().slice(0, MINUTES);
}

const secondsOf = (text) => (text && Date.parse(`${text}Z`) / 1000) || '';

// Spans that end now, by the days before today with which they begin: a filter that is
// saved means the same on every day.
const SPANS = { today: 0, week: 6, month: 29 };
const SPAN = ['within', 'from', 'until'];

// What the API is asked for by them.
export function spanOf({ within, from, until }) {
  if (Object.hasOwn(SPANS, within))
    return { created_gte: midnight() - SPANS[within] * 86400 };
  return { created_gte: secondsOf(from), created_lt: secondsOf(until) };
}

// The day of TEXT, LATER by so many milliseconds.
const dayOf = (text, later) => (text ? new Date(Date.parse(`${shift(text, -1)}Z`) + later)
  .toISOString().slice(0, 10) : '');
// Of the last day, the address has the end.
const MINUTE = 60000;
const DAY = 86400000;

export function Span({ state, exact }) {
  usePreferences();
  return [['from', 'list.from', 0], ['until', 'list.until', 1]].map(([name, label, ends]) => html`<${Field}
    label=${t(label)}>${(field) => html`<input ...${field} type=${exact ? 'datetime-local' : 'date'}
      value=${exact ? state[name] && shift(state[name], -1) : dayOf(state[name], -ends * MINUTE)}
      onChange=${({ target }) => go(changed({ [name]: shift(exact ? target.value
    : target.value && new Date(Date.parse(target.value) + ends * DAY).toISOString().slice(0, MINUTES), 1),
        after: '', before: '' }))} />`}<//>`);
}

// The same as a filter: one of the spans, or times.
export function Within({ state }) {
  const isChosen = state.within === 'chosen' || state.from || state.until;
  return html`<${Select} label=${t('list.created')} value=${Object.hasOwn(SPANS, state.within)
    ? state.within : (isChosen && 'chosen') || ''} onChange=${(within) => go(changed({ within,
      from: '', until: '', after: '', before: '' }))} options=${[['', t('list.all')],
      ...[...Object.keys(SPANS), 'chosen'].map((one) => [one, t(`list.spans.${one}`)])]} />
    ${isChosen && html`<${Span} state=${state} />`}`;
}

function textOfSpan({ within, from, until }) {
  if (Object.hasOwn(SPANS, within)) return t(`list.spans.${within}`);
  return [['list.since', from, 0], ['list.till', until, -MINUTE]].filter(([, text]) =>
    secondsOf(text)).map(([key, text, later]) => t(key, { time: day(dayOf(text, later)) })).join(' ');
}

// The fields that filter a list; FIRST stays where there is no room for all. What is set
// is said below, where it can be taken away: [[name in the address, label, text], …].
export function Filters({ state, first, set, children }) {
  const [isOpen, open] = useState(false);
  const active = [...set.map(([name, label, text]) => [[name], label, text]),
    [SPAN, t('list.created'), textOfSpan(state)]].filter(([[name, ...more], , text]) =>
    text && [name, ...more].some((one) => state[one]));
  const without = (names) => changed(Object.fromEntries([...names, 'after', 'before']
    .map((name) => [name, ''])));
  return html`<div class="filters">${first}
      <button type="button" class="button secondary unfold" onClick=${() => open(!isOpen)}
      aria-expanded=${isOpen ? 'true' : 'false'}><${Icon} name="settings" />
      <span>${t('list.filters')}</span>${active.length > 0 && html`<${Badge} kind="accent">
      ${active.length}<//>`}</button>
      <div class=${isOpen ? 'folded open' : 'folded'}>${children}</div></div>
    ${active.length > 0 && html`<ul class="badges set" role="list" aria-label=${
  t('list.active')}>${active.map(([names, label, text]) => html`<li
      class="badge accent plain" key=${names[0]}><span>${label}: ${text}</span><a
      class="button tool tiny" href=${without(names)} aria-label=${t('list.remove',
        { name: label })}><${Icon} name="cross" /></a></li>`)}
      <li><a class="button quiet tiny" href=${without(active.flatMap(([names]) => names))}>
      ${t('list.unfilter')}</a></li></ul>`}`;
}

// --- dialogs ---

// A modal dialog while it is in the page; afterwards the focus is where it was. A click
// beside it closes nothing, since what was typed would be gone; without ONCLOSE Escape
// does not either.
export function Dialog({ title, onClose, children, wide }) {
  const dialog = useRef();
  const id = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    element.showModal();
    const field = element.querySelector('input, select, textarea');
    if (field) field.focus(); // rather than what closes it
    return () => {
      element.close();
      before.focus();
    };
  }, []);
  return html`<dialog ref=${dialog} class=${wide ? 'wide' : null} aria-labelledby=${id}
    onKeyDown=${(event) => {
    // Escape twice would close it without asking.
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (onClose) onClose();
  }} onCancel=${(event) => {
    event.preventDefault();
    if (onClose) onClose();
  }}>
    <div class="dialog"><header><h2 id=${id}>${title}</h2>
      ${onClose && html`<button type="button" class="button tool" onClick=${onClose}
        aria-label=${t('parts.close')}><${Icon} name="cross" /></button>`}</header>
      ${children}</div></dialog>`;
}

// Fields or a question before DEED, which closes the dialog when it is done. `fault`:
// what is not said at a field. `stays`: it is not left while a deed is under way that
// nobody can take back.
export function FormDialog({ title, children, yes = t('parts.save'), kind = 'primary', deed,
  fault = deed.fault, disabled, stays, onClose }) {
  useEffect(() => deed.drop, []);
  const ask = async (event) => {
    event.preventDefault();
    if (await deed.run()) onClose();
  };
  const leave = () => (stays && deed.busy) || onClose();
  return html`<${Dialog} title=${title} onClose=${leave}>
    <form class="fields" onSubmit=${ask}>${children}
    <div class="actions"><${Fault} fault=${fault} /><${Button} kind="quiet" disabled=${stays && deed.busy}
      onClick=${leave}>
      ${t('parts.cancel')}<//><${Button} kind=${kind} type="submit" busy=${deed.busy}
      disabled=${disabled}>${yes}<//></div></form><//>`;
}

// A question before a deed that cannot be taken back.
export function Question({ children, kind = 'danger', ...more }) {
  return html`<${FormDialog} kind=${kind} ...${more}><div>${children}</div><//>`;
}

// A secret is told once, until somebody says that it is copied.
export function Secret({ title, text, of, onClose }) {
  return html`<${Dialog} title=${title}>
    <${Note} kind="warn" title=${t('endpoints.secretOnce')}><p>${text}</p><//>
    <${Code} text=${of} label=${title} />
    <div class="actions"><${Button} kind="primary" onClick=${onClose}>
      ${t('endpoints.secretKept')}<//></div><//>`;
}
