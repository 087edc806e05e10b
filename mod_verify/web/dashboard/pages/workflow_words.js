// A workflow in sentences: who passes, where, and on which paths. And the templates that
// a new one can begin with, each with its picture.

import { html, t, language, named } from '../view.js';
import { useForm } from '../address.js';
import { number, place, valueName } from '../format.js';
import { Button, Dialog, Fault } from '../parts.js';
import { exitsOf, stepsOf } from '../definition.js';
import { Graph } from '../graph.js';

const MOST = 6; // paths, and steps of one
const listOf = (value) => (Array.isArray(value) ? value : []);

const joined = (list, type) => new Intl.ListFormat(language(), { type }).format(list);

// As a sentence goes on after "with".
const methodsOf = ({ methods, mode }) => joined(listOf(methods).map((one) =>
  named(`words.by.${one}`, String(one))), mode === 'all_of' ? 'conjunction' : 'disjunction');

// The steps of WAY, each with the exits by which it is left, as a sentence.
function sentence(way) {
  const text = joined(way.map(([node, exits]) => joined(exits.map((exit) =>
    t(`words.step.${exit}`, { methods: methodsOf(node) })), 'disjunction')), 'conjunction') || '–';
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

// The paths from the step NAME, behind those of SEEN, to a verified outcome. Exits that lead
// to the same step are one; a step that is left to one step in any case decides nothing.
function paths(nodes, name, way, found, seen = []) {
  const node = nodes.get(name);
  if (!node || seen.includes(node) || way.length > MOST || found.length > MOST) return;
  if (node.type === 'outcome') {
    if (node.status === 'verified') found.push(way);
    return;
  }
  const exits = exitsOf(node);
  for (const next of new Set(exits.map(([, one]) => one))) {
    const same = exits.filter(([, one]) => one === next).map(([exit]) => exit);
    paths(nodes, next, same.length < exits.length ? [...way, [node, same]] : way, found,
      [...seen, node]);
  }
}

// Where, who passes, and HOW, if that is a few words.
function whom({ session_types: types, required_age_tier: tier, use_case: use, jurisdictions },
  how) {
  const [only, ...more] = listOf(types);
  const places = listOf(jurisdictions).filter((one) => typeof one === 'string').map(place);
  const [age] = /\d+$/.exec(tier) || [];
  const isAge = !only || listOf(types).includes('age');
  const kind = (isAge && age && 'age') || (isAge && use && 'law')
    || (!more.length && ['identity', 'student'].includes(only) ? only : 'any');
  return (places.length ? `${places.slice(0, MOST).join(', ')}${places[MOST] ? ' …' : ''}: ` : '')
    + t(`words.who.${kind}`, { age, use: use && valueName('useCases', use), how });
}

// What else makes a workflow another one.
function more({ trust_reuse: reuse, expires_after_seconds: seconds }) {
  return [reuse?.accept === true && t('words.reuse'), seconds > 0 && t('words.expires', {
    time: number(seconds / 60, { style: 'unit', unit: 'minute', unitDisplay: 'long' }) })]
    .filter(Boolean).join(' ');
}

export function Words({ of }) {
  const steps = stepsOf(of);
  if (!steps) return null;
  const found = [];
  paths(new Map(steps), of.start, [], found);
  if (!found.length) return html`<p class="small">${t('words.nobody')}</p>`;
  const [[[node, exits] = [], ...then]] = found;
  if (found.length === 1 && String(exits) === 'passed' && !then.length)
    return html`<p class="small">${whom(of, t('words.with', { methods: methodsOf(node) }))}${'. '}
      ${more(of)}</p>`;
  return html`<div class="small"><p>${whom(of, '')}${t('words.each', { n: found.length })}</p><ol>${
    found.slice(0, MOST).map((one) => html`<li>${sentence(one)}</li>`)}</ol><p>${
    found.length > MOST && t('words.more')} ${more(of)}</p></div>`;
}

// --- templates ---

const granted = { type: 'outcome', status: 'verified' };
const denied = { type: 'outcome', status: 'failed' };
const look = { type: 'review', next: { approved: 'granted', rejected: 'denied' } };
const ask = (methods, exhausted, more) => ({ type: 'methods', methods, max_attempts: 3, ...more,
  next: { passed: 'granted', exhausted } });

const TEMPLATES = {
  age: { session_types: ['age'], required_age_tier: 'min_age_18', start: 'id',
    nodes: { id: ask(['document_capture'], 'denied'), granted, denied } },
  wallet: { session_types: ['age'], required_age_tier: 'min_age_18', start: 'id',
    nodes: { id: ask(['mdl', 'document_capture'], 'denied'), granted, denied } },
  identity: { session_types: ['identity'], on_document_reused: 'review', start: 'id',
    nodes: { id: ask(['document_capture'], 'look', { min_assurance: 'consistent' }), look,
      granted, denied } },
  risk: { session_types: ['age'], required_age_tier: 'min_age_18', start: 'screen',
    nodes: { screen: { type: 'checks', checks: ['ip_analysis', 'device_risk'],
      next: { low: 'id', medium: 'look', high: 'denied' } },
    look: { ...look, next: { ...look.next, approved: 'id' } },
    id: ask(['document_capture'], 'denied'), granted, denied } },
  counter: { session_types: ['age'], required_age_tier: 'min_age_21',
    expires_after_seconds: 600, on_undetermined: 'requires_input',
    on_document_reused: 'failed', start: 'id',
    nodes: { id: ask(['document_capture'], 'denied', { max_attempts: 2 }), granted, denied } },
  delivery: { session_types: ['age'], use_case: 'alcohol_delivery', start: 'screen',
    nodes: { screen: { type: 'checks', checks: ['ip_analysis', 'device_risk', 'geolocation'],
      next: { low: 'id', medium: 'look', high: 'denied' } },
    look: { ...look, timeout_hours: 24, next: { ...look.next, approved: 'id' } },
    id: ask(['document_capture'], 'denied'), granted, denied } },
  returning: { session_types: ['age'], required_age_tier: 'min_age_18',
    trust_reuse: { accept: true }, vp_token: { same_person: 'required' }, start: 'id',
    nodes: { id: ask(['document_capture'], 'denied'), granted, denied } },
};

// MAKE: the deed that makes a draft of a definition.
export function Templates({ make }) {
  return html`<div class="templates">${Object.entries(TEMPLATES).map(([name,
    definition]) => html`<div class="note"><div><strong>${t(`words.templates.${name}`)}</strong>
    <${Graph} definition=${definition} isSmall />
    <${Words} of=${definition} /><${Button} busy=${make.busy} onClick=${() => make.run({
      name: t(`words.templates.${name}`), ...definition })}>${t('words.use')}<//></div></div>`)}
    </div><${Fault} fault=${make.fault} />`;
}

export function TemplatesButton({ make }) {
  const [isOpen, open] = useForm();
  return html`<${Button} onClick=${() => open(true)}>${t('words.title')}<//>
    ${isOpen && html`<${Dialog} wide title=${t('words.title')} onClose=${() => open(false)}>
      <${Templates} make=${make} /><//>`}`;
}
