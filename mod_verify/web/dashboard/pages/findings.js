// What was found, in words: what failed and what is doubtful first, each as a sentence
// with its severity; what passed by group; the code as small print.

import { html, t, language } from '../view.js';
import { useCodes } from '../resource.js';
import { number } from '../format.js';
import { Badge, Id, Print, Status, Time, Verdict } from '../parts.js';
import { valueName } from '../format.js';
import { Signals } from './risk.js';

const resultOf = (check) => check.result || (check.passed ? 'passed' : 'failed');

// failed, doubt, note (nothing follows from it), passed, or open: results tell customers
// that a check is undetermined, and not what follows from it.
export function severityOf(check) {
  const result = resultOf(check);
  if (result !== 'undetermined') return result;
  if (check.of_result) return 'open';
  return check.is_silent ? 'note' : 'doubt';
}
const KINDS = { failed: ['bad', 'cross'], doubt: ['warn', 'help'], open: ['', 'help'],
  note: ['', 'info'], passed: ['good', 'check'] };
const RANKS = Object.keys(KINDS);
// Those that an outcome depends on come first: no approval overrules the age.
const DECISIVE = [/^age$/, /signature|reused|face_match|cloning|status|revocation|printed|expiry/];
const rankOf = (check) => RANKS.indexOf(severityOf(check))
  + (DECISIVE.findIndex((one) => one.test(check.name)) + 3) % 3 / 3;
export const byRank = (list) => [...list].sort((a, b) => rankOf(a) - rankOf(b));

// A code that no list has words for, or none yet.
const spelled = (code) => code.replaceAll('_', ' ');

// What a check says: why it did not pass, or what it means that it did.
export function useSentence() {
  const codes = useCodes();
  return (check) => {
    const what = codes('CheckName', check.name);
    const why = check.reason ? codes('CheckReason', check.reason) : {};
    if (severityOf(check) === 'passed')
      return { text: what.meaning || spelled(check.name), lang: what.lang };
    if (why.meaning) return { text: why.meaning, lang: why.lang };
    return { text: what.meaning ? t('bench.notConfirmed', { what: what.meaning })
      : spelled(check.name), lang: what.lang };
  };
}

// Which of the alternatives of a reason holds, by the values that were read.
const WHICH = {
  date_of_issue_implausible: ({ date_of_issue: issue, date_of_birth: birth, date_of_expiry: expiry }) =>
    (issue < birth ? 'unborn' : expiry && issue > expiry ? 'expired' : 'young') };

// The documents of READ, the photographed one first.
export const documentsOf = (read) => [read.fields && { ...read, method: 'document_capture' },
  ...read.signed].filter(Boolean);

// What METHOD read; {} while that is masked (READ is {}).
export const readBy = (read, method) => (read.signed ? documentsOf(read).find((one) =>
  one.method === method) || { fields: {} } : {});

// READ, what was read of its document, tells which of several alternatives holds.
export function Sentence({ of, read }) {
  const { text, lang } = useSentence()(of);
  const fields = read && read.fields;
  if (fields && fields[of.name] && WHICH[of.reason])
    return t(`bench.why.${WHICH[of.reason](fields)}`, fields);
  return html`<span lang=${lang === language() ? null : lang}>${text}</span>`;
}

// One code for a finding: why a check did not pass says more than its name.
export const codeOf = (check) => check.reason || check.name;

const CodePrint = ({ of }) => html`<${Print} of=${codeOf(of)} />`;

// The values of the document that a check is about, by its name: those that contradict
// each other stand next to each other.
const ABOUT = { date_of_birth: ['date_of_birth'], age: ['date_of_birth'],
  date_of_issue: ['date_of_issue', 'date_of_birth'], expiry: ['date_of_expiry'],
  date_of_expiry: ['date_of_expiry', 'date_of_issue'],
  validity_term: ['date_of_issue', 'date_of_expiry'] };

// These values of READ, what was read of the document; masked before a reason for viewing
// was chosen (READ is {}).
function Values({ of, read }) {
  const { fields } = read;
  const about = fields && WHICH[of.reason] ? [] : (ABOUT[of.name] || []).filter((name) =>
    !fields || fields[name]);
  return about.length > 0 && html` <span class="small">${about.map((name, i) => html`${i > 0
    && ' · '}${t(`bench.field.${name}`)}: ${fields ? html`<strong>${fields[name]}</strong>`
    : '••••'}`)}</span>`;
}

export function CheckList({ of, read }) {
  return html`<ul class="checks" role="list">${of.map((check) => {
    const severity = severityOf(check);
    const [kind, icon] = KINDS[severity];
    return html`<li class=${severity}>${severity === 'passed' ? html`<${Verdict} of="passed" />`
      : html`<${Badge} kind=${kind} icon=${icon}>${t(`bench.severity.${severity}`)}<//>`}<div>
      <${Sentence} of=${check} read=${read} /> <${CodePrint} of=${check} />${read && severity !== 'passed'
        && html`<${Values} of=${check} read=${read} />`}</div></li>`;
  })}</ul>`;
}

// By what they are about; the first that fits.
const GROUPS = [['codes', /^(check_digit|characters|barcode|mandatory|document_code|date_form)/],
  ['pictures', /picture|portrait|printed|face|person|frames|challenge|liveness/],
  ['dates', /date|expiry|validity_term|^age$/],
  ['signatures', /certificate|signature|security_object|issuer_|trust|digest|device|chip|data_group|authentication|revocation|status|sign/],
  ['data', /./]];
export const groupOf = (check) => GROUPS.find(([, pattern]) => pattern.test(check.name))[0];

// What failed and what is doubtful is open; what passed is folded by group, and notes
// apart, since nothing follows from them. What is not confirmed is folded where something
// else decided (ISDECIDED, or a failed check).
function Checks({ of, read, isDecided }) {
  const with_ = (...severities) => byRank(of.filter((one) => severities.includes(severityOf(one))));
  const unconfirmed = with_('open');
  const isFolded = isDecided || with_('failed').length > 0;
  const open = with_('failed', 'doubt', !isFolded && 'open');
  const notes = with_('note');
  const passed = with_('passed');
  const more = (title, list) => list.length > 0 && html`<details class="more">
    <summary>${title}</summary><${CheckList} of=${list} /></details>`;
  return html`${open.length > 0 && html`<${CheckList} of=${open} read=${read} />`}
    ${passed.length > 0 && html`<details class="more"><summary>
      ${t('session.passedChecks', { n: passed.length })}</summary>
      ${GROUPS.map(([name]) => [name, passed.filter((one) => groupOf(one) === name)]).map(
        ([name, list]) => more(`${t(`bench.groups.${name}`)} (${list.length})`, list))}</details>`}
    ${isFolded && more(`${t('bench.severity.open')} (${unconfirmed.length})`, unconfirmed)}
    ${more(t('bench.notes', { n: notes.length }), notes)}`;
}

const checksOf = ({ checks, method }) => (checks || []).map(({ check, ...rest }) =>
  ({ name: check, method, ...rest }));

// Those that failed first, then doubtful ones; otherwise in their order.
const rankOfDecision = (one) => Math.min(RANKS.indexOf('open'), ...checksOf(one).map(rankOf),
  one.verdict === 'failed' ? 0 : RANKS.length);
const byWorst = (list) => [...list].sort((a, b) => rankOfDecision(a) - rankOfDecision(b));

// The last submission of each method that could be read, and those before it.
export function lastOf(decisions) {
  const last = new Map(decisions.filter((one) => one.verdict !== 'unreadable')
    .map((one) => [one.method, one]));
  const now = [...last.values()];
  return [now, decisions.filter((one) => !now.includes(one))];
}

// The checks of REVIEW that failed, each once, the most decisive first, and its doubts, of
// which one check can have several.
export function objectionsOf({ decisions }) {
  const all = byRank(lastOf(decisions)[0].flatMap(checksOf));
  return ['failed', 'doubt'].map((severity) => [...new Map(all.filter((one) =>
    severityOf(one) === severity).map((one) => [severity === 'doubt' && one.reason
    || one.name, one])).values()]);
}

// CODE of LIST in words, unless one of CHECKS says why.
function Reason({ list, code, checks }) {
  const { meaning, lang } = useCodes()(list, code);
  if (!code || checks.some((one) => one.reason === code)) return null;
  if (checks.some((one) => !one.of_result && severityOf(one) === 'failed'))
    return html`<${Print} of=${code} />`;
  return html`<p lang=${lang}>${meaning || spelled(code)} <${Print} of=${code} /></p>`;
}

// What a method decided, with why, where a result says it.
export function Decision({ of, read }) {
  const checks = checksOf(of);
  return html`<section class="found-by"><div class="badges"><h3>
    ${valueName('methods', of.method)}</h3><${Status} of=${of.verdict} />
    ${of.assurance && html`<${Badge} kind="accent">${valueName('assurances', of.assurance)}<//>`}
    <span class="muted small"><${Time} at=${of.decided_at} /></span></div>
    <${Reason} list="FailureCode" code=${of.error_code} checks=${checks} />
    <${Reason} list="Hint" code=${of.hint} checks=${checks} />
    ${of.risk_assessment_id && html`<p><${Id} of=${of.risk_assessment_id} /></p>`}
    <${Checks} of=${checks} read=${read && (read.signed || of.method !== 'mdl') && readBy(read, of.method)}
      isDecided=${of.verdict === 'passed'} /></section>`;
}

// A result as the decision that it is of.
export const decisionOf = ({ status, completed_at, checks, ...rest }) => ({ ...rest,
  verdict: status, decided_at: completed_at, checks: (checks || []).map(({ name, ...check }) =>
    ({ ...check, check: name, of_result: true })) });

// What checks found. READ: what was read of the documents, {} while it is masked, null where
// it is not shown.
export function FoundBy({ of, read }) {
  const [now, before] = lastOf(of.decisions);
  return of.decisions.length ? html`${byWorst(now).map((one) => html`<${Decision} of=${one} read=${read} />`)}
    ${before.length > 0 && html`<details class="more"><summary>${t('bench.earlier',
      { n: before.length })}</summary>${before.map((one) => html`<${Decision} of=${one} />`)}
      </details>`}` : html`<p class="muted">${t('session.nothingTold')}</p>`;
}

// The signals of RISKS that fired, by their points.
export const firedOf = (risks) => risks.flatMap((one) => one.signal_details).filter((one) =>
  one.triggered).sort((a, b) => b.points - a.points);

export function Risks({ of }) {
  return of.map((risk) => html`<div class="inside badges"><${Status} of=${risk.risk_level} />
      <span class="muted small">${t('bench.points', { n: number(risk.risk_score || 0) })}</span>
      <${Id} of=${risk.id} short /></div>
    <${Signals} of=${firedOf([risk])} />`);
}
