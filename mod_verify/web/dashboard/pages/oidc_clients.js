// Applications that log people in through OpenID Connect: all, a new one, and one.

import { html, t, useState } from '../view.js';
import { go, to, useAddress, useForm } from '../address.js';
import { ServiceError, call } from '../client.js';
import { useDeed, useGet, useResource } from '../resource.js';
import { useService } from '../operator.js';
import { awaited, Badge, Button, Card, Copyable, Facts, Field, FormDialog, Head, Id, Json,
  List, Question, Said, Secret, Select, State, Table, Time, pageOf, timeColumn } from '../parts.js';

// As the API has them (domain/oidc/client.h).
const SCOPES = ['openid age identity', 'openid age', 'openid identity'];
const METHODS = ['client_secret_basic', 'private_key_jwt', 'none'];
const ALGORITHMS = ['RS256', 'ES256'];
// For how many minutes a former secret can stay valid.
const OVERLAPS = ['60', '1440', '0'];

const codeName = (text) => text.replaceAll(' ', '_');
const scopeName = (scope) => t(`oidcClients.scopes.${codeName(scope)}`);
const methodName = (method) => t(`oidcClients.methods.${method}`);

function linesOf(text) {
  return text.split('\n').map((line) => line.trim()).filter(Boolean);
}

// The key set in TEXT; nothing where none is asked for.
function keysOf(text) {
  try {
    const keys = JSON.parse(text);
    if (keys && typeof keys === 'object') return Array.isArray(keys) ? { keys } : keys;
  } catch {
    // As below.
  }
  throw new ServiceError(400, { param: 'jwks', message: t('oidcClients.jwksFault') });
}

// What is wrong with the field NAME. A fault of one of its LINES names the line instead
// of the parameter.
function faultOf(fault, name, lines = []) {
  const param = (fault && fault.param) || '';
  if (param !== name && !param.startsWith(`${name}[`)) return null;
  const line = lines[param.slice(name.length + 1, -1)];
  return line ? html`<${Said} of=${fault} name=${line} />` : fault;
}

function ClientForm({ client, onClose, onDone }) {
  const { api } = useService();
  const [form, set] = useState({ name: '', workflow_id: '', scope: SCOPES[0],
    token_endpoint_auth_method: METHODS[0], id_token_signed_response_alg: ALGORITHMS[0],
    ...client, redirect_uris: client ? client.redirect_uris.join('\n') : '',
    jwks: client && client.jwks ? JSON.stringify(client.jwks, null, 2) : '' });
  const found = useGet('workflows', { limit: 100 });
  const workflows = found.data ? found.data.data.map((one) => [one.id, one.name]) : [];
  // A retired workflow of the client is in no list.
  if (client && !workflows.some(([id]) => id === client.workflow_id))
    workflows.unshift([client.workflow_id, client.workflow_id]);
  const workflow = form.workflow_id || (workflows[0] || [])[0];
  const put = (name) => (value) => set({ ...form, [name]: value });
  const typed = (name) => (event) => put(name)(event.target.value);
  const hasKeys = form.token_endpoint_auth_method === 'private_key_jwt';
  const save = useDeed(async () => {
    const body = { name: form.name.trim(), workflow_id: workflow,
      redirect_uris: linesOf(form.redirect_uris), scope: form.scope,
      id_token_signed_response_alg: form.id_token_signed_response_alg,
      ...(hasKeys && { jwks: keysOf(form.jwks) }) };
    onDone(await (client ? api.patch(`oidc_clients/${client.id}`, { body })
      : api.post('oidc_clients', { body: { ...body,
        token_endpoint_auth_method: form.token_endpoint_auth_method } })));
  });
  const fault = (name) => faultOf(save.fault, name, linesOf(form.redirect_uris));
  const select = (name, label, options, more) => html`<${Select}
    label=${t(label)} value=${name === 'workflow_id' ? workflow : form[name]} onChange=${put(name)}
    options=${options} fault=${fault(name)} ...${more} />`;
  return html`<${FormDialog} title=${t(client ? 'oidcClients.change' : 'oidcClients.create')}
    yes=${client ? t('parts.save') : t('oidcClients.create')} deed=${save} onClose=${onClose}
    disabled=${!workflows.length} fault=${save.fault && ['name', 'workflow_id',
      'redirect_uris', 'scope', 'token_endpoint_auth_method', 'id_token_signed_response_alg',
      'jwks'].some(fault) ? null : save.fault}>
    <${Field} label=${t('oidcClients.name')} hint=${t('oidcClients.nameHint')}
      fault=${fault('name')}>${(field) => html`<input ...${field} required maxlength="100"
      value=${form.name} onInput=${typed('name')} />`}<//>
    <${Field} label=${t('oidcClients.redirectUris')} hint=${t('oidcClients.redirectUrisHint')}
      fault=${fault('redirect_uris')}>${(field) => html`<textarea ...${field} class="code"
      required rows="3" spellcheck="false" placeholder="https://shop.example/callback"
      value=${form.redirect_uris} onInput=${typed('redirect_uris')}></textarea>`}<//>
    ${select('workflow_id', 'oidcClients.workflow', workflows, { hint: found.data && !workflows.length
      ? t('oidcClients.noWorkflow') : t('oidcClients.workflowHint') })}
    ${select('scope', 'oidcClients.scope', SCOPES.map((one) => [one, scopeName(one)]),
      { hint: t('oidcClients.scopeHint') })}
    ${select('token_endpoint_auth_method', 'oidcClients.method', METHODS.map((one) =>
      [one, methodName(one)]), { disabled: !!client, hint: t(client ? 'oidcClients.methodFixed'
      : `oidcClients.methodHints.${form.token_endpoint_auth_method}`) })}
    ${hasKeys && html`<${Field} label=${t('oidcClients.jwks')} hint=${t('oidcClients.jwksHint')}
      fault=${fault('jwks')}>${(field) => html`<textarea ...${field} class="code" required
      rows="4" spellcheck="false" placeholder='{ "keys": […] }' value=${form.jwks}
      onInput=${typed('jwks')}></textarea>`}<//>`}
    ${select('id_token_signed_response_alg', 'oidcClients.algorithm', ALGORITHMS.map((one) => [one, one]),
      { hint: t('oidcClients.algorithmHint') })}<//>`;
}

function ClientSecret({ of, onClose }) {
  return html`<${Secret} title=${t('oidcClients.secret')} text=${t('oidcClients.secretText')}
    of=${of} onClose=${onClose} />`;
}

export function OidcClients() {
  const { may } = useService();
  const state = useAddress();
  const [creating, create] = useForm();
  const [made, tell] = useState(null);
  const list = useGet('oidc_clients', pageOf(state));
  const show = (id) => go(to('oidc_client', { id }));
  const add = may('developer') && html`<${Button} kind="primary" icon="plus"
    onClick=${() => create(true)}>${t('oidcClients.create')}<//>`;
  return html`<${Head} title=${t('ways.oidc_clients')} actions=${list.data
      && list.data.data.length > 0 && add}>${t('oidcClients.lead')}<//>
    <${List} resource=${list} state=${state} empty=${html`<${State} icon="oidc_clients"
      title=${t('oidcClients.empty')}><p>${t(add ? 'oidcClients.emptyText'
        : 'oidcClients.emptyRead')}</p>
      ${add && html`<div class="actions">${add}</div>`}<//>`}>
      ${(rows) => html`<${Table} label=${t('ways.oidc_clients')} rows=${rows}
        at=${(row) => to('oidc_client', { id: row.id })} columns=${[
          { title: t('oidcClients.client'), cell: (row) => html`<div class="cut"><a
            class="row" href=${to('oidc_client', { id: row.id })}>${row.name}</a>
            <div class="muted small cut">${row.redirect_uris[0]}</div></div>` },
          { title: t('oidcClients.scope'), class: 'p2', cell: (row) => scopeName(row.scope) },
          { title: t('oidcClients.method'), class: 'p3', cell: (row) =>
            methodName(row.token_endpoint_auth_method) },
          { title: t('oidcClients.workflow'), class: 'p4', cell: (row) => html`
            <${Id} of=${row.workflow_id} short />` },
          timeColumn(t('sessions.created'), 'created', 'p2')]} />`}<//>
    ${add && creating && html`<${ClientForm} onClose=${() => create(false)} onDone=${(client) => {
      if (client.client_secret) tell(client);
      else show(client.id);
    }} />`}
    ${made && !creating && html`<${ClientSecret} of=${made.client_secret}
      onClose=${() => show(made.id)} />`}`;
}

// --- one client ---

function ClientDeeds({ client, onChanged }) {
  const { api } = useService();
  const [asked, ask] = useState(null);
  const [secret, tell] = useState(null);
  const [overlap, choose] = useState(OVERLAPS[0]);
  const path = `oidc_clients/${client.id}`;
  const close = () => ask(null);
  const rotate = useDeed(async () => {
    const { client_secret: made, ...changed } = await api.post(`${path}/rotate-secret`,
      { body: { overlap_minutes: +overlap } });
    tell(made);
    onChanged(changed);
  });
  const remove = useDeed(() => api.delete(path), () => go(to('oidc_clients')));
  return html`<${Button} onClick=${() => ask('change')}>${t('oidcClients.change')}<//>
    ${client.token_endpoint_auth_method === METHODS[0] && html`<${Button}
      onClick=${() => ask('rotate')}>${t('endpoints.rotate')}<//>`}
    <${Button} kind="danger" onClick=${() => ask('remove')}>${t('endpoints.delete')}<//>
    ${asked === 'change' && html`<${ClientForm} client=${client} onClose=${close}
      onDone=${onChanged} />`}
    ${asked === 'rotate' && html`<${FormDialog} title=${t('endpoints.rotateTitle')}
      yes=${t('endpoints.rotate')} deed=${rotate} onClose=${close}>
      <p>${t('oidcClients.rotateText')}</p><${Select} label=${t('oidcClients.overlap')}
        hint=${t('oidcClients.overlapHint')} value=${overlap} onChange=${choose}
        options=${OVERLAPS.map((one) => [one, t(`oidcClients.overlaps.${one}`)])} /><//>`}
    ${asked === 'remove' && html`<${Question} title=${t('oidcClients.deleteTitle',
      { name: client.name })} yes=${t('endpoints.delete')} deed=${remove} onClose=${close}>
      <p>${t('oidcClients.deleteText')}</p><//>`}
    ${secret && !asked && html`<${ClientSecret} of=${secret} onClose=${() => tell(null)} />`}`;
}

// Applications read everything else there, so it is shown if this host has it.
const CONFIGURATION = '/.well-known/openid-configuration';

export function OidcClient() {
  const { may } = useService();
  const provider = useResource(CONFIGURATION, (signal) => call('GET', CONFIGURATION,
    { signal }));
  const { id } = useAddress();
  const found = useGet(`oidc_clients/${encodeURIComponent(id)}`);
  const crumbs = [[t('ways.oidc_clients'), to('oidc_clients')]];
  const client = found.data;
  if (!client)
    return awaited(t('oidcClients.client'), crumbs, found);
  const former = client.former_secret_valid_until;
  const isFormerValid = former && former * 1000 > Date.now();
  return html`<${Head} crumbs=${crumbs} title=${client.name} actions=${may('developer')
      && html`<${ClientDeeds} client=${client} onChanged=${found.replace} />`} />
    <${Card}><${Facts} of=${[
      [t('oidcClients.issuer'), provider.data
        && html`<${Copyable} text=${provider.data.issuer} />`],
      [t('oidcClients.id'), html`<${Copyable} text=${client.id} />`],
      [t('oidcClients.redirectUris'), client.redirect_uris.map((uri) => html`<div>
        <${Copyable} text=${uri} /></div>`)],
      [t('oidcClients.workflow'), html`<${Id} of=${client.workflow_id} />`],
      [t('oidcClients.scope'), html`${scopeName(client.scope)} <span class="code muted">
        ${client.scope}</span>`],
      [t('oidcClients.method'), html`${methodName(client.token_endpoint_auth_method)}
        <span class="code muted"> ${client.token_endpoint_auth_method}</span>`],
      [t('oidcClients.former'), isFormerValid && html`<${Badge} kind="warn" icon="clock">
        ${t('oidcClients.formerValid')}<//> <${Time} at=${former} long />`],
      [t('oidcClients.algorithm'), html`<span class="code">
        ${client.id_token_signed_response_alg}</span>`],
      [t('oidcClients.updated'), html`<${Time} at=${client.updated} long />`],
      [t('session.created'), html`<${Time} at=${client.created} long />`]]} /><//>
    ${client.jwks && html`<${Card} title=${t('oidcClients.jwks')}><${Json}
      value=${client.jwks} label=${t('oidcClients.jwks')} /><//>`}`;
}
