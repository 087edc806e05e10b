// What the service finds in a workflow, in words, with where it is.

import { html, t, named } from '../view.js';
import { place, valueName } from '../format.js';
import { Note } from '../parts.js';
import { keysOf } from '../definition.js';

const exitName = (exit) => named(`exits.${exit}`, exit);

// The codes of a message's values in words.
const VALUES = { assurance_beyond_reach: ['methods', 'assurances'] };

function valuesOf({ rule, values = [] }) {
  if (rule === 'statement_missing') return values.map(place);
  return values.map((one, i) => (VALUES[rule] ? valueName(VALUES[rule][i], one) : one));
}

// What is wrong; rules that this page does not know are said in English.
export function Wrong({ of }) {
  const exit = exitName(keysOf(of.pointer).at(-1) || '');
  const key = `faults.${of.rule}`;
  return named(key, null) ? t(key, { ...valuesOf(of), exit })
    : html`<span lang="en">${of.message}</span>`;
}

// Where: the step and its member, or the setting. An exit is part of the words.
function placeName(pointer) {
  const [first, name, ...rest] = keysOf(pointer);
  if (first === undefined) return t('workflows.workflow');
  if (first === 'statements' && name) // in the JSON, whose members have no other names
    return [t('editor.statement', { n: Number(name) + 1 }), ...rest].join(', ');
  const isStep = first === 'nodes' && name !== undefined;
  const member = (isStep ? rest : [first, name, ...rest]).filter((key) =>
    key !== undefined && named(`members.${key}`, null) && key !== 'next').at(-1);
  return [isStep && t('steps.one', { name }), member && t(`members.${member}`)]
    .filter(Boolean).join(', ') || first;
}

// ONOPEN(pointer) leads to the field.
export function FaultList({ check, onOpen }) {
  const row = (one) => html`<li><a href="#main" title=${one.pointer || '/'} onClick=${(event) => {
    event.preventDefault();
    onOpen(one.pointer);
  }}>${placeName(one.pointer)}</a>: <${Wrong} of=${one} /></li>`;
  return html`<div role="status">${check.faults.length > 0 && html`<${Note} kind="bad"
      title=${t('editor.faults', { n: check.faults.length })}><ul class="faults">
      ${check.faults.map(row)}</ul><//>`}
    ${check.warnings.length > 0 && html`<${Note} kind="warn" title=${t('editor.warnings')}>
      <ul class="faults">${check.warnings.map(row)}</ul><//>`}</div>`;
}
