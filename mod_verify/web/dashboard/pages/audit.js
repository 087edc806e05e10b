// Who did what: the organization's chain of records, newest first.

import { html, t, useState, named } from '../view.js';
import { to, useAddress } from '../address.js';
import { useGet } from '../resource.js';
import { useService } from '../operator.js';
import { number } from '../format.js';
import { Badge, Card, Code, Copyable, Dialog, Facts, Filter, Filters, Head, Id, Json, List, Named, Rule, STATUSES, Search,
  State, Status, Table, Time, Within, timeColumn, pageOf, spanOf } from '../parts.js';

// By what the record is looked through; one at a time.
const NAMES = { actor: 'audit.actor', action: 'audit.action', subject: 'audit.subject' };
const FIELDS = Object.keys(NAMES);

const recorded = (of) => (of.actor_type === 'verifyctl' ? `verifyctl ${of.action}` : of.action);

// What was done, in words: the recorded action is the route, as it is matched, or
// the words of a command.
function Deed({ of }) {
  if (of.actor_type === 'verifyctl')
    return named(`audit.commands.${of.action}`, recorded(of));
  return named(`audit.deeds.${of.action.replace(
    /\/(dashboard\/v1\/organizations\/:org|v1)\/?/, '').trim()}`, of.action);
}

const OUTCOMES = { approve: 'approved', reject: 'rejected', escalate: 'escalated' };

// How it was decided, or which picture was seen, as far as it is recorded.
function Marks({ of: { details = {} } }) {
  const outcome = OUTCOMES[details.decision || details.choice] || details.status;
  return html`${outcome in STATUSES && html`<${Status} of=${outcome} />`}
    ${details.amount && html`<${Badge}>${number(details.amount)}<//>`}
    ${details.side && html`<${Badge}>${named(`evidence.${details.side}`, details.side)}<//>`}`;
}

// A review is shown where it is decided.
function Subject({ of, short }) {
  return html`<${Id} of=${of.subject} short=${short}
    more=${/\/reviews\//.test(of.action) ? { page: 'review' } : {}} />`;
}

function Action({ of, onClose }) {
  const reason = of.reason || (of.details || {}).reason_code;
  const others = (by) => html` <a class="small" href=${to('audit', { by, search: of[by] })}
    onClick=${onClose} aria-label=${`${t('audit.more')}: ${t(NAMES[by])}`}>
    ${t('audit.more')}</a>`;
  return html`<${Dialog} title=${html`<${Deed} of=${of} />`} onClose=${onClose}><${Facts} of=${[
    [t('audit.subject'), of.subject && html`<${Subject} of=${of} />${others('subject')}`],
    [t('audit.actor'), html`${of.actor}${others('actor')}`],
    [t('audit.authentication'), of.authentication && html`<${Named} list="authentications"
      of=${of.authentication} />`],
    [t('audit.role'), of.role && html`<${Named} list="roles" of=${of.role} />`],
    [t('audit.rule'), of.rule && html`<${Rule} of=${of.rule} />`],
    [t('audit.address'), of.address],
    [t('audit.reason'), reason && named(`review.looks.${reason}`,
      named(`review.reasons.${reason}`, reason))],
    [t('audit.recorded'), html`<span class="wrap"><${Copyable} text=${recorded(of)} /></span>${others('action')}`],
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
  const list = useGet('audit', { ...filters, ...pageOf(state) });
  const isFiltered = state.search || state.within || state.from || state.until;
  return html`<${Head} title=${t('ways.audit')} actions=${html`<a class="button secondary"
    download href=${api.address('audit/export', filters)}>${t('workflows.export')}</a>`}>
    ${t('audit.lead')}<//>
    <${Filters} state=${state} set=${[['search', t(NAMES[by]), state.search]]}>
      <${Filter} label=${t('audit.by')} name="by" state=${state}
        options=${FIELDS.slice(1).map((one) => [one, t(NAMES[one])])}
        any=${t('audit.actor')} />
      <${Search} label=${t('audit.exactly')} name="search" state=${state}
        hint=${by === 'action' && t('audit.exactlyHint', { more: t('audit.more') })} />
      <${Within} state=${state} /><//>
    <${List} resource=${list} state=${state} empty=${html`<${State}
      icon=${isFiltered ? 'search' : 'audit'}
      title=${t(isFiltered ? 'list.nothingFound' : 'audit.empty')}>
      <p>${isFiltered ? html`<a href=${to('audit')}>${t('list.unfilter')}</a>`
        : t('audit.emptyText')}</p><//>`}>
      ${(rows) => html`<${Table} label=${t('ways.audit')} rows=${rows} columns=${[
        { title: t('audit.action'), cell: (row) => html`<span class="badges"><button
          type="button" class="as-link" onClick=${() => show(row)}><${Deed} of=${row} />
          </button><${Marks} of=${row} /></span>` },
        { title: t('audit.recorded'), class: 'elastic most p4', cell: (row) => html`<div
          class="cut print code" title=${recorded(row)}>${recorded(row)}</div>` },
        { title: t('audit.subject'), class: 'p2', cell: (row) => html`
          <${Subject} of=${row} short />` },
        { title: t('audit.actor'), cell: (row) => html`<span class="badges">
          ${row.actor_type === 'api_key' ? html`<${Id} of=${row.actor} short />`
            : html`<span>${row.actor}</span>`}<${Badge}>${t(`audit.types.${row.actor_type}`)}
            <//></span>` },
        timeColumn(t('audit.at'))]} />`}<//>
    <${Card} title=${t('audit.proof')}><p>${t('audit.proofText')}</p>
      <${Code} text=${`verifyctl audit verify --org ${organization.id}`} /><//>
    ${shown && html`<${Action} of=${shown} onClose=${() => show(null)} />`}`;
}
