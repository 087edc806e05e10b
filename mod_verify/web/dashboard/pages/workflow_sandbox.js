// The sandbox of workflows: a session that nobody has, led through a version or a
// draft by chosen inputs, which stand in the address; the scenarios that are kept of
// it; and all ways through the graph. Nothing here makes a session.

import { html, t, useState, useEffect, useLayoutEffect, useRef, named } from '../view.js';
import { changed, go, to, useAddress } from '../address.js';
import { useDeed, useGet, useResource } from '../resource.js';
import { useService } from '../operator.js';
import { eventName, number, place, relative, valueName } from '../format.js';
import { Badge, Button, Card, Choice, Fault, Field, FormDialog, Head, Json, Loaded,
  Loading, Note, Print, Select, State, Status, Table, Tabs, Verdict, nameOf } from '../parts.js';
import { Called, Graph, gistOf } from '../graph.js';
import { stepsOf } from '../definition.js';
import { ENDED } from './sessions.js';
import { subjectOf } from './simulations.js';
import { FaultList } from './workflow_faults.js';
import { Outcome, useDefinition } from './workflows.js';

const TYPES = ['identity', 'age', 'student'];

const METHODS = []; // as the session offers

// The members of each input: [[name, its values, or none for a number], …].
const INPUTS = { open: [], consent: [], checks: [['risk', ['low', 'medium', 'high']]],
  method: [['method', METHODS], ['result', ['passed', 'failed', 'undetermined',
    'unreadable', 'technical_failure']], ['assurance', ['', 'decoded', 'consistent',
    'signed', 'signed_and_present']], ['age']],
  approve: [], reject: [], escalate: [], wait: [['seconds']], leave: [], cancel: [],
  flag: [] };
const LISTS = { risk: 'status', method: 'methods', result: 'status',
  assurance: 'assurances' };
const DAY = 86400;
const ADULT = 30; // years

// --- inputs in an address: "open,checks;risk=low,method;method=mdl;result=passed" ---

function written(inputs) {
  return inputs.map(({ input, ...more }) => [input, ...Object.entries(more).map(
    ([name, value]) => `${name}=${value}`)].join(';')).join(',');
}

function read(text) {
  return (text || '').split(',').filter(Boolean).map((one) => {
    const [input, ...more] = one.split(';');
    return Object.assign({ input }, ...more.map((member) => {
      const [name, value] = member.split('=');
      return { [name]: /^\d+$/.test(value) ? Number(value)
        : value === 'true' || value === 'false' ? value === 'true' : value };
    }));
  });
}

const wordOf = (name, value) => (LISTS[name] ? named(`${LISTS[name]}.${value}`, value)
  : value);

function sentence({ input, ...more }) {
  const words = Object.entries(more).map(([name, value]) => (name === 'seconds'
    ? relative(Date.now() / 1000 + value + 1) : name === 'age'
      ? t('sandbox.years', { n: value }) : wordOf(name, value)));
  return [named(`inputs.${input}`, input), ...words].join(' · ');
}

// What the session takes at STEP with the graph of DEFINITION, after INPUTS; the likely
// one first.
function possible(step, definition, inputs) {
  if (!step || step.status === 'created') return ['open', 'wait', 'cancel'];
  if (step.status === 'under_review')
    return ['approve', 'reject', 'escalate', 'wait', 'cancel'];
  if (ENDED.includes(step.status)) return step.status === 'verified' ? ['flag'] : [];
  const node = (stepsOf(definition) || []).find(([name]) => name === step.node);
  const hasAgreed = inputs.some((one) => one.input === 'consent');
  return [node && node[1].type === 'checks' && 'checks', !hasAgreed && 'consent',
    hasAgreed && step.methods.length > 0 && 'method', 'wait', 'leave', 'cancel']
    .filter(Boolean);
}

// --- one step after the other ---

// What is likely is proposed, until somebody chooses; anew after each input.
function NextInput({ last, definition, inputs, onAdd }) {
  const [chosen, choose] = useState(null);
  const [values, set] = useState({});
  useLayoutEffect(() => choose(null), [inputs.length]);
  const can = possible(last, definition, inputs);
  if (!can.length) return html`<p class="muted">${t('sandbox.over')}</p>`;
  const input = can.includes(chosen) ? chosen : can[0];
  const first = { method: last && (last.current_method || last.methods[0]) };
  const valueOf = (name, options) => (values[name] !== undefined
    && (name !== 'method' || last.methods.includes(values[name])) ? values[name]
    : first[name] || (options ? options[0] : name === 'seconds' ? DAY : ADULT));
  const add = (event) => {
    event.preventDefault();
    onAdd(Object.assign({ input }, ...INPUTS[input].map(([name, options]) => {
      const value = valueOf(name, options);
      return value === '' ? {} : { [name]: options ? value : Number(value) };
    })));
  };
  return html`<form class="filters" onSubmit=${add}>
    <${Select} label=${t('sandbox.next')} value=${input} onChange=${choose}
      options=${Object.keys(INPUTS).filter((one) => can.includes(one)).map((one) =>
        [one, t(`inputs.${one}`)])} />
    ${INPUTS[input].map(([name, all]) => {
      const options = name === 'method' ? last.methods : all;
      const label = t(`sandbox.members.${name}`);
      const value = valueOf(name, options);
      const put = (now) => set({ ...values, [name]: now });
      return options ? html`<${Select} key=${name} label=${label} value=${value}
        onChange=${put} options=${options.map((one) => [one, one ? wordOf(name, one)
          : t('sandbox.asDemanded')])} />` : html`<${Field} key=${name} label=${label}>
        ${(field) => html`<input ...${field} type="number" min=${name === 'seconds' ? 1 : 0}
          max=${name === 'seconds' ? 60 * DAY : 150} value=${value}
          onInput=${(event) => put(event.target.value)} />`}<//>`;
    })}
    <${Button} kind="primary" type="submit">${t('sandbox.do')}<//></form>`;
}

function Sent({ event }) {
  let body = event.body;
  try {
    body = JSON.parse(event.body);
  } catch {
    // As it is.
  }
  return html`<details class="more"><summary>${t('sandbox.webhook')}: ${eventName(event.type)} <span class="print code">${event.type}</span></summary><${Json} value=${body}
    label=${event.type} /></details>`;
}

function StepShown({ step, input, definition, onBack }) {
  return html`<li><${Verdict} of=${step.error ? 'failed' : step.status} /><div>
    <div class="badges"><strong>${input ? sentence(input) : t('inputs.create')}</strong>
      <${Status} of=${step.status} />
      ${step.node && html`<span><${Badge} kind="accent">
        ${gistOf(definition.nodes[step.node])}<//> <${Print} of=${step.node} /></span>`}
      ${onBack && html`<${Button} kind="quiet tiny" onClick=${onBack}>${t('sandbox.back')}<//>`}
    </div>
    ${step.error && html`<${Note} kind="bad" title=${t('sandbox.refused')}><p lang="en">
      <span class="code">${step.error.code}</span> ${step.error.message}</p><//>`}
    ${step.last_error && html`<p><span class="code">${step.last_error}</span></p>`}
    ${step.methods.length > 0 && html`<p class="small muted">${t('sandbox.offered', {
      methods: step.methods.map((one) => valueName('methods', one)).join(', ') })}</p>`}
    ${step.effects.length > 0 && html`<p class="small muted">${t('sandbox.effects')}${' '}
      ${step.effects.map((one) => named(`sandbox.deeds.${one}`, one)).join(', ')}</p>`}
    ${step.events.map((event) => html`<${Sent} event=${event} />`)}</div></li>`;
}

// OLD: the scenario that one has come from, which can be replaced.
function Keep({ workflow, question, inputs, steps, old, onClose }) {
  const { api } = useService();
  const last = steps.at(-1);
  const [name, set] = useState(old ? old.name : '');
  const [isReplaced, replace] = useState(!!old);
  const save = useDeed(async () => {
    const path = `workflows/${encodeURIComponent(workflow)}/scenarios`;
    const body = { name: name.trim(), ...question, scenario: inputs,
      expected: { status: last.status, node: last.node || undefined,
        events: steps.flatMap((one) => one.events.map((event) => event.type)) } };
    await (isReplaced ? api.put(`${path}/${old.id}`, { body, ifMatch: old.etag })
      : api.post(path, { body }));
  }, () => go(changed({ tab: 'scenarios', scenario: '' })));
  return html`<${FormDialog} title=${t('sandbox.keep')} deed=${save} onClose=${onClose}>
    <p>${t('sandbox.keepText')}</p>
    ${old && html`<${Choice} label=${t('sandbox.replace', { name: old.name })}
      checked=${isReplaced} onChange=${replace} />`}
    <${Field} label=${t('sandbox.name')}>${(field) => html`<input ...${field} required
      maxlength="100" value=${name} onInput=${(event) => set(event.target.value)} />`}<//>
    <p><${Outcome} of=${last} /></p><//>`;
}

function Run({ workflow, subject, definition, question }) {
  const { api } = useService();
  const state = useAddress();
  const [isKeeping, keepIt] = useState(false);
  const inputs = read(state.steps);
  const old = useGet(state.scenario ? `workflows/${encodeURIComponent(workflow)}/scenarios/${
    encodeURIComponent(state.scenario)}` : null);
  const asked = JSON.stringify([subject, question]);
  const found = useResource(asked + state.steps, (signal) =>
    api.post('workflows/simulate', { signal, body: { ...subject, ...question,
      scenario: inputs } }));
  const [held, hold] = useState({ steps: [] });
  // While the next step comes, those before it stay, but of another question none.
  useEffect(() => { if (found.data) hold({ asked, ...found.data }); }, [found.data]);
  const shown = found.error ? null : found.data ? found.data.steps
    : held.asked === asked ? held.steps : null;
  const take = (now) => go(changed({ steps: written(now) }));
  const last = shown && shown.at(-1);
  const way = shown && shown.map((one) => one.node).filter((name, i, all) => name
    && name !== all[i - 1]);
  const ended = last && !last.node ? outcomeOf(definition, way, last.status) : null;
  return html`<div class="outline-and-graph"><div><${Card} title=${t('sandbox.steps')}
      tools=${inputs.length > 0 && html`<${Button} kind="quiet tiny"
        onClick=${() => take([])}>${t('sandbox.begin')}<//><${Button} kind="secondary tiny"
        disabled=${!found.data || old.loading} onClick=${() => keepIt(true)}>${t('sandbox.keep')}<//>`}>
      ${found.error ? html`<${Fault} fault=${found.error} />`
        : html`<${Loaded} resource=${{ ...found, data: shown }} lines=${4}>${() => html`
        <ol class="steps" role="list" aria-live="polite">${shown.map((step, i) => html`
          <${StepShown} key=${i} step=${step} definition=${definition} input=${i ? inputs[i - 1] : null}
          onBack=${i < shown.length - 1 ? () => take(inputs.slice(0, i)) : null} />`)}
        </ol>`}<//>`}
      <${NextInput} last=${last || held.steps.at(-1)} definition=${definition} inputs=${inputs}
        onAdd=${(input) => take([...inputs, input])} /><//></div>
    <div class="beside"><${Card} title=${t('steps.picture')}><${Graph} definition=${definition}
      now=${ended || (last && last.node)} way=${ended ? [...way, ended] : way} /><//></div></div>
    ${isKeeping && found.data && html`<${Keep} workflow=${workflow} question=${question}
      inputs=${inputs} steps=${found.data.steps} old=${old.data} onClose=${() => keepIt(false)} />`}`;
}

// A session that ended is at no node any more: the outcome that the last one leads to.
function outcomeOf(definition, way, status) {
  const steps = stepsOf(definition) || [];
  const from = steps.find(([name]) => name === way[way.length - 1]);
  const targets = from && from[1].next ? Object.values(from[1].next) : [];
  const found = steps.find(([name, node]) => targets.includes(name)
    && node.type === 'outcome' && node.status === status);
  return found ? found[0] : null;
}

// --- scenarios ---

function Scenarios({ workflow, subject }) {
  const { api } = useService();
  const path = `workflows/${encodeURIComponent(workflow)}/scenarios`;
  const list = useGet(path, { limit: 50 });
  const run = useResource(JSON.stringify([path, subject]), (signal) => api.post(
    `${path}/run`, { signal, body: subject }));
  const remove = useDeed((id) => api.delete(`${path}/${id}`).then(list.reload));
  const resultOf = (id) => run.data && run.data.results.find((one) =>
    one.scenario_id === id);
  return html`<${Fault} fault=${run.error || remove.fault} />
    <${Card} flush><${Loaded} resource=${list}>${(data) => (data.data.length
      ? html`<${Table} label=${t('sandbox.scenarios')} rows=${data.data} columns=${[
        { title: t('sandbox.name'), cell: (row) => html`<a class="row"
          href=${changed({ tab: '', type: row.type, place: row.jurisdiction,
            steps: written(row.scenario), scenario: row.id })}>${row.name}</a>` },
        { title: t('sandbox.expected'), class: 'p2', cell: (row) => html`
          <${Outcome} of=${row.expected} />` },
        { title: t('sandbox.result'), cell: (row) => {
          const one = resultOf(row.id);
          return one ? html`<${Badge} kind=${one.result === 'passed' ? 'good' : 'warn'}
            icon=${one.result === 'passed' ? 'check' : 'warning'}>
            ${t(`sandbox.results.${one.result}`)}<//>
            ${one.result !== 'passed' && html`<div class="small">${one.actual
              ? html`<${Outcome} of=${one.actual} />` : html`<span lang="en">
                ${one.error && one.error.message}</span>`}</div>`}`
            : html`<span class="muted">…</span>`;
        } },
        { title: html`<span class="visually-hidden">${t('workflows.deeds')}</span>`,
          cell: (row) => html`<${Button} kind="quiet tiny" busy=${remove.busy}
          onClick=${() => remove.run(row.id)}>${t('steps.remove')}
          <span class="visually-hidden">${` ${row.name}`}</span><//>` }]} />`
      : html`<${State} icon="workflows" title=${t('sandbox.noScenarios')}>
        <p>${t('sandbox.noScenariosText')}</p><//>`)}<//><//>`;
}

// --- all ways ---

function Way({ of, steps }) {
  if (!of) return html`<span class="muted">–</span>`;
  return html`<span class="way">${of.steps.map((step, i) => html`${i > 0 && ' → '}<${Called}
    of=${step.node} steps=${steps} />${step.exit && html` <span class="muted small">
    ${named(`exits.${step.exit}`, step.exit)}</span>`}`)}</span>`;
}

function evidenceOf(path) {
  const { assurance, method } = path.evidence;
  return [assurance && named(`assurances.${assurance}`, assurance),
    method && valueName('methods', method)].filter(Boolean).join(' · ')
    || t('sandbox.noEvidence');
}

function Paths({ subject, question, definition }) {
  const { api } = useService();
  const found = useResource(JSON.stringify(['paths', subject, question]), (signal) =>
    api.post('workflows/paths', { signal, body: { ...subject, ...question } }));
  const steps = stepsOf(definition) || [];
  if (found.error) return html`<${Fault} fault=${found.error} />`;
  return html`<${Card} title=${t('sandbox.weakest')} flush><${Loaded} resource=${found}>
    ${(data) => html`<${Table} label=${t('sandbox.weakest')} rows=${data.jurisdictions.map(
      (one) => ({ ...one, id: one.jurisdiction || '' }))} columns=${[
      { title: t('sessions.jurisdiction'), cell: (row) => (row.jurisdiction
        ? html`<a class="row" href=${changed({ place: row.jurisdiction })}>
          ${place(row.jurisdiction)}</a>` : t('steps.any')) },
      { title: t('sandbox.evidence'), cell: (row) => (row.prohibited
        ? html`<${Badge} kind="bad">${t('compliance.prohibited')}<//>`
        : row.weakest ? evidenceOf(row.weakest)
          : html`<${Badge} kind="bad" icon="warning">${t('sandbox.noneVerifies')}<//>`) },
      { title: t('sandbox.weakestWay'), class: 'p2', cell: (row) => html`
        <${Way} of=${row.prohibited ? null : row.weakest} steps=${steps} />` },
      { title: t('sandbox.ways'), class: 'number', cell: (row) =>
        `${number(row.verifying)} / ${number(row.count)}` },
      { title: t('sandbox.longest'), class: 'p3 number', cell: (row) =>
        (row.longest ? row.longest.steps.length : '–') },
      { title: t('sandbox.deadEnds'), cell: (row) => (row.dead_ends.length
        ? html`<${Badge} kind="warn" icon="warning">${row.dead_ends.map((one) =>
          html`<${Called} of=${one} steps=${steps} /> `)}<//>` : html`<span class="muted">
          ${t('list.none')}</span>`) }]} />`}<//><//>
    ${found.data && found.data.jurisdictions.map((one) => one.paths.length > 0 && html`
      <${Card} title=${t('sandbox.allWays')} flush><${Table} label=${t('sandbox.allWays')}
      rows=${one.paths.map((path, id) => ({ ...path, id }))} columns=${[
        { title: t('sandbox.result'), cell: (row) => html`<${Status} of=${row.status} />` },
        { title: t('sandbox.evidence'), class: 'p2', cell: evidenceOf },
        { title: t('sandbox.way'), cell: (row) => html`<${Way} of=${row} steps=${steps} />` }]} /><//>`)}`;
}

// --- the page ---

// Scenarios have a type and a place of their own; all paths can be of all places.
function Question({ state, type, types, options, subject, tab }) {
  const [text, set] = useState(state.place || '');
  useLayoutEffect(() => set(state.place || ''), [state.place]);
  const choose = (name, label, value, list) => html`<${Select} label=${label}
    value=${value} options=${list} onChange=${(one) => go(changed({ [name]: one }))} />`;
  const ask = () => go(changed({ place: text.trim().toUpperCase() }));
  return html`<form class="filters top" onSubmit=${(event) => {
    event.preventDefault();
    ask();
  }}>${choose('subject', t('sandbox.subject'), subject, options)}
    ${tab !== 'scenarios' && html`${choose('type', t('sessions.type'), type,
      types.map((one) => [one, valueName('types', one)]))}
    <${Field} label=${t('sessions.jurisdiction')} hint=${t(tab === 'paths'
      ? 'sandbox.placeHint' : 'compliance.placeHint')}>
      ${(field) => html`<input ...${field} value=${text} autocomplete="off"
      onInput=${(event) => set(event.target.value)} onBlur=${() => {
        if (text.trim().toUpperCase() !== (state.place || '')) ask();
      }} />`}<//>`}</form>`;
}

export function Sandbox() {
  const { api } = useService();
  const state = useAddress();
  const path = `workflows/${encodeURIComponent(state.id)}`;
  const versions = useGet(`${path}/versions`, { limit: 20 });
  const drafts = useGet('workflow_drafts', { workflow_id: state.id, limit: 20 });
  // A workflow that was never published has no versions yet.
  const known = versions.data || versions.error ? [
    ...(versions.data ? versions.data.data : []).map((one) => [one.id, one.is_live
      ? `${nameOf(one)} (${t('workflows.live')})` : nameOf(one)]),
    ...(drafts.data ? drafts.data.data : []).map((one) => [one.id,
      `${t('workflows.draft')} …${one.id.slice(-6)}`])] : [];
  const id = state.subject || (drafts.data && known.length ? known[0][0] : null);
  const options = id && !known.some(([one]) => one === id)
    ? [...known, [id, `…${id.slice(-6)}`]] : known;
  const found = useDefinition(state.id, id);
  // Only a draft can have faults, and then cannot be tried.
  const check = useResource(found.data && id.startsWith('wfd_') ? id + found.data.etag : null,
    (signal) => api.post('workflows/check', { signal, body: subjectOf(id) }));
  const crumbs = [[t('ways.workflows'), to('workflows')],
    [(found.data && found.data.definition.name) || t('workflows.workflow'),
      to('workflow', { id: state.id })]];
  const head = html`<${Head} title=${t('sandbox.title')} crumbs=${crumbs}>
    ${t('sandbox.lead')}<//>`;
  // While another subject comes, the question stays, with the focus.
  const last = useRef(null);
  last.current = found.data || last.current;
  const coming = html`<${Card} flush><${Loaded} resource=${id ? found : drafts.error
    ? drafts : versions} lines=${8}>${() => html`<${Loading} />`}<//><//>`;
  if (!last.current) return html`${head}${coming}`;
  const definition = last.current.definition;
  const types = Array.isArray(definition.session_types) ? definition.session_types : TYPES;
  const type = types.includes(state.type) ? state.type : types[0];
  const subject = subjectOf(id);
  const tab = ['scenarios', 'paths'].includes(state.tab) ? state.tab : 'run';
  // A session is somewhere, so there is always a place to begin with; paths are of all.
  const [first] = Array.isArray(definition.jurisdictions) ? definition.jurisdictions : [];
  const at = state.place || (tab === 'run' ? String(first || 'US') : '');
  const question = { type, jurisdiction: at || undefined };
  return html`${head}<${Question} state=${{ ...state, place: at }} type=${type} types=${types}
      options=${options} subject=${id} tab=${tab} />
    <${Tabs} now=${tab} names=${['run', 'scenarios', 'paths'].map((one) =>
      [one, t(`sandbox.tabs.${one}`)])} />
    ${!found.data || check.loading ? coming : check.data && check.data.faults.length
      ? html`<${Card} title=${t('sandbox.faulty')}><${FaultList} check=${check.data}
        onOpen=${(at) => go(to('draft', { id, at }))} /><//>` : tab === 'paths' ? html`<${Paths} subject=${subject} question=${question}
      definition=${definition} />`
      : tab === 'scenarios' ? html`<${Scenarios} workflow=${state.id} subject=${subject} />`
        : html`<${Run} workflow=${state.id} subject=${subject} definition=${definition}
          question=${question} />`}`;
}
