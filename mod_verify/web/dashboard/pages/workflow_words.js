// A workflow in words: whom it is for, and each path on which people pass. And the
// templates that a new one can begin with.

import { html, t, useState } from '../view.js';
import { place, valueName } from '../format.js';
import { Button, Dialog, Fault } from '../parts.js';
import { exitsOf, stepsOf } from '../definition.js';
import { gistOf } from '../graph.js';

const MOST = 6; // paths, and steps of one
const listOf = (value) => (Array.isArray(value) ? value : []);

// What happens at NODE on the path that leaves it by EXIT.
function step(node, exit) {
  if (node.type === 'methods' && exit === 'passed')
    return gistOf(node).replaceAll(', ', ` ${t('words.or')} `);
  if (node.type === 'methods') return t('words.failed', { methods: gistOf(node) });
  return t(`exits.${exit}`) + (node.type === 'review' ? ` (${t('steps.types.review')})` : '');
}

// The paths from the step NAME to a verified outcome, each as its steps in words.
function paths(nodes, name, way, found) {
  const node = nodes.get(name);
  if (!node || way.length > MOST || found.length > MOST) return;
  if (node.type === 'outcome') {
    if (node.status === 'verified') found.push(way.map(([one, exit]) =>
      step(nodes.get(one), exit)).join(' → '));
    return;
  }
  if (way.some(([one]) => one === name)) return;
  for (const [exit, next] of exitsOf(node)) paths(nodes, next, [...way, [name, exit]], found);
}

function whom(definition) {
  return [listOf(definition.session_types).map((one) => valueName('types', one)).join(', '),
    valueName('tiers', definition.required_age_tier)
      || valueName('useCases', definition.use_case),
    listOf(definition.jurisdictions).map(place).join(', ') || t('steps.any')]
    .filter(Boolean).join(' · ');
}

export function Words({ of }) {
  const steps = stepsOf(of);
  if (!steps) return null;
  const found = [];
  paths(new Map(steps), of.start, [], found);
  return html`<div class="small"><p>${whom(of)}</p>${found.length
    ? html`<p><strong>${t('words.pass')}</strong></p><ol>${found.slice(0, MOST).map((one) =>
      html`<li>${one}</li>`)}</ol>${found.length > MOST && html`<p>${t('words.more')}</p>`}`
    : html`<p>${t('words.nobody')}</p>`}</div>`;
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
};

// MAKE: the deed that makes a draft of a definition.
export function Templates({ make }) {
  return html`<div class="columns templates">${Object.entries(TEMPLATES).map(([name,
    definition]) => html`<div class="note"><div><strong>${t(`words.templates.${name}`)}</strong>
    <${Words} of=${definition} /><${Button} busy=${make.busy} onClick=${() => make.run({
      name: t(`words.templates.${name}`), ...definition })}>${t('words.use')}<//></div></div>`)}
    </div><${Fault} fault=${make.fault} />`;
}

export function TemplatesButton({ make }) {
  const [isOpen, open] = useState(false);
  return html`<${Button} onClick=${() => open(true)}>${t('words.title')}<//>
    ${isOpen && html`<${Dialog} wide title=${t('words.title')} onClose=${() => open(false)}>
      <${Templates} make=${make} /><//>`}`;
}
