// Charts: our own SVG without text, which stretches with its card. Each has its
// numbers as a table.

import { html, t, useState } from './view.js';
import { number } from './format.js';
import { Card, Table } from './parts.js';

const SHARE = { style: 'percent', maximumFractionDigits: 0 };

export const percent = (part, all) => (all ? number(part / all, SHARE) : '–');

// SECONDS as "80 ms", "45 sec", "3.5 min" or "2 hr".
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return '–';
  const [unit, size] = seconds > 0 && seconds < 1 ? ['millisecond', 0.001]
    : [['hour', 3600], ['minute', 60], ['second', 1]]
      .find(([, length]) => seconds >= 2 * length || length === 1);
  return number(seconds / size, { style: 'unit', unit, maximumFractionDigits: 1 });
}

// How sessions end; `open`: those that have not. The parts of a row are its whole.
export const OUTCOMES = ['verified', 'failed', 'abandoned', 'under_review', 'open'];

export function outcomesOf(row) {
  const ended = row.verified + row.failed + row.abandoned + row.under_review;
  return { ...row, open: row.sessions - ended };
}

// Of those that were decided, how many passed.
export const passRate = (row) => (row.verified + row.failed
  ? row.verified / (row.verified + row.failed) : null);

// Percents of the PARTS of ALL whose sum is 100: the largest remainders are rounded up.
export function percents(parts, all) {
  const exact = parts.map((part) => (100 * part) / all);
  const rest = 100 - exact.reduce((sum, one) => sum + Math.floor(one), 0);
  const up = exact.map((one, i) => [i, one % 1]).sort((a, b) => b[1] - a[1]).slice(0, rest);
  return exact.map((one, i) => Math.floor(one) + up.some(([j]) => j === i));
}

// With OF: the parts of its sessions, which are all.
export function Legend({ names, of }) {
  const shares = of && percents(names.map((name) => of[name]), of.sessions);
  return html`<ul class="legend" role="list">${names.map((name, i) => html`<li>
    <i class=${`ink ${name}`}></i>${t(`charts.parts.${name}`)}${of && html` <strong>
    ${number(of[name])}</strong> <span class="muted">${percent(shares[i], 100)}
    </span>`}</li>`)}</ul>`;
}

// One row of parts, drawn to their shares.
export function Share({ of, all = of.sessions, names = OUTCOMES }) {
  let x = 0;
  return html`<svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none"
    aria-hidden="true">${names.map((name) => {
    const width = all ? (100 * of[name]) / all : 0;
    x += width;
    return html`<rect class=${`ink ${name}`} x=${x - width} width=${width} height="1" />`;
  })}</svg>`;
}

// Stacked columns: a row's parts, drawn to the height of its total.
function Columns({ rows, most, label, names }) {
  return rows.map((row, i) => {
    const height = (part) => (row.sessions
      ? (100 * part * row.total) / (row.sessions * most) : 0);
    let y = 100;
    return html`<g><title>${`${label(row)}: ${number(row.total)}`}</title>
      <rect class="catch" x=${i} width="1" height="100" />
      ${names.map((name) => {
    y -= height(row[name]);
    return html`<rect class=${`ink ${name}`} x=${i + 0.12} width=".76" y=${y}
      height=${height(row[name])} />`;
  })}</g>`;
  });
}

// A line with a point for each row that has a value.
function Line({ rows, most, label, value, text }) {
  const y = (row) => 100 - (100 * value(row)) / most;
  let last = false;
  const line = rows.map((row, i) => {
    const has = value(row) !== null;
    const step = has ? `${last ? 'L' : 'M'}${i + 0.5} ${y(row)}` : '';
    last = has;
    return step;
  }).join('');
  return html`<path class="line" d=${line} />${rows.map((row, i) => html`<g>
    <title>${`${label(row)}: ${text(row)}`}</title>
    <rect class="catch" x=${i} width="1" height="100" />
    ${value(row) !== null && html`<path class="point" d=${`M${i + 0.5} ${y(row)}h0`} />`}
    </g>`)}`;
}

// Fewer sessions than this say nothing about a change.
const FEW = 10;

// CHANGE as "+5 points" or "-12 sec".
export const pointsOf = (change) => t('charts.points', { n: Math.abs(Math.round(100 * change)),
  signed: number(Math.round(100 * change), { signDisplay: 'exceptZero' }) });
export const durationOf = (change) => (change ? (change > 0 ? '+' : '−') : '')
  + duration(Math.abs(change));

// The current figure. A count has only begun in the newest interval, so that comparing it
// would mislead; a share or a time is compared with the one before, if both rest on enough.
function Latest({ rows, label, names, value, text, weight = () => 0, change }) {
  const known = names ? rows : rows.filter((row) => value(row) !== null);
  const [last, before] = [known[known.length - 1], known[known.length - 2]];
  const isComparable = before && weight(last) >= FEW && weight(before) >= FEW;
  return html`<p class="latest"><strong>${names ? number(last.total) : text(last)}</strong>
    <span class="muted small">${last === rows[rows.length - 1] ? t('charts.soFar',
  { time: label(last) }) : label(last)}${isComparable && ` · ${t('charts.since', {
    change: change(value(last) - value(before)), time: label(before) })}`}</span></p>`;
}

// A chart over the intervals ROWS. With NAMES: columns of these parts; otherwise the line
// of VALUE(row), shown as TEXT(row). AXIS(most): the greatest value as text. `columns`:
// those of its table, behind the time. WEIGHT(row): how many sessions its value rests on,
// CHANGE(difference): of two values, as text. EMPTY: what is shown while no row has a value.
export function Chart({ title, rows, label, names, value, text, most, axis = number,
  columns, lead, weight, change, empty }) {
  const [isOpen, open] = useState(false);
  if (!names && rows.every((row) => value(row) === null))
    return html`<${Card} title=${title}><div class="chart empty">${empty}</div><//>`;
  const marks = [rows[0], rows[rows.length - 1]];
  return html`<${Card} title=${title}><figure class="chart">
    <${Latest} ...${{ rows, label, names, value, text, weight, change }} />
    ${names ? html`<${Legend} names=${names} />` : html`<p class="muted small">${lead}</p>`}
    <div class="plot"><span class="axis" aria-hidden="true"><span>${axis(most)}</span>
      <span>${axis(0)}</span></span>
      <svg viewBox=${`0 0 ${rows.length} 100`} preserveAspectRatio="none" role="img"
        aria-label=${title}><path class="grid" d=${`M0 0H${rows.length}M0 50H${
        rows.length}M0 100H${rows.length}`} />
        ${names ? html`<${Columns} ...${{ rows, most, label, names }} />`
          : html`<${Line} ...${{ rows, most, label, value, text }} />`}</svg>
      <span class="axis across" aria-hidden="true">${marks.map((row) => html`<span>
        ${label(row)}</span>`)}</span></div>
    <details class="more" onToggle=${(event) => open(event.target.open)}>
      <summary>${t(isOpen ? 'charts.hide' : 'charts.table')}</summary>${isOpen && html`<${Table} label=${title}
        rows=${rows.map((row) => ({ ...row, id: row.start })).reverse()} columns=${[{ title: t('charts.time'), class: 'tight', cell: label },
          ...columns]} />`}</details></figure><//>`;
}

