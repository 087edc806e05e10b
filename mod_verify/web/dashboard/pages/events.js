// Events: the list with its live tail, and one event.

import { html, t, useState, useRef, announce } from '../view.js';
import { to, useAddress } from '../address.js';
import { useGet, useInterval } from '../resource.js';
import { useService } from '../operator.js';
import { eventName } from '../format.js';
import { awaited, Card, Choice, Code, Copyable, EventType, Facts, Filter, Head, Id, Json, Loaded, Pager, State,
  Table, Time, timeColumn, pageOf } from '../parts.js';
import { typeOptions } from './endpoints.js';

const TAIL_SECONDS = 3;
const TAIL_ROWS = 200;

function objectOf(event) {
  const object = event.data.object;
  return object.id || object.session_id || object.verified_person_id || null;
}

export function EventTable({ rows }) {
  const at = (row) => to('event', { id: row.id });
  return html`<${Table} label=${t('ways.events')} rows=${rows} at=${at} columns=${[
    { title: t('events.type'), cell: (row) => html`<${EventType} of=${row.type}
      to=${at(row)} />` },
    { title: t('events.object'), class: 'p2', cell: (row) => html`
      <${Id} of=${objectOf(row)} short />` },
    { title: t('events.event'), class: 'p3', cell: (row) => html`<span class="code muted"
      title=${row.id}>…${row.id.slice(-8)}</span>` },
    timeColumn(t('sessions.created'))]} />`;
}

// What comes while one looks: rows newer than the first of LIST, the answer to QUERY;
// null is none. To another list they do not belong, however late they come.
function useTail(list, query) {
  const { api } = useService();
  const [tail, set] = useState({});
  const now = useRef();
  now.current = list;
  const rows = tail.list === list ? tail.rows : [];
  useInterval(async () => {
    const [first] = [...rows, ...list.data];
    try {
      const { data } = await api.get('events', { query: { ...query, limit: 100,
        ending_before: first && first.id } });
      if (!data.length || now.current !== list) return;
      set({ list, rows: [...data, ...rows].slice(0, TAIL_ROWS) });
      announce(t('events.arrived', { n: data.length }));
    } catch {
      // The next turn asks again; the list itself says what is wrong.
    }
  }, list && TAIL_SECONDS);
  return rows;
}

export function Events() {
  const state = useAddress();
  const [isLive, live] = useState(false);
  const query = { type: state.type, object_id: state.object };
  const list = useGet('events', { ...query, ...pageOf(state) });
  const isFirst = !state.after && !state.before;
  const tail = useTail(isLive && isFirst ? list.data : null, query);
  return html`<${Head} title=${t('ways.events')}>${t('events.lead')}<//>
    <div class="filters"><${Filter} label=${t('events.type')} name="type" state=${state}
      options=${typeOptions()} />
      ${isFirst && html`<${Choice} label=${t('events.live')}
        checked=${isLive} onChange=${live} />`}</div>
    <${Card} flush><${Loaded} resource=${list}>${(data) => (
      tail.length + data.data.length ? html`
        <${EventTable} rows=${[...tail, ...data.data]} />
        <${Pager} list=${data} state=${state} />`
        : html`<${State} icon="events" title=${t(state.type ? 'list.nothingFound'
          : 'events.empty')}>${state.type ? html`<p><a href=${to('events')}>
            ${t('list.unfilter')}</a></p>` : html`<p>${t('events.emptyText')}</p>
          <div class="actions"><a class="button secondary"
          href=${to('sessions')}>${t('ways.sessions')}</a></div>`}<//>`)}<//><//>`;
}

export function EventOf() {
  const { id } = useAddress();
  const found = useGet(`events/${encodeURIComponent(id)}`);
  const event = found.data;
  const crumbs = [[t('ways.events'), to('events')]];
  if (!event)
    return awaited(t('events.event'), crumbs, found);
  const api1 = new URL(`../v1/events/${event.id}`, document.baseURI);
  return html`<${Head} title=${eventName(event.type)} crumbs=${crumbs} actions=${html`<a
      class="button secondary" href=${to('deliveries', {
        event: event.id })}>${t('ways.deliveries')}</a>`}><${Id} of=${event.id} /><//>
    <${Card}><${Facts} of=${[
      [t('events.type'), html`<${Copyable} text=${event.type} />`],
      [t('events.object'), html`<${Id} of=${objectOf(event)} />`],
      [t('session.created'), html`<${Time} at=${event.created} long />`]]} /><//>
    <${Card} title=${t('events.body')}><${Json} value=${event}
      label=${t('events.body')} /><//>
    <${Card} title=${t('events.again')}><${Code} label=${t('events.again')}
      text=${`curl ${api1} -H 'Authorization: Bearer svc_sk_…'`} /><//>`;
}
