// Keys of the API: which there are, a new one, and an end of one.

import { html, t, useState } from '../view.js';
import { useAddress, useForm } from '../address.js';
import { useDeed, useGet } from '../resource.js';
import { useService } from '../operator.js';
import { Badge, Button, Choice, Field, FormDialog, Head, Id, List, Question, Secret, Select,
  State, Status, Table, Time, pageOf, timeColumn } from '../parts.js';
import { stateOf } from './start.js';

// How long a key may live, in days; none: for ever.
const LIVES = ['', '30', '90', '365'];
// What a restricted key may do, with the role that gives it (domain/account/key_scope.h).
const SCOPES = [['sessions:read', 'auditor'], ['sessions:write', 'developer'],
  ['sessions:cancel', 'reviewer'], ['sessions:flag', 'reviewer'],
  ['persons:lookup', 'reviewer'], ['events:read', 'auditor'],
  ['webhook_endpoints:read', 'auditor'], ['webhook_endpoints:write', 'developer'],
  ['compliance:read', 'auditor'], ['risk:read', 'auditor'], ['risk:write', 'developer'],
  ['trust_reuse:read', 'auditor'], ['trust_reuse:write', 'admin']];

function KeyForm({ onClose, onDone }) {
  const { api, may } = useService();
  const mine = SCOPES.filter(([, role]) => may(role)).map(([name]) => name);
  const [form, set] = useState({ type: 'secret', label: '', application: '', life: '',
    all: may('admin') ? 'all' : '', scopes: mine });
  const applications = useGet('applications', { limit: 100 });
  const put = (name) => (value) => set({ ...form, [name]: value });
  const choose = (name) => (on) => put('scopes')(mine.filter((one) => (one === name
    ? on : form.scopes.includes(one))));
  const isChosen = form.type === 'secret' && !form.all;
  // Of the hour, so that the same key, asked for again, is the same request.
  const make = useDeed(() => api.post('keys', { body: {
    type: form.type, label: form.label.trim() || undefined,
    scopes: isChosen ? form.scopes : undefined,
    application_id: form.application || undefined, expires_at: form.life
      ? Math.ceil(Date.now() / 36e5) * 3600 + form.life * 86400 : undefined } }).then(onDone));
  return html`<${FormDialog} title=${t('apiKeys.create')} yes=${t('apiKeys.create')}
    deed=${make} onClose=${onClose}>
    <${Select} label=${t('apiKeys.type')} hint=${t(`apiKeys.hints.${form.type}`)}
      value=${form.type} onChange=${put('type')} options=${['secret', 'publishable'].map(
        (one) => [one, t(`apiKeys.types.${one}`)])} />
    <${Field} label=${t('apiKeys.label')} hint=${t('apiKeys.labelHint')}>
      ${(field) => html`<input ...${field} maxlength="100" value=${form.label}
      onInput=${(event) => put('label')(event.target.value)} />`}<//>
    ${form.type === 'secret' && may('admin') && html`<${Select} label=${t('apiKeys.scopes')}
      value=${form.all} onChange=${put('all')} options=${['all', ''].map((one) => [one,
        t(one ? 'apiKeys.unrestricted' : 'apiKeys.restricted')])} />`}
    ${isChosen && html`<fieldset><legend>${t('apiKeys.scopes')}</legend>
      <div class="choices">${mine.map((name) => html`<${Choice} name=${name}
        label=${html`<span class="code small">${name}</span>`}
        checked=${form.scopes.includes(name)} onChange=${choose(name)} />`)}</div>
      <p class="hint">${t('apiKeys.scopesHint')}</p></fieldset>`}
    ${applications.data && applications.data.data.length > 0 && html`<${Select}
      label=${t('endpoints.application')} value=${form.application}
      onChange=${put('application')} options=${[['', t('apiKeys.whole')],
        ...applications.data.data.map((one) => [one.id, one.name])]} />`}
    <${Select} label=${t('apiKeys.expires')} value=${form.life} onChange=${put('life')}
      options=${LIVES.map((days) => [days, days ? t('apiKeys.days', { n: +days })
        : t('apiKeys.never')])} /><//>`;
}

export function Keys() {
  const { api, may } = useService();
  const state = useAddress();
  const [creating, create] = useForm();
  const [made, tell] = useState(null);
  const [ending, end] = useState(null);
  const list = useGet('keys', pageOf(state));
  const revoke = useDeed(() => api.post(`keys/${ending.id}/revoke`).then(list.reload));
  const isMine = may('developer');
  const add = isMine && html`<${Button} kind="primary" icon="plus"
    onClick=${() => create(true)}>${t('apiKeys.create')}<//>`;
  return html`<${Head} title=${t('ways.keys')} actions=${add}>${t('apiKeys.lead')}<//>
    <${List} resource=${list} state=${state} empty=${html`<${State} icon="keys"
      title=${t('apiKeys.empty')}><p>${t('apiKeys.emptyText')}</p><div
      class="actions">${add}</div><//>`}>
      ${(rows) => html`<${Table} label=${t('ways.keys')} rows=${rows} columns=${[
        { title: t('apiKeys.key'), cell: (row) => html`<span class="code" title=${row.id}>
          …${row.last_characters}</span> ${row.label && html`<strong>${row.label}</strong>`}
          ${row.application_id && html`<div class="small">
            <${Id} of=${row.application_id} short /></div>`}` },
        { title: t('apiKeys.type'), class: 'p3', cell: (row) => html`<${Badge}>
          ${t(`apiKeys.types.${row.type}`)}<//>
          ${row.type === 'secret' && html`<div class="small">${row.scopes
            ? row.scopes.join(' ') : t('apiKeys.unrestricted')}</div>`}` },
        { title: t('sessions.status'), cell: (row) => html`
          <${Status} of=${stateOf(row)} />` },
        { title: t('apiKeys.used'), class: 'p2 time', cell: (row) => (row.last_used_at
          ? html`<${Time} at=${row.last_used_at} />`
          : html`<span class="muted">${t('apiKeys.unused')}</span>`) },
        { title: t('apiKeys.expires'), class: 'p4 time', cell: (row) => (row.expires_at
          ? html`<${Time} at=${row.expires_at} />` : t('apiKeys.never')) },
        timeColumn(t('sessions.created'), 'created', 'p3'),
        ...(isMine ? [{ title: html`<span class="visually-hidden">
          ${t('trustReuse.revoke')}</span>`, cell: (row) => !row.revoked_at && html`
          <${Button} kind="danger tiny" onClick=${() => end(row)}>
          ${t('trustReuse.revoke')}<//>` }] : [])]} />`}<//>
    ${isMine && creating && html`<${KeyForm} onClose=${() => create(false)} onDone=${(key) => {
      tell(key);
      list.reload();
    }} />`}
    ${made && !creating && html`<${Secret} title=${t('apiKeys.made')} text=${t('apiKeys.madeText')}
      of=${made.key} onClose=${() => tell(null)} />`}
    ${ending && html`<${Question} title=${t('apiKeys.revokeTitle',
      { end: ending.last_characters })} deed=${revoke} yes=${t('trustReuse.revoke')}
      onClose=${() => end(null)}><p>${t('apiKeys.revokeText')}</p>
      ${ending.last_used_at && html`<p>${t('apiKeys.used')}:
        <${Time} at=${ending.last_used_at} long /></p>`}<//>`}`;
}
