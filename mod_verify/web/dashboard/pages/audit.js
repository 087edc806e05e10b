// Who did what: the organization's chain of records, newest first.

import { html, t, useState, named } from '../view.js';
import { to, useAddress } from '../address.js';
import { useResource } from '../resource.js';
import { useService } from '../operator.js';
import { Badge, Card, Dialog, Facts, Filter, Head, Id, Json, Loaded, Pager, Search, Span,
  State, Table, Time, pageOf, spanOf } from '../parts.js';

// By what the record is looked through; one at a time.
const FIELDS = ['actor', 'action', 'subject'];

function Action({ of, onClose }) {
  return html`<${Dialog} title=${of.action} onClose=${onClose}><${Facts} of=${[
    [t('audit.subject'), html`<${Id} of=${of.subject} />`],
    [t('audit.actor'), of.actor], [t('audit.authentication'), of.authentication],
    [t('audit.role'), of.role],
    [t('audit.rule'), of.rule && html`<span class="code">${of.rule}</span>`],
    [t('audit.address'), of.address], [t('audit.reason'), of.reason],
    [t('state.request'), of.request && html`<span class="code">${of.request}</span>`],
    [t('audit.at'), html`<${Time} at=${of.created} long />`],
    [t('audit.sequence'), of.sequence],
    [t('audit.hash'), html`<span class="code small">${of.hash}</span>`]]} />
    ${of.details && html`<${Json} value=${of.details} label=${t('audit.details')} />`}<//>`;
}

export function Audit() {
  const { api, organization } = useService();
  const state = useAddress();
  const [shown, show] = useState(null);
  const by = FIELDS.includes(state.by) ? state.by : FIELDS[0];
  const filters = { ...(state.search && { [by]: state.search }), ...spanOf(state) };
  const list = useResource(JSON.stringify([organization.id, filters, state.after,
    state.before]), (signal) => api.get('audit', { signal, query: { ...filters,
    ...pageOf(state) } }));
  const isFiltered = state.search || state.from || state.until;
  return html`<${Head} title=${t('ways.audit')}>${t('audit.lead')}<//>
    <div class="filters">
      <${Filter} label=${t('audit.by')} name="by" state=${state}
        options=${FIELDS.slice(1).map((one) => [one, t(`audit.${one}`)])}
        any=${t('audit.actor')} />
      <${Search} label=${t('audit.exactly')} name="search" state=${state} />
      <${Span} state=${state} /></div>
    <${Card} flush><${Loaded} resource=${list}>${(data) => (data.data.length
      ? html`<${Table} label=${t('ways.audit')} rows=${data.data} columns=${[
        { title: t('audit.action'), cell: (row) => html`<button type="button"
          class="as-link code" onClick=${() => show(row)}>${row.action}</button>` },
        { title: t('audit.subject'), class: 'p3', cell: (row) => html`
          <${Id} of=${row.subject} short />` },
        { title: t('audit.actor'), class: 'p2', cell: (row) => html`<span class="badges">
          <span>${row.actor}</span><${Badge}>${named(`audit.types.${row.actor_type}`,
            row.actor_type)}<//></span>` },
        { title: t('audit.at'), class: 'time', cell: (row) => html`
          <${Time} at=${row.created} />` }]} /><${Pager} list=${data} state=${state} />`
      : html`<${State} icon=${isFiltered ? 'search' : 'audit'}
        title=${t(isFiltered ? 'list.nothingFound' : 'audit.empty')}>
        <p>${isFiltered ? html`<a href=${to('audit')}>${t('list.unfilter')}</a>`
          : t('audit.emptyText')}</p><//>`)}<//><//>
    ${shown && html`<${Action} of=${shown} onClose=${() => show(null)} />`}`;
}
