// Every part of the dashboard in every state, with made-up data: what one looks at when
// the looks change. It asks no service for anything (page.pl).

import { html, t, loadTexts, render, useState } from '../../../mod_verify/web/dashboard/view.js';
import { ServiceError } from '../../../mod_verify/web/dashboard/client.js';
import { Badge, Button, Card, Choice, Code, Copyable, Dialog, Facts, Failure, Fault,
  Field, Head, Id, Json, Loading, Note, Pager, Question, STATUSES, State, Status, Time,
  Verdict } from '../../../mod_verify/web/dashboard/parts.js';
import { decisionOf, FoundBy } from '../../../mod_verify/web/dashboard/pages/findings.js';
import { SessionTable } from '../../../mod_verify/web/dashboard/pages/sessions.js';
import { DeliveryTable, EndpointTable } from '../../../mod_verify/web/dashboard/pages/endpoints.js';
import { EventTable } from '../../../mod_verify/web/dashboard/pages/events.js';
import { Signals } from '../../../mod_verify/web/dashboard/pages/risk.js';
import { Months } from '../../../mod_verify/web/dashboard/pages/usage.js';
import { Chart, Legend, OUTCOMES, Share, outcomesOf } from '../../../mod_verify/web/dashboard/charts.js';

const COLOURS = ['ground', 'card', 'soft', 'text', 'muted', 'line', 'edge', 'accent',
  'accent-deep', 'on-accent', 'accent-soft', 'good', 'good-soft', 'bad', 'bad-soft',
  'warn', 'warn-soft'];
const NAMES = Object.keys(STATUSES);
const FAILURES = [0, 400, 401, 403, 404, 409, 429, 503];
const NOW = 1763820000;

const sessions = NAMES.slice(0, 9).map((status, i) => ({
  id: `vks_specimen${String(i).padStart(14, '0')}`, status, type: i % 2 ? 'age' : 'identity',
  methods: i % 2 ? ['mdl'] : ['document_capture', 'selfie_match'],
  client_reference_id: i % 3 ? `order-${1000 + i}` : null,
  jurisdiction: ['US-VA', 'DE', null][i % 3], created: NOW - i * 5000 }));
const days = [0, 1, 2, 3, 4, 5].map((i) => outcomesOf({ start: i, sessions: 18 - i,
  total: 18 - i, verified: 8 - i, failed: i % 4, abandoned: 3, under_review: 2 }));
const endpoints = [
  { id: 'we_specimen1', name: 'SPECIMEN shop', url: 'https://shop.example/webhooks',
    status: 'enabled', enabled_events: ['*'], created: NOW },
  { id: 'we_specimen2', name: '', url: 'https://fails.example/webhooks',
    status: 'enabled', enabled_events: ['verification_session.verified'],
    failing_since: NOW - 4000, created: NOW - 90000 },
  { id: 'we_specimen3', name: 'Off', url: 'https://off.example/', status: 'disabled',
    enabled_events: ['*'], created: NOW - 900000 }];
const deliveries = ['delivered', 'pending', 'failed'].map((status, i) => ({
  id: `whd_specimen000${i}`, status, webhook_endpoint_id: 'we_specimen1',
  event_id: 'evt_specimen', event_type: 'verification_session.verified', attempt: i + 1,
  max_attempts: 5, next_attempt_at: i === 1 ? NOW + 300 : null, created: NOW - i * 60,
  response: i === 1 ? null : { status_code: i ? 503 : 200, duration_ms: 84 + i },
  last_error: null }));
const events = ['verified', 'failed', 'created'].map((what, i) => ({
  id: `evt_specimen000${i}`, type: `verification_session.${what}`, created: NOW - i * 90,
  data: { object: { id: sessions[i].id } } }));
const results = [
  { method: 'document_capture', status: 'passed', assurance: 'consistent', checks: [
    { name: 'expiry', passed: true, reason: null },
    { name: 'issuer', passed: true, reason: null }], completed_at: NOW },
  { method: 'selfie_match', status: 'failed', assurance: null, error_code:
    'document_expired', checks: [
    { name: 'expiry', passed: false, result: 'failed', reason: 'document_expired' },
    { name: 'portrait', passed: false, result: 'undetermined', reason: null }],
    completed_at: NOW }];

function Swatches() {
  return html`<div class="swatches">${COLOURS.map((name) => html`<div class="swatch">
    <svg aria-hidden="true"><rect width="100%" height="100%"
      style=${{ fill: `var(--${name})` }} /></svg><code>${name}</code></div>`)}</div>`;
}

function Buttons() {
  return html`<${Card} title="Button"><div class="actions">
    ${['primary', 'secondary', 'danger', 'quiet'].map((kind) => html`
      <${Button} kind=${kind} icon="check">${kind}<//>
      <${Button} kind=${kind} busy>${kind}<//>
      <${Button} kind=${kind} disabled>${kind}<//>`)}</div><//>`;
}

function Fields() {
  const [on, set] = useState(true);
  return html`<${Card} title="Field"><div class="columns"><div class="fields">
    <${Field} label="Text" hint="A hint.">${(field) => html`<input ...${field}
      placeholder="A placeholder" />`}<//>
    <${Field} label="Text with a fault" fault="Must begin with https://.">
      ${(field) => html`<input ...${field} value="http://shop.example" />`}<//>
    <${Field} label="Off">${(field) => html`<input ...${field} disabled
      value="Cannot be changed" />`}<//></div><div class="fields">
    <${Field} label="Choice">${(field) => html`<select ...${field}>
      <option>One</option><option>Two</option></select>`}<//>
    <${Field} label="Long text">${(field) => html`<textarea ...${field}></textarea>`}<//>
    <div><${Choice} label="On or off" hint="What it means." checked=${on}
      onChange=${set} /><${Choice} label="Cannot be changed" disabled
      onChange=${() => {}} /></div></div></div><//>`;
}

function Dialogs() {
  const [shown, show] = useState(null);
  const deed = { busy: false, fault: null, run: async () => true };
  return html`<${Card} title="Dialog"><div class="actions">
    <${Button} onClick=${() => show('dialog')}>Dialog<//>
    <${Button} kind="danger" onClick=${() => show('question')}>Question<//></div>
    ${shown === 'dialog' && html`<${Dialog} title="Dialog" onClose=${() => show(null)}>
      <p>What it says.</p><//>`}
    ${shown === 'question' && html`<${Question} title="Delete this?" yes="Delete"
      deed=${{ ...deed, fault: new ServiceError(409, { message: 'It is in use.' }) }}
      onClose=${() => show(null)}><p>It cannot be taken back.</p><//>`}<//>`;
}

function Design() {
  return html`<div class="design"><${Head} title="Design">Every part in every state. The
    data is made up.<//>
    <h2>Colours</h2><${Swatches} />
    <h2>States of a page</h2>
    <div class="columns">
      <${Card} title="Loading" flush><${Loading} /><//>
      <${Card} title="Empty" flush><${State} title=${t('sessions.empty')}>
        <p>${t('sessions.emptyText')}</p><${Code} text="verifyctl session list" /><//><//>
      ${FAILURES.map((status) => html`<${Card} title=${status || 'offline'} flush>
        <${Failure} retry=${() => {}} error=${new ServiceError(status, status ? {
          message: 'What the service said.', request_id: 'req_specimen' } : {})} /><//>`)}
    </div>
    <h2>Notes</h2>${['', 'good', 'warn', 'bad'].map((kind) => html`<${Note} kind=${kind}
      title=${kind || 'info'}><p>What it says, and what follows from it.</p><//>`)}
    <${Fault} fault=${new ServiceError(400, { message: 'What the service said.' })} />
    <h2>Badges</h2><${Card} title="Status"><div class="badges">
      ${NAMES.map((one) => html`<${Status} of=${one} />`)}</div><//>
    <${Card} title="Badge and verdict"><div class="badges">
      ${['', 'accent', 'good', 'warn', 'bad'].map((kind) => html`<${Badge} kind=${kind}>
        ${kind || 'plain'}<//>`)}
      ${['passed', 'failed', 'undetermined', 'created'].map((one) => html`
        <${Verdict} of=${one} />`)}</div><//>
    <h2>Buttons and fields</h2><${Buttons} /><${Fields} /><${Dialogs} />
    <h2>Tables</h2>
    <${Card} title=${t('ways.sessions')} flush><${SessionTable} rows=${sessions} />
      <${Pager} list=${{ data: sessions, has_more: true }} state=${{ after: 'x' }} /><//>
    <${Card} title=${t('ways.endpoints')} flush><${EndpointTable} rows=${endpoints} /><//>
    <${Card} title=${t('ways.deliveries')} flush><${DeliveryTable} rows=${deliveries} /><//>
    <${Card} title=${t('ways.events')} flush><${EventTable} rows=${events} /><//>
    <${Card} title=${t('risk.signals')} flush><${Signals} of=${[
      { name: 'ip_hosting', triggered: true, points: 30, reason: 'Of a data centre.' },
      { name: 'ip_tor', triggered: false, points: 0, reason: 'No exit of Tor.' }]} /><//>
    <h2>Results, facts, texts of machines</h2>
    <div class="columns"><${Card} title=${t('session.results')}><${FoundBy}
      of=${{ decisions: results.map(decisionOf) }} /><//>
    <${Card} title="Facts"><${Facts} of=${[['Text', 'Value'],
      ['Time', html`<${Time} at=${NOW} long />`], ['Id', html`<${Id}
        of="vks_specimen00000000000001" />`], ['Copy', html`<${Copyable} text="abc" />`],
      ['Nothing', null]]} /><//></div>
    <${Card} title="JSON"><${Json} value=${{ text: 'value', number: 1, word: true,
      nothing: null, list: [1, 2] }} /><//>
    <h2>Charts</h2>${[12, 2, 1].map((n) => html`<${Card} title=${`Months: ${n}`} flush>
      <${Months} of=${[3, 5, 8, 2, 6, 9, 1200, 7, 0, 3, 8, 10].slice(-n).map((all, i) => ({
        month: `2026-${String(n - i).padStart(2, '0')}`, verifications: all, free: all,
        charged: 0, sandbox: 0 }))} /><//>`)}
    <${Card} title="Parts"><${Share} of=${days[0]} /><${Legend} names=${OUTCOMES}
      of=${days[0]} /><//><div class="charts">
      <${Chart} title="Columns" names=${OUTCOMES} rows=${days} label=${(row) => row.start}
        most=${20} columns=${[]} /><${Chart} title="Line" lead="With a gap" rows=${days}
        weight=${() => 10} change=${(by) => String(by)}
        label=${(row) => row.start} value=${(row) => (row.start === 3 ? null : row.failed)}
        text=${(row) => row.failed} most=${5} columns=${[]} /></div></div>`;
}

await loadTexts();
render(html`<main id="main"><${Design} /></main>`, document.getElementById('dashboard'));
