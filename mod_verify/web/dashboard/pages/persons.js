// Whether a person is known by an e-mail address or phone number. What is typed
// goes into the body of one request, never into the address. A person, by the id of
// the service, and the end of all that is known of one.

import { html, t, useState } from '../view.js';
import { to, useAddress } from '../address.js';
import { useCodes, useDeed, useGet } from '../resource.js';
import { useService } from '../operator.js';
import { seconds, valueName } from '../format.js';
import { Badge, Button, Card, Facts, Fault, Field, Head, Id, Loaded, Note, Pager,
  Question, State, Status, Table, Time, pageOf, timeColumn } from '../parts.js';

// The text of each kind of identifier.
const IDENTIFIERS = { email: 'persons.email', phone: 'persons.phone' };

const methodOf = (row) => valueName('methods', row.method.toLowerCase());
const strengthOf = (row) => valueName('methods', row.strength.toLowerCase());

// What waits for somebody else than who asked.
function Waiting() {
  const state = useAddress();
  const list = useGet('erasure_requests', pageOf(state));
  if (!list.error && !(list.data && list.data.data.length)) return null;
  return html`<${Card} title=${t('persons.waiting')} flush><${Loaded} resource=${list}>
    ${(data) => html`<${Table} label=${t('persons.waiting')} rows=${data.data}
      at=${(row) => to('person', { id: row.id })} columns=${[
        { title: t('persons.person'), cell: (row) => html`<${Id} of=${row.id} short />` },
        { title: t('persons.askedBy'), cell: (row) => row.requested_by },
        timeColumn(t('persons.asked'), 'created', 'p3'),
        timeColumn(t('session.expires'), 'expires_at')]} />
      <${Pager} list=${data} state=${state} />`}<//><//>`;
}

function Erase({ found }) {
  const { api, me, may, organization } = useService();
  const [asked, show] = useState(null);
  const person = found.data;
  const path = `persons/${person.id}`;
  // Whether a second person is needed, or has asked already, may have changed since.
  const ask = useDeed(() => Promise.all([api.get('.'), api.get(path)]), ([of, now]) => {
    found.replace(now);
    show(of);
  });
  const request = person.erasure_request;
  const erase = useDeed(() => api.post(`${path}/erase`).then(found.reload));
  const withdraw = useDeed(async () => {
    await api.delete(`erasure_requests/${person.id}`);
    show(null);
    found.reload();
  });
  if (!may('admin') || person.erased_at) return null;
  const isSecond = !request && (asked || organization).four_eyes.erase;
  const deed = t(request ? 'persons.confirm' : isSecond ? 'persons.request' : 'persons.erase');
  return html`${request && html`<${Button} busy=${withdraw.busy} onClick=${withdraw.run}>
      ${t('persons.withdraw')}<//>`}
    <${Fault} fault=${withdraw.fault || ask.fault} />
    ${(!request || request.requested_by !== me.user) && html`<${Button} kind="danger"
      busy=${ask.busy} onClick=${ask.run}>${deed}<//>
    ${asked && html`<${Question} title=${t('persons.eraseTitle')} yes=${deed}
      stays deed=${erase} onClose=${() => show(null)}>
      <p>${t('persons.erased')}</p><p>${t('persons.kept')}</p>
      ${isSecond && html`<p>${t('persons.second')}</p>`}<//>`}`}`;
}

// Sessions of the person, and others with the same reference. Nothing else links a failed
// session to a person.
function Cases({ of }) {
  const codes = useCodes();
  return html`<${Card} title=${t('ways.sessions')} flush><p class="inside muted small">
      ${t('persons.linked')}</p><${Table} label=${t('ways.sessions')}
    rows=${of.map((one) => ({ ...one, id: one.session_id }))}
    at=${(row) => to('session', { id: row.id })} columns=${[
      { title: t('sessions.session'), cell: (row) => html`<a class="row code"
        href=${to('session', { id: row.id })}>…${row.id.slice(-8)}</a>` },
      { title: t('sessions.status'), cell: (row) => html`<${Status} of=${row.status} />` },
      { title: t('persons.reason'), class: 'p2', cell: (row) => row.error_code
        && html`<span class="small muted" lang=${codes('FailureCode', row.error_code).lang}>${
          codes('FailureCode', row.error_code).meaning || row.error_code}</span>` },
      { title: t('persons.linkedBy'), cell: (row) => html`<${Badge}
        kind=${row.linked_by.includes('credential') ? 'accent' : ''}>${
        t(`persons.links.${row.linked_by[0]}`)}<//>` },
      { title: t('sessions.reference'), class: 'p2', cell: (row) => row.client_reference_id
        && html`<div class="cut"><a title=${t('sessions.sameReference')} href=${
          to('sessions', { reference: row.client_reference_id })}>${
          row.client_reference_id}</a></div>` },
      timeColumn(t('sessions.created'), 'created', 'p3')]} /><//>`;
}

export function Person() {
  const { id } = useAddress();
  const found = useGet(`persons/${encodeURIComponent(id)}`);
  const person = found.data;
  const request = person && person.erasure_request;
  return html`<${Head} title=${t('persons.person')} crumbs=${[[t('ways.persons'),
      to('persons')]]} actions=${person && html`<${Erase}
      found=${found} />`}><${Id} of=${id} /><//>
    <${Loaded} resource=${found}>${() => html`
      ${request && html`<${Note} kind="warn" title=${t('persons.requested')}>
        <p>${request.requested_by} · <${Time} at=${request.created} long /></p>
        <p>${t('persons.second')}</p><//>`}
      <${Card}><${Facts} of=${[
        [t('persons.knownBy'), person.identifiers.map((one) => t(IDENTIFIERS[one] || one))
          .join(', ')],
        [t('session.created'), person.created
          && html`<${Time} at=${person.created} long />`],
        [t('persons.erasedAt'), person.erased_at
          && html`<${Time} at=${person.erased_at} long />`]]} /><//>
      ${person.credentials.length > 0 && html`<${Card} title=${t('persons.credentials')}
        flush><${Table} label=${t('persons.credentials')} rows=${person.credentials}
        columns=${[
          { title: t('persons.method'), cell: (row) => html`<${Badge}>
            ${methodOf(row)}<//>` },
          { title: t('persons.strength'), class: 'p3', cell: strengthOf },
          { title: t('sessions.session'), class: 'p2', cell: (row) => html`
            <${Id} of=${row.session_id} short />` },
          timeColumn(t('persons.verifiedAt'), 'verified_at'),
          { title: t('session.expires'), class: 'time', cell: (row) => (row.revoked_at
            ? html`<${Status} of="revoked" />` : html`<${Time} at=${row.expires_at} />`) }
        ]} /><//>`}
      ${person.sessions.length > 0 && html`<${Cases} of=${person.sessions} />`}`}<//>`;
}

export function Persons() {
  const { api } = useService();
  const [form, set] = useState({ email: '', phone: '' });
  const [found, show] = useState(null);
  const put = (name) => (event) => set({ ...form, [name]: event.target.value });
  const look = useDeed(async () => {
    show(null);
    show(await api.post('verified_person/lookup', { body: Object.fromEntries(
      Object.entries(form).map(([name, value]) => [name, value.trim()])
        .filter(([, value]) => value)) }));
  });
  const faultOf = (name) => (look.fault && look.fault.param === name
    ? look.fault : null);
  return html`<${Head} title=${t('ways.persons')}>${t('persons.lead')}<//>
    <${Card}><form class="fields" autocomplete="off" onSubmit=${(event) => {
      event.preventDefault();
      look.run();
    }}><div class="columns">
      <${Field} label=${t('persons.email')} fault=${faultOf('email')}>${(field) => html`
        <input ...${field} type="email" value=${form.email} data-search
        onInput=${put('email')} />`}<//>
      <${Field} label=${t('persons.phone')} hint=${t('persons.phoneHint')}
        fault=${faultOf('phone')}>${(field) => html`<input ...${field} type="tel"
        value=${form.phone} onInput=${put('phone')} />`}<//></div>
      ${look.fault && !faultOf('email') && !faultOf('phone') && html`
        <${Fault} fault=${look.fault} />`}
      <div class="actions"><${Button} kind="primary" type="submit" busy=${look.busy}
        disabled=${!form.email.trim() && !form.phone.trim()}>
        ${t('persons.look')}<//></div></form><//>
    <div role="status">${found && (found.verified ? html`
      <${Card} title=${t('persons.known')} flush><div class="inside">
        <${Id} of=${found.verified_person_id} /></div>
        <${Table} label=${t('persons.credentials')}
        rows=${found.credentials} columns=${[
          { title: t('persons.method'), cell: (row) => html`<${Badge}>
            ${methodOf(row)}<//>` },
          { title: t('persons.strength'), class: 'p2', cell: strengthOf },
          { title: t('persons.verifiedAt'), class: 'time', cell: (row) => html`
            <${Time} at=${seconds(row.verified_at)} />` },
          { title: t('session.expires'), class: 'time', cell: (row) => html`
            <${Time} at=${seconds(row.expires_at)} />` }]} /><//>`
      : html`<${Card}><${State} icon="persons" title=${t('persons.unknown')}>
        <p>${t('persons.unknownText')}</p><//><//>`)}</div>
    <${Waiting} />`;
}
