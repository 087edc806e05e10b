// What is decided: the age that is demanded and the one that was read, what the evidence is
// worth, the risk, and what speaks against an approval.

import { html, t } from '../view.js';
import { number, valueName } from '../format.js';
import { Facts, Time } from '../parts.js';
import { picturesOf, placeOfField } from './evidence.js';
import { documentsOf, lastOf, objectionsOf, readBy, Sentence, severityOf } from './findings.js';

// What the document itself says of the age, where no method has confirmed it: whether it is
// enough, or why that is unknown.
function UnconfirmedAge({ of }) {
  const check = lastOf(of.decisions)[0].flatMap((one) => one.checks || [])
    .map(({ check: name, ...rest }) => ({ name, ...rest })).findLast((one) => one.name === 'age');
  if (!check)
    return html`<span class="warn">${t(of.decisions.length ? 'bench.ages.unread'
      : 'bench.ages.nothing')}</span>`;
  const result = severityOf(check);
  if (result === 'passed' || result === 'failed')
    return html`<span class=${result === 'failed' ? 'bad' : 'warn'}>${t(`bench.ages.${result}`)}</span>`;
  return html`<span class="warn"><${Sentence} of=${check} /></span>`;
}

const Age = ({ of }) => (of.is_old_enough === null ? html`<${UnconfirmedAge} of=${of} />`
  : html`<span class=${of.is_old_enough ? '' : 'bad'}>${t(`review.ages.${of.is_old_enough}`)}${
    !of.is_old_enough && of.session.status === 'under_review' && t('review.ages.fails')}</span>`);

// Completed years on the day of today since BIRTH, "1980-02-03"; null for a part of a date.
function yearsSince(birth) {
  if (!/^\d{4}-\d\d-\d\d$/.test(birth)) return null;
  const today = new Date().toISOString();
  return today.slice(0, 4) - birth.slice(0, 4) - (today.slice(5, 10) < birth.slice(5) ? 1 : 0);
}

// The document of READ that tells a date of birth.
const bornBy = (read) => documentsOf(read).find((one) => one.fields.date_of_birth);

// The age by READ, once it may be seen, where one date of birth is certain: "46, ".
function ageBy(read) {
  const { date_of_birth: birth = '', earlier_birth: other } = ((read && bornBy(read)) || {}).fields || {};
  return !other && yearsSince(birth) !== null && `${number(yearsSince(birth))}, `;
}

// The date of birth as READ, where it was read and how the print compares.
function Birth({ read, names }) {
  if (!read) return html`<span class="muted">${t('bench.ages.masked')}</span>`;
  const document = bornBy(read);
  const { ages } = documentsOf(read).find((one) => one.ages) || {};
  if (!document && ages) return Object.entries(ages).map(([n, is]) => html`<div>${
    t('bench.atLeast', { n })}: <strong>${t(is ? 'list.yes' : 'list.no')}</strong></div>`);
  if (!document) return html`<span class="warn">${t('bench.ages.noBirth')}</span>`;
  const { fields, print } = document;
  const compared = print && print.date_of_birth;
  return html`${[fields.date_of_birth, fields.earlier_birth].filter(Boolean).map((one, i) => html`${
    i > 0 && ` ${t('bench.or')} `}<strong>${one}</strong>
    ${yearsSince(one) !== null && ` (${t('bench.years', { n: yearsSince(one) })})`}`)}
    <div class="muted small">${placeOfField(document, names, 'date_of_birth')}${
    compared === 'consistent' ? `, ${t('bench.agrees')}`
      : compared === 'contradicted' ? html`, <span class="warn">${t('bench.differs')}</span>`
        : ''}</div>`;
}

function riskOf({ risk_assessments: all }) {
  const risk = all.at(-1);
  return risk ? html`<span class=${{ high: 'bad', medium: 'warn' }[risk.risk_level] || ''}>
    ${t(`status.${risk.risk_level}`)} · ${t('bench.points', { n: number(risk.risk_score) })}</span>`
    : t('bench.noRisk');
}

function worthOf({ decisions }) {
  const worth = lastOf(decisions)[0].map((one) => one.assurance).filter(Boolean);
  return worth.length > 0 && [...new Set(worth)].map((one) => valueName('assurances', one)).join(', ');
}

const MOST_NAMED = 5;

const Named = ({ of, kind, read }) => html`<ul class="failed">${of.slice(0, MOST_NAMED).map((one) =>
  html`<li class=${kind}><${Sentence} of=${one} read=${read && readBy(read, one.method)} /></li>`)}${of.length > MOST_NAMED && html`<li>
  ${t('bench.moreFailed', { n: of.length - MOST_NAMED })}</li>`}</ul>`;

// What an approval would release, in one line: the age that is demanded and whether it
// was read, what the evidence is worth, the risk, and what speaks against it.
// READ: what may be seen of the document. UNTIL: when the claim ends of whoever decides.
export function Stakes({ of, read, until }) {
  const [failed, doubts] = objectionsOf(of);
  const facts = [
    [t('review.requiredAge'), of.required_age],
    [t('review.readAge'), of.required_age && html`${ageBy(read)}<${Age} of=${of} />`],
    [t('bench.worth'), worthOf(of)],
    [t('sessions.risk'), riskOf(of)],
    [t('bench.failed'), failed.length ? html`<span class="bad worst">${number(failed.length)}: ${
      html`<${Sentence} of=${failed[0]} />`}</span>` : t('list.none')],
    [t('bench.doubts'), doubts.length > 0 && html`<span class="warn">${number(doubts.length)}</span>`],
    [t('review.own'), until && html`<${Time} at=${until} />`]];
  return html`<dl class="stakes">${facts.filter(([, value]) => value).map(([name, value]) =>
    html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

// The same before a decision, at length. ISTICKED: failed checks are listed to be ticked.
export function Restated({ of, look, hasFields, isTicked }) {
  const [failed, doubts] = objectionsOf(of);
  return html`<div class="restated"><${Facts} of=${[
    [t('review.requiredAge'), of.required_age || t('bench.noAge')],
    [t('review.readAge'), of.required_age && html`<${Age} of=${of} />${of.is_old_enough === null
      && html`<div class="small">${t('bench.ages.unconfirmed')}</div>`}`],
    [t('bench.field.date_of_birth'), hasFields && html`<${Birth} read=${look.read}
      names=${picturesOf(of.evidence)} />`],
    [t('bench.worth'), worthOf(of) || t('list.none')],
    [t('sessions.risk'), riskOf(of)],
    [t('bench.failed'), failed.length === 0 ? t('list.none') : isTicked ? html`<span class="bad">
      ${number(failed.length)}</span>` : html`<${Named} of=${failed} kind="bad" read=${look.read} />`],
    [t('bench.doubts'), doubts.length > 0 && html`<${Named} of=${doubts} kind="warn" />`]]} /></div>`;
}
