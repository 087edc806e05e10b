// Webhook endpoints, what was delivered to them, and one delivery.

import { html, t, named, useState, Icon } from '../view.js';
import { changed, go, to, useAddress, useForm } from '../address.js';
import { useResource, useDeed, useCodes, useInterval } from '../resource.js';
import { useService } from '../operator.js';
import { eventName, number, relative } from '../format.js';
import { awaited, Badge, Button, Card, Choice, Code, Copyable, Dialog, EventType, Facts, Fault,
  Field, Filter, Filters, FormDialog, Head, Id, List, Loaded, Named, Note, Pager, Question, Search,
  Secret, Span, State, Status, Table, Time, Verdict, Within, pageOf, spanOf, timeColumn } from
  '../parts.js';

const EVENT_TYPES = ['verification_session.created',
  'verification_session.verified', 'verification_session.failed',
  'verification_session.cancelled', 'verification_session.expired',
  'session_review.flagged', 'session_review.approved', 'session_review.rejected',
  'session_review.escalated', 'trust_reuse_grant.created', 'trust_reuse_grant.revoked',
  'trust_reuse_consent.revoked_by_user'];
// For people, so that an endpoint has to name them.
const NAMED_TYPES = ['workflow_law.changes', 'workflow_law.review_due'];
const ALL_TYPES = [...EVENT_TYPES, ...NAMED_TYPES];

// What a filter of events offers.
export const typeOptions = () => ALL_TYPES.map((one) => [one, eventName(one)]);

function Failing({ endpoint }) {
  if (!endpoint.failing_since) return null;
  return html`<${Badge} kind="bad" icon="warning">${t('endpoints.failing',
    { since: relative(endpoint.failing_since) })}<//>`;
}

export function EndpointTable({ rows }) {
  return html`<${Table} label=${t('ways.endpoints')} rows=${rows}
    at=${(row) => to('endpoint', { id: row.id })} columns=${[
      { title: t('endpoints.endpoint'), cell: (row) => html`<div class="cut"><a
        class="row" href=${to('endpoint', { id: row.id })}>${row.name
        || new URL(row.url).host}</a><div class="muted small cut">${row.url}</div></div>` },
      { title: t('sessions.status'), cell: (row) => html`<span class="badges">
        <${Status} of=${row.status} /><${Failing} endpoint=${row} /></span>` },
      { title: t('endpoints.events'), class: 'p2', cell: (row) => (
        row.enabled_events.includes('*') ? t('endpoints.all')
          : t('endpoints.some', { n: row.enabled_events.length })) },
      timeColumn(t('sessions.created'), 'created', 'p2')]} />`;
}

// --- making and changing ---

function EndpointForm({ endpoint, onClose, onDone }) {
  const { api } = useService();
  const [form, set] = useState({ name: '', url: '', description: '',
    ...endpoint, enabled_events: endpoint ? endpoint.enabled_events : ['*'] });
  const isAll = form.enabled_events.includes('*');
  const put = (name) => (event) => set({ ...form, [name]: event.target.value });
  const save = useDeed(async () => {
    const body = { url: form.url.trim(), enabled_events: form.enabled_events,
      ...(endpoint || form.name ? { name: form.name || null } : {}),
      ...(endpoint || form.description ? { description: form.description || null }
        : {}) };
    onDone(await api.post(endpoint ? `webhook_endpoints/${endpoint.id}`
      : 'webhook_endpoints', { body }));
  });
  const faultOf = (name) => (save.fault && save.fault.param
    && save.fault.param.startsWith(name) ? save.fault : null);
  const choose = (type, on) => set({ ...form, enabled_events: on
    ? [...form.enabled_events.filter((one) => one !== '*'), type]
    : form.enabled_events.filter((one) => one !== type) });
  return html`<${FormDialog} title=${t(endpoint ? 'endpoints.change' : 'endpoints.create')}
    deed=${save} onClose=${onClose}
    fault=${['url', 'name', 'description'].some(faultOf) ? null : save.fault}>
    <${Field} label=${t('endpoints.url')} hint=${t('endpoints.urlHint')}
      fault=${faultOf('url')}>${(field) => html`<input ...${field} type="url" required
      placeholder="https://" value=${form.url} onInput=${put('url')} />`}<//>
    <${Field} label=${t('endpoints.name')} fault=${faultOf('name')}>${(field) => html`
      <input ...${field} maxlength="100" value=${form.name || ''}
      onInput=${put('name')} />`}<//>
    <${Field} label=${t('endpoints.description')} fault=${faultOf('description')}>
      ${(field) => html`<textarea ...${field} value=${form.description || ''}
      onInput=${put('description')}></textarea>`}<//>
    <fieldset><legend>${t('endpoints.events')}</legend>
      <${Choice} label=${t('endpoints.all')} hint=${t('endpoints.allHint')}
        checked=${isAll} onChange=${(on) => set({ ...form,
          enabled_events: on ? ['*'] : [...EVENT_TYPES] })} />
      ${!isAll && html`<div class="choices">${ALL_TYPES.map((type) => html`<${Choice}
        label=${eventName(type)} hint=${html`<span class="code">${type}</span>`}
        checked=${form.enabled_events.includes(type)}
        onChange=${(on) => choose(type, on)} />`)}</div>`}</fieldset><//>`;
}

function SigningSecret({ of, onClose }) {
  return html`<${Secret} title=${t('endpoints.secret')} text=${t('endpoints.secretText')}
    of=${of} onClose=${onClose} />`;
}

export function Endpoints() {
  const { api, organization, may } = useService();
  const state = useAddress();
  const [creating, create] = useForm();
  const [secret, tell] = useState(null);
  const list = useResource(JSON.stringify([organization.id, state.after, state.before]),
    (signal) => api.get('webhook_endpoints', { signal, query: pageOf(state, 50) }));
  const add = may('developer') && html`<${Button} kind="primary" icon="plus"
    onClick=${() => create(true)}>${t('endpoints.create')}<//>`;
  return html`<${Head} title=${t('ways.endpoints')} actions=${add}>
      ${t('endpoints.lead')}<//>
    <${List} resource=${list} state=${state} empty=${html`<${State} icon="endpoints"
      title=${t('endpoints.empty')}><p>${t('endpoints.emptyText')}</p><div
      class="actions">${add}</div><//>`}>
      ${(rows) => html`<${EndpointTable} rows=${rows} />`}<//>
    ${add && creating && html`<${EndpointForm} onClose=${() => create(false)}
      onDone=${(made) => {
        tell(made.secret);
        list.reload();
      }} />`}
    ${secret && !creating && html`<${SigningSecret} of=${secret}
      onClose=${() => tell(null)} />`}`;
}

// --- one endpoint ---

// SECONDS as the address has them.
const minute = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 16);

const Test = ({ of }) => html`<${Button} kind="primary" icon="deliveries" busy=${of.busy}
  onClick=${of.run}>${t('endpoints.test')}<//>`;

function EndpointDeeds({ endpoint, missed, reload, test, onRecovered }) {
  const { api } = useService();
  const state = useAddress();
  const [asked, ask] = useState(null);
  const [secret, tell] = useState(null);
  const path = `webhook_endpoints/${endpoint.id}`;
  const close = () => ask(null);
  const isOn = endpoint.status === 'enabled';
  const turn = useDeed(async () => {
    await api.post(path, { body: { status: isOn ? 'disabled' : 'enabled' } });
    reload();
  });
  const rotate = useDeed(async () => tell((await api.post(`${path}/rotate-secret`)).secret));
  const recover = useDeed(async () => {
    const { created_gte: since, created_lt: until } = spanOf(state);
    await api.post(`${path}/recoveries`, { body: { since, ...(until && { until }) } });
    onRecovered();
  });
  const remove = useDeed(() => api.delete(path), () => go(to('endpoints')));
  return html`<${Test} of=${test} /><${Button} onClick=${() => ask('change')}>${t('endpoints.change')}<//>
    <${Button} onClick=${() => (isOn ? ask('turn') : turn.run())} busy=${turn.busy}>
      ${t(isOn ? 'endpoints.disable' : 'endpoints.enable')}<//>
    ${isOn && html`<${Button} onClick=${() => {
        // What failed first is a little older than its attempt.
        go(changed({ from: minute(missed - 60), until: minute(Date.now() / 1000 + 60) }));
        ask('recover');
      }}>${t('endpoints.recover')}<//>`}
    <${Button} onClick=${() => ask('rotate')}>${t('endpoints.rotate')}<//>
    <${Button} kind="danger" onClick=${() => ask('remove')}>
      ${t('endpoints.delete')}<//>
    ${asked === 'change' && html`<${EndpointForm} endpoint=${endpoint} onClose=${close}
      onDone=${reload} />`}
    ${asked === 'turn' && html`<${Question} title=${t('endpoints.disableTitle')}
      yes=${t('endpoints.disable')} deed=${turn} onClose=${close}>
      <p>${t('endpoints.disableText')}</p><//>`}
    ${asked === 'rotate' && html`<${Question} title=${t('endpoints.rotateTitle')}
      yes=${t('endpoints.rotate')} deed=${rotate} onClose=${close}>
      <p>${t('endpoints.rotateText')}</p><//>`}
    ${asked === 'recover' && html`<${Question} title=${t('endpoints.recoverTitle')}
      kind="primary" yes=${t('endpoints.recover')} deed=${recover} onClose=${close}>
      <div class="fields"><p>${t('endpoints.recoverText')}</p><${Span} state=${state} exact />
      </div><//>`}
    ${asked === 'remove' && html`<${Question} title=${t('endpoints.deleteTitle')}
      yes=${t('endpoints.delete')} deed=${remove} onClose=${close}>
      <p>${t('endpoints.deleteText')}</p><//>`}
    ${secret && !asked && html`<${SigningSecret} of=${secret}
      onClose=${() => tell(null)} />`}
    <${Fault} fault=${test.fault || (isOn ? null : turn.fault)} />`;
}

function answerOf(delivery) {
  if (delivery.response) return html`<span class="code">
    ${delivery.response.status_code}</span>
    <span class="muted"> ${number(delivery.response.duration_ms)} ms</span>`;
  if (delivery.last_error) return html`<span class="badges"><${Named}
    list="deliveries.errors" of=${delivery.last_error.code} /></span>`;
  return html`<span class="muted">–</span>`;
}

function nameOf(endpoints, id) {
  const found = endpoints.find((one) => one.id === id);
  return found ? found.name || new URL(found.url).host : `…${id.slice(-6)}`;
}

export function DeliveryTable({ rows, endpoints }) {
  const at = (row) => to('delivery', { id: row.id, endpoint: row.webhook_endpoint_id });
  return html`<${Table} label=${t('ways.deliveries')} rows=${rows} at=${at} columns=${[
    { title: t('deliveries.delivery'), cell: (row) => html`<a class="row code"
      href=${at(row)} title=${row.id}>…${row.id.slice(-8)}</a>` },
    { title: t('sessions.status'), cell: (row) => html`<${Status} of=${row.status} />` },
    { title: t('events.type'), class: 'p2', cell: (row) => html`<${EventType}
      of=${row.event_type} to=${to('event', { id: row.event_id })} />` },
    ...(endpoints ? [{ title: t('endpoints.endpoint'), class: 'p3', cell: (row) =>
      html`<div class="cut"><a href=${to('endpoint', { id: row.webhook_endpoint_id })}>
      ${nameOf(endpoints, row.webhook_endpoint_id)}</a></div>` }] : []),
    { title: t('deliveries.answer'), class: 'p2', cell: answerOf },
    { title: t('deliveries.attempt'), class: `${endpoints ? 'p4' : 'p3'} number`, cell: (row) =>
      `${row.attempt} / ${row.max_attempts}` },
    timeColumn(t('deliveries.next'), 'next_attempt_at', 'p3'),
    timeColumn(t('sessions.created'))]} />`;
}

export function Endpoint() {
  const { api, may } = useService();
  const state = useAddress();
  const path = `webhook_endpoints/${encodeURIComponent(state.id)}`;
  const found = useResource(state.id, (signal) => api.get(path, { signal }));
  const list = useResource(JSON.stringify([state.id, state.status, state.type,
    state.after, state.before]), (signal) => api.get(`${path}/deliveries`, { signal,
    query: { status: state.status, event_type: state.type, ...pageOf(state) } }));
  useInterval(list.reload, list.data && list.data.data.some((one) =>
    one.status === 'pending') && !state.after && !state.before ? 3 : 0);
  const recoveries = useResource(`${path} recoveries`, (signal) =>
    api.get(`${path}/recoveries`, { signal, query: { limit: 1 } }));
  const test = useDeed(() => api.post(`${path}/test`), (event) =>
    go(to('delivery', { id: event.delivery_id, endpoint: state.id })));
  const last = recoveries.data && recoveries.data.data[0];
  useInterval(() => {
    recoveries.reload();
    list.reload();
  }, last && last.status === 'running' ? 2 : 0);
  const endpoint = found.data;
  const crumbs = [[t('ways.endpoints'), to('endpoints')]];
  if (!endpoint)
    return awaited(t('endpoints.endpoint'), crumbs, found);
  return html`<${Head} crumbs=${crumbs} title=${endpoint.name
      || new URL(endpoint.url).host} badge=${html`<${Status} of=${endpoint.status} />
      <${Failing} endpoint=${endpoint} />`} actions=${may('developer') && html`
      <${EndpointDeeds} endpoint=${endpoint} reload=${found.reload}
      onRecovered=${recoveries.reload} missed=${(last && last.status === 'limited'
        && last.examined_until) || endpoint.failing_since || Date.now() / 1000 - 86400}
      test=${test} />`}><${Id} of=${endpoint.id} /><//>
    ${endpoint.failing_since && html`<${Note} kind="bad" title=${t('endpoints.failingTitle',
      { n: endpoint.consecutive_failures })}><p>${t('endpoints.failingText')}
      ${' '}<a href=${to('deliveries', { endpoint: state.id, answer: 'failing' })}>
      ${t('endpoints.showFailed')}</a></p><//>`}
    <${Card}><${Facts} of=${[
      [t('endpoints.url'), html`<${Copyable} text=${endpoint.url} />`],
      [t('endpoints.events'), endpoint.enabled_events.includes('*')
        ? t('endpoints.all') : endpoint.enabled_events.map((type) => html`
          <${EventType} key=${type} of=${type} />`)],
      [t('endpoints.application'), endpoint.application_id
        && html`<span class="code">${endpoint.application_id}</span>`],
      [t('endpoints.description'), endpoint.description],
      [t('deliveries.next'), endpoint.next_attempt_at
        && html`<${Time} at=${endpoint.next_attempt_at} long />`],
      [t('endpoints.recovery'), last && html`<${Status} of=${last.status} />
        ${' '}<${Time} at=${last.since} /> – <${Time} at=${last.until} />${
          t('endpoints.queued', { n: number(last.deliveries_requeued
            + last.deliveries_created) })}`],
      [t('session.created'), html`<${Time} at=${endpoint.created} long />`]]} /><//>
    <div class="filters">
      <${Filter} label=${t('sessions.status')} name="status" state=${state}
        options=${['delivered', 'failed', 'pending'].map((one) =>
          [one, t(`status.${one}`)])} />
      <${Filter} label=${t('events.type')} name="type" state=${state}
        options=${typeOptions()} /></div>
    <${Card} title=${t('ways.deliveries')} flush><${Loaded} resource=${list}>${(data) => (
      data.data.length ? html`<${DeliveryTable} rows=${data.data} />
        <${Pager} list=${data} state=${state} />`
        : html`<${State} icon="deliveries" title=${t(state.status || state.type
          ? 'list.nothingFound' : 'deliveries.empty')}>${state.status || state.type
          ? html`<p><a href=${changed({ status: '', type: '', after: '', before: '' })}>
            ${t('list.unfilter')}</a></p>`
          : html`<p>${t('deliveries.emptyText')}</p>${may('developer') && html`<div
            class="actions"><${Test} of=${test} /></div>`}`}<//>`)}<//><//>`;
}

// --- deliveries to all endpoints ---

const ANSWERS = ['4xx', '5xx', '3xx', 'none', 'failing'];
const answerName = (one) => named(`deliveries.answers.${one}`, one);

export function Deliveries() {
  const { api, organization } = useService();
  const state = useAddress();
  const endpoints = useResource(`endpoints ${organization.id}`, (signal) =>
    api.get('webhook_endpoints', { signal, query: { limit: 50 } }));
  const known = endpoints.data ? endpoints.data.data : [];
  const times = spanOf(state);
  const list = useResource(JSON.stringify([organization.id, state]), (signal) =>
    api.get('webhook_deliveries', { signal, query: { ...pageOf(state), ...times,
      webhook_endpoint_id: state.endpoint, http_status: state.answer,
      ...(state.answer ? {} : { status: state.status, event_type: state.type,
        event_id: state.event }) } }));
  useInterval(list.reload, list.data && !state.after && !state.before ? 10 : 0);
  const isFiltered = ['status', 'endpoint', 'type', 'answer', 'event', 'within', 'from',
    'until']
    .some((one) => state[one]);
  return html`<${Head} title=${t('ways.deliveries')}>${t('deliveries.lead')}<//>
    <${Filters} state=${state} first=${html`<${Search} label=${t('deliveries.eventId')}
      name="event" state=${state} more=${{ answer: '' }} />`} set=${[
  ['event', t('deliveries.eventId'), state.event],
  ['status', t('sessions.status'), state.status && named(`status.${state.status}`, state.status)],
  ['answer', t('deliveries.answer'), state.answer && answerName(state.answer)],
  ['endpoint', t('endpoints.endpoint'), state.endpoint && nameOf(known, state.endpoint)],
  ['type', t('events.type'), eventName(state.type)]]}>
      <${Filter} label=${t('sessions.status')} name="status" state=${state}
        more=${{ answer: '' }} options=${['failed', 'pending', 'delivered'].map((one) =>
          [one, t(`status.${one}`)])} />
      <${Filter} label=${t('deliveries.answer')} name="answer" state=${state}
        more=${{ status: '', type: '', event: '' }} options=${[...ANSWERS,
          ...(!state.answer || ANSWERS.includes(state.answer) ? [] : [state.answer])]
          .map((one) => [one, answerName(one)])} />
      <${Filter} label=${t('endpoints.endpoint')} name="endpoint" state=${state}
        options=${known.map((one) => [one.id, nameOf(known, one.id)])} />
      <${Filter} label=${t('events.type')} name="type" state=${state}
        more=${{ answer: '' }} options=${typeOptions()} />
      <${Within} state=${state} /><//>
    <${List} resource=${list} state=${state} empty=${html`<${State} icon="deliveries"
      title=${t(isFiltered ? 'list.nothingFound' : 'deliveries.empty')}>${isFiltered
        ? html`<p><a href=${to('deliveries')}>${t('list.unfilter')}</a></p>`
        : html`<p>${t('deliveries.emptyText')}</p><div class="actions"><a
          class="button secondary" href=${to('endpoints')}>${t('ways.endpoints')}</a></div>`}<//>`}>
      ${(rows) => html`<${DeliveryTable} rows=${rows} endpoints=${known} />`}<//>`;
}

// --- one delivery ---

// What explains a signature that the receiver does not accept. What is pasted goes
// to the service, which has the secret, and stays nowhere.
function Diagnosis({ path, onClose }) {
  const { api } = useService();
  const codes = useCodes();
  const [form, set] = useState({ signature: '', body: '', computed: '' });
  const [found, show] = useState(null);
  const put = (name) => (event) => set({ ...form, [name]: event.target.value });
  const ask = useDeed(async () => {
    show(null);
    show((await api.post(`${path}/diagnosis`, { body: { signature: form.signature.trim(),
      ...(form.body ? { body: form.body } : {}),
      ...(form.computed.trim() ? { computed: form.computed.trim() } : {}) } })).findings);
    return true;
  });
  return html`<${Dialog} title=${t('diagnosis.title')} onClose=${onClose} wide>
    <form class="fields" onSubmit=${(event) => {
      event.preventDefault();
      ask.run();
    }}>
    <${Field} label="Service-Signature" hint=${t('diagnosis.signatureHint')}>
      ${(field) => html`<input ...${field} class="code" required autocomplete="off"
      placeholder="t=…,v1=…" value=${form.signature} onInput=${put('signature')} />`}<//>
    <${Field} label=${t('diagnosis.body')} hint=${t('diagnosis.bodyHint')}>
      ${(field) => html`<textarea ...${field} class="code" value=${form.body}
      onInput=${put('body')}></textarea>`}<//>
    <${Field} label=${t('diagnosis.computed')}>${(field) => html`<input ...${field}
      class="code" autocomplete="off" value=${form.computed}
      onInput=${put('computed')} />`}<//>
    <${Fault} fault=${ask.fault} />
    <div role="status">${found && html`<ul class="findings">
      ${found.map((code) => html`<li lang=${codes('SignatureFinding', code).lang}><${Verdict} of=${GOOD.includes(code) ? 'passed'
        : 'undetermined'} /><span>${codes('SignatureFinding', code).meaning || code}
        </span></li>`)}</ul>`}</div>
    <div class="actions"><${Button} kind="primary" type="submit" busy=${ask.busy}>
      ${t('diagnosis.ask')}<//></div></form><//>`;
}

const GOOD = ['header_genuine', 'body_same', 'computed_right'];

export function Delivery() {
  const { api, may } = useService();
  const { id, endpoint } = useAddress();
  const codes = useCodes();
  const path = `webhook_endpoints/${encodeURIComponent(endpoint)}/deliveries/`
    + encodeURIComponent(id);
  const found = useResource(id, (signal) => api.get(path, { signal }));
  const [asking, ask] = useState(false);
  const retry = useDeed(async () => found.replace(await api.post(`${path}/retry`)));
  const delivery = found.data;
  useInterval(found.reload, delivery && delivery.status === 'pending' ? 2 : 0);
  const crumbs = [[t('ways.endpoints'), to('endpoints')],
    [t('endpoints.endpoint'), to('endpoint', { id: endpoint })]];
  if (!delivery)
    return awaited(t('deliveries.delivery'), crumbs, found);
  const error = delivery.last_error;
  const meaning = error ? codes('DeliveryError', error.code) : {};
  let body = delivery.request.body;
  try {
    body = JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // Shown as it is.
  }
  return html`<${Head} title=${t('deliveries.delivery')} crumbs=${crumbs}
      badge=${html`<${Status} of=${delivery.status} />`}
      actions=${may('developer') && html`<${Button} kind="primary" busy=${retry.busy}
        onClick=${retry.run}>${t('deliveries.retry')}<//>
        <${Button} onClick=${() => ask(true)}>${t('diagnosis.title')}<//>`}>
      <${Id} of=${delivery.id} /><//>
    <${Fault} fault=${retry.fault} />
    ${error && html`<${Note} kind="bad" title=${html`<${Named} list="deliveries.errors"
      of=${error.code} />`}><p lang=${meaning.lang}>${[meaning.meaning,
      meaning.do].filter(Boolean).join(' ')}</p><//>`}
    <${Card}><${Facts} of=${[
      [t('deliveries.event'), html`<${Id} of=${delivery.event_id} />
        <${EventType} of=${delivery.event_type} />`],
      [t('endpoints.endpoint'), html`<${Id} of=${delivery.webhook_endpoint_id} />`],
      [t('deliveries.attempt'), `${delivery.attempt} / ${delivery.max_attempts}`],
      [t('deliveries.next'), delivery.next_attempt_at
        && html`<${Time} at=${delivery.next_attempt_at} long />`],
      [t('deliveries.deliveredAt'), delivery.delivered_at
        && html`<${Time} at=${delivery.delivered_at} long />`],
      [t('session.created'), html`<${Time} at=${delivery.created} long />`]]} /><//>
    <div class="columns"><${Card} title=${t('deliveries.request')}>
      <${Copyable} text=${delivery.request.url} />
      <details class="more"><summary>${t('deliveries.headers')}</summary>
        <${Code} text=${Object.entries(delivery.request.headers || {})
          .map(([name, value]) => `${name}: ${value}`).join('\n')}
          label=${t('deliveries.headers')} /></details>
      <${Code} text=${body} label=${t('deliveries.body')} /><//>
    <${Card} title=${t('deliveries.answer')}>${delivery.response ? html`
      <p><strong class="code">${delivery.response.status_code}</strong>
        <span class="muted"> ${number(delivery.response.duration_ms)} ms</span></p>
      <details class="more"><summary>${t('deliveries.headers')}</summary>
        <${Code} text=${Object.entries(delivery.response.headers || {})
          .map(([name, value]) => `${name}: ${value}`).join('\n')}
          label=${t('deliveries.headers')} /></details>
      ${delivery.response.body ? html`<${Code} text=${delivery.response.body}
        label=${t('deliveries.body')} />` : html`<p class="muted">
        ${t('deliveries.noBody')}</p>`}`
      : html`<p class="muted">${t('deliveries.noAnswer')}</p>`}<//></div>
    ${asking && html`<${Diagnosis} path=${path} onClose=${() => ask(false)} />`}`;
}
