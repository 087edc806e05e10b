// Usage: verifications by month, credits, and the ledger of both.

import { html, t, useState } from '../view.js';
import { useAddress } from '../address.js';
import { useDeed, useGet } from '../resource.js';
import { useService } from '../operator.js';
import { month, number } from '../format.js';
import { Badge, Button, Card, Field, FormDialog, Head, Id, List, Loaded, State, Table,
  pageOf, timeColumn } from '../parts.js';

const KINDS = { credits: 'usage.credits', free: 'usage.free', charged: 'usage.charged',
  sandbox: 'usage.sandbox' };

const signed = (value) => number(value, { signDisplay: 'exceptZero' });

function Credits({ onClose, onDone }) {
  const { api } = useService();
  const [form, set] = useState({ amount: '', note: '' });
  const put = (name) => (event) => set({ ...form, [name]: event.target.value });
  const add = useDeed(() => api.post('credits', { body: {
    amount: Number(form.amount), note: form.note.trim() } }).then(onDone));
  return html`<${FormDialog} title=${t('usage.add')} yes=${t('usage.add')} deed=${add}
    onClose=${onClose}><${Field} label=${t('usage.amount')} hint=${t('usage.amountHint')}>
      ${(field) => html`<input ...${field} type="number" step="1" required
      value=${form.amount} onInput=${put('amount')} />`}<//>
    <${Field} label=${t('usage.note')} hint=${t('usage.noteHint')}>${(field) => html`
      <input ...${field} required maxlength="500" value=${form.note}
      onInput=${put('note')} />`}<//><//>`;
}

// The chart is a column of the table: a bar below each number.
export function Months({ of }) {
  const most = Math.max(1, ...of.map((one) => one.verifications));
  return html`<${Table} label=${t('usage.months')} rows=${of.map((one) =>
    ({ ...one, id: one.month }))} columns=${[
    { title: t('usage.month'), class: 'tight', cell: (row) => month(row.month) },
    { title: t('usage.verifications'), class: 'charted', cell: (row) => html`
      ${number(row.verifications)}<progress class="meter" max=${most}
      value=${row.verifications} aria-hidden="true" />` },
    ...['free', 'charged', 'sandbox'].map((name) => ({ title: t(KINDS[name]),
      class: 'number p2', cell: (row) => number(row[name]) }))]} />`;
}

// Free verifications that are left this month.
export function freeLeft({ month, months, free_allotment: all }) {
  return Math.max(0, all - (months.find((one) => one.month === month) || { free: 0 }).free);
}

export function Usage() {
  const { organization, may } = useService();
  const state = useAddress();
  const [adding, ask] = useState(false);
  const usage = useGet('usage');
  const list = useGet('ledger', pageOf(state));
  const now = usage.data && (usage.data.months.find((one) =>
    one.month === usage.data.month) || { verifications: 0 });
  const add = may('service') && html`<${Button} kind="primary" icon="plus"
    onClick=${() => ask(true)}>${t('usage.add')}<//>`;
  return html`<${Head} title=${t('ways.usage')} actions=${add}>${t('usage.lead')}<//>
    ${now && html`<div class="tiles"><div class="tile"><strong>
        ${number(now.verifications)}</strong><span>${t('usage.thisMonth')}</span></div>
      ${!organization.sandbox && html`<div class="tile"><strong>
        ${number(freeLeft(usage.data))}</strong>
        <span>${t('usage.freeLeft')}</span></div>
      <div class=${`tile ${usage.data.credit_balance < 0 ? 'bad' : ''}`}><strong>
        ${number(usage.data.credit_balance)}</strong>
        <span>${t('usage.credits')}</span></div>`}</div>`}
    <${Card} title=${t('usage.months')} flush><${Loaded} resource=${usage}>${(data) => (
      data.months.length ? html`<${Months} of=${data.months} />`
        : html`<${State} icon="usage" title=${t('usage.empty')} />`)}<//><//>
    <${List} title=${t('usage.ledger')} resource=${list} state=${state}
      empty=${html`<${State} icon="usage" title=${t('usage.emptyLedger')}><div
      class="actions">${add}</div><//>`}>
      ${(rows) => html`<${Table} label=${t('usage.ledger')} rows=${rows} columns=${[
          { title: t('usage.kind'), cell: (row) => html`<${Badge}>
            ${t(KINDS[row.kind] || row.kind)}<//>` },
          { title: t('usage.about'), class: 'p2', cell: (row) => (row.session_id
            ? html`<${Id} of=${row.session_id} short />` : row.note) },
          { title: t('usage.verifications'), class: 'number p3', cell: (row) =>
            signed(row.verifications) },
          { title: t('usage.amount'), class: 'number', cell: (row) => signed(row.amount) },
          { title: t('usage.balance'), class: 'number p2', cell: (row) =>
            number(row.balance) },
          timeColumn(t('audit.at'))]} />`}<//>
    ${adding && html`<${Credits} onClose=${() => ask(false)} onDone=${() => {
      usage.reload();
      list.reload();
    }} />`}`;
}
