// Whether a person is known by an e-mail address or phone number. What is typed
// goes into the body of one request, never into the address.

import { html, t, useState } from '../view.js';
import { useDeed } from '../resource.js';
import { useService } from '../operator.js';
import { valueName } from '../format.js';
import { Badge, Button, Card, Fault, Field, Head, Id, Note, State, Table, Time }
  from '../parts.js';

const seconds = (iso) => Date.parse(iso) / 1000;

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
    return true;
  });
  const faultOf = (name) => (look.fault && look.fault.param === name
    ? look.fault.message : null);
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
        <span class="code">${found.verified_person_id}</span></div>
        <${Table} label=${t('persons.credentials')}
        rows=${found.credentials} columns=${[
          { title: t('persons.method'), cell: (row) => html`<${Badge}>
            ${valueName('methods', row.method.toLowerCase())}<//>` },
          { title: t('persons.strength'), class: 'p2', cell: (row) =>
            valueName('methods', row.strength.toLowerCase()) },
          { title: t('persons.verifiedAt'), class: 'time', cell: (row) => html`
            <${Time} at=${seconds(row.verified_at)} />` },
          { title: t('session.expires'), class: 'time', cell: (row) => html`
            <${Time} at=${seconds(row.expires_at)} />` }]} /><//>`
      : html`<${Card}><${State} icon="persons" title=${t('persons.unknown')}>
        <p>${t('persons.unknownText')}</p><//><//>`)}</div>`;
}
