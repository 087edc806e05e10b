// Sessions: the list, and one with its results, its law and its events.

import { html, t, named, useEffect, useRef, useState, Icon } from '../view.js';
import { to, useAddress } from '../address.js';
import { useResource, useDeed, useCodes, useGet } from '../resource.js';
import { useService } from '../operator.js';
import { Graph, exitNames, gistOf } from '../graph.js';
import { day, place, valueName } from '../format.js';
import { awaited, Badge, Button, Card, Code, Copyable, EventType, Facts, Fault, Field, Filter,
  Filters, FormDialog, Head, Id, Json, List, Loaded, Note, Print, Question, Search, State, Status,
  Table, Time, Within, placed, timeColumn, pageOf, spanOf } from '../parts.js';
import { decisionOf, FoundBy } from './findings.js';

const STATUSES = { open: ['created', 'pending', 'processing', 'requires_input',
  'under_review'], ended: ['verified', 'failed', 'cancelled', 'expired'] };
const RISKS = ['clear', 'review', 'block', 'bot'];

export function Methods({ of }) {
  return html`<span class="badges">${of.map((method) => html`<${Badge}>
    ${valueName('methods', method)}<//>`)}</span>`;
}

// What people call a workflow, by its id.
export function useWorkflows() {
  const { data } = useGet('workflows', { limit: 100 });
  const names = new Map(data ? data.data.map((one) => [one.id, one.name]) : []);
  return { list: data ? data.data : [], isLoaded: !!data, nameOf: (id) => names.get(id)
    || (id ? `…${id.slice(-6)}` : '') };
}

// The rows of a list of sessions, wherever it stands. With WORKFLOWS: the names of theirs.
export function SessionTable({ rows, workflows }) {
  return html`<${Table} label=${t('ways.sessions')} rows=${rows}
    at=${(row) => to('session', { id: row.id })} columns=${[
      { title: t('sessions.session'), cell: (row) => html`<a class="row code"
        href=${to('session', { id: row.id })} title=${row.id}>…${row.id.slice(-8)}</a>
        ${row.client_reference_id && html`<div class="phone muted small cut">
          ${row.client_reference_id}</div>`}` },
      { title: t('sessions.status'), cell: (row) => html`<${Status} of=${row.status} />` },
      { title: t('sessions.reference'), class: 'elastic p2', cell: (row) =>
        html`<div class="cut">${row.client_reference_id
          || html`<span class="muted">–</span>`}</div>` },
      ...(workflows ? [{ title: t('workflows.workflow'), class: 'elastic p2', cell: (row) => html`
        <div class="cut" title=${row.workflow_id}>${workflows.nameOf(row.workflow_id)}</div>` }]
        : []),
      { title: t('sessions.type'), class: 'p4', cell: (row) =>
        valueName('types', row.type) },
      { title: t('sessions.jurisdiction'), class: 'p3', cell: (row) =>
        html`<div class="cut">${place(row.jurisdiction)
          || html`<span class="muted">–</span>`}</div>` },
      { title: t('sessions.methods'), class: 'elastic p3', cell: (row) => {
        const [first, ...others] = row.methods.map((one) => valueName('methods', one));
        const all = [first, ...others].join(', ');
        return html`<div class="cut" title=${all}><span class="brief">${first}${others.length > 0
          && ` +${others.length}`}</span><span class="full">${all}</span></div>`;
      } },
      timeColumn(t('sessions.created')),
    ]} />`;
}

// --- filters that are kept in this browser ---

const FILTERS = ['search', 'status', 'risk_tier', 'workflow', 'reference', 'within', 'from',
  'until'];
const keptAt = (organization) => `idv-dashboard-filters-${organization.id}`;

function kept(organization) {
  try {
    const found = JSON.parse(localStorage.getItem(keptAt(organization)));
    return Array.isArray(found) ? found : [];
  } catch {
    return []; // switched off, or not ours
  }
}

function KeptFilters({ now }) {
  const { organization } = useService();
  const [list, set] = useState(() => kept(organization));
  const [name, write] = useState(null);
  const keep = (next) => {
    set(next);
    localStorage.setItem(keptAt(organization), JSON.stringify(next));
  };
  const save = useDeed(async () => keep([...list.filter((one) => one.name !== name),
    { name: name.trim(), filters: now }]));
  const isNow = (one) => FILTERS.every((field) => (one.filters[field] || '')
    === (now[field] || ''));
  return html`<div class="badges kept"><span class="small muted">${t('sessions.kept')}${
    !list.length && !Object.values(now).some(Boolean) && ` ${t('sessions.noneKept')}`}</span>
    ${list.map((one) => html`<span
      class=${`badge plain ${isNow(one) ? 'accent' : ''}`}>${isNow(one) && html`<${Icon}
      name="check" />`}<a
      href=${to('sessions', one.filters)} aria-current=${isNow(one) ? 'true' : null}>
      ${one.name}</a><button type="button"
      class="button tool tiny" aria-label=${t('sessions.forget', { name: one.name })}
      onClick=${() => keep(list.filter((other) => other !== one))}><${Icon}
      name="cross" /></button></span>`)}
    ${Object.values(now).some(Boolean) && !list.some(isNow) && html`<${Button} kind="quiet" icon="plus"
      onClick=${() => write('')}>${t('sessions.keep')}<//>`}
    ${name !== null && html`<${FormDialog} title=${t('sessions.keep')} deed=${save}
      disabled=${!name.trim()} onClose=${() => write(null)}><${Field}
      label=${t('sessions.keptName')} hint=${t('sessions.keptHint')}>${(field) => html`
      <input ...${field} required maxlength="40" value=${name}
      onInput=${(event) => write(event.target.value)} />`}<//><//>`}</div>`;
}

// --- as a table for other programs ---

const MOST_EXPORTED = 2000;
const COLUMNS = { id: 'id', status: 'status', type: 'type', reference: 'client_reference_id',
  workflow: 'workflow_id', workflow_name: 'workflow_name', jurisdiction: 'jurisdiction',
  methods: 'methods', created: 'created', completed_at: 'completed_at' };
const TIMES = ['created', 'completed_at'];

// A spreadsheet takes a text that begins like a formula for one. Where its language separates
// cells by semicolons, it does not see our quotes: a cell then begins after each of these.
const FORMULA = /(^|[;\t\r\x0a])([\s\x22]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

function cellOf(value) {
  return `"${String(value ?? '').replace(FORMULA, "$1$2'").replaceAll('"', '""')}"`;
}

export function csvOf(rows) {
  return [Object.keys(COLUMNS), ...rows.map((row) => Object.values(COLUMNS).map((name) =>
    (TIMES.includes(name) ? row[name] && new Date(row[name] * 1000).toISOString()
      : row[name])))].map((line) => line.map(cellOf).join(',')).join('\n');
}

function Export({ query, workflows }) {
  const { api } = useService();
  const [isCut, tell] = useState(false);
  const run = useDeed(async () => {
    const rows = [];
    let page;
    do {
      page = await api.get('verification_sessions', { query: { ...query, limit: 100,
        starting_after: rows.length ? rows[rows.length - 1].id : '' } });
      rows.push(...page.data);
    } while (page.has_more && rows.length < MOST_EXPORTED);
    tell(page.has_more);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob(['\ufeff', csvOf(rows.map((row) => ({ ...row,
      workflow_name: workflows.nameOf(row.workflow_id) })))], { type: 'text/csv' }));
    link.download = 'sessions.csv';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  return html`<${Button} busy=${run.busy} onClick=${run.run}>${t('sessions.export')}<//>
    <${Fault} fault=${run.fault} />${isCut && html`<p class="small" role="status">
    ${t('sessions.cut', { n: MOST_EXPORTED })}</p>`}`;
}

export function Sessions() {
  const { api, organization } = useService();
  const state = useAddress();
  const workflows = useWorkflows();
  const filters = Object.fromEntries(FILTERS.map((name) => [name, state[name]]));
  const query = { 'expand[]': 'workflow', status: state.status, risk_tier: state.risk_tier,
    search: state.search, workflow_id: state.workflow, client_reference_id: state.reference, ...spanOf(state) };
  const list = useResource(JSON.stringify([organization.id, query, state.after,
    state.before]), (signal) => api.get('verification_sessions', { signal,
    query: { ...query, ...pageOf(state) } }));
  const isFiltered = Object.values(filters).some(Boolean);
  return html`<${Head} title=${t('ways.sessions')} actions=${html`<${Export}
      query=${query} workflows=${workflows} />`}>${t('sessions.lead')}<//>
    <${Filters} state=${state} first=${html`<${Search} label=${t('sessions.search')}
      name="search" state=${state} />`} set=${[
  ['search', t('sessions.search'), state.search],
  ['reference', t('sessions.reference'), state.reference],
  ['status', t('sessions.outcome'), state.status && named(`status.${state.status}`, state.status)],
  ['workflow', t('workflows.workflow'), workflows.nameOf(state.workflow)],
  ['risk_tier', t('sessions.risk'), state.risk_tier
    && named(`risks.${state.risk_tier}`, state.risk_tier)]]}>
      <${Filter} label=${t('sessions.outcome')} name="status" state=${state}
        options=${Object.entries(STATUSES).map(([group, list]) => [
          t(`sessions.outcomes.${group}`), list.map((one) => [one, t(`status.${one}`)])])} />
      <${Filter} label=${t('workflows.workflow')} name="workflow" state=${state}
        options=${workflows.list.map((one) => [one.id, workflows.nameOf(one.id)])} />
      <${Filter} label=${t('sessions.risk')} name="risk_tier" state=${state}
        options=${RISKS.map((one) => [one, t(`risks.${one}`)])} />
      <${Within} state=${state} /><//>
    <${KeptFilters} key=${organization.id} now=${filters} />
    <${List} resource=${list} state=${state} empty=${html`<${State}
      icon=${isFiltered ? 'search' : 'empty'}
      title=${t(isFiltered ? 'list.nothingFound' : 'sessions.empty')}>
      ${isFiltered ? html`<p><a href=${to('sessions')}>${t('list.unfilter')}</a></p>`
        : html`<${Begin} workflows=${workflows} />`}<//>`}>
      ${(rows) => html`<${SessionTable} rows=${rows} workflows=${workflows} />`}<//>`;
}

// How the first session comes: what one can try here, and what one's server asks for.
function Begin({ workflows }) {
  const { may } = useService();
  const [first] = workflows.list;
  // Opened by whoever has just asked for it.
  const isAsked = useAddress().form === 'new';
  const answer = useRef();
  useEffect(() => { if (isAsked) answer.current.focus(); }, []);
  return html`<p>${t('sessions.emptyText')}</p>
    ${may('developer') && workflows.isLoaded && html`<div class="actions">
      <a class="button primary" href=${first ? to('sandbox', { id: first.id })
        : to('workflows')}>${t(first ? 'sessions.simulate' : 'workflows.create')}</a>
      <a class="button secondary" href=${to('keys', { form: 'new' })}>
      ${t('apiKeys.create')}</a></div>`}
    <details class="more" open=${isAsked}><summary ref=${answer}>${t('start.sessionText')}</summary>
      <${Code} text=${creation()} /></details>`;
}

function creation() {
  const api = new URL('../v1/verification_sessions', document.baseURI);
  return [`curl ${api} \\`, "  -H 'Authorization: Bearer svc_sk_…' \\",
    "  -H 'Content-Type: application/json' \\",
    '  -d \'{"type": "age", "workflow_id": "wf_…"}\''].join('\n');
}

// --- one session ---

export const ENDED = ['verified', 'failed', 'cancelled', 'expired'];

function Compliance({ of }) {
  return html`<${Facts} of=${[
    [t('session.jurisdiction'), placed(of.jurisdiction)],
    [t('session.ageTier'), valueName('tiers', of.age_tier)],
    [t('session.mdl'), t(`mdl.${of.mdl_acceptance_status}`)],
    [t('session.regulator'), of.governing_regulator],
    [t('session.physical'), of.physical_check_required ? t('list.yes') : null],
    [t('session.rules'), of.rule_version && html`<span class="code">
      ${of.rule_version}</span>`],
    [t('session.asOf'), of.as_of && day(of.as_of)]]} />`;
}

// The nodes of its workflow that the session went through, as far as it is recorded.
function Path({ id }) {
  const { api } = useService();
  const workflows = useWorkflows();
  const found = useResource(`path of ${id}`, async (signal) => {
    const path = await api.get(`sessions/${id}/path`, { signal });
    const definition = path.nodes.length > 0 && await api.get(`workflows/${path.workflow_id
      }/versions/${path.workflow_version_id}/definition`, { signal });
    return { ...path, definition };
  });
  return html`<${Card} title=${t('session.way')}><${Loaded} resource=${found} lines=${3}>
    ${({ nodes, definition, ...path }) => html`<${Facts} of=${[
      [t('persons.person'), path.verified_person_id
        && html`<${Id} of=${path.verified_person_id} />`],
      [t('workflows.workflow'), html`<a href=${to('workflow', { id: path.workflow_id })}>
        ${workflows.nameOf(path.workflow_id)}</a> <${Print} of=${path.workflow_id} />`]]} />
      ${nodes.length > 0 && html`<div class="columns">
      <ol class="steps" role="list">${nodes.map((one) => html`<li key=${one.node}>
        <span class="verdict"><${Icon} name="right" /></span><div>
        <strong>${gistOf(definition.nodes[one.node])}</strong>${' '}<span class="print code">
        ${one.node}</span>${' '}${one.exits.length > 0 && html`<${Badge}>
        ${exitNames(one.exits, definition.nodes[one.node])}<//>`}
        <div class="muted small"><${Time} at=${one.entered_at} /></div></div></li>`)}</ol>
      <${Graph} definition=${definition} now=${nodes.at(-1).node}
        way=${nodes.map((one) => one.node)} /></div>`}
      ${!path.is_whole && html`<p class="muted small">${t('session.wayGap')}</p>`}`}<//><//>`;
}

// How a review ended, and the way to it.
function Decided({ id, of }) {
  return html`<div>${[of.decided_by === 'system_timeout'
    ? t('review.actions.timed_out') : of.decided_by, of.reason_code
    && named(`review.reasons.${of.reason_code}`, of.reason_code), of.note]
    .filter(Boolean).join(' · ')} <a href=${to('review', { id })}>
    ${t('session.toReview')}</a>
    </div>`;
}

function EventsOf({ id, list }) {
  const { queue } = useService();
  return html`<${Card} title=${t('ways.events')}><${Loaded} resource=${list}
    lines=${3}>${(data) => (data.data.length
      ? html`<ol class="steps" role="list">${data.data.map((event) => html`
        <li key=${event.id}><span class="verdict"><${Icon} name="events" /></span>
        <div><${EventType} of=${event.type} to=${to('event', { id: event.id })} />
        ${queue && event.data.object.decision_evidence && html`<${Decided} id=${id}
          of=${event.data.object.decision_evidence} />`}
        <div class="muted small"><${Time} at=${event.created} long /></div></div>
        </li>`)}</ol>`
      : html`<p class="muted">${t('session.noEvents')}</p>`)}<//><//>`;
}

function Deeds({ session, reload }) {
  const { api, may } = useService();
  const [asked, ask] = useState(null);
  const [reason, set] = useState('');
  const cancel = useDeed(async () => {
    await api.post(`verification_sessions/${session.id}/cancel`);
    reload();
    return true;
  });
  const flag = useDeed(async () => {
    await api.post(`session_reviews/sessions/${session.id}/flag`,
      { body: reason.trim() ? { reason: reason.trim() } : {} });
    reload();
    return true;
  });
  if (!may('reviewer')) return null;
  return html`${!ENDED.includes(session.status) && html`<${Button} kind="danger"
      onClick=${() => ask('cancel')}>${t('session.cancel')}<//>`}
    ${session.status === 'verified' && html`<${Button}
      icon="reviews" onClick=${() => ask('flag')}>${t('session.flag')}<//>`}
    ${asked === 'cancel' && html`<${Question} title=${t('session.cancelTitle')}
      yes=${t('session.cancel')} deed=${cancel} onClose=${() => ask(null)}>
      <p>${t('session.cancelText')}</p><//>`}
    ${asked === 'flag' && html`<${Question} title=${t('session.flagTitle')} kind="primary"
      yes=${t('session.flag')} deed=${flag} onClose=${() => ask(null)}>
      <p>${t('session.flagText')}</p>
      <${Field} label=${t('session.flagReason')}>${(field) => html`<textarea ...${field}
        maxlength="500" value=${reason}
        onInput=${(event) => set(event.target.value)}></textarea>`}<//><//>`}`;
}

function Jurisdiction({ of }) {
  return html`<${Facts} of=${[
    [t('session.declared'), placed(of.jurisdiction_audit_declared)],
    [t('session.ipDerived'), placed(of.jurisdiction_audit_ip_derived)],
    [t('session.resolved'), placed(of.jurisdiction_audit_resolved)],
    [t('session.source'), valueName('session.sources', of.jurisdiction_audit_source)],
    [t('session.mismatch'), of.jurisdiction_audit_mismatch
      ? html`<${Badge} kind="warn" icon="warning">${t('session.mismatchText')}<//>`
      : null]]} />`;
}

export function Session() {
  const { api, queue } = useService();
  const { id } = useAddress();
  const codes = useCodes();
  const found = useResource(id, (signal) => api.get(
    `verification_sessions/${encodeURIComponent(id)}`, { signal,
      query: { 'expand[]': ['results', 'document'] } }));
  const list = useResource(`events of ${id}`, (signal) => api.get('events', { signal,
    query: { object_id: id, limit: 100 } }));
  const crumbs = [[t('ways.sessions'), to('sessions')]];
  const session = found.data;
  if (!session)
    return awaited(t('sessions.session'), crumbs, found, 10);
  const error = session.last_error;
  const why = error && codes('FailureCode', error.code);
  // Who declined it, where that was the end of a review.
  const decided = error && list.data && list.data.data.find((one) =>
    one.type === 'session_review.rejected');
  return html`<${Head} crumbs=${crumbs} badge=${html`<${Status} of=${session.status} />`}
      title=${session.client_reference_id || t('sessions.session')}
      actions=${html`<${Deeds} session=${session} reload=${found.reload} />`}>
      <${Id} of=${session.id} /><//>
    ${error && html`<${Note} kind="bad" title=${html`${decided ? t('status.rejected')
      : html`<span lang=${why.lang}>${why.meaning || error.message}</span>`}
      <${Print} of=${error.code} />`}>${decided && html`<${Decided}
      id=${id} of=${decided.data.object.decision_evidence} />`}<//>`}
    ${session.status === 'under_review' && html`<${Note} kind="warn"
      title=${t('session.held')}><p>${t('session.heldText')}
      ${queue && html` <a href=${to('review', { id: session.id })}>
        ${t('session.toReview')}</a>`}</p><//>`}
    <div class="wide-and-narrow"><div>
      <${Card} title=${t('session.results')}>${(session.results || []).length
        ? html`<${FoundBy} of=${{ decisions: session.results.map(decisionOf) }} />`
        : html`<p class="muted">${t(session.status === 'under_review'
          ? 'session.notTold' : ENDED.includes(session.status) ? 'session.nothingTold'
            : 'session.nothingYet')}</p>`}<//>
      <${Path} id=${session.id} />
      <${EventsOf} id=${id} list=${list} />
      <details class="more"><summary>${t('session.json')}</summary>
        <${Json} value=${session} label=${t('session.json')} /></details></div>
    <div class="narrow"><${Card} title=${t('session.about')}><${Facts} of=${[
      [t('sessions.reference'), session.client_reference_id && html`<a
        href=${to('sessions', { reference: session.client_reference_id })}
        title=${t('sessions.sameReference')}>${session.client_reference_id}</a>`],
      [t('sessions.type'), valueName('types', session.type)],
      [t('sessions.methods'), html`<${Methods} of=${session.methods} />`],
      [t('session.current'), valueName('methods', session.current_method)],
      [t('session.path'), valueName('paths', session.verification_path)],
      [t('session.document'), session.document && [place(session.document.jurisdiction),
        session.document.expires_on && t('session.validUntil',
          { day: day(session.document.expires_on) })].filter(Boolean).join(' · ')],
      [t('session.device'), session.active_device
        && html`<${Badge} kind="accent">${t('session.phone')}<//>`],
      [t('session.created'), html`<${Time} at=${session.created} long />`],
      [t('session.expires'), !ENDED.includes(session.status)
        && html`<${Time} at=${session.expires_at} long />`],
      [t('session.completed'), session.completed_at
        && html`<${Time} at=${session.completed_at} long />`],
      [t('session.cancelled'), session.cancelled_at
        && html`<${Time} at=${session.cancelled_at} long />`]]} /><//>
      <${Card} title=${t('session.place')}><${Jurisdiction} of=${session} /><//>
      ${session.compliance && html`<${Card} title=${t('session.law')}>
        <${Compliance} of=${session.compliance} /><//>`}
      ${Object.keys(session.metadata || {}).length > 0 && html`<${Card}
        title=${t('session.metadata')}><${Facts} of=${Object.entries(session.metadata)
          .map(([name, value]) => [html`<span class="code">${name}</span>`,
            html`<${Copyable} text=${value} />`])} /><//>`}</div></div>`;
}
