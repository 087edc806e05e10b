// The editor of a workflow: its graph, beside it the step that is open, or the settings,
// and the same as JSON. What is wrong the compiler of the service says, at the fields it
// is about. What is not saved yet stays in this browser until it is.

import { html, t, useState, useEffect, useLayoutEffect, useRef, useMemo, useContext,
  announce } from '../view.js';
import { go, to, useAddress } from '../address.js';
import { useDeed, useGet, useResource } from '../resource.js';
import { useService } from '../operator.js';
import { relative } from '../format.js';
import { Badge, Button, Card, Choice, Dialog, Fault, Field, Head, Id, Loaded, Note,
  Question, Status, Tabs } from '../parts.js';
import { Changes, Import, Outcome, useDefinition, whereIs } from './workflows.js';
import { FaultList } from './workflow_faults.js';
import { Words } from './workflow_words.js';
import { GraphEditor } from './workflow_graph.js';
import { AddStep, Editing, Panel, at, shownAs } from './workflow_steps.js';
import { changedTo, differences, historyOf, keysOf, pointerOf, redone, takeOnto, undone }
  from '../definition.js';

const CHECK_AFTER = 350; // milliseconds without a change
// --- what is not saved yet, over an expired login, too ---

const keptAs = (id) => `idv-dashboard-draft-${id}`;

function kept(id) {
  try {
    return JSON.parse(localStorage.getItem(keptAs(id)));
  } catch {
    return null; // none, or no storage
  }
}

function keep(id, value) {
  try {
    if (value) localStorage.setItem(keptAs(id), JSON.stringify(value));
    else localStorage.removeItem(keptAs(id));
  } catch {
    // No storage: it lasts as long as the page.
  }
}

// --- the same as JSON ---

function AsJson() {
  const { definition, change, isFixed, faults } = useContext(Editing);
  const [text, set] = useState(() => JSON.stringify(definition, null, 2));
  const [wrong, tell] = useState(null);
  const own = useRef(definition);
  useLayoutEffect(() => {
    // Undone, or taken from elsewhere.
    if (own.current === definition) return;
    own.current = definition;
    set(JSON.stringify(definition, null, 2));
    tell(null);
  }, [definition]);
  const type = (event) => {
    set(event.target.value);
    try {
      const value = JSON.parse(event.target.value);
      if (!value || typeof value !== 'object' || Array.isArray(value))
        throw new Error(t('workflows.noDefinition'));
      own.current = value;
      change(value, 'json');
      tell(null);
    } catch (error) {
      tell(error.message);
    }
  };
  return html`<${Card}><${Field} label="JSON" hint=${t('editor.hints.json')}
    fault=${wrong || (faults.length ? t('editor.faults', { n: faults.length }) : null)}>
    ${(field) => html`<textarea ...${field} class="code source" data-pointer=""
    spellcheck=${false} readonly=${isFixed} value=${text} onInput=${type}></textarea>`}<//><//>`;
}

// --- faults ---

// The field of POINTER, or of what it stands in.
function fieldOf(pointer) {
  if (pointer === '#step') return document.querySelector('.step h2');
  if (pointer === '#add') return document.getElementById('add')?.closest('button');
  if (pointer.startsWith('#step '))
    return document.querySelector(`[data-step="${CSS.escape(pointer.slice(6))}"][aria-pressed]`);
  for (let keys = keysOf(pointer); ; keys.pop()) {
    const place = document.querySelector(
      `[data-pointer="${CSS.escape(pointerOf(...keys))}"]`);
    const field = place && (place.matches('input, select, textarea') ? place
      : place.querySelector('input') || place);
    if (field || !keys.length) return field;
  }
}

function focusOn(pointer) {
  const field = fieldOf(pointer);
  if (!field) return;
  for (let box = field.closest('details'); box; box = box.parentElement.closest('details'))
    box.open = true;
  field.focus();
  field.scrollIntoView({ block: pointer === '#step' ? 'start' : 'center' });
}

// --- somebody else saved it meanwhile ---

function Conflict({ base, mine, theirs, onTake, onClose }) {
  const taken = takeOnto(base.definition, mine, theirs.definition);
  return html`<${Dialog} wide title=${t('editor.conflict.title')} onClose=${onClose}>
    <p>${t('editor.conflict.text', { name: theirs.updated_by,
      when: relative(theirs.updated) })}</p>
    <h3>${t('editor.conflict.theirs')}</h3>
    <${Changes} before=${base.definition} after=${theirs.definition} />
    <h3>${t('editor.conflict.mine')}</h3>
    <${Changes} before=${base.definition} after=${mine} />
    ${taken.meeting.length > 0 && html`<${Note} kind="warn"
      title=${t('editor.conflict.meeting', { n: taken.meeting.length })}>
      <${Changes} of=${taken.meeting.map((one) => ({ ...one,
        before: at(theirs.definition, one.keys) }))} /><//>`}
    <div class="actions"><${Button} kind="quiet" onClick=${onClose}>
      ${t('editor.conflict.later')}<//>
    <${Button} kind="danger" onClick=${() => onTake(theirs, theirs.definition)}>
      ${t('editor.conflict.drop')}<//>
    <${Button} kind="primary" onClick=${() => onTake(theirs, taken.definition)}>
      ${t('editor.conflict.take')}<//></div><//>`;
}

// --- trying ---

// The sandbox, at BOX, knows only what is saved.
function Unsaved({ box, save, onClose }) {
  return html`<${Dialog} title=${t('sandbox.unsaved')} onClose=${onClose}>
    <div class="actions"><${Button} kind="quiet" onClick=${onClose}>${t('parts.cancel')}<//>
    <a class="button secondary" href=${box}>${t('sandbox.trySaved')}</a>
    <${Button} kind="primary" onClick=${() => {
    onClose();
    save.run(box);
  }}>${t('sandbox.saveAndTry')}<//></div><//>`;
}

// --- publishing ---

function ScenarioRun({ run, accepted, accept }) {
  const stopped = run.results.filter((one) => one.result !== 'passed');
  return html`<p>${!run.results.length ? t('sandbox.noScenarios')
    : run.passed > 0 && t('publish.passed', { n: run.passed })}</p>
    ${stopped.length > 0 && html`<${Note} kind="warn"
      title=${t('publish.changed', { n: stopped.length })}>${stopped.map((one) => html`
      <${Choice} checked=${accepted.includes(one.scenario_id)} onChange=${(on) =>
        accept(on ? [...accepted, one.scenario_id]
          : accepted.filter((id) => id !== one.scenario_id))}
        label=${t('publish.accept', { name: one.name })} hint=${one.actual
          ? html`<${Outcome} of=${one.expected} />${' → '}<${Outcome} of=${one.actual} />`
          : html`<span lang="en">${one.error && one.error.message}</span>`} />`)}<//>`}`;
}

function Publish({ draft, workflow, isFourEyes, publish, onClose }) {
  const { api, me } = useService();
  const isOwn = isFourEyes && draft.updated_by === me.user;
  const path = `workflows/${encodeURIComponent(draft.workflow_id)}`;
  const live = useDefinition(draft.workflow_id, workflow && workflow.version_id);
  const run = useResource(`run ${draft.etag}`, (signal) => api.post(`${path}/scenarios/run`,
    { signal, body: { draft_id: draft.id } }));
  const [accepted, accept] = useState([]);
  const [isReplacing, replace] = useState(false);
  useEffect(() => publish.drop, []);
  const press = () => publish.run({
    accept_changed_scenarios: accepted.length ? accepted : undefined,
    replace_version_id: isReplacing ? workflow.version_id : undefined });
  return html`<${Dialog} wide title=${t('publish.title')} onClose=${onClose}>
    <h3>${t('publish.differences')}</h3>
    ${workflow ? html`<${Loaded} resource=${live} lines=${2}>${(version) => html`
      <${Changes} before=${version.definition} after=${draft.definition} />`}<//>`
      : html`<p>${t('publish.first')}</p>`}
    ${draft.base_is_live === false && html`<${Note} kind="warn"
      title=${t('publish.outdated')}><p>${t('publish.outdatedText')}</p><${Choice}
      label=${t('publish.replace')} checked=${isReplacing} onChange=${replace} /><//>`}
    <h3>${t('sandbox.scenarios')}</h3>
    <${Loaded} resource=${run} lines=${2}>${(data) => html`<${ScenarioRun} run=${data}
      accepted=${accepted} accept=${accept} />`}<//>
    <h3>${t('publish.underWay')}</h3>
    <p>${t('workflows.keep')}</p>
    ${isOwn && html`<${Note} kind="warn" title=${t('publish.fourEyes')} />`}
    <${Fault} fault=${publish.fault} />
    <div class="actions"><${Button} kind="quiet" onClick=${onClose}>${t('parts.cancel')}<//>
      <${Button} kind="primary" busy=${publish.busy} disabled=${isOwn}
      onClick=${press}>${t('publish.yes')}<//></div><//>`;
}

// --- the editor ---

// The history of the definition, kept beside what the service has of it.
function useEditing(draft) {
  const rest = useMemo(() => kept(draft.id), []);
  const [base, setBase] = useState(rest ? { ...draft, ...rest.base } : draft);
  const [history, set] = useState(() => historyOf(rest ? rest.value : draft.definition));
  // The order of the steps, too, of which no difference tells.
  const isDirty = JSON.stringify(base.definition) !== JSON.stringify(history.value);
  // At once: an effect that waits for the next drawing may come too late for somebody
  // who leaves the page.
  useLayoutEffect(() => {
    keep(draft.id, isDirty ? { value: history.value, base: { etag: base.etag,
      definition: base.definition } } : null);
  }, [history.value, base, isDirty]);
  const turn = (move, key) => {
    set(move);
    const changes = differences(history.value, move(history).value);
    if (changes.length) announce(`${t(key)}: ${changes.slice(0, 3).map(({ keys }) =>
      whereIs(keys)).join(', ')}`);
  };
  return { base, history, isDirty, wasKept: !!rest && isDirty,
    // What the service has, and what is edited from then on.
    begin: (now, value) => {
      setBase(now);
      if (value) set((old) => changedTo(old, value));
    },
    change: (value, mark) => set((old) => changedTo(old, value, mark)),
    undo: () => turn(undone, 'editor.undo'), redo: () => turn(redone, 'editor.redo') };
}

function useCheck(definition) {
  const { api, may } = useService();
  const [check, set] = useState({ faults: [], warnings: [], valid: null });
  useEffect(() => {
    if (!may('developer')) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => api.post('workflows/check', { body: { definition },
      signal: abort.signal }).then(set, () => {}), CHECK_AFTER);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [definition]);
  return check;
}

// After the next drawing the field of the pointer given has the focus.
function useFocus() {
  const [wish, set] = useState(null);
  useEffect(() => {
    if (wish) focusOn(wish.pointer);
  }, [wish]);
  return (pointer) => set({ pointer });
}

function download(name, value) {
  const address = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2), '\n'],
    { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function DraftMenu({ draft, editing, save }) {
  const { api } = useService();
  const [asked, ask] = useState(false);
  const remove = useDeed(async () => {
    await api.delete(`workflow_drafts/${draft.id}`, { ifMatch: editing.base.etag });
    keep(draft.id, null);
  }, () => go(draft.is_new ? to('workflows') : to('workflow', { id: draft.workflow_id })));
  return html`<div class="toolbar actions" role="toolbar" aria-label=${t('editor.tools')}>
    <${Button} kind=${editing.isDirty ? 'primary' : 'secondary'} busy=${save.busy} disabled=${!editing.isDirty}
      onClick=${() => save.run()}>${t('parts.save')}<//>
    <${Button} onClick=${editing.undo} disabled=${!editing.history.past.length}>
      ${t('editor.undo')}<//>
    <${Button} onClick=${editing.redo} disabled=${!editing.history.future.length}>
      ${t('editor.redo')}<//>
    <${Import} label=${t('workflows.import')} onRead=${editing.change} />
    <${Button} onClick=${() => download(`${draft.id}.json`, editing.history.value)}>
      ${t('workflows.export')}<//>
    <${Button} kind="danger" onClick=${() => ask(true)}>${t('editor.delete')}<//>
    ${asked && html`<${Question} title=${t('editor.deleteTitle')} yes=${t('editor.delete')}
      deed=${remove} onClose=${() => ask(false)}><p>${t('editor.deleteText')}</p><//>`}</div>`;
}

function SaveState({ editing, check }) {
  return html`<span class="badges"><${Badge} kind=${editing.isDirty ? 'warn' : ''}
    icon=${editing.isDirty ? 'clock' : 'check'}>${t(editing.isDirty ? 'editor.unsaved'
      : 'editor.saved')}<//>${check.valid !== null && html`<${Badge}
    kind=${check.valid ? 'good' : 'bad'} icon=${check.valid ? 'check' : 'warning'}>
    ${t(check.valid ? 'workflows.sound' : 'workflows.faulty')}<//>`}</span>`;
}

function useKeysOf(editing, save) {
  return (event) => {
    const key = event.key.toLowerCase();
    const isSource = event.target.closest('.source');
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    if (key === 's') save.run();
    else if (!isSource && key === 'z' && !event.shiftKey) editing.undo();
    else if (!isSource && (key === 'y' || (key === 'z' && event.shiftKey))) editing.redo();
    else return;
    event.preventDefault();
  };
}

function DraftEditor({ draft, workflow }) {
  const { api, may } = useService();
  const state = useAddress();
  const editing = useEditing(draft);
  const definition = editing.history.value;
  const check = useCheck(definition);
  const focus = useFocus();
  const [now, enter] = useState(null);
  const [theirs, meet] = useState(null);
  const [asked, show] = useState(null);
  const isFixed = !may('developer');
  const path = `workflow_drafts/${draft.id}`;
  const [isLeaving, leave] = useState(false);
  const box = to('sandbox', { id: draft.workflow_id, subject: draft.id });
  // Then it leads to the address NEXT.
  const save = useDeed(async (next) => {
    if (!editing.isDirty) return null;
    try {
      editing.begin(await api.put(path, { ifMatch: editing.base.etag,
        body: { definition } }));
      announce(t('editor.saved'));
    } catch (error) {
      if (error.status !== 412) throw error;
      const now = await api.get(path);
      // It may be one's own, whose answer was lost.
      if (differences(now.definition, definition).length) {
        meet(now);
        return null;
      }
      editing.begin(now);
    }
    return next;
  }, (next) => {
    if (!next) return;
    keep(draft.id, null);
    go(next);
  });
  const ask = useDeed(() => api.get('.'), show); // whether two are needed, as of now
  const publish = useDeed((body) => api.post(`${path}/publish`,
    { ifMatch: editing.base.etag, body }), (made) => {
    keep(draft.id, null);
    go(to('workflow', { id: made.workflow_id }));
  });
  const tab = state.tab === 'json' ? 'json' : 'steps';
  const faulty = new Set(check.faults.map((one) => keysOf(one.pointer)).filter(([first]) =>
    first === 'nodes').map(([, name]) => name));
  const open = (pointer) => {
    const [first, name] = keysOf(pointer);
    enter(first === 'nodes' ? name : null);
    focus(pointer);
  };
  // Where the step's form is below the graph, one is led to it.
  const choose = (name) => {
    enter(name);
    if (name && matchMedia('(max-width: 74.99rem)').matches) focus('#step');
  };
  // A fault that was found elsewhere.
  useEffect(() => {
    if (state.at) open(state.at);
  }, []);
  // Below what is edited, which would move under the pointer when they come.
  const faults = html`<${FaultList} check=${check} onOpen=${open} />`;
  const canPublish = !editing.isDirty && check.valid;
  const actions = html`<a class="button secondary" href=${box} onClick=${(event) => {
    if (!editing.isDirty) return;
    event.preventDefault();
    leave(true);
  }}>${t('sandbox.title')}</a>
    ${may('publisher') && html`<${Button} kind=${editing.isDirty ? 'secondary' : 'primary'}
      disabled=${!canPublish}
      busy=${ask.busy} onClick=${ask.run}>${t('publish.do')}<//>`}`;
  return html`<${Editing.Provider} value=${{ definition, faults: check.faults, isFixed,
    focus, change: (value, mark) => editing.change(value, mark) }}>
    <${Head} title=${shownAs(definition.name) || t('workflows.unnamed')}
      crumbs=${[[t('ways.workflows'), to('workflows')], ...(workflow ? [[workflow.name,
        to('workflow', { id: workflow.id })]] : [])]} badge=${html`<${Status} of="draft" />
      <${SaveState} editing=${editing} check=${check} />`} actions=${!isFixed && actions}>
      <${Id} of=${draft.id} /><//>
    <div class="editor" onKeyDown=${isFixed ? null : useKeysOf(editing, save)}>
    ${isFixed ? html`<${Note} title=${t('editor.fixed')} />`
      : html`<${DraftMenu} draft=${draft} editing=${editing} save=${save} />`}
    ${editing.wasKept && html`<${Note} title=${t('editor.kept')}><p><${Button}
      kind="secondary tiny" onClick=${() => editing.begin(draft, draft.definition)}>
      ${t('editor.discard')}<//></p><//>`}
    <${Fault} fault=${save.fault || ask.fault} />
    ${draft.base_is_live === false && html`<${Note} kind="warn"
      title=${t('publish.outdated')} />`}
    <${Tabs} now=${tab} names=${[['steps', t('steps.picture')], ['json', 'JSON']]} />
    ${tab === 'json' ? html`<${AsJson} />${faults}` : html`<div class="graph-and-panel"><div
      class="beside"><${Card} title=${t('steps.picture')} tools=${definition.nodes?.[now] && html`<${Button}
      kind="secondary tiny" icon="settings" onClick=${() => open('/name')}>${t('editor.settings')}<//>`}>
      <div class="canvas"><${GraphEditor} now=${now} faulty=${faulty} onEnter=${choose}
        onOpen=${(name) => open(pointerOf('nodes', name))} /></div>
      ${!isFixed && html`<${AddStep} after=${now} onEnter=${enter} />`}
      <${Words} of=${definition} />
      <p class="small muted" id="graph-help">${t(isFixed ? 'editor.look' : 'editor.help')}</p>
      <//>${faults}</div><${Panel} workflow=${workflow} now=${now} onEnter=${enter} /></div>`}</div>
    ${theirs && html`<${Conflict} base=${editing.base} mine=${definition} theirs=${theirs}
      onClose=${() => meet(null)} onTake=${(saved, value) => {
        editing.begin(saved, value);
        meet(null);
      }} />`}
    ${isLeaving && html`<${Unsaved} box=${box} save=${save} onClose=${() => leave(false)} />`}
    ${asked && html`<${Publish} draft=${editing.base} workflow=${workflow}
      isFourEyes=${asked.four_eyes.publish} publish=${publish}
      onClose=${() => show(null)} />`}<//>`;
}

export function Draft() {
  const { id } = useAddress();
  const found = useGet(`workflow_drafts/${encodeURIComponent(id)}`);
  const draft = found.data;
  const workflow = useGet(draft && !draft.is_new ? `workflows/${draft.workflow_id}` : null);
  if (!draft || (!draft.is_new && !workflow.data))
    return html`<${Head} title=${t('workflows.draft')} crumbs=${[[t('ways.workflows'),
      to('workflows')]]} /><${Card} flush><${Loaded} resource=${found.data ? workflow : found}
      lines=${10}>${() => null}<//><//>`;
  return html`<${DraftEditor} key=${draft.id} draft=${draft} workflow=${workflow.data} />`;
}
