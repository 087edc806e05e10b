// The panel beside the graph in which a workflow is edited: the settings, or the step
// that is open, as fields, each with the faults that the compiler finds at it. Every exit
// of a step is a choice.

import { html, t, useState, useLayoutEffect, useContext, createContext, named, useId,
  announce, Icon } from '../view.js';
import { changed } from '../address.js';
import { Badge, Button, Card, Choice, Field, Note, Print } from '../parts.js';
import { gistOf } from '../graph.js';
import { place, shortPlace } from '../format.js';
import { PLACES } from '../places.js';
import { TrustReuseOf } from './workflows.js';
import { Wrong } from './workflow_faults.js';
import { TYPES, addStep, exitsOf, insertStep, moveStep, pointerOf, put, removeStep, renameStep,
  stepsOf, targetsOf } from '../definition.js';

const CHECKS = ['ip_analysis', 'device_risk', 'geolocation'];
const METHODS = ['document_capture', 'mdl', 'nfc_passport', 'selfie_liveness',
  'selfie_match', 'self_attestation'];
const CHANNELS = ['in_person', 'remote'];
const CANNABIS = ['medical', 'adult_use'];
const ARTICLES = { tobacco_nicotine: ['cigarette', 'vape'],
  cannabis_dispensary: CANNABIS, cannabis_delivery: CANNABIS,
  gambling_online: ['lottery', 'betting', 'casino'],
  gambling_in_person: ['lottery', 'betting', 'casino'],
  alcohol_delivery: ['beer', 'wine', 'spirits'],
  alcohol_in_person: ['beer', 'wine', 'spirits'], firearms: ['handgun', 'long_gun'] };
const USE_CASES = ['alcohol_delivery', 'alcohol_in_person', 'cannabis_dispensary',
  'cannabis_delivery', 'gambling_online', 'gambling_in_person', 'tobacco_nicotine',
  'adult_content', 'social_media', 'firearms'];
const TIERS = ['min_age_13', 'min_age_16', 'min_age_18', 'min_age_21'];
const ASSURANCES = ['decoded', 'consistent', 'signed', 'signed_and_present'];
const DOUBTS = ['review', 'requires_input', 'failed'];

// --- fields of a definition ---

// {definition, faults, change(definition, mark), isFixed, focus(pointer)}
export const Editing = createContext(null);

// What stands at KEYS; undefined: nothing.
export const at = (value, keys) => keys.reduce((one, key) => (one && typeof one === 'object'
  && Object.hasOwn(one, key) ? one[key] : undefined), value);

// What is said of POINTER or of what stands below it, but not below OTHERS.
function faultsAt(faults, pointer, others = []) {
  const isBelow = (one, above) => one === above || one.startsWith(`${above}/`);
  return faults.filter((one) => isBelow(one.pointer, pointer)
    && !others.some((other) => isBelow(one.pointer, other)));
}

function said(faults) {
  return faults.length ? faults.map((one, i) => html`${i > 0 && ' '}<${Wrong} of=${one} />`)
    : null;
}

export const shownAs = (value) => (value === undefined || value === null ? ''
  : typeof value === 'object' ? JSON.stringify(value) : String(value));

// A list of places, chosen by typing: known ones are offered, others can be typed.
function Places({ field, value, onChange }) {
  const [text, set] = useState('');
  const add = (typed) => {
    const codes = typed.toUpperCase().split(/[\s,;]+/).filter(Boolean);
    set('');
    if (codes.length) onChange([...new Set([...value, ...codes])], null);
  };
  const remove = (code) => {
    const left = value.filter((one) => one !== code);
    onChange(left.length ? left : undefined, null);
    document.getElementById(field.id).focus(); // what was pressed is gone
  };
  const press = (event) => {
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault();
      add(text);
    } else if (event.key === 'Backspace' && !text && value.length)
      remove(value[value.length - 1]);
  };
  return html`${value.length > 0 && html`<ul class="chosen" role="list">${value.map((code) => html`
      <li key=${code}><button type="button" class="button secondary tiny" aria-label=${
      t('editor.removePlace', { code, name: shortPlace(code) })}
      onClick=${() => remove(code)}><span>${shortPlace(code)} <span
        class="print">${code}</span></span><${Icon} name="cross" /></button></li>`)}
    </ul>`}<input ...${field} value=${text} list=${`${field.id}-list`} autocomplete="off"
      spellcheck=${false} placeholder=${t(value.length ? 'editor.addPlace' : 'steps.any')}
      onKeyDown=${press} onBlur=${() => add(text)} onInput=${(event) => {
        const typed = event.target.value;
        // Chosen, and not typed letter by letter: "US" begins many others.
        if (PLACES.includes(typed) && event.inputType !== 'insertText') add(typed);
        else set(typed);
      }} /><datalist id=${`${field.id}-list`}>${PLACES.filter((one) => !value.includes(one))
      .map((one) => html`<option value=${one}>${place(one)}</option>`)}</datalist>`;
}

const asNumber = (text) => (/^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text);

// The member at KEYS as a field: text, long text, number, places or one of OPTIONS,
// [[value, name], …]; OTHERWISE is what holds without it.
function Member({ keys, kind = 'text', options, hint, otherwise }) {
  const { definition, faults, change } = useContext(Editing);
  const value = at(definition, keys);
  const pointer = pointerOf(...keys);
  const set = (now, mark = pointer) => change(put(definition, keys, now), mark);
  const label = named(`members.${keys[keys.length - 1]}`, keys[keys.length - 1]);
  const type = (event) => {
    const text = event.target.value;
    set(text === '' ? undefined : kind === 'number' ? asNumber(text) : text);
  };
  const shown = shownAs(value);
  // Of the value that holds anyway there is one choice, not two of the same name.
  const isSaid = ([one, text]) => text === otherwise && one === shown;
  return html`<${Field} label=${keys[keys.length - 2] === 'next'
    ? t('steps.exit', { exit: named(`exits.${keys[keys.length - 1]}`, '') }) : label}
    hint=${hint} fault=${said(faultsAt(faults, pointer))}>${(attributes) => {
      const field = { ...attributes, 'data-pointer': pointer };
      if (options)
        return html`<select ...${field} value=${shown} onChange=${(event) =>
          set(event.target.value || undefined, null)}>
          ${!options.some(isSaid) && html`<option value="">
            ${otherwise || t('steps.choose')}</option>`}
          ${shown && !options.some(([one]) => one === shown) && html`
            <option value=${shown}>${t('steps.unknown', { name: shown })}</option>`}
          ${options.filter((one) => one[1] !== otherwise || isSaid(one))
            .map(([one, text]) => html`<option value=${one}>${text}</option>`)}</select>`;
      if (kind === 'places' && (value === undefined || (Array.isArray(value)
        && value.every((one) => typeof one === 'string'))))
        return html`<${Places} field=${field} value=${value || []} onChange=${set} />`;
      if (kind === 'long')
        return html`<textarea ...${field} value=${shown} onInput=${type}></textarea>`;
      return html`<input ...${field} value=${shown} placeholder=${otherwise}
        inputmode=${kind === 'number' ? 'numeric' : null} autocomplete="off"
        onInput=${type} />`;
    }}<//>`;
}

// The list at KEYS as boxes to tick, in the order in which they are ticked.
function Members({ keys, options, hint }) {
  const { definition, faults, change } = useContext(Editing);
  const value = at(definition, keys);
  const list = Array.isArray(value) ? value : [];
  const id = useId();
  const pointer = pointerOf(...keys);
  const wrong = faultsAt(faults, pointer);
  const others = list.filter((one) => !options.some(([name]) => name === one));
  const choose = (one, on) => {
    const now = on ? [...list, one] : list.filter((other) => other !== one);
    change(put(definition, keys, now.length || keys.length > 1 ? now : undefined));
  };
  return html`<fieldset class="field" data-pointer=${pointer} tabindex="-1"
    aria-describedby=${wrong.length ? `${id}-fault` : null}><legend>
    ${named(`members.${keys[keys.length - 1]}`, keys[keys.length - 1])}</legend>
    <div class="choices tight-choices">${[...options, ...others.map((one) =>
      [one, shownAs(one)])].map(([one, text]) => html`<${Choice} checked=${list.includes(one)}
      label=${text} onChange=${(on) => choose(one, on)} />`)}</div>
    ${hint && html`<p class="hint">${hint}</p>`}
    ${wrong.length > 0 && html`<p class="fault" id=${`${id}-fault`}>${said(wrong)}</p>`}
    </fieldset>`;
}

function Switch({ keys, label, hint, otherwise = false }) {
  const { definition, faults, change } = useContext(Editing);
  const pointer = pointerOf(...keys);
  const wrong = said(faultsAt(faults, pointer));
  return html`<div data-pointer=${pointer}><${Choice} label=${label} hint=${hint}
    checked=${(at(definition, keys) ?? otherwise) === true} onChange=${(on) =>
      change(put(definition, keys, on === otherwise ? undefined : on))} />
    ${wrong && html`<p class="fault">${wrong}</p>`}</div>`;
}

const optionsOf = (list, values) => values.map((one) => [one,
  named(`${list}.${one}`, one)]);

// --- the settings ---

function Settings({ workflow }) {
  const { definition } = useContext(Editing);
  const steps = stepsOf(definition) || [];
  const reuse = at(definition, ['trust_reuse', 'accept']) === true;
  return html`<${Card} title=${t('editor.settings')}><div class="fields">
    <${Member} keys=${['name']} />
    <${Member} keys=${['description']} kind="long" />
    <${Members} keys=${['session_types']} hint=${t('editor.hints.types')}
      options=${optionsOf('types', ['identity', 'age', 'student'])} />
    <div class="columns"><${Member} keys=${['use_case']} otherwise=${t('editor.noLaw')}
        options=${optionsOf('useCases', USE_CASES)} />
      ${(ARTICLES[definition.use_case] || definition.article) && html`<${Member}
        keys=${['article']} otherwise=${t('editor.strictest')}
        options=${optionsOf('articles', ARTICLES[definition.use_case] || [])} />`}
      ${(definition.use_case === 'tobacco_nicotine' || definition.channel) && html`<${Member}
        keys=${['channel']} otherwise=${t('channels.in_person')}
        options=${optionsOf('channels', CHANNELS)} />`}
      <${Member} keys=${['required_age_tier']} otherwise=${t('editor.lawAlone')}
        options=${optionsOf('tiers', TIERS)} />
      <${Member} keys=${['jurisdictions']} kind="places"
        hint=${t('compliance.placeHint')} /></div>
    <${Switch} keys=${['trust_reuse', 'accept']} label=${t('editor.reuse')}
      hint=${t('editor.hints.reuse')} />
    ${workflow && reuse && html`<div class="small"><${TrustReuseOf} workflow=${{
      trust_reuse: { ...workflow.trust_reuse, accept: true, effective:
        (workflow.trust_reuse.applications || []).some((one) => one.enabled) } }} /></div>`}
    <details class="more"><summary>${t('editor.more')}</summary><div class="fields">
      <div class="columns"><${Member} keys=${['on_undetermined']}
          hint=${t('editor.hints.undetermined')} options=${optionsOf('doubts', DOUBTS)}
          otherwise=${t('doubts.review')} />
        <${Member} keys=${['on_unreadable']} hint=${t('editor.hints.unreadable')}
          options=${optionsOf('doubts', DOUBTS)} otherwise=${t('doubts.review')} />
        <${Member} keys=${['on_document_reused']} hint=${t('editor.hints.reused')}
          options=${optionsOf('doubts', ['noted', ...DOUBTS])}
          otherwise=${t('doubts.review')} />
        <${Member} keys=${['on_nonconforming']} hint=${t('editor.hints.form')}
          options=${optionsOf('doubts', ['pass', 'review'])}
          otherwise=${t('doubts.review')} />
        <${Member} keys=${['expires_after_seconds']} kind="number" otherwise="86400" />
        <${Member} keys=${['vp_token', 'same_person']} otherwise=${t('doubts.noted')}
          options=${optionsOf('doubts', ['noted', 'required'])} /></div>
      <${Switch} keys=${['require_email_otp']} label=${t('members.require_email_otp')}
        hint=${t('editor.hints.otp')} />
      <${Switch} keys=${['ask_birth_date']} label=${t('members.ask_birth_date')}
        hint=${t('editor.hints.birth')} otherwise=${true} />
      <p class="small muted">${t('editor.statements')}</p></div></details>
    <${Member} keys=${['start']} options=${steps.map(choiceOf)} />
    </div><//>`;
}

// --- the steps ---

// A step as an option of a list.
export const choiceOf = ([name, node]) => [name, `${gistOf(node)} – ${name}`];

export const exitName = (exit) => named(`exits.${exit}`, exit);

// What is done to the definition, each with what is said about it.
export function useActs(onEnter) {
  const { definition, change, focus } = useContext(Editing);
  const steps = stepsOf(definition) || [];
  return {
    remove(name) {
      const place = steps.findIndex(([one]) => one === name);
      const next = steps[place + 1] || steps[place - 1];
      change(removeStep(definition, name));
      onEnter(null);
      focus(next ? `#step ${next[0]}` : '#add');
      announce(t('steps.removed', { name }));
    },
    move(name, to) {
      const now = moveStep(definition, name, to);
      change(now);
      const place = stepsOf(now).findIndex(([one]) => one === name) + 1;
      announce(t('steps.moved', { name, place, n: steps.length }));
    },
    connect(from, exit, to) {
      change(put(definition, ['nodes', from, 'next', exit], to));
      announce(t('steps.connected', { exit: exitName(exit), from, to }));
    },
    insert(type, from, exit) {
      const [now, name] = insertStep(definition, type, from, exit);
      change(now);
      onEnter(name);
      focus(pointerOf('nodes', name));
      announce(t('steps.added', { name }));
    },
  };
}

// The name of a step; it is changed everywhere when the field is left.
function StepName({ name, wrong, onEnter }) {
  const { definition, change } = useContext(Editing);
  const [text, set] = useState(name);
  const [isTaken, refuse] = useState(false);
  useLayoutEffect(() => {
    set(name);
    refuse(false);
  }, [name]);
  const pointer = pointerOf('nodes', name);
  const rename = () => {
    const wish = text.trim();
    const bad = !wish || (wish !== name && stepsOf(definition).some(([one]) =>
      one === wish));
    refuse(bad);
    if (bad || wish === name) return;
    change(renameStep(definition, name, wish));
    onEnter(wish);
  };
  return html`<${Field} label=${t('steps.name')} fault=${isTaken ? t('steps.taken')
    : said(wrong)}>${(field) => html`<input ...${field} class="code" maxlength="64"
    value=${text} data-pointer=${pointer} autocomplete="off" spellcheck=${false}
    onInput=${(event) => set(event.target.value)} onBlur=${rename}
    onKeyDown=${(event) => { if (event.key === 'Enter') rename(); }} />`}<//>`;
}

// What stands beside the name of a step.
function StepMember({ name, node }) {
  if (node.type === 'review')
    return html`<${Member} keys=${['nodes', name, 'timeout_hours']} kind="number"
      otherwise="72" hint=${t('editor.hints.hours')} />`;
  if (node.type === 'outcome')
    return html`<${Member} keys=${['nodes', name, 'status']}
      options=${optionsOf('status', ['verified', 'failed'])} />`;
  return null;
}

// The other members that steps of each type have, besides `next`.
function StepMembers({ name, node }) {
  const keys = (member) => ['nodes', name, member];
  if (node.type === 'checks')
    return html`<${Members} keys=${keys('checks')}
      options=${optionsOf('methods', CHECKS)} />`;
  if (node.type !== 'methods') return null;
  const list = Array.isArray(node.methods) ? node.methods : [];
  return html`<${Members} keys=${keys('methods')} options=${optionsOf('methods', METHODS)} />
    <div class="columns">
    ${(list.length > 1 || node.mode !== undefined) && html`<${Member} keys=${keys('mode')}
      options=${optionsOf('modes', ['any_of', 'all_of'])} otherwise=${t('modes.any_of')} />`}
    <${Member} keys=${keys('max_attempts')} kind="number" otherwise="3" />
    ${list.includes('document_capture') && html`
      <${Member} keys=${keys('max_unreadable')} kind="number" otherwise="8" />`}
    <${Member} keys=${keys('min_assurance')} options=${optionsOf('assurances', ASSURANCES)}
      otherwise=${t('editor.byType')} /></div>
    ${(list.includes('nfc_passport') || node.require_genuine_chip !== undefined) && html`
      <${Switch} keys=${keys('require_genuine_chip')}
        label=${t('members.require_genuine_chip')} />
      <${Switch} keys=${keys('accept_unknown_revocation')}
        label=${t('members.accept_unknown_revocation')} />`}`;
}

const SHOWN = { checks: ['checks'], review: ['timeout_hours'], outcome: ['status'],
  methods: ['methods', 'mode', 'max_attempts', 'max_unreadable', 'min_assurance', 'require_genuine_chip',
    'accept_unknown_revocation'] };

function Step({ name, node, steps, onEnter }) {
  const { definition, faults, change, focus } = useContext(Editing);
  const pointer = pointerOf('nodes', name);
  const exits = exitsOf(node);
  const id = useId();
  // What no field of the card says stands at its name.
  const wrong = faultsAt(faults, pointer, [...(SHOWN[node.type] || []).map((one) =>
    pointerOf('nodes', name, one)), ...exits.map(([exit]) =>
    pointerOf('nodes', name, 'next', exit))]);
  const index = steps.findIndex(([one]) => one === name);
  const { move, remove } = useActs(onEnter);
  return html`<section class="card step" aria-labelledby=${id}><header>
    <div class="badges"><h2 id=${id} tabindex="-1">${gistOf(node)}</h2><${Print} of=${name} /></div>
    ${definition.start === name && html`<${Badge} kind="accent">${t('steps.start')}<//>`}
    ${[['left', -1, 'steps.earlier'], ['right', 1, 'steps.later']].map(([icon, by, said_]) => html`
      <button type="button" class="button tool tiny"
      aria-disabled=${steps[index + by] ? null : 'true'} aria-label=${t(said_)}
      title=${t(said_)} onClick=${() => steps[index + by]
        && move(name, steps[index + by][0])}><${Icon} name=${icon} /></button>`)}
    <${Button} kind="quiet tiny" onClick=${() => remove(name)}>
      ${t('steps.remove')}
      <span class="visually-hidden">${` ${name}`}</span><//></header>
    <div class="inside fields"><div class="columns"><${StepName} name=${name}
      wrong=${wrong} onEnter=${onEnter} /><${StepMember} name=${name} node=${node} /></div>
    <${StepMembers} name=${name} node=${node} />
    ${exits.length > 0 && html`<div class="columns exits">${exits.map(([exit, now]) => html`
      <${Member} keys=${['nodes', name, 'next', exit]} options=${targetsOf(steps, name, now)
    .map(choiceOf)} />`)}</div>`}
    </div></section>`;
}

export function AddStep({ after, onEnter }) {
  const { definition, change, focus } = useContext(Editing);
  const add = (type) => {
    const [now, name] = addStep(definition, type, after);
    change(now);
    onEnter(name);
    focus(pointerOf('nodes', name));
  };
  return html`<div class="actions adding" role="group" aria-label=${t('steps.add')}>
    <span class="muted small">${t('steps.add')}</span>${TYPES.map((type, i) => html`<${Button}
    kind="secondary tiny" icon="plus" onClick=${() => add(type)}><span id=${i ? null : 'add'}>
    ${t(`steps.types.${type}`)}</span><//>`)}</div>`;
}

// The step NOW as fields; without one, the settings.
export function Panel({ workflow, now, onEnter }) {
  const { definition, isFixed } = useContext(Editing);
  const steps = stepsOf(definition);
  if (!steps)
    return html`<${Note} kind="warn" title=${t('steps.none')}><p>
      <a href=${changed({ tab: 'json' })}>${t('editor.toJson')}</a></p><//>`;
  const index = steps.findIndex(([name]) => name === now);
  return html`<fieldset disabled=${isFixed}><legend class="visually-hidden">
    ${index < 0 ? t('editor.settings') : t('steps.one', { name: now })}</legend>
    ${index < 0 ? html`<${Settings} workflow=${workflow} />` : html`<${Step}
      name=${now} node=${steps[index][1]} steps=${steps} onEnter=${onEnter} />`}</fieldset>`;
}
