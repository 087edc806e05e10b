// Reviews: the queue by deadline, workflow, reason and assignee, and how reviews ended.

import { html, t, useRef, Icon, named } from '../view.js';
import { changed, go, to, useAddress } from '../address.js';
import { useDeed, useGet, useInterval, useKey, useResource } from '../resource.js';
import { useService } from '../operator.js';
import { number, relative, valueName } from '../format.js';
import { Badge, Button, Card, Choice, Fault, Filter, Filters, Head, Loaded, State, Status, Table, Tabs,
  timeColumn } from '../parts.js';

const PAGE = 25;
const URGENT_SECONDS = 4 * 3600;

export function Deadline({ at }) {
  if (!at) return html`<span class="muted">–</span>`;
  const left = at - Date.now() / 1000;
  return html`<${Badge} kind=${left < URGENT_SECONDS ? 'bad' : ''} icon="clock">
    ${t('reviews.due', { when: relative(at) })}<//>`;
}

// The doubts of a document, as the settings of a workflow call them.
const DOUBTS = { undetermined: 'undetermined', document_reused: 'reused',
  nonconforming: 'form' };

export function why(review) {
  if (review.reason === 'law_unknown') return t('reviews.lawUnknown');
  if (Object.hasOwn(DOUBTS, review.reason))
    return t(`editor.hints.${DOUBTS[review.reason]}`);
  return review.reason || t(review.flagged ? 'reviews.flagged' : 'reviews.byWorkflow');
}

export function Marks({ of }) {
  return html`<span class="badges">
    ${of.escalated && html`<${Status} of="escalated" />`}
    ${of.flagged && html`<${Badge} kind="accent">${t('reviews.wasVerified')}<//>`}
    ${of.risk_tier && of.risk_tier !== 'clear' && html`<${Badge} kind="warn"
      icon="warning">${valueName('risks', of.risk_tier)}<//>`}</span>`;
}

// Who works on it, or else whom it is assigned to.
export function Holder({ of }) {
  const { me } = useService();
  const who = (isOwn, text) => html`<${Badge} kind=${isOwn ? 'accent' : ''} icon="persons">
    ${text}<//>`;
  const isOwn = (name) => name === me.user;
  if (of.claim)
    return who(isOwn(of.claim.reviewer), isOwn(of.claim.reviewer) ? t('reviews.you')
      : of.claim.reviewer);
  if (of.assignee)
    return who(isOwn(of.assignee), isOwn(of.assignee) ? t('reviews.assignedToYou')
      : t('reviews.assignedTo', { name: of.assignee }));
  return html`<span class="muted">–</span>`;
}

// --- the queue ---

// A session by its reference, as the link to AT(it).
export function Called({ of, at }) {
  return html`<a class="row wrap" href=${at(of)} title=${of.session_id}>
    ${of.client_reference_id || html`<span class="code">…${of.session_id.slice(-8)}</span>`}
    </a>`;
}

function ReviewTable({ rows, names }) {
  const at = (row) => to('review', { id: row.session_id });
  return html`<${Table} label=${t('ways.reviews')} at=${at}
    rows=${rows.map((row) => ({ ...row, id: row.session_id }))} columns=${[
      { title: t('sessions.session'), cell: (row) => html`<${Called} of=${row} at=${at} />
        ${(row.claim || row.assignee) && html`<div class="phone"><${Holder} of=${row} /></div>`}` },
      { title: t('reviews.why'), class: 'p2', cell: (row) => html`<div>${why(row)}</div>
        <${Marks} of=${row} />` },
      { title: t('workflows.workflow'), class: 'p3 cut', cell: (row) =>
        names[row.workflow_id] || html`<span class="code">…${row.workflow_id.slice(-6)}</span>` },
      { title: t('sessions.type'), class: 'p4', cell: (row) =>
        valueName('types', row.type) },
      { title: t('reviews.claim'), class: 'p2', cell: (row) => html`<${Holder} of=${row} />` },
      timeColumn(t('reviews.opened'), 'opened_at', 'p3'),
      { title: t('reviews.deadline'), class: 'tight', cell: (row) => html`
        <${Deadline} at=${row.deadline_at} />` }]} />`;
}

// How reviews ended.
function DecidedTable({ rows }) {
  const at = (row) => to('review', { id: row.session_id });
  return html`<${Table} label=${t('reviews.decided')} at=${at} rows=${rows} columns=${[
    { title: t('sessions.session'), cell: (row) => html`<${Called} of=${row} at=${at} />` },
    { title: t('reviews.decision'), cell: (row) => t(`review.actions.${row.action}`) },
    { title: t('review.reason'), class: 'p2', cell: (row) => row.reason_code
      && named(`review.reasons.${row.reason_code}`, row.reason_code) },
    { title: t('audit.actor'), class: 'p2', cell: (row) => row.by },
    timeColumn(t('audit.at'))]} />`;
}

// Takes the next deadline that nobody has, and that is not somebody else's, and gives its
// id; somebody may be faster. TRIED: whose answer was lost, which is one's own, perhaps.
// BEFORE: what is done first, such as giving back what one has.
export async function takeNext({ api, me }, tried = {}, before) {
  const { data } = await api.get('reviews', { query: { limit: 25, unclaimed: 'true' } });
  const free = data.filter((one) => !one.assignee || one.assignee === me.user);
  if (before) await before();
  for (const id of [tried.current, ...free.map((one) => one.session_id)].filter(Boolean)) {
    try {
      tried.current = id;
      await api.post(`reviews/${id}/claim`);
      return id;
    } catch (error) {
      if (error.status && error.status < 500) tried.current = null;
      if (error.kind !== 'conflict' && error.kind !== 'missing'
        && error.code !== 'reviewer_not_independent') throw error;
    }
  }
  return null;
}

export function Next({ onNone, before }) {
  const service = useService();
  const { may } = service;
  const tried = useRef();
  const next = useDeed(() => takeNext(service, tried, before),
    (id) => (id ? go(to('review', { id })) : onNone()));
  useKey({ n: may('reviewer') && next.run });
  return may('reviewer') && html`<${Button} kind=${before ? 'quiet' : 'primary'}
    icon=${before ? null : 'reviews'} busy=${next.busy} onClick=${next.run}>
    ${t(before ? 'reviews.skip' : 'reviews.next')} <kbd aria-hidden="true">n</kbd><//>
    <${Fault} fault=${next.fault} />`;
}

// How many are due until when, as the ways to them.
function Deadlines({ of, state }) {
  const all = [...of.deadlines.map((one) => [one.within_hours, one.count]), ['', of.total]];
  return html`<nav class="sla" aria-label=${t('reviews.byDeadline')}>${all.map(([hours, count]) =>
    html`<a href=${changed({ due: hours, after: '' })} class=${hours === 4 && count ? 'bad' : ''}
      aria-current=${String(hours) === (state.due || '') ? 'page' : null}>
      <strong>${number(count)}${of.is_whole || hours ? '' : '+'}</strong>
      <span>${hours ? t('reviews.dueIn', { n: hours }) : t('list.all')}</span></a>`)}</nav>`;
}

function reasonName(reason) {
  return reason === 'workflow' ? t('reviews.byWorkflow') : why({ reason:
    reason === 'flagged' ? '' : reason, flagged: reason === 'flagged' });
}

function QueueFilters({ of, state, user }) {
  const flag = (name, label, value = '1') => html`<${Choice} label=${label}
    checked=${!!state[name]} onChange=${(on) => go(changed({ [name]: on ? value : '',
      after: '' }))} />`;
  const flow = of.workflows.find((one) => one.workflow_id === state.workflow);
  return html`<${Deadlines} of=${of} state=${state} /><${Filters} state=${state} set=${[
      ['workflow', t('workflows.workflow'), state.workflow && ((flow && flow.name) || state.workflow)],
      ['why', t('reviews.why'), state.why && reasonName(state.why)],
      ['mine', t('bench.assignee'), state.mine && t('reviews.mine')],
      ['unclaimed', t('bench.assignee'), state.unclaimed && t('reviews.unclaimed')]]}>
    <${Filter} label=${t('workflows.workflow')} name="workflow" state=${state}
      options=${of.workflows.map((one) => [one.workflow_id,
        `${one.name || one.workflow_id} (${one.count})`])} />
    <${Filter} label=${t('reviews.why')} name="why" state=${state}
      options=${of.reasons.map((one) => [one.reason,
        `${reasonName(one.reason)} (${one.count})`])} />
    ${flag('mine', t('reviews.mine'), user)}${flag('unclaimed', t('reviews.unclaimed'))}<//>`;
}

export function Reviews() {
  const { api, organization, me } = useService();
  const state = useAddress();
  const isDecided = state.tab === 'decided';
  const query = { limit: PAGE, cursor: state.after, state: state.tab, ...(!isDecided && {
    unclaimed: state.unclaimed ? 'true' : '', workflow_id: state.workflow, reason: state.why,
    due_within_hours: state.due, assignee: state.mine && me.user }) };
  const numbers = useGet(isDecided ? null : 'review_queue');
  const names = Object.fromEntries(((numbers.data && numbers.data.workflows) || [])
    .map((one) => [one.workflow_id, one.name]));
  const list = useResource(JSON.stringify([organization.id, query]), (signal) =>
    api.get('reviews', { signal, query }));
  useInterval(() => {
    list.reload();
    numbers.reload();
  }, 15);
  return html`<${Head} title=${t('ways.reviews')} actions=${html`
      <a class="button secondary" href=${to('second_reviews')}>${t('second.title')}</a>
      <${Next} onNone=${list.reload} />`}>${!isDecided && t('reviews.lead')}<//>
    <${Tabs} now=${state.tab || ''} names=${[['', t('status.open')],
      ['decided', t('reviews.decided')]]} />
    ${numbers.data && !isDecided && html`<${QueueFilters} of=${numbers.data} state=${state}
      user=${me.user} />`}
    <${Card} flush><${Loaded} resource=${list}>${(data) => (data.data.length
      ? html`<${isDecided ? DecidedTable : ReviewTable} rows=${data.data} names=${names} />
        ${(data.has_more || state.after) && html`<nav class="pager"
          aria-label=${t('list.pages')}><a class="button secondary"
          aria-disabled=${state.after ? null : 'true'}
          href=${state.after ? changed({ after: '' }) : null}><${Icon} name="left" />
          <span>${t(isDecided ? 'list.newest' : 'reviews.first')}</span></a><a class="button secondary"
          aria-disabled=${data.has_more ? null : 'true'} href=${data.has_more
            ? changed({ after: data.data[data.data.length - 1].cursor }) : null}>
          <span>${t(isDecided ? 'list.older' : 'reviews.later')}</span>
          <${Icon} name="right" /></a></nav>`}`
      : isDecided ? html`<${State} title=${t('reviews.noneDecided')} />`
        : html`<${State} icon="check" title=${t('reviews.empty')}>
          <p>${t('reviews.emptyText')}</p><//>`)}<//><//>`;
}
