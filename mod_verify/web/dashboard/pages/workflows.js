// Workflows: the list, and one with its versions, drafts and scenarios, and what
// differs between any two of these.

import { html, t, useState, named, Fragment } from '../view.js';
import { changed, go, to, useAddress } from '../address.js';
import { useDeed, useGet } from '../resource.js';
import { useService } from '../operator.js';
import { number, place, valueName } from '../format.js';
import { awaited, Badge, Button, Card, Facts, Fault, Head, Id, List, Loaded, Note,
  Pager, Select, State, Table, Time, nameOf, pageOf, timeColumn } from '../parts.js';
import { Methods } from './sessions.js';
import { Shadow, subjectsOf, useShadow } from './simulations.js';
import { Graph, gistOf } from '../graph.js';
import { differences } from '../definition.js';
import { Templates, TemplatesButton, Words } from './workflow_words.js';

const FILE_MAX = 1024 * 1024;

// --- what differs ---

function Value({ of }) {
  if (of === undefined) return html`<span class="muted">–</span>`;
  return typeof of === 'string' ? html`<span class="code">${of}</span>`
    : html`<code class="value">${JSON.stringify(of)}</code>`;
}

export function whereIs([first, name, ...rest]) {
  const member = (key) => named(`members.${key}`, key);
  if (first !== 'nodes' || !name) return [first, name, ...rest].filter(Boolean)
    .map(member).join(' · ') || 'JSON';
  const [key, exit] = rest;
  return [t('steps.one', { name }), key === 'next' && exit
    ? t('steps.exit', { exit: named(`exits.${exit}`, exit) }) : key && member(key)]
    .filter(Boolean).join(' · ');
}

function Change({ of }) {
  const isStep = of.keys[0] === 'nodes' && of.keys.length === 2;
  const show = (value) => {
    if (!isStep || !value || typeof value !== 'object') return html`<${Value} of=${value} />`;
    const type = named(`steps.types.${value.type}`, '');
    const gist = gistOf(value);
    return html`${type} ${gist !== type && html`<span class="muted">${gist}</span>`}`;
  };
  const [text, kind] = of.before === undefined ? ['changes.added', 'good']
    : of.after === undefined ? ['changes.removed', 'bad'] : ['changes.changed', 'accent'];
  return html`<tr class="top"><td>${whereIs(of.keys)}</td><td class="p2"><${Badge}
    kind=${kind}>${t(text)}<//></td>
    <td class="wrap">${show(of.before)}</td><td class="wrap">${show(of.after)}</td></tr>`;
}

// What changes from BEFORE to AFTER, two definitions, or as OF says.
export function Changes({ before, after, of = differences(before, after) }) {
  if (!of.length) return html`<p class="muted">${t('changes.none')}</p>`;
  return html`<div class="table changes"><table><caption class="visually-hidden">
    ${t('changes.title')}</caption><thead><tr><th scope="col">${t('changes.where')}</th>
    <th scope="col" class="p2"><span class="visually-hidden">${t('changes.what')}</span></th>
    <th scope="col">${t('changes.before')}</th><th scope="col">${t('changes.after')}</th>
    </tr></thead><tbody>${of.map((one) => html`<${Change} of=${one} />`)}</tbody></table>
    </div>`;
}

// --- what several pages show ---

// How a session of the sandbox ended, or should.
export function Outcome({ of }) {
  return [named(`status.${of.status}`, of.status), of.node, of.last_error]
    .filter(Boolean).join(' · ');
}

// --- definitions in files ---

// Asks for a file and gives what it defines to `onRead(definition)`.
export function Import({ label, busy, onRead }) {
  const [fault, tell] = useState(null);
  const read = async (event) => {
    const [file] = event.target.files;
    event.target.value = '';
    if (!file) return;
    tell(null);
    try {
      const value = file.size <= FILE_MAX ? JSON.parse(await file.text()) : null;
      if (!value || typeof value !== 'object' || Array.isArray(value))
        throw new Error(t('workflows.noDefinition'));
      await onRead(value);
    } catch (error) {
      tell(error);
    }
  };
  return html`<label class="button secondary file" aria-busy=${busy ? 'true' : null}>
    <input type="file" accept=".json,application/json" onChange=${read} />
    <span>${label}</span></label>
    ${fault && html`<p class="fault" role="alert">${t('workflows.noDefinition')}</p>`}`;
}

const versionPath = (workflow, version) => `workflows/${
  encodeURIComponent(workflow)}/versions/${encodeURIComponent(version)}`;

const draftPath = (id) => `workflow_drafts/${encodeURIComponent(id)}`;

// The definition of a version or a draft, by its id.
export function useDefinition(workflow, id) {
  return useGet(id && (id.startsWith('wfd_') ? draftPath(id) : versionPath(workflow, id)));
}

// --- the list ---

const showDraft = ({ id }) => go(to('draft', { id }));

function useMake() {
  const { api } = useService();
  return useDeed((definition) => api.post('workflow_drafts', { body: { definition } }),
    showDraft);
}

function NewWorkflow({ make }) {
  return html`<${TemplatesButton} make=${make} /><${Import} label=${t('workflows.import')} busy=${make.busy}
    onRead=${make.run} /><${Button} kind="primary" icon="plus" busy=${make.busy}
    onClick=${() => make.run()}>${t('workflows.create')}<//>
    <${Fault} fault=${make.fault} />`;
}

function DraftTable({ rows }) {
  return html`<${Table} label=${t('workflows.drafts')} rows=${rows}
    at=${(row) => to('draft', { id: row.id })} columns=${[
      { title: t('workflows.draft'), cell: (row) => html`<a class="row"
        href=${to('draft', { id: row.id })}>${row.name || t('workflows.unnamed')}</a>
        <div class="badges"><span class="small code muted">…${row.id.slice(-6)}</span>
        ${row.base_is_live === false && html`<${Badge} kind="warn">
          ${t('workflows.outdated')}<//>`}</div>` },
      { title: t('workflows.updatedBy'), class: 'p4', cell: (row) => row.updated_by },
      timeColumn(t('workflows.updated'), 'updated', 'p2')]} />`;
}

function lawOf(row) {
  return [valueName('useCases', row.use_case), (row.jurisdictions || []).slice(0, 3)
    .map(place).join(', '), row.jurisdictions && row.jurisdictions.length > 3 && '…']
    .filter(Boolean).join(' · ');
}

export function Workflows() {
  const { may } = useService();
  const make = useMake();
  const state = useAddress();
  const list = useGet('workflows', pageOf(state));
  const drafts = useGet('workflow_drafts', { limit: 100 });
  const fresh = drafts.data ? drafts.data.data.filter((one) => one.is_new) : [];
  return html`<${Head} title=${t('ways.workflows')} actions=${may('developer')
      && html`<${NewWorkflow} make=${make} />`}>${t('workflows.lead')}<//>
    ${fresh.length > 0 && html`<${Card} title=${t('workflows.unpublished')} flush>
      <${DraftTable} rows=${fresh} /><//>`}
    <${List} resource=${list} state=${state} empty=${html`<${State} icon="workflows"
      title=${t('workflows.empty')}><p>${t(may('developer')
        ? 'workflows.emptyText' : 'workflows.emptyRead')}</p>${may('developer')
      && html`<${Templates} make=${make} />`}<//>`}>
      ${(rows) => html`<${Table} label=${t('ways.workflows')} rows=${rows}
        at=${(row) => to('workflow', { id: row.id })} columns=${[
          { title: t('workflows.workflow'), cell: (row) => html`<a class="row"
            href=${to('workflow', { id: row.id })}>${row.name}</a>
            <div class="small muted">${lawOf(row)}</div>` },
          { title: t('workflows.live'), class: 'tight', cell: (row) => html`<${Badge}
            kind="good" icon="check">${t('workflows.version',
              { number: row.version_number })}<//>` },
          { title: t('workflows.drafts'), class: 'number', cell: (row) =>
            number(row.drafts) },
          { title: t('sessions.methods'), class: 'p3', cell: (row) => html`<${Methods}
            of=${row.methods.map((one) => one.toLowerCase())} />` },
          timeColumn(t('workflows.published'), 'updated', 'p2')]} />`}<//>`;
}

// --- one workflow ---

function Versions({ workflow, list, onDraft, busy }) {
  const { api, may } = useService();
  return html`<${Table} label=${t('workflows.versions')} rows=${list.data} columns=${[
    { title: t('workflows.number'), class: 'tight', cell: (row) => html`<span class="badges"><a
      class="row" href=${changed({ version: row.id })}>${nameOf(row)}</a>
      ${row.is_live && html`<${Badge} kind="good" icon="check">${t('workflows.live')}<//>`}
      </span>` },
    { title: t('workflows.publishedBy'), class: 'p4', cell: (row) => row.published_by
      || html`<span class="muted">–</span>` },
    timeColumn(t('workflows.published'), 'created', 'p2'),
    { title: html`<span class="visually-hidden">${t('workflows.deeds')}</span>`,
      class: 'deeds', cell: (row) => html`<span class="badges">
      <a class="button quiet tiny" download=${`${workflow}-${row.number}.json`}
        aria-label=${t('workflows.exportOf', { name: nameOf(row) })}
        href=${api.address(`${versionPath(workflow, row.id)}/definition`)}>
        ${t('workflows.export')}</a>${may('developer') && html`<${Button}
        kind="quiet tiny" busy=${busy} onClick=${() => onDraft(row.id)}>
        ${t('workflows.edit')}<//>`}</span>` }]} />
    <${Pager} list=${list} state=${useAddress()} />`;
}

// Chooses two of versions and drafts, and shows what differs: at first, what the newest
// draft changes, or what the live version changed.
function Compare({ workflow, options, live }) {
  const state = useAddress();
  const [newest] = options[0];
  const before = state.from || (newest === live ? options[1][0] : live);
  const after = state.to || newest;
  const one = useDefinition(workflow, before);
  const other = useDefinition(workflow, after);
  const choose = (label, name, value) => html`<${Select} label=${label} value=${value}
    options=${options} onChange=${(id) => go(changed({ [name]: id }))} />`;
  return html`<${Card} title=${t('changes.title')}><div class="filters">
    ${choose(t('changes.before'), 'from', before)}
    ${choose(t('changes.after'), 'to', after)}</div>
    <${Loaded} resource=${one} lines=${2}>${(base) => html`<${Loaded} resource=${other}
      lines=${2}>${(now) => html`<${Changes} before=${base.definition}
      after=${now.definition} />`}<//>`}<//><//>`;
}

// What a switched-on trust reuse comes to.
export function TrustReuseOf({ workflow }) {
  const reuse = workflow.trust_reuse;
  const off = (reuse.applications || []).filter((one) => !one.enabled);
  return html`<p>${t(!reuse.accept ? 'workflows.reuse.off' : reuse.effective
    ? 'workflows.reuse.on' : 'workflows.reuse.inVain')}</p>
    ${reuse.accept && off.length > 0 && html`<p class="small muted">
      ${t('workflows.reuse.without', { names: off.map((one) => one.name || one.id)
        .join(', ') })}</p>`}`;
}

export function Workflow() {
  const { api, me, may } = useService();
  const state = useAddress();
  const path = `workflows/${encodeURIComponent(state.id)}`;
  const found = useGet(path);
  const versions = useGet(`${path}/versions`, pageOf(state));
  const drafts = useGet('workflow_drafts', { workflow_id: state.id, limit: 20 });
  const workflow = found.data;
  const shadow = useShadow(state.id);
  const shownId = state.version || (workflow && workflow.version_id);
  const shown = useDefinition(state.id, shownId);
  // One's own draft that says the same already is edited, rather than another begun.
  const edit = useDeed(async (version) => {
    const [{ data }, { definition }] = await Promise.all([api.get('workflow_drafts',
      { query: { workflow_id: state.id, limit: 20 } }), api.get(versionPath(state.id, version))]);
    let draft = null;
    for (const { id } of data.filter((one) => one.base_is_live && one.created_by === me.user)) {
      const own = await api.get(draftPath(id));
      if (!differences(own.definition, definition).length) draft = own;
    }
    return draft || api.post('workflow_drafts',
      { body: { workflow_id: state.id, version_id: version } });
  }, showDraft);
  const retire = useDeed(() => api.post(
    `${path}/${workflow.retired_at ? 'restore' : 'retire'}`).then(found.replace));
  const crumbs = [[t('ways.workflows'), to('workflows')]];
  if (!workflow)
    return awaited(t('workflows.workflow'), crumbs, found);
  const options = subjectsOf(drafts.data, versions.data);
  const beside = html`<${Shadow} workflow=${workflow} shadow=${shadow}
    subjects=${options} />`;
  const shownVersion = versions.data && versions.data.data.find((one) => one.id === shownId);
  return html`<${Head} crumbs=${crumbs} title=${workflow.name} badge=${html`<${Badge}
      kind="good" icon="check">${t('workflows.version',
        { number: workflow.version_number })}<//>${workflow.retired_at && html`
      <${Badge} kind="warn">${t('workflows.retired')}<//>`}${shadow.job && html`
      <${Badge} kind="accent">${t('simulation.shadow')}<//>`}`}
      actions=${html`<a class="button secondary"
        href=${to('simulations', { id: state.id })}>${t('simulation.title')}</a>${
        may('developer') && html`${may('publisher') && html`<${Button}
        kind="quiet" busy=${retire.busy} onClick=${retire.run}>${t(workflow.retired_at
          ? 'workflows.restore' : 'workflows.retire')}<//>`}
      <a class="button secondary" href=${to('sandbox', { id: state.id })}>
        ${t('sandbox.title')}</a><${Button} kind="primary" busy=${edit.busy}
        onClick=${() => edit.run(workflow.version_id)}>${t('workflows.edit')}<//>`}`}>
      <${Id} of=${workflow.id} /><//>
    <${Fault} fault=${edit.fault || retire.fault} />
    <div class="wide-and-narrow"><div>
      ${shadow.job && beside}
      ${drafts.data && drafts.data.data.length > 0 && html`<${Card}
        title=${t('workflows.drafts')} flush><${DraftTable} rows=${drafts.data.data} /><//>`}
      <${Card} title=${t('workflows.versions')} flush><${Loaded} resource=${versions}
        lines=${3}>${(data) => html`<${Versions} workflow=${state.id} list=${data}
        busy=${edit.busy} onDraft=${edit.run} />
        <p class="inside small muted">${t('workflows.keep')}</p>`}<//><//>
      ${options.length > 1 && html`<${Compare} workflow=${state.id} options=${options}
        live=${workflow.version_id} />`}${!shadow.job && options.length > 1 && beside}</div>
    <div class="narrow"><${Card} title=${shownVersion ? nameOf(shownVersion) : t('steps.title')}>
      <${Loaded} resource=${shown} lines=${4}>${(data) => html`<${Fragment}><${Graph}
        definition=${data.definition} /><${Words} of=${data.definition} />
        ${(data.warnings || []).length > 0 && html`<${Note} kind="warn"
          title=${t('editor.warnings')}>${data.warnings.map((one) => html`<p lang="en">
          <span class="code">${one.pointer}</span> ${one.message}</p>`)}<//>`}<//>`}<//><//>
      <${Card} title=${t('session.about')}><${Facts} of=${[
        [t('sessions.type'), workflow.session_types.map((one) =>
          valueName('types', one)).join(', ')],
        [t('members.use_case'), valueName('useCases', workflow.use_case)],
        [t('members.jurisdictions'), workflow.jurisdictions.map(place).join(', ')
          || t('steps.any')],
        [t('endpoints.application'), workflow.application_id
          && html`<span class="code">${workflow.application_id}</span>`],
        [t('session.created'), html`<${Time} at=${workflow.created} long />`]]} /><//>
      <${Card} title=${t('ways.trust_reuse')}><${TrustReuseOf} workflow=${workflow} /><//></div></div>`;
}
