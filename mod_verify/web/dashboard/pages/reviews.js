// Reviews: the queue by deadline, and one held session with all that is known of it.
// A reviewer claims it, looks at the evidence for a reason, and decides with a code.
// Second reviews show and decide with the same parts.

import { html, t, useRef, useState, useEffect, Icon, named, preference } from '../view.js';
import { changed, go, to, useAddress } from '../address.js';
import { useDeed, useGet, useInterval, useResource } from '../resource.js';
import { useService } from '../operator.js';
import { place as placeName, relative, valueName } from '../format.js';
import { awaited, Badge, Button, Card, Choice, Dialog, Facts, Fault, Field, FormDialog,
  Head, Id, Loaded, Note, Select, State, Status, Table, Tabs, Time, Verdict, timeColumn
  } from '../parts.js';
import { Checks, CheckList } from './sessions.js';
import { Signals } from './risk.js';

const PAGE = 25;
const URGENT_SECONDS = 4 * 3600;
const RENEW_SECONDS = 240;
const CLAIM_MOST = 600000; // milliseconds that a claim holds

export function Deadline({ at }) {
  if (!at) return html`<span class="muted">–</span>`;
  const left = at - Date.now() / 1000;
  return html`<${Badge} kind=${left < URGENT_SECONDS ? 'bad' : ''} icon="clock">
    ${relative(at)}<//>`;
}

// The doubts of a document, as the settings of a workflow call them.
const DOUBTS = { undetermined: 'undetermined', document_reused: 'reused',
  nonconforming: 'form' };

function why(review) {
  if (review.reason === 'law_unknown') return t('reviews.lawUnknown');
  if (Object.hasOwn(DOUBTS, review.reason))
    return t(`editor.hints.${DOUBTS[review.reason]}`);
  return review.reason || t(review.flagged ? 'reviews.flagged' : 'reviews.byWorkflow');
}

function Marks({ of }) {
  return html`<span class="badges">
    ${of.escalated && html`<${Status} of="escalated" />`}
    ${of.flagged && html`<${Badge} kind="accent">${t('reviews.wasVerified')}<//>`}
    ${of.risk_tier && of.risk_tier !== 'clear' && html`<${Badge} kind="warn"
      icon="warning">${valueName('risks', of.risk_tier)}<//>`}</span>`;
}

function Claim({ of }) {
  if (!of) return html`<span class="muted">–</span>`;
  return html`<${Badge} kind=${of.is_own ? 'accent' : ''} icon="persons">
    ${of.is_own ? t('reviews.you') : of.reviewer}<//>`;
}

// --- the queue ---

function Called({ of, at }) {
  return html`<div class="cut"><a class="row" href=${at(of)} title=${of.session_id}>
    ${of.client_reference_id || html`<span class="code">…${of.session_id.slice(-8)}</span>`}
    </a></div>`;
}

function ReviewTable({ rows }) {
  const at = (row) => to('review', { id: row.session_id });
  return html`<${Table} label=${t('ways.reviews')} at=${at}
    rows=${rows.map((row) => ({ ...row, id: row.session_id }))} columns=${[
      { title: t('sessions.session'), cell: (row) => html`<${Called} of=${row} at=${at} />` },
      { title: t('reviews.why'), class: 'p2', cell: (row) => html`<div class="cut">
        ${why(row)}</div><${Marks} of=${row} />` },
      { title: t('sessions.type'), class: 'p3', cell: (row) =>
        valueName('types', row.type) },
      { title: t('reviews.claim'), class: 'p2', cell: (row) => html`<${Claim} of=${row.claim} />` },
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
    { title: t('audit.actor'), class: 'p2', cell: (row) => html`<div class="cut">
      ${row.by}</div>` },
    timeColumn(t('audit.at'))]} />`;
}

// Takes the next deadline that nobody has; somebody else may be faster.
function Next({ onNone }) {
  const { api, may } = useService();
  const tried = useRef(); // whose answer was lost is one's own, perhaps
  const next = useDeed(async () => {
    const { data } = await api.get('reviews', { query: { limit: 5, unclaimed: 'true' } });
    for (const id of [tried.current, ...data.map((one) => one.session_id)].filter(Boolean)) {
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
  }, (id) => (id ? go(to('review', { id })) : onNone()));
  return may('reviewer') && html`<${Button} kind="primary" icon="reviews" busy=${next.busy}
    onClick=${next.run}>${t('reviews.next')}<//><${Fault} fault=${next.fault} />`;
}

export function Reviews() {
  const { api, organization } = useService();
  const state = useAddress();
  const isDecided = state.tab === 'decided';
  const query = { limit: PAGE, cursor: state.after, state: state.tab,
    unclaimed: state.unclaimed && !isDecided ? 'true' : '' };
  const list = useResource(JSON.stringify([organization.id, query]), (signal) =>
    api.get('reviews', { signal, query }));
  useInterval(list.reload, 15);
  return html`<${Head} title=${t('ways.reviews')} actions=${html`
      <a class="button secondary" href=${to('second_reviews')}>${t('second.title')}</a>
      <${Next} onNone=${list.reload} />`}>${!isDecided && t('reviews.lead')}<//>
    <${Tabs} now=${state.tab || ''} names=${[['', t('status.open')],
      ['decided', t('reviews.decided')]]} />
    ${!isDecided && html`<div class="filters"><${Choice} label=${t('reviews.unclaimed')}
      checked=${!!state.unclaimed} onChange=${(on) => go(changed({
        unclaimed: on ? '1' : '', after: '' }))} /></div>`}
    <${Card} flush><${Loaded} resource=${list}>${(data) => (data.data.length
      ? html`<${isDecided ? DecidedTable : ReviewTable} rows=${data.data} />
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

// --- evidence ---

// Faces beside each other, sides of a document in their order.
const ORDER = ['front', 'back', 'portrait', 'selfie'];
const place = (name) => (ORDER.indexOf(name) + 1 || ORDER.length + 1);

// A picture is asked for when somebody has said why, kept by this view alone, and
// gone with the reason or with the view.
function Picture({ name, at, reason }) {
  const { api } = useService();
  const [address, set] = useState(null);
  const [error, fail] = useState(null);
  const [isLarge, enlarge] = useState(false);
  useEffect(() => {
    fail(null);
    if (!reason) return undefined;
    const abort = new AbortController();
    let made = null;
    api.post(`${at}/evidence/${encodeURIComponent(name)}`,
      { body: { reason }, signal: abort.signal, read: 'blob' }).then((blob) => {
      if (abort.signal.aborted) return;
      made = URL.createObjectURL(blob);
      set(made);
    }, (fault) => { if (!abort.signal.aborted) fail(fault); });
    return () => {
      abort.abort();
      if (made) URL.revokeObjectURL(made);
      set(null);
    };
  }, [name, at, reason]);
  const title = named(`evidence.${name}`, name);
  return html`<figure class="evidence"><figcaption>${title}</figcaption>
    ${address ? html`<button type="button" class="picture" onClick=${() => enlarge(true)}
      aria-label=${t('review.enlarge', { name: title })}><img src=${address} alt=${title}
      /></button>` : html`<div class="picture hidden-picture">
      <${Icon} name=${error ? 'warning' : 'lock'} /><span>${error
        ? t(error.kind === 'missing' ? 'review.noPicture' : `state.${error.kind}.title`)
        : t(reason ? 'state.loading' : 'review.hidden')}</span></div>`}
    ${isLarge && html`<${Dialog} title=${title} wide onClose=${() => enlarge(false)}>
      <img class="large" src=${address} alt=${title} /><//>`}</figure>`;
}

// The pictures of NAMES below AT, for one of REASONS; who decides about them (isOwn)
// may look for that.
export function Evidence({ names: given, at, reasons, isOwn }) {
  const { may } = useService();
  const [reason, choose] = useState('');
  const names = [...given].sort((a, b) => place(a) - place(b)
    || a.localeCompare(b));
  if (!names.length)
    return html`<${Card} title=${t('review.evidence')}>
      <p class="muted">${t('review.noEvidence')}</p><//>`;
  if (!may('reviewer'))
    return html`<${Card} title=${t('review.evidence')}>
      <p class="muted">${t('review.notYours')}</p><//>`;
  return html`<${Card} title=${t('review.evidence')}>
    <${Field} label=${t('review.lookReason')} hint=${t(isOwn
      ? 'review.lookHint' : 'review.claimFirst')}>${(field) => html`
      <select ...${field} name="look" value=${reason}
        onChange=${(event) => choose(event.target.value)}>
        <option value="">${t('review.lookChoose')}</option>
        ${reasons.map((one) => html`<option value=${one}
          disabled=${one === 'review' && !isOwn}>${t(`review.looks.${one}`)}</option>`)}</select>`}<//>
    <div class="pictures">${names.map((name) => html`<${Picture} key=${name} name=${name}
      at=${at} reason=${reason} />`)}</div><//>`;
}

// --- what speaks against it ---

// What is demanded of the age, what was read of it, and each check that failed, in
// words: on the page and where it is decided.
function Objections({ of }) {
  const failed = of.decisions.flatMap((one) => (one.checks || [])
    .filter((check) => check.result === 'failed'))
    .map(({ check, ...rest }) => ({ name: check, ...rest }));
  const latest = [...new Map(failed.map((one) => [one.reason || one.name, one])).values()];
  return html`${of.required_age && html`<p><strong>${t('review.requiredAge')}: ${
      of.required_age}.</strong> ${t('review.readAge')}: ${
      t(`review.ages.${of.is_old_enough}`)}.</p>`}
    ${latest.length > 0 && html`<p>${t('review.failedChecks')}</p>
      <${CheckList} of=${latest} />`}`;
}

// --- deciding ---

const REASONS = {
  approve: ['evidence_convincing', 'signal_explained', 'person_known', 'other_approval'],
  reject: ['document_forged', 'document_of_another', 'face_differs',
    'person_not_present', 'evidence_unreadable', 'too_young', 'fraud_suspected',
    'other_rejection'],
  escalate: ['second_opinion', 'legal_question', 'other_escalation'],
};
const KINDS = { approve: 'primary', reject: 'danger', escalate: 'secondary' };
const SIGNS = { approve: 'a', reject: 'r', escalate: 'e' };

// A second decision (isSecond) has no note, so none of the reasons that need one, and
// changes nothing.
export function Decision({ decision, at, isSecond, review, onClose, onDone, onRefused }) {
  const { api } = useService();
  const [code, choose] = useState('');
  const [note, set] = useState('');
  const needsNote = code.startsWith('other_');
  const decide = useDeed(() => api.post(`${at}/decide`, { body: { decision,
    reason_code: code, note: note.trim() || undefined } }).then(onDone, (error) => {
    if (onRefused) onRefused(); // somebody else may have it now
    throw error;
  }));
  return html`<${FormDialog} kind=${KINDS[decision]} deed=${decide} stays onClose=${onClose}
    title=${t(isSecond ? `review.decisions.${decision}` : `review.titles.${decision}`)}
    yes=${t(`review.decisions.${decision}`)}>
    <p class="muted">${t(isSecond ? 'second.means' : `review.means.${decision}`)}</p>
    ${review && decision === 'approve' && html`<${Objections} of=${review} />`}
    <${Select} label=${t('review.reason')} required value=${code} onChange=${choose}
      options=${[['', t('review.lookChoose')], ...REASONS[decision].filter((one) =>
        !isSecond || !one.startsWith('other_')).map((one) => [one,
        t(`review.reasons.${one}`)])]} />
    ${!isSecond && html`<${Field} label=${t(needsNote ? 'review.note'
      : 'review.noteOptional')} hint=${t('review.noteHint')}>${(field) => html`
      <textarea ...${field} maxlength="500" required=${needsNote} value=${note}
        onInput=${(event) => set(event.target.value)}></textarea>`}<//>`}<//>`;
}

function Work({ review, reload }) {
  const { api, me, may } = useService();
  const [decision, ask] = useState(null);
  const claim = review.claim;
  const isOwn = !!claim && claim.reviewer === me.user;
  const isHeld = review.session.status === 'under_review';
  const path = `reviews/${review.session_id}`;
  const take = useDeed(() => api.post(`${path}/claim`).finally(reload)); // who has it now
  const leave = useDeed(() => api.post(`${path}/release`).then(reload));
  useInterval(take.run, isOwn && isHeld ? RENEW_SECONDS : 0);
  // What a person has pressed may be gone with what came of it: the focus goes to
  // what there is to do next.
  const hasActed = useRef(false);
  const acting = (deed) => () => {
    hasActed.current = true;
    return deed();
  };
  useEffect(() => {
    if (!hasActed.current || document.activeElement !== document.body) return;
    hasActed.current = false;
    // To what is looked at before a decision, and never to the decision itself.
    const actions = '.head .actions :is(a, button)';
    const next = isOwn && isHeld ? ['[name=look]', `${actions}.quiet`] : [actions];
    next.map((one) => document.querySelector(one)).find(Boolean).focus();
  }, [review]);
  useEffect(() => {
    if (!isOwn || !isHeld) return undefined;
    const press = (event) => {
      const wish = Object.keys(SIGNS).find((one) => SIGNS[one] === event.key);
      if (!wish || preference('shortcuts') !== 'on'
        || event.ctrlKey || event.metaKey || event.altKey
        || document.querySelector('dialog[open]')
        || event.target.closest('input, select, textarea')) return;
      event.preventDefault();
      ask(wish);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isOwn, isHeld]);
  if (!isHeld)
    return html`<a class="button secondary" href=${to('reviews')}>${t('reviews.back')}</a>
      <${Next} onNone=${() => go(to('reviews'))} />`;
  if (!may('reviewer')) return null;
  return html`${isOwn ? html`${Object.keys(REASONS).map((one) => html`
      <${Button} kind=${KINDS[one]} onClick=${() => ask(one)}>
      ${t(`review.decisions.${one}`)} <kbd aria-hidden="true">${SIGNS[one]}</kbd><//>`)}
      <${Button} kind="quiet" busy=${leave.busy} onClick=${acting(leave.run)}>
      ${t('review.release')}<//>`
    : html`<${Button} kind="primary" busy=${take.busy} onClick=${acting(take.run)}
      disabled=${!!claim}>${t('review.claim')}<//>`}
    <${Fault} fault=${take.fault || leave.fault} />
    ${decision && html`<${Decision} decision=${decision} at=${path} review=${review}
      onClose=${() => ask(null)} onRefused=${reload} onDone=${acting(reload)} />`}`;
}

// --- one review ---

function Entries({ of }) {
  return html`<ol class="steps" role="list">${of.map((entry) => html`<li>
    <span class="verdict"><${Icon} name="reviews" /></span><div>
    <strong>${named(`review.actions.${entry.action}`, entry.action)}</strong>
    ${entry.by && html` <span class="muted">${entry.by}</span>`}
    ${entry.reason_code && html`<div>${named(`review.reasons.${entry.reason_code}`,
      entry.reason_code)}</div>`}
    ${entry.note && html`<div>${entry.note}</div>`}
    <div class="muted small"><${Time} at=${entry.created} long /></div></div></li>`)}</ol>`;
}

const VERDICTS = { passed: 'passed', failed: 'failed' };

function Decisions({ of }) {
  return html`<ol class="steps" role="list">${of.map((one) => html`<li>
    <${Verdict} of=${VERDICTS[one.verdict] || 'undetermined'} /><div>
    <div class="badges"><strong>${valueName('methods', one.method)}</strong>
      <${Status} of=${VERDICTS[one.verdict] || one.verdict} />
      <span class="muted small"><${Time} at=${one.decided_at} /></span></div>
    <${Checks} of=${(one.checks || []).map(({ check, ...rest }) => ({ name: check,
      ...rest }))} /></div></li>`)}</ol>`;
}

// What checks and signals found.
export function Findings({ of }) {
  return html`<${Card} title=${t('review.checks')}>${of.decisions.length
    ? html`<${Decisions} of=${of.decisions} />`
    : html`<p class="muted">${t('session.nothingTold')}</p>`}<//>
  ${of.risk_assessments.map((risk) => html`<${Card} flush
    title=${t('risk.title')} tools=${html`<${Status} of=${risk.risk_level} />`}>
    <${Signals} of=${[...risk.signal_details].filter((one) => one.triggered)
      .sort((a, b) => b.points - a.points)} />
    <div class="inside"><${Id} of=${risk.id} /></div><//>`)}`;
}

function Related({ of }) {
  return html`<${Table} label=${t('review.related')} rows=${of.map((one) => ({ ...one,
    id: one.session_id }))} at=${(row) => to('session', { id: row.id })} columns=${[
    { title: t('sessions.session'), cell: (row) => html`<a class="row code"
      href=${to('session', { id: row.id })}>…${row.id.slice(-8)}</a>` },
    { title: t('sessions.status'), cell: (row) => html`<${Status} of=${row.status} />` },
    { title: t('review.shared'), cell: (row) => html`<span class="badges">
      ${row.shared.map((one) => html`<${Badge} kind="warn">
        ${named(`review.shares.${one}`, one)}<//>`)}</span>` }]} />`;
}

export function Review() {
  const { me } = useService();
  const { id } = useAddress();
  const found = useGet(`reviews/${encodeURIComponent(id)}`);
  useInterval(found.reload, 15); // a claim ends without anybody's deed
  const review = found.data;
  const [ended, end] = useState(null);
  // A claim ends over a lost connection, too; by a clock that is wrong, at its longest.
  useEffect(() => {
    if (!review || !review.claim) return undefined;
    const left = review.claim.expires_at * 1000 - Date.now();
    const timer = setTimeout(() => {
      end(review);
      found.reload();
    }, left > 0 && left < CLAIM_MOST ? left : CLAIM_MOST);
    return () => clearTimeout(timer);
  }, [review]);
  const crumbs = [[t('ways.reviews'), to('reviews')]];
  if (!review)
    return awaited(t('review.title'), crumbs, found);
  const session = review.session;
  const isHeld = session.status === 'under_review';
  const isOwn = review.claim && review.claim.reviewer === me.user;
  const isLooking = !!isOwn && ended !== review;
  const isOthers = review.claim && !isOwn;
  return html`<${Head} crumbs=${crumbs} title=${session.client_reference_id
      || t('review.title')} badge=${html`<${Status} of=${session.status} />
      ${isHeld && html`<${Deadline} at=${review.deadline_at} />`}
      <${Marks} of=${review} />`}
      actions=${html`<${Work} review=${review} reload=${found.reload} />`}>
      <${Id} of=${review.session_id} />${isHeld && isOwn && html` <span class="small">
        ${t('review.own')} <${Time} at=${review.claim.expires_at} /></span>`}<//>
    ${isHeld && isOthers && html`<${Note} kind="warn" title=${t('review.others',
      { name: review.claim.reviewer })}><p>${t('review.othersText')}
      ${' '}<${Time} at=${review.claim.expires_at} /></p><//>`}
    <${Note} kind=${isHeld ? 'warn' : ''} title=${t(isHeld ? 'reviews.why'
      : 'reviews.whyThen')}><p>${why(review)}</p><${Objections} of=${review} /><//>
    <div class="wide-and-narrow"><div>
      ${isHeld && html`<${Evidence} key=${isLooking} names=${review.evidence}
        isOwn=${isLooking}
        at=${`sessions/${review.session_id}`} reasons=${['review', 'complaint', 'law']} />`}
      <${Findings} of=${review} /></div>
    <div class="narrow"><${Card} title=${t('session.about')}><${Facts} of=${[
      [t('sessions.type'), valueName('types', session.type)],
      [t('review.heldMethod'), valueName('methods', review.held_method)],
      [t('review.requiredAge'), review.required_age],
      [t('review.readAge'), review.required_age && t(`review.ages.${review.is_old_enough}`)],
      [t('sessions.jurisdiction'), placeName(session.jurisdiction)],
      [t('reviews.opened'), review.opened_at && html`<${Time} at=${review.opened_at}
        long />`],
      [t('reviews.deadline'), isHeld && review.deadline_at && html`
        <${Time} at=${review.deadline_at} long />`]]} /><//>
      ${review.related_sessions.length > 0 && html`<${Card} title=${t('review.related')}
        flush><${Related} of=${review.related_sessions} /><//>`}
      ${review.entries.length > 0 && html`<${Card} title=${t('review.history')}>
        <${Entries} of=${review.entries} /><//>`}</div></div>`;
}
