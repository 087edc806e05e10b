// Second, blind reviews: a share of the decisions is made again by somebody who does
// not know the first one; where the two differ, a third person says who was right.

import { html, t, useState } from '../view.js';
import { to, useAddress } from '../address.js';
import { useDeed, useGet } from '../resource.js';
import { useService } from '../operator.js';
import { number, valueName } from '../format.js';
import { Button, Card, Facts, Head, Id, Loaded, Note, Pager, Question, State, Table, Tabs,
  Time, pageOf, placed } from '../parts.js';
import { Deadline } from './reviews.js';
import { Decision } from './review_case.js';
import { Evidence, useLook } from './evidence.js';
import { FoundBy, Risks } from './findings.js';

const WHICH = { first: 'second.first', second: 'second.second' };

const crumbs = () => [[t('ways.reviews'), to('reviews')]];
const share = (value) => number(value, { style: 'percent' });

// --- what waits, and how far two agree ---

function Agreement() {
  const found = useGet('review_agreement');
  return html`<${Card} title=${t('second.agreement')}><${Loaded} resource=${found} lines="3">
    ${(of) => html`<${Facts} of=${[
      [t('second.percent'), share(of.percent / 100)],
      [t('second.n'), of.n],
      [t('second.agreed'), of.n > 0 && `${of.agreed} (${share(of.agreement)})`],
      [t('second.kappa'), of.kappa !== null && html`${number(of.kappa,
        { maximumFractionDigits: 2 })} <span class="muted">${t('second.few')}</span>`],
      [t('second.lapsed'), of.lapsed]]} />
      ${of.reasons.length > 0 && html`<${Table} label=${t('second.agreement')}
        rows=${of.reasons.map((one) => ({ ...one, id: one.reason_code }))} columns=${[
        { title: t('review.reason'), cell: (row) =>
          valueName('review.reasons', row.reason_code) },
        { title: t('second.n'), class: 'number', cell: (row) => row.n },
        { title: t('second.agreed'), class: 'number', cell: (row) => row.agreed }]} />`}`}<//><//>`;
}

function Made({ of, by }) {
  return html`${t(`review.decisions.${of[`${by}_decision`]}`)}
    <div class="muted small">${of[`${by}_reviewer`]} · ${valueName('review.reasons',
      of[`${by}_reason`])}</div>`;
}

const OPEN = () => [
  { title: t('second.one'), cell: (row) => html`<a class="row code"
    href=${to('second_review', { id: row.id })}>…${row.id.slice(-8)}</a>` },
  { title: t('second.chosen'), class: 'p3 time', cell: (row) => html`
    <${Time} at=${row.chosen_at} />` },
  { title: t('reviews.deadline'), class: 'tight', cell: (row) => html`
    <${Deadline} at=${row.deadline_at} />` }];

// ASK({row, decision}) settles one, unless it was made by USER, too.
const DISAGREED = (ask, user) => [
  { title: t('sessions.session'), class: 'p2', cell: (row) => html`
    <${Id} of=${row.session_id} short />` },
  ...['first', 'second'].map((by) => ({ title: t(WHICH[by]), cell: (row) => {
    const decision = row[`${by}_decision`];
    const isOwn = [row.first_reviewer, row.second_reviewer].includes(user);
    return html`<${Made} of=${row} by=${by} />${!isOwn ? html`<${Button}
      kind="secondary tiny" onClick=${() => ask({ row, decision })}>${t('second.right',
        { decision: t(`review.decisions.${decision}`) })}<//>`
      : by === 'second' && html`<p class="small muted">${t('second.third')}</p>`}`;
  } }))];

function List({ tab }) {
  const { api, me } = useService();
  const state = useAddress();
  const [asked, ask] = useState(null);
  const list = useGet('second_reviews', { ...pageOf(state), state: tab || 'open' });
  const settle = useDeed(() => api.post(`second_reviews/${asked.row.id}/settle`,
    { body: { decision: asked.decision } }).then(list.reload));
  return html`<${Card} flush><${Tabs} now=${tab} names=${['', 'disagreed'].map((one) =>
      [one, t(one ? 'second.disagreed' : 'second.open')])} />
    <${Loaded} resource=${list}>${(data) => (data.data.length
      ? html`<${Table} label=${t('second.title')} rows=${data.data} columns=${tab
          ? DISAGREED(ask, me.user) : OPEN()} at=${tab ? null
          : (row) => to('second_review', { id: row.id })} />
        <${Pager} list=${data} state=${state} />`
      : html`<${State} icon="check" title=${t('reviews.empty')}>
        <p>${t('second.emptyText')}</p><//>`)}<//><//>
    ${asked && html`<${Question} kind="primary" deed=${settle}
      title=${t('second.which')} yes=${t('second.right',
        { decision: t(`review.decisions.${asked.decision}`) })} onClose=${() => ask(null)}>
      <p>${t('second.settled')}</p><//>`}`;
}

export function SecondReviews() {
  const { may } = useService();
  const { tab = '' } = useAddress();
  return html`<${Head} title=${t('second.title')} crumbs=${crumbs()}>${t('second.lead')}<//>
    ${may('reviewer') && html`<${List} tab=${tab} />`}<${Agreement} />`;
}

// --- one of them ---

function Told({ of }) {
  return html`<${Note} kind=${of.agrees ? 'good' : 'warn'} title=${t(of.agrees
      ? 'second.same' : 'second.differ')}><p>${!of.agrees && t('second.third')}</p><//>
    <${Card}><${Facts} of=${[
      [t('sessions.session'), html`<${Id} of=${of.session_id} />`],
      ...['first', 'second'].map((by) => [t(WHICH[by]), html`
        <${Made} of=${of} by=${by} />`])]} /><//>`;
}

export function SecondReview() {
  const { id } = useAddress();
  const at = `second_reviews/${encodeURIComponent(id)}`;
  const found = useGet(at);
  const [decision, ask] = useState(null);
  const [told, tell] = useState(null);
  const look = useLook(id);
  const of = found.data;
  return html`<${Head} title=${t('second.one')} crumbs=${[...crumbs(),
      [t('second.title'), to('second_reviews')]]} badge=${of && !told && html`
      <${Deadline} at=${of.deadline_at} />`} actions=${of && !told && ['approve', 'reject'].map(
      (one) => html`<${Button} kind=${one === 'reject' ? 'danger' : 'primary'}
        onClick=${() => ask(one)}>${t(`review.decisions.${one}`)}<//>`)}>
      ${!told && t('second.blind')}<//>
    ${decision && html`<${Decision} decision=${decision} at=${at} isSecond look=${look}
      onClose=${() => ask(null)} onDone=${tell} />`}
    ${told ? html`<${Told} of=${told} />` : html`<${Loaded} resource=${found}>${() => html`
      <div class="wide-and-narrow"><div>
        <${Evidence} names=${of.evidence} at=${at} isOwn look=${look} reasons=${['review']} />
        <${Card} title=${t('review.checks')}><${FoundBy} of=${of} /><//>
        ${of.risk_assessments.length > 0 && html`<${Card} title=${t('risk.title')} flush>
          <${Risks} of=${of.risk_assessments} /><//>`}</div>
      <div class="narrow"><${Card} title=${t('session.about')}><${Facts} of=${[
        [t('sessions.type'), valueName('types', of.type)],
        [t('sessions.jurisdiction'), placed(of.jurisdiction)],
        [t('reviews.deadline'), html`<${Time} at=${of.deadline_at} long />`]]} /><//>
      </div></div>`}<//>`}`;
}
