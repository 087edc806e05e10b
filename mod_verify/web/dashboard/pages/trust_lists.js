// Whose signatures are believed: lists of certificates, and the editions of one.

import { html, t, useState } from '../view.js';
import { to, useAddress, useForm } from '../address.js';
import { useDeed, useResource } from '../resource.js';
import { useService } from '../operator.js';
import { number } from '../format.js';
import { awaited, Badge, Button, Card, Code, Facts, Field, FormDialog, Head, Id, Loaded,
  Note, Select, State, Table, Time, timeColumn } from '../parts.js';

const STATES = { current: ['good', 'check'], due: ['warn', 'clock'],
  overdue: ['bad', 'warning'] };

function Edition({ of }) {
  const [kind, icon] = STATES[of.status] || [''];
  return html`<${Badge} kind=${kind} icon=${icon}>${t(`trustLists.states.${of.status}`)}<//>`;
}

const scope = (list) => t(list.organization_id ? 'trustLists.own' : 'trustLists.all');

// How many of its certificates end soon, and the first of them.
function Ending({ of }) {
  return of.certificates_ending ? html`<span class="small">${t('trustLists.ending', {
    n: of.certificates_ending })} <${Time} at=${of.first_end} /></span>` : null;
}

function ListForm({ onClose, onDone }) {
  const { api } = useService();
  const [form, set] = useState({ name: '', kind: 'iaca', certificates: '' });
  const put = (name) => (value) => set((now) => ({ ...now, [name]: value }));
  const typed = (name) => (event) => put(name)(event.target.value);
  const read = async (event) => {
    const [file] = event.target.files;
    // What is too long is cut to a length that the service refuses.
    if (file) put('certificates')(await file.slice(0, 65537).text());
  };
  const add = useDeed(() => api.post('trust_lists', { body: form }).then(onDone));
  return html`<${FormDialog} title=${t('trustLists.add')} yes=${t('trustLists.add')}
    deed=${add} onClose=${onClose}>
    <${Field} label=${t('trustLists.name')}>${(field) => html`<input ...${field} required
      maxlength="200" value=${form.name} onInput=${typed('name')} />`}<//>
    <${Select} label=${t('trustLists.kind')} value=${form.kind} onChange=${put('kind')}
      options=${['iaca', 'csca'].map((one) => [one, t(`trustLists.kinds.${one}`)])} />
    <${Field} label=${t('trustLists.pem')} hint=${t('trustLists.pemHint')}>
      ${(field) => html`<textarea ...${field} class="code" required rows="6"
      spellcheck="false" value=${form.certificates} onInput=${typed('certificates')}></textarea>`}<//>
    <label class="button secondary file"><input type="file" accept=".pem,.crt,.cer"
      onChange=${read} /><span>${t('trustLists.file')}</span></label>
    <p class="hint">${t('trustLists.signed')}</p><//>`;
}

export function TrustLists() {
  const { api, organization, may } = useService();
  const [adding, add] = useForm();
  const [added, tell] = useState(null);
  const lists = useResource(`trust lists ${organization.id}`, (signal) =>
    api.get('trust_lists', { signal }));
  const action = may('service') && html`<${Button} kind="primary" icon="plus"
    onClick=${() => add(true)}>${t('trustLists.add')}<//>`;
  return html`<${Head} title=${t('ways.trust_lists')} actions=${action}>
      ${t('trustLists.lead')}<//>
    ${added && html`<div role="status"><${Note} kind="good"
      title=${t('trustLists.added', { name: added.name })} /></div>`}
    <${Card} flush><${Loaded} resource=${lists}>${(data) => (data.data.length
      ? html`<${Table} label=${t('ways.trust_lists')} rows=${data.data}
        at=${(row) => to('trust_list', { id: row.id })} columns=${[
        { title: t('trustLists.list'), cell: (row) => html`
          <a href=${to('trust_list', { id: row.id })}>${row.name}</a>
          <div class="small muted">${t(`trustLists.kinds.${row.kind}`)}, ${scope(row)}</div>` },
        { title: t('trustLists.edition'), cell: (row) => html`<${Edition} of=${row} />` },
        { title: t('trustLists.certificates'), class: 'number p2', cell: (row) => html`
          ${number(row.certificates)} <${Ending} of=${row} />` },
        timeColumn(t('trustLists.nextUpdate'), 'next_update', 'p3'),
        timeColumn(t('trustLists.imported'), 'imported', 'p2')]} />`
      : html`<${State} icon="trust_lists" title=${t('trustLists.empty')}>
        <p>${t('trustLists.emptyText')}</p>${action && html`<p>${t('trustLists.signed')}</p>
        <div class="actions">${action}</div>`}<//>`)}
      <//><//>
    ${action && adding && html`<${ListForm} onClose=${() => add(false)} onDone=${(list) => {
      tell(list);
      lists.reload();
    }} />`}`;
}

export function TrustList() {
  const { api } = useService();
  const { id } = useAddress();
  const found = useResource(`trust list ${id}`, (signal) =>
    api.get(`trust_lists/${encodeURIComponent(id)}`, { signal }));
  const crumbs = [[t('ways.trust_lists'), to('trust_lists')]];
  if (!found.data)
    return awaited(t('trustLists.list'), crumbs, found);
  const editions = found.data.data;
  const list = editions.find((one) => one.status !== 'replaced') || editions[0];
  return html`<${Head} title=${list.name} crumbs=${crumbs}
      badge=${html`<${Edition} of=${list} />`}><${Id} of=${list.id} /><//>
    <${Card}><${Facts} of=${[
      [t('trustLists.kind'), t(`trustLists.kinds.${list.kind}`)],
      [t('trustLists.scope'), scope(list)],
      [t('trustLists.certificates'), html`${number(list.certificates)} <${Ending} of=${list} />`],
      [t('trustLists.passedOver'), list.passed_over && number(list.passed_over)],
      [t('trustLists.issued'), html`<${Time} at=${list.issued_at} long />`],
      [t('trustLists.nextUpdate'), html`<${Time} at=${list.next_update} long />`],
      [t('trustLists.signer'), list.signer
        && html`<span class="code small">${list.signer}</span>`]]} /><//>
    <${Card} title=${t('trustLists.editions')} flush><${Table}
      label=${t('trustLists.editions')} rows=${editions.map((one) => ({ ...one,
        id: one.version_id }))} columns=${[
      { title: t('trustLists.edition'), cell: (row) => html`
        <span class="code">${row.version_id}</span>` },
      { title: t('trustLists.state'), cell: (row) => html`<${Edition} of=${row} />` },
      { title: t('trustLists.sequence'), class: 'number p3', cell: (row) =>
        (row.sequence === null ? '–' : number(row.sequence)) },
      { title: t('trustLists.certificates'), class: 'number p2', cell: (row) =>
        number(row.certificates) },
      timeColumn(t('trustLists.imported'), 'imported')]} /><//>
    <${Card} title=${t('trustLists.change')}><p>${t('trustLists.changeText')}</p>
      <${Code} text=${[`verifyctl trust diff FILE --kind ${list.kind}${
        list.organization_id ? ` --org ${list.organization_id}` : ''}${
        list.name === list.kind ? '' : ` --name '${list.name}'`}`,
        `verifyctl trust rollback ${list.id}`].join('\n')} /><//>`;
}
