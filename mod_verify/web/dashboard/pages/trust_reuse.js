// Trust reuse: which verifications of others were accepted here, and which of ours
// elsewhere.

import { html, t, useState } from '../view.js';
import { useAddress } from '../address.js';
import { useDeed, useGet } from '../resource.js';
import { useService } from '../operator.js';
import { seconds, valueName } from '../format.js';
import { Badge, Button, Card, Choice, Facts, Field, FormDialog, Head, Id, List,
  Loaded, Question, State, Status, Table, Time, pageOf } from '../parts.js';

// The methods whose outcome can be reused.
const METHODS = ['mdl', 'document_capture', 'nfc_passport'];

// Whoever switches it on says anew each time that his organization answers for it.
function SettingsForm({ application, settings, onClose, onDone }) {
  const { api } = useService();
  const [form, set] = useState({ ...settings, accept: false });
  const isSwitchedOn = form.enabled && !settings.enabled;
  const save = useDeed(() => api.patch(
    `applications/${application.id}/trust_reuse/settings`, { body: {
      enabled: form.enabled, max_age_days: Number(form.max_age_days),
      require_same_jurisdiction: form.require_same_jurisdiction,
      accepted_methods: form.accepted_methods,
      accept_liability: isSwitchedOn ? form.accept : undefined } }).then(onDone));
  const methods = [...new Set([...METHODS, ...settings.accepted_methods])];
  const choose = (method, on) => set({ ...form, accepted_methods: methods.filter((one) =>
    (one === method ? on : form.accepted_methods.includes(one))) });
  return html`<${FormDialog} title=${application.name} deed=${save} onClose=${onClose}
    disabled=${isSwitchedOn && !form.accept}>
    <${Choice} label=${t('trustReuse.enabled')} checked=${form.enabled}
      onChange=${(on) => set({ ...form, enabled: on, accept: false })} />
    ${isSwitchedOn && html`<${Choice} label=${t('trustReuse.liability')}
      hint=${t('trustReuse.liabilityHint')} checked=${form.accept}
      onChange=${(on) => set({ ...form, accept: on })} />`}
    <${Field} label=${t('trustReuse.maxAge')}>${(field) => html`<input ...${field}
      type="number" min="1" max="3650" required value=${form.max_age_days}
      onInput=${(event) => set({ ...form, max_age_days: event.target.value })} />`}<//>
    <${Choice} label=${t('trustReuse.sameJurisdiction')}
      hint=${t('trustReuse.sameJurisdictionHint')} checked=${form.require_same_jurisdiction}
      onChange=${(on) => set({ ...form, require_same_jurisdiction: on })} />
    <fieldset><legend>${t('trustReuse.methods')}</legend><div class="choices">
      ${methods.map((one) => html`<${Choice} label=${valueName('methods', one)}
        checked=${form.accepted_methods.includes(one)}
        onChange=${(on) => choose(one, on)} />`)}</div>
      <p class="hint">${t('trustReuse.methodsHint')}</p></fieldset><//>`;
}

function Application({ of }) {
  const { may } = useService();
  const [changing, change] = useState(false);
  const settings = useGet(`applications/${of.id}/trust_reuse/settings`);
  return html`<${Card} title=${of.name} tools=${may('admin') && settings.data
      && html`<${Button} kind="secondary tiny" onClick=${() => change(true)}>
      ${t('endpoints.change')}<//>`}>
    <${Loaded} resource=${settings} lines=${3}>${(data) => html`<${Facts} of=${[
      [t('trustReuse.settings'), html`<${Status} of=${data.enabled ? 'enabled'
        : 'disabled'} />`],
      [t('trustReuse.maxAge'), data.max_age_days],
      [t('trustReuse.sameJurisdiction'), t(data.require_same_jurisdiction ? 'list.yes'
        : 'list.no')],
      [t('trustReuse.methods'), data.accepted_methods.length
        ? data.accepted_methods.map((one) => valueName('methods', one)).join(', ')
        : t('trustReuse.allMethods')]]} />`}<//>
    ${changing && html`<${SettingsForm} application=${of} settings=${settings.data}
      onClose=${() => change(false)} onDone=${settings.replace} />`}<//>`;
}

function NewApplication({ onDone }) {
  const { api, may } = useService();
  const [name, set] = useState(null);
  const create = useDeed(() => api.post('applications', { body: { name: name.trim() } })
    .then(onDone));
  if (!may('developer')) return null;
  return html`<div class="actions"><${Button} kind="primary" icon="plus"
      onClick=${() => set('')}>${t('trustReuse.create')}<//></div>
    ${name !== null && html`<${FormDialog} title=${t('trustReuse.create')} deed=${create}
      disabled=${!name.trim()} onClose=${() => set(null)}><${Field} label=${t('settings.name')}>
      ${(field) => html`<input ...${field} required maxlength="500" value=${name}
      onInput=${(event) => set(event.target.value)} />`}<//><//>`}`;
}

export function TrustReuse() {
  const { api, organization, may } = useService();
  const state = useAddress();
  const [grant, ask] = useState(null);
  const list = useGet('trust_reuse/grants', pageOf(state));
  const applications = useGet('applications', { limit: 100 });
  const revoke = useDeed(() => api.delete(`trust_reuse/grants/${grant.id}`)
    .then(list.reload));
  const mine = (row) => row.target_org_id === organization.id;
  return html`<${Head} title=${t('ways.trust_reuse')}>${t('trustReuse.lead')}<//>
    <${Loaded} resource=${applications} lines=${3}>${(data) => (data.data.length
      ? html`<div class="columns">${data.data.map((one) => html`<${Application}
        key=${one.id} of=${one} />`)}</div>` : html`<${Card}><${State} icon="trust_reuse"
      title=${t('trustReuse.noApplication')}><p>${t('trustReuse.noApplicationText')}</p>
      <${NewApplication} onDone=${applications.reload} /><//><//>`)}<//>
    <${List} title=${t('trustReuse.grants')} resource=${list} state=${state}
      empty=${html`<${State} icon="trust_reuse" title=${t('trustReuse.empty')}>
        <p>${t('trustReuse.emptyText')}</p><//>`}>
      ${(rows) => html`<${Table} label=${t('trustReuse.grants')} rows=${rows} columns=${[
          { title: t('trustReuse.direction'), cell: (row) => html`<span class="badges">
            <${Badge} kind=${mine(row) ? 'accent' : ''}>${t(mine(row)
              ? 'trustReuse.accepted' : 'trustReuse.given')}<//></span>` },
          { title: t('trustReuse.other'), class: 'p2', cell: (row) => html`
            <${Id} of=${mine(row) ? row.source_org_id : row.target_org_id} short />` },
          { title: t('sessions.session'), class: 'p2', cell: (row) => html`
            <${Id} of=${row.session_id} short />` },
          { title: t('persons.method'), class: 'p4', cell: (row) =>
            valueName('methods', row.method.toLowerCase()) },
          { title: t('session.ageTier'), class: 'p4', cell: (row) =>
            valueName('tiers', (row.age_tier || '').toLowerCase()) },
          { title: t('trustReuse.granted'), class: 'time', cell: (row) => html`
            <${Time} at=${seconds(row.granted_at)} />` },
          { title: t('sessions.status'), cell: (row) => html`<span class="badges">
            <${Status} of=${row.revoked_at ? 'revoked' : 'active'} />
            ${row.revoked_reason && html`<span class="code small muted">
              ${row.revoked_reason}</span>`}</span>` },
          ...(may('admin') ? [{ title: html`<span class="visually-hidden">
            ${t('trustReuse.revoke')}</span>`, cell: (row) => !row.revoked_at && mine(row)
              && html`<${Button} kind="danger tiny" onClick=${() => ask(row)}>
              ${t('trustReuse.revoke')}<//>` }] : [])]} />`}<//>
    ${grant && html`<${Question} title=${t('trustReuse.revokeTitle')} deed=${revoke}
      yes=${t('trustReuse.revoke')} onClose=${() => ask(null)}>
      <p>${t('trustReuse.revokeText')}</p><//>`}`;
}
