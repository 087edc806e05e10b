// One risk assessment: its signals with their points.

import { html, t } from '../view.js';
import { to, useAddress } from '../address.js';
import { useCodes, useGet } from '../resource.js';
import { number } from '../format.js';
import { awaited, Card, Copyable, Facts, Head, Id, Status, Table, Time, Verdict } from '../parts.js';

// What fired says why, in words; the service says it in English.
function Signal({ of }) {
  const codes = useCodes();
  const { meaning, lang } = codes('RiskSignalName', of.name);
  const { allowed, shadow } = of.metadata || {};
  const hasFired = of.triggered || allowed || shadow;
  return html`<div class="signal"><${Verdict} of=${of.triggered ? 'high' : 'low'} /><div>${!hasFired
    ? html`<span class="muted">${t('risk.nothing')}</span>` : html`<span lang=${meaning ? lang : 'en'}>
    ${meaning || of.reason}</span>`} <span class="print"><${Copyable} text=${of.name}
    label=${`${t('parts.copy')}: ${of.name}`} /></span></div></div>`;
}

export function Signals({ of }) {
  return html`<${Table} label=${t('risk.signals')} rows=${of.map((one) => ({ ...one,
    id: one.name }))} columns=${[
    { title: t('risk.signal'), cell: (row) => html`<${Signal} of=${row} />` },
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
