// The overview over time: how sessions went, how long they took, how far each method
// brought people, how webhooks arrive, and how long reviews wait.

import { html, t, named, usePreferences } from '../view.js';
import { to, useAddress } from '../address.js';
import { useGet } from '../resource.js';
import { midnight, number, place, relative, shortDay, shortTime, valueName } from '../format.js';
import { Card, Filter, Loaded, Table } from '../parts.js';
import { Chart, OUTCOMES, Share, duration, durationOf, outcomesOf, passRate, percent, pointsOf }
  from '../charts.js';

const DAY = 86400;
const HOUR = 3600;
// From so many days before today, in intervals of so many seconds.
const PERIODS = { day: [0, HOUR], week: [6, DAY], month: [29, DAY], quarter: [90, 7 * DAY] };
const USUAL = 'month';

function spanOf(period) {
  const [days, interval] = PERIODS[period] || PERIODS[USUAL];
  const hour = Math.floor(Date.now() / 1000 / HOUR) * HOUR;
  return { interval, created_gte: days ? midnight() - days * DAY : hour - 23 * HOUR };
}

const countColumn = (name, hidden = '') => ({ title: t(`charts.parts.${name}`),
  class: `number ${hidden}`, cell: (row) => number(row[name]) });

// The greatest value of an axis: the next round number, or the next round time.
const ROUND = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];
const TIMES = [10, 30, 60, 120, 180, 300, 600, 1200, 1800, 3600, 7200];

function axisMost(values, times = []) {
  const most = Math.max(1, ...values);
  const power = 10 ** Math.floor(Math.log10(most));
  return [...times, ...ROUND.map((one) => one * power)].find((one) => one >= most);
}

// How far sessions came: the parts of a row are its whole.
const STAGES = ['verified', 'failed', 'under_review', 'dropped', 'unbegun'];

function stagesOf(row) {
  const result = row.verified + row.failed + row.under_review;
  return { ...row, result, dropped: row.begun - result, unbegun: row.sessions - row.begun };
}

// VALUE as its TEXT, drawn to its share of MOST.
const Bar = ({ value, most, text }) => html`${text}${value !== null && html`<${Share}
  names=${['open']} of=${{ open: value }} all=${most} />`}`;

const Taken = ({ of, among }) => html`<${Bar} value=${of.median_seconds}
  text=${duration(of.median_seconds)}
  most=${Math.max(1, ...among.map((row) => row.median_seconds))} />`;

function OverTime({ of, label }) {
  const rows = of.intervals.map((row) => stagesOf(outcomesOf(row)));
  const shared = { rows, label };
  const columns = (names) => ({ names, most: axisMost(rows.map((row) => row.total)),
    columns: [countColumn('total'), ...names.map((name, i) => countColumn(name, i ? 'p2' : ''))] });
  const held = of.intervals.some((row) => row.under_review > 0);
  const action = html`<p><a href=${to(held ? 'reviews' : 'sessions')}>${t(held
    ? 'charts.toReviews' : 'start.all')}</a></p>`;
  return html`<${Chart} ...${shared} title=${t('charts.sessions')} ...${columns(OUTCOMES)} />
    <${Chart} ...${shared} title=${t('charts.passRate')} lead=${t('charts.passRateLead')}
      empty=${html`<p class="muted">${t('charts.undecided')}</p>${action}`}
      weight=${(row) => row.verified + row.failed} change=${pointsOf}
      value=${passRate} most=${1} axis=${(share) => percent(share, 1)}
      text=${(row) => percent(passRate(row), passRate(row) === null ? 0 : 1)}
      columns=${[countColumn('verified'), countColumn('failed', 'p2'),
        { title: t('charts.passRate'), class: 'number', cell: (row) =>
          percent(row.verified, row.verified + row.failed) }]} />
    <${Chart} ...${shared} title=${t('charts.time_taken')} lead=${t('charts.timeLead')}
      empty=${html`<p class="muted">${t('charts.unverified')}</p>${action}`}
      weight=${(row) => row.verified} change=${durationOf}
      value=${(row) => row.median_seconds} text=${(row) => duration(row.median_seconds)}
      most=${axisMost(rows.map((row) => row.median_seconds || 0), TIMES)} axis=${duration}
      columns=${[countColumn('verified'), { title: t('charts.time_taken'), class: 'number',
        cell: (row) => duration(row.median_seconds) }]} />
    <${Chart} ...${shared} title=${t('charts.funnelTime')} ...${columns(STAGES)} />`;
}

// What the sessions are grouped by: the member, the title of its column, and what
// people call a value.
const GROUPS = {
  jurisdictions: ['jurisdiction', 'sessions.jurisdiction', place],
  documents: ['jurisdiction', 'bench.field.issuing_country', place],
  document_kinds: ['kind', 'sessions.type', (kind) => valueName('bench.kinds', kind)],
  browsers: ['browser', 'charts.browser', (browser) => valueName('charts.names', browser)],
};

// The most frequent first; nothing where nothing is known.
function Groups({ name, of }) {
  const [member, heading, text] = GROUPS[name];
  const title = t(`charts.parts.${name}`);
  return of[name].some((row) => row[member]) && html`<${Card} title=${title} flush><${Table}
    label=${title} rows=${of[name].map((row) => ({ ...outcomesOf(row), id: row[member] }))}
    columns=${[{ title: t(heading), class: text === place ? '' : 'tight', cell: (row) => text(row[member])
        || t('charts.unknown') },
      { ...countColumn('count'), cell: (row) => number(row.sessions) },
      { title: t('charts.passRate'), class: 'number tight', cell: (row) =>
        percent(row.verified, row.verified + row.failed) },
      { title: t('charts.outcomes'), class: 'charted p2', cell: (row) => html`<${Share}
        of=${row} />` },
      { title: t('charts.took'), class: 'number', cell: (row) => html`<${Taken}
        of=${row} among=${of[name]} />` }]} /><//>`;
}

// How many sessions came to each stage.
function Funnel({ of }) {
  const { begun, verified, result } = stagesOf(of);
  const rows = [['total', of.sessions], ['begun', begun], ['result', result],
    ['verified', verified]].map(([id, count]) => ({ id, count }));
  return html`<${Card} title=${t('charts.funnelAll')} flush><${Table}
    label=${t('charts.funnelAll')} rows=${rows} columns=${[
    { title: t('charts.stage'), class: 'tight', cell: (row) => t(row.id === 'begun' ? 'start.begun'
      : `charts.parts.${row.id}`) },
    { title: t('charts.parts.count'), class: 'number', cell: (row) => number(row.count) },
    { title: t('charts.share'), class: 'charted', cell: (row) => html`<${Bar}
      value=${row.count} most=${of.sessions} text=${percent(row.count, of.sessions)} />` }]} /><//>`;
}

// How far each method brought people. What is verified without a method has a row, too:
// otherwise nobody would find the verified ones again.
function Methods({ rows, paths }) {
  const steps = ['offered', 'begun', 'passed'];
  const most = Math.max(...rows.map((row) => row.offered), ...paths.map((row) => row.verified));
  const count = (row, name, i) => (row.path ? i === 2 && html`<${Bar} most=${most}
    value=${row.verified} text=${number(row.verified)} />`
    : html`<${Bar} most=${most} value=${row[name]} text=${html`${number(row[name])}${i > 0
      && row[steps[i - 1]] > 0 && html` <span class="muted only-wide">${
      percent(row[name], row[steps[i - 1]])}</span>`}`} />`);
  return html`<${Card} title=${t('charts.funnel')} flush>
    ${paths.length > 0 && html`<p class="inside muted small">${t('charts.funnelLead')}</p>`}<${Table}
    label=${t('charts.funnel')} rows=${[...rows.map((row) => ({ ...row, id: row.method })),
    ...paths.map((row) => ({ ...row, path: row.path || 'none', id: row.path }))]}
    columns=${[{ title: t('persons.method'), cell: (row) => (row.path
      ? html`<em>${named(`charts.paths.${row.path}`,
        valueName('paths', row.path))}</em>` : valueName('methods', row.method)) },
      ...steps.map((name, i) => ({ title: t(i === 0 ? 'start.offered' : i === 1
        ? 'start.begun' : paths.length ? 'charts.passed' : 'status.passed'), class: i ? 'number'
        : 'number p2', cell: (row) => count(row, name, i) || html`<span
        class="muted">–</span>` })),
      { title: t('charts.took'), class: 'number', cell: (row) => !row.path && html`<${Taken}
        of=${row} among=${rows} />` }]} /><//>`;
}

function Webhooks() {
  const found = useGet('webhook_statistics');
  const known = useGet('webhook_endpoints', { limit: 50 });
  const failing = (row) => known.data?.data.find(({ id }) => id === row.id)?.failing_since;
  if (found.data && !found.data.endpoints.length) return null;
  return html`<${Card} title=${t('charts.webhooks')} flush><${Loaded} resource=${found}
    lines=${3}>${(data) => html`<${Table} label=${t('charts.webhooks')} rows=${data.endpoints}
      at=${(row) => to('endpoint', { id: row.id })} columns=${[
      { title: t('endpoints.endpoint'), cell: (row) => html`<a class="row wrap"
        href=${to('endpoint', { id: row.id })}>${row.name || new URL(row.url).host}</a>
        ${failing(row) && html`<div class="small bad">${t('endpoints.failing',
    { since: relative(failing(row)) })}</div>`}` },
      { title: t('status.delivered'), class: 'number', cell: (row) => html`
${row.delivered + row.failed ? html`${percent(row.delivered, row.delivered + row.failed)} <span
        class="muted only-wide">${t('charts.of', { n: number(row.deliveries) })}</span><${Share}
        names=${['verified', 'failed']} all=${row.delivered + row.failed}
        of=${{ verified: row.delivered, failed: row.failed }} />`
        : html`<span class="muted">${t(row.deliveries ? 'charts.parts.open' : 'charts.noDeliveries')}
        </span>`}` },
      { title: t('charts.median'), class: 'number p2', cell: (row) =>
        duration(row.median_ms === null ? null : row.median_ms / 1000) },
      { title: t('charts.p95', { share: percent(95, 100) }), class: 'number', cell: (row) => html`<${Bar} value=${row.p95_ms}
        most=${Math.max(1, ...data.endpoints.map((one) => one.p95_ms))}
        text=${duration(row.p95_ms === null ? null : row.p95_ms / 1000)} />` }]} />`}<//><//>`;
}

// Open reviews by the time that is left.
function Waiting() {
  const found = useGet('review_queue');
  if (found.data && !found.data.total) return null;
  return html`<${Card} title=${t('charts.reviews')} flush><${Loaded} resource=${found}
    lines=${3}>${({ total, deadlines }) => {
    let before = 0;
    const rows = [...deadlines, { within_hours: null, count: total }].map((one) => {
      const count = one.count - before;
      before = one.count;
      return { id: String(one.within_hours), hours: one.within_hours, count };
    });
    return html`<${Table} label=${t('charts.reviews')} rows=${rows} columns=${[
      { title: t('reviews.deadline'), cell: (row) => (row.hours
        ? t('reviews.dueIn', { n: row.hours }) : t('reviews.later')) },
      { title: t('charts.parts.count'), class: 'charted', cell: (row) => html`
        ${number(row.count)}<${Share} names=${['under_review']} all=${total}
        of=${{ under_review: row.count }} />` }]} />`;
  }}<//><//>`;
}

export function Insights() {
  usePreferences();
  const state = useAddress();
  const period = PERIODS[state.period] ? state.period : USUAL;
  const span = spanOf(period);
  const found = useGet('funnel', span);
  const label = (row) => (span.interval === HOUR ? shortTime(row.start)
    : shortDay(row.start));
  return html`<div class="period"><h2>${t('charts.title')}</h2><${Filter} name="period"
    label=${t('charts.period')} state=${state} any=${t(`charts.periods.${USUAL}`)}
    options=${Object.keys(PERIODS).filter((one) => one !== USUAL).map((one) => [one,
      t(`charts.periods.${one}`)])} /></div>
    <${Loaded} resource=${found} lines=${8}>${(data) => html`
      ${!data.is_whole && html`<p class="small muted">${t('charts.newest')}</p>`}
      ${data.sessions > 0 ? html`<div class="charts"><${OverTime} of=${data} label=${label} />
        </div><div class="columns of-charts"><${Funnel} of=${data} /><${Methods} ...${{ rows: data.methods,
          paths: data.paths }} />
        ${Object.keys(GROUPS).map((name) => html`<${Groups} name=${name} of=${data} />`)}
        <${Webhooks} /><${Waiting} /></div>`
      : html`<${Card}><p class="muted">${t('charts.none')}</p>
        <p><a href=${to('sessions', { form: 'new' })}>${t('charts.begin')}</a></p><//><div
        class="columns of-charts"><${Webhooks} /><${Waiting} /></div>`}`}<//>`;
}
