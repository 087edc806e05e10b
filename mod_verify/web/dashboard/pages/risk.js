// One risk assessment: its signals with their points.

import { html, t } from '../view.js';
import { to, useAddress } from '../address.js';
import { useGet } from '../resource.js';
import { number } from '../format.js';
import { awaited, Card, Facts, Head, Id, Status, Table, Time, Verdict } from '../parts.js';

export function Signals({ of }) {
  return html`<${Table} label=${t('risk.signals')} rows=${of.map((one) => ({ ...one,
    id: one.name }))} columns=${[
    { title: t('risk.signal'), cell: (row) => html`<span class="badges">
      <${Verdict} of=${row.triggered ? 'high' : 'low'} />
      <span class="code">${row.name}</span></span>` },
    { title: t('risk.reason'), class: 'p2', cell: (row) => html`
      <span lang="en">${row.reason}</span>` },
    { title: t('risk.points'), class: 'number', cell: (row) => number(row.points) }]} />`;
}

export function Risk() {
  const { id } = useAddress();
  const found = useGet(`risk/${encodeURIComponent(id)}`);
  const risk = found.data;
  const crumbs = [[t('ways.sessions'), to('sessions')]];
  if (!risk)
    return awaited(t('risk.title'), crumbs, found);
  return html`<${Head} title=${t('risk.title')} crumbs=${crumbs}
      badge=${html`<${Status} of=${risk.risk_level} />`}><${Id} of=${risk.id} /><//>
    <${Card}><${Facts} of=${[[t('risk.score'), number(risk.risk_score)],
      [t('risk.recommendation'), t(`risk.recommendations.${risk.recommendation}`)],
      [t('session.created'), html`<${Time} at=${risk.created} long />`]]} /><//>
    <${Card} title=${t('risk.signals')} flush>
      <${Signals} of=${[...risk.signal_details].sort((a, b) =>
        b.triggered - a.triggered || b.points - a.points)} /><//>`;
}
