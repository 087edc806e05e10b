// The simulator: past sessions of a workflow, led through another one; and its shadow,
// which sessions are led through when they end.

import { html, t, useState } from '../view.js';
import { go, to, useAddress } from '../address.js';
import { useDeed, useGet, useInterval, useResource } from '../resource.js';
import { useService } from '../operator.js';
import { number } from '../format.js';
import { Badge, Button, Card, Facts, Fault, Field, Head, Id, List, Loaded, Pager,
  STATUSES, Select, State, Status, Table, Tabs, Time, nameOf, pageOf } from '../parts.js';

const isOpen = (job) => job.status === 'queued' || job.status === 'running';
const isShadow = (job) => job.kind === 'shadow';
const from = ({ least, most }) => (least === most ? number(least)
  : `${number(least)} – ${number(most)}`);
const hours = (seconds) => number(seconds / 3600, { maximumFractionDigits: 1 });

// How a session ended, or would have; null is not known.
function End({ of }) {
  return STATUSES[of] ? html`<${Status} of=${of} />`
    : t(of ? 'simulation.refused' : 'simulation.undetermined');
}

const RESULTS = { same: 'simulation.same', changed: 'simulation.changed',
  undetermined: 'simulation.undetermined' };

function Counts({ of }) {
  return html`<span class="badges">${['same', 'changed', 'undetermined'].map((name) => html`
    <${Badge} kind=${of[name] && name !== 'same' ? 'warn' : ''}>${
  t(RESULTS[name])} ${number(of[name])}<//>`)}</span>`;
}

const stateOf = (job) => html`<${Badge} kind=${{ done: 'good', failed: 'bad' }[job.status]
  || ''}>${t(`simulation.states.${job.status}`)}<//>`;

// What a simulation can go through: [[id, name], …] of DRAFTS and VERSIONS, lists of
// the API that may not have come yet; the newest first.
export function subjectsOf(drafts, versions) {
  return [...(drafts ? drafts.data : []).map((one) => [one.id,
    `${t('workflows.draft')} …${one.id.slice(-6)}`]),
  ...(versions ? versions.data : []).map((one) => [one.id, nameOf(one)])];
}

export const subjectOf = (id) => ({ [id.startsWith('wfd_') ? 'draft_id' : 'version_id']: id });

// The form that begins a simulation of WORKFLOW through one of SUBJECTS; of KIND
// alone, when that is given. `onStart` is told the job.
function Order({ workflow, subjects, kind: only, onStart }) {
  const { api } = useService();
  // The first that there is, also when it comes later, until somebody chooses.
  const [chosen, choose] = useState('');
  const order = useDeed(async (form) => {
    const { through, kind = only, days, law } = Object.fromEntries(new FormData(form));
    // Of the hour, so that the same order, pressed again, is the same request.
    const now = Math.floor(Date.now() / 36e5) * 3600;
    return api.post('simulations', { body: { workflow_id: workflow, kind, law,
      ...(kind === 'shadow' ? { to: now + days * 86400 } : { from: now - days * 86400 }),
      ...subjectOf(through) } });
  }, onStart);
  const submit = (event) => {
    event.preventDefault();
    order.run(event.target);
  };
  return html`<form class="filters" onSubmit=${submit}>
    <${Select} label=${t('simulation.through')} name="through" options=${subjects}
      value=${chosen || (subjects[0] || [])[0]} onChange=${choose} />
    ${!only && html`<${Select} label=${t('ways.sessions')} name="kind"
      options=${['past', 'shadow'].map((kind) => [kind, t(`simulation.kinds.${kind}`)])} />`}
    <${Field} label=${t('simulation.days')}>${(field) => html`<input ...${field} name="days"
      type="number" min="1" max=${only ? 366 : 3650} defaultValue="30" required />`}<//>
    <${Select} label=${t('simulation.law')} name="law"
      options=${['kept', 'current'].map((law) => [law, t(`simulation.laws.${law}`)])} />
    <${Button} kind="primary" type="submit" busy=${order.busy}>${t('simulation.start')}<//>
    </form><${Fault} fault=${order.fault} />`;
}

function NewSimulation({ workflow }) {
  const path = `workflows/${encodeURIComponent(workflow)}/versions`;
  const drafts = useGet('workflow_drafts', { workflow_id: workflow, limit: 20 });
  const versions = useGet(path);
  return html`<${Card} title=${t('simulation.order')}><${Loaded} resource=${versions}
    lines=${2}>${(data) => html`<${Order} workflow=${workflow}
    subjects=${subjectsOf(drafts.data, data)}
    onStart=${(job) => go(to('simulation', { id: job.id }))} />`}<//><//>`;
}

// Those of the workflow that the address names, or of all.
export function Simulations() {
  const { may } = useService();
  const state = useAddress();
  const workflow = state.id;
  const query = { workflow_id: workflow, ...pageOf(state) };
  const list = useGet('simulations', query);
  useInterval(list.reload, list.data && list.data.data.some(isOpen) ? 3 : 0);
  return html`<${Head} title=${t('simulation.title')} crumbs=${[[t('ways.workflows'),
    to('workflows')], ...(workflow ? [[t('workflows.workflow'), to('workflow',
    { id: workflow })]] : [])]} actions=${workflow && html`<a class="button secondary"
    href=${to('simulations')}>${t('simulation.all')}</a>`}>${t('simulation.lead')}<//>
    ${workflow && may('developer') && html`<${NewSimulation} key=${workflow}
      workflow=${workflow} />`}
    <${List} resource=${list} state=${state} empty=${html`<${State} icon="empty"
      title=${t('simulation.empty')}><p>${t(!may('developer') ? 'simulation.emptyRead'
        : workflow ? 'simulation.emptyHere' : 'simulation.emptyText')}</p>
      ${!workflow && may('developer') && html`<div class="actions"><a class="button primary"
        href=${to('workflows')}>${t('simulation.choose')}</a></div>`}<//>`}>${(rows) => html`<${Table}
      label=${t('simulation.title')} rows=${rows}
      at=${(row) => to('simulation', { id: row.id })} columns=${[
        { title: t('session.created'), class: 'time', cell: (row) => html`<a class="row"
          href=${to('simulation', { id: row.id })}><${Time} at=${row.created} /></a>` },
        ...(workflow ? [] : [{ title: t('workflows.workflow'), class: 'p3',
          cell: (row) => html`<${Id} of=${row.workflow_id} short />` }]),
        { title: t('sessions.status'), cell: (row) => html`<span class="badges">${stateOf(row)}${
  isShadow(row) && html`<${Badge}>${t('simulation.shadow')}<//>`}</span>` },
        { title: t('simulation.results'), class: 'p2', cell: (row) => html`
          <${Counts} of=${row} />` }]} />`}<//>`;
}

function Listed({ job }) {
  const { api } = useService();
  const state = useAddress();
  const tab = state.tab || 'changed';
  const list = useResource(JSON.stringify([job.id, tab, job.processed, state.after,
    state.before]), (signal) => api.get(`simulations/${job.id}/sessions`,
    { signal, query: { result: tab, ...pageOf(state) } }));
  return html`<${Card} flush><${Tabs} now=${tab} names=${['changed', 'undetermined'].map(
    (name) => [name, t(RESULTS[name])])} />
    <${Loaded} resource=${list}>${(data) => {
      const rows = data.data.map((row) => ({ ...row, id: row.session_id }));
      return rows.length ? html`<${Table} label=${t('ways.sessions')} rows=${rows} columns=${[
        { title: t('ways.sessions'), cell: (row) => html`<${Id} of=${row.id} short />` },
        { title: t('changes.before'), cell: (row) => html`<${End} of=${row.before} />` },
        tab === 'changed' ? { title: t('changes.after'), cell: (row) => html`
          <${End} of=${row.after} />` } : { title: t('simulation.reason'), cell: (row) => html`
          <span class="code" lang="en">${row.reason}</span>` }]} /><${Pager}
        list=${{ ...data, data: rows }} state=${state} />`
        : html`<${State} icon="empty" title=${t('simulation.none')} />`;
    }}<//><//>`;
}

function Stop({ job, onStop }) {
  const { api } = useService();
  const stop = useDeed(() => api.post(`simulations/${job.id}/stop`).then(onStop));
  return html`<${Button} kind="danger" busy=${stop.busy} onClick=${() => stop.run()}>
    ${t('simulation.stop')}<//><${Fault} fault=${stop.fault} />`;
}

// The shadow that runs beside the live version of WORKFLOW: its resource, and as `job`
// itself.
export function useShadow(workflow) {
  const found = useGet('simulations', { workflow_id: workflow, kind: 'shadow', limit: 1 });
  const job = found.data && found.data.data.find(isOpen);
  useInterval(found.reload, job ? 5 : 0);
  return { ...found, job };
}

// What it has found so far; or how to begin one, for whoever may.
export function Shadow({ workflow, shadow, subjects }) {
  const { may } = useService();
  const { job } = shadow;
  const tell = (now) => shadow.replace({ data: [now] });
  if (!shadow.data || (!job && (workflow.retired_at || !may('developer')))) return null;
  const through = job && (job.version_id || job.draft_id);
  return html`<${Card} title=${t('simulation.shadow')} tools=${job && html`
    <a class="button quiet" href=${to('simulation', { id: job.id })}>
    ${t('simulation.results')}</a>
    ${may('developer') && html`<${Stop} job=${job} onStop=${tell} />`}`}>
    ${job ? html`<${Facts} of=${[
      [t('simulation.through'), through && html`<a href=${job.draft_id ? to('draft', { id: through })
        : to('workflow', { id: workflow.id, version: through })}>${
        (subjects.find(([id]) => id === through) || [0, `…${through.slice(-6)}`])[1]}</a>`],
      [t('simulation.since'), html`<${Time} at=${job.from} long />`],
      [t('list.until'), html`<${Time} at=${job.to} />`],
      [t('simulation.compared'), number(job.processed)],
      [t('simulation.results'), html`<${Counts} of=${job} />`]]} />`
      : html`<p>${t('simulation.shadowLead')}</p><${Order} workflow=${workflow.id}
        subjects=${subjects.filter(([id]) => id !== workflow.version_id)} kind="shadow"
        onStart=${tell} />`}<//>`;
}

function Sums({ job }) {
  const { before, after } = job.reviews;
  return html`<${Card} title=${t('simulation.results')} flush><div class="inside">
    <${Counts} of=${job} /></div><${Table} label=${t('simulation.results')} rows=${[
      ['verifications', number(job.verifications.before), from(job.verifications.after)],
      ['credits', number(job.credits.before), from(job.credits.after)],
      ['reviews', number(before.count), number(after.count)],
      ['hours', hours(before.seconds), after.estimated_seconds === null ? '–'
        : `≈ ${hours(after.estimated_seconds)}`]]} columns=${[
      { title: t('simulation.results'), cell: ([name]) => t(`simulation.sums.${name}`) },
      { title: t('changes.before'), class: 'number', cell: (row) => row[1] },
      { title: t('changes.after'), class: 'number', cell: (row) => row[2] }]} /><//>`;
}

export function Simulation() {
  const { may } = useService();
  const state = useAddress();
  const found = useGet(`simulations/${encodeURIComponent(state.id)}`);
  const job = found.data;
  useInterval(found.reload, job && isOpen(job) ? 2 : 0);
  return html`<${Head} title=${t(job && isShadow(job) ? 'simulation.shadow' : 'simulation.one')} badge=${job && stateOf(job)}
    crumbs=${[[t('simulation.title'), to('simulations', { id: job && job.workflow_id })]]}
    actions=${job && isOpen(job) && may('developer') && html`<${Stop} job=${job}
      onStop=${found.replace} />`}>${job && html`<${Id} of=${job.id} />`}<//>
    <${Loaded} resource=${found}>${() => html`<div class="wide-and-narrow"><div>
    <${Card} title=${t('simulation.matrix')} flush>${isOpen(job) && html`<progress
      class="meter" max="1" value=${job.progress} aria-label=${t('simulation.progress')} />`}
      <${Table} label=${t('simulation.matrix')} rows=${job.matrix} columns=${[
        { title: t('changes.before'), cell: (row) => html`<${End} of=${row.before} />` },
        { title: t('changes.after'), cell: (row) => html`<${End} of=${row.after} />` },
        { title: t('ways.sessions'), class: 'number', cell: (row) => number(row.count) }]} />
    <//><${Listed} job=${job} /></div><div class="narrow"><${Sums} job=${job} />
    ${job.undetermined_reasons.length > 0 && html`<${Card} title=${t('simulation.undetermined')}
      ><${Facts} of=${job.undetermined_reasons.map((one) => [html`<span class="code"
        lang="en">${one.reason}</span>`, number(one.count)])} /><//>`}
    <${Card} title=${t('session.about')}><${Facts} of=${[
      [t('workflows.workflow'), html`<${Id} of=${job.workflow_id} />`],
      [t('simulation.through'), html`<${Id} of=${job.version_id || job.draft_id} short />`],
      [t('simulation.law'), t(`simulation.laws.${job.law}`)],
      ['SHA-256', html`<span class="code">${(job.compiled_sha256 || '–').slice(0, 16)}</span>`],
      [t('ways.sessions'), html`<${Time} at=${job.from} /> – <${Time} at=${job.to} />`],
      [t('audit.actor'), job.created_by]]} /><//></div></div>`}<//>`;
}
