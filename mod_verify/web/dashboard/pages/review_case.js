// One held session as a workbench: what is decided and its facts above, the evidence large,
// and next to it what was read and the findings. A reviewer claims it, looks at the evidence
// for a reason, and decides with a code. Second reviews decide with the same parts.

import { html, t, useRef, useState, useEffect, useId, Icon, named } from '../view.js';
import { go, to, useAddress } from '../address.js';
import { useCodes, useDeed, useGet, useInterval, useKey } from '../resource.js';
import { useService } from '../operator.js';
import { number, valueName } from '../format.js';
import { awaited, Badge, Button, Card, Facts, Fault, Field, FormDialog, Head, Id, Note,
  Select, Status, Table, Time, placed } from '../parts.js';
import { Called, Deadline, Holder, Marks, Next, why } from './reviews.js';
import { Evidence, Fields, picturesOf, Reason, useLook } from './evidence.js';
import { byRank, CheckList, codeOf, firedOf, FoundBy, groupOf, objectionsOf, readBy, Risks,
  Sentence } from './findings.js';
import { Restated, Stakes } from './stakes.js';

const RENEW_SECONDS = 240;
const CLAIM_MOST = 600000; // milliseconds that a claim holds

// --- deciding ---

const REASONS = {
  approve: ['evidence_convincing', 'signal_explained', 'person_known', 'other_approval'],
  reject: ['document_forged', 'document_of_another', 'document_not_accepted', 'face_differs',
    'person_not_present', 'evidence_unreadable', 'too_young', 'fraud_suspected',
    'other_rejection'],
  escalate: ['second_opinion', 'legal_question', 'other_escalation'],
};
// An approval that will fail does not look like the usual way.
const kindOf = (decision, review) => ({ reject: 'danger', escalate: 'secondary' }[decision]
  || (review && review.is_old_enough === false ? 'secondary' : 'primary'));
const SIGNS = { approve: 'a', reject: 'r', escalate: 'e' };

// A second decision (isSecond) has no note, so none of the reasons that need one, and
// changes nothing. TAKE claims a review again whose claim has ended meanwhile.
export function Decision({ decision, at, isSecond, review, look, hasFields, take, onClose, onDone,
  onRefused }) {
  const { api, me } = useService();
  const claim = review && review.claim;
  const isLost = review && (!claim || claim.reviewer !== me.user);
  const [code, choose] = useState('');
  const [note, set] = useState('');
  const needsNote = code.startsWith('other_');
  // A warning is enough: the findings alone may justify an approval.
  const [isHidden] = useState(() => !look.reason && document.querySelector('[name=look]'));
  const failed = decision === 'approve' && review ? byRank(review.failed_checks.map(({ check,
    ...rest }) => ({ name: check, result: 'failed', ...rest }))) : null;
  const decide = useDeed(() => api.post(`${at}/decide`, { body: { decision,
    reason_code: code, note: note.trim() || undefined, overruled_checks: failed
      ? [...new Set(failed.map((one) => one.name))] : undefined } }).then(onDone, (error) => {
    if (onRefused) onRefused(); // somebody else may have it now
    throw error;
  }));
  return html`<${FormDialog} kind=${kindOf(decision, review)} deed=${decide} stays onClose=${onClose} disabled=${isLost}
    title=${t(isSecond ? `review.decisions.${decision}` : `review.titles.${decision}`)}
    yes=${t(`review.decisions.${decision}`)}>
    ${isLost && html`<div role="alert"><${Note} kind="warn" title=${claim ? t('review.others',
      { name: claim.reviewer }) : t('review.claimFirst')}>${!claim && html`<${Button}
      busy=${take.busy} onClick=${take.run}>${t('review.claim')}<//>`}<//></div>`}
    <p class="muted">${t(isSecond ? 'second.means' : `review.means.${decision}`)}</p>
    ${decision === 'approve' && isHidden && html`<${Note} kind="warn">${t('review.unseen')}<//>`}
    ${review && html`<${Restated} of=${review} look=${look} hasFields=${hasFields}
      isTicked=${failed && failed.length > 0} />`}
    ${failed && failed.length > 0 && html`<fieldset class="overruled"><legend>
      ${t('bench.overrule')}</legend>${failed.map((one) => html`
      <label class="choice"><input type="checkbox" required name=${one.name} /><span>
      <${Sentence} of=${one} read=${look.read && readBy(look.read, one.method)} /> <span class="code">${codeOf(one)}</span></span></label>`)}</fieldset>`}
    <${Select} label=${t('review.reason')} required value=${code} onChange=${choose}
      options=${[['', t('review.lookChoose')], ...REASONS[decision].filter((one) =>
        !isSecond || !one.startsWith('other_')).map((one) => [one,
        t(`review.reasons.${one}`)])]} />
    ${!isSecond && html`<${Field} label=${t(needsNote ? 'review.note'
      : 'review.noteOptional')} hint=${t('review.noteHint')}>${(field) => html`
      <textarea ...${field} maxlength="500" required=${needsNote} value=${note}
        onInput=${(event) => set(event.target.value)}></textarea>`}<//>`}<//>`;
}

// --- the team ---

// Names are as in the logs of the web server, which knows who may log in; those that had
// to do with this session are offered.
function Assign({ review, onClose, onDone }) {
  const { api, me } = useService();
  const [name, set] = useState(review.assignee || '');
  const known = [...new Set([me.user, review.assignee, ...review.entries.flatMap((one) =>
    [one.assignee, one.by])])].filter((one) => one && !one.startsWith('key_'));
  const assign = useDeed(() => api.post(`reviews/${review.session_id}/assign`,
    { body: { assignee: name.trim() || null } }).then(onDone));
  return html`<${FormDialog} deed=${assign} onClose=${onClose} title=${t('bench.assignTitle')}
    yes=${t('bench.assign')}><${Field} label=${t('bench.assignee')} hint=${t('bench.assignHint')}>
    ${(field) => html`<input ...${field} name="assignee" list="known-reviewers" maxlength="255"
      autocomplete="off" value=${name} onInput=${(event) => set(event.target.value)} />
      <datalist id="known-reviewers">${known.map((one) => html`<option value=${one} />`)}
      </datalist>`}<//><//>`;
}

const notesOf = (review) => review.entries.filter((one) => one.action === 'noted' && one.note);

// ONSHOW brings them into view.
function Notes({ review, reload, onShow }) {
  const { api, may } = useService();
  const [text, set] = useState('');
  const [wished, wish] = useState(0); // how often the key was pressed
  const field = useRef();
  const notes = notesOf(review);
  const add = useDeed(async () => {
    await api.post(`reviews/${review.session_id}/notes`, { body: { text: text.trim() } });
    set('');
    reload();
  });
  const may_ = may('reviewer') && review.session.status === 'under_review';
  useKey({ m: may_ && (() => {
    onShow();
    wish(wished + 1);
  }) });
  useEffect(() => { if (wished) field.current.focus(); }, [wished]);
  return html`${!may_ && !notes.length && html`<p class="muted">${t('bench.noNotes')}</p>`}
    ${notes.length > 0 && html`<ul class="notes" role="list">${notes.map((one) => html`
      <li key=${one.id}><p>${one.note}</p><span class="muted small">${one.by} · <${Time}
      at=${one.created} /></span></li>`)}</ul>`}
    ${may_ && html`<form class="fields" onSubmit=${(event) => {
      event.preventDefault();
      add.run();
    }}><${Field} label=${t('bench.addNote')} hint=${t('bench.noteHint')}>${(of) => html`
      <textarea ...${of} ref=${field} name="note" rows="2" maxlength="500" required value=${text}
        onInput=${(event) => set(event.target.value)}></textarea>`}<//>
      <div class="actions"><${Button} type="submit" busy=${add.busy}>${t('bench.add')}<//></div>
      <${Fault} fault=${add.fault} /></form>`}`;
}

function Work({ review, reload, look, hasFields }) {
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
  useKey({ ...(isOwn && isHeld && Object.fromEntries(Object.entries(SIGNS).map(([wish, key]) =>
    [key, () => ask(wish)]))), ...(isHeld && may('reviewer') && { c: isOwn
    ? acting(leave.run) : !claim && acting(take.run), g: () => ask('assign') }) });
  if (!isHeld)
    return html`<a class="button secondary" href=${to('reviews')}>${t('reviews.back')}</a>
      <${Next} onNone=${() => go(to('reviews'))} />`;
  if (!may('reviewer')) return null;
  // Keyed, so that no button becomes that of an approval under the focus.
  return html`<div class="decide" key=${isOwn}>${isOwn ? Object.keys(REASONS).map((one) => html`
      <${Button} kind=${kindOf(one, review)} onClick=${() => ask(one)}>
      ${t(`review.decisions.${one}`)} <kbd aria-hidden="true">${SIGNS[one]}</kbd><//>`)
    : html`<${Button} kind="primary" busy=${take.busy} onClick=${acting(take.run)}
      disabled=${!!claim}>${t('review.claim')} <kbd aria-hidden="true">c</kbd><//>`}</div>
    ${isOwn && html`<${Button} kind="quiet" busy=${leave.busy} onClick=${acting(leave.run)}>
      ${t('review.release')}<//>`}
    ${(isOwn || !claim) && html`<${Button} kind="quiet assign" onClick=${() => ask('assign')}>
      ${t('bench.assign')}<//>`}
    <${Next} onNone=${() => go(to('reviews'))} before=${async () => {
      if (isOwn) await leave.run();
    }} />
    <${Fault} fault=${take.fault || leave.fault} />
    ${decision === 'assign' && html`<${Assign} review=${review} onClose=${() => ask(null)}
      onDone=${acting(reload)} />`}
    ${decision && decision !== 'assign' && html`<${Decision} decision=${decision} at=${path} review=${review}
      look=${look} hasFields=${hasFields} take=${take} onClose=${() => ask(null)} onRefused=${reload} onDone=${acting(reload)} />`}`;
}

// --- one review ---

const REASONS_TO_LOOK = ['review', 'complaint', 'law'];

// CHECKS are those that failed: the history names them by their check alone.
function Entries({ of, checks }) {
  const checkBy = (name) => checks.find((one) => one.name === name) || { name, result: 'failed' };
  return html`<ol class="steps" role="list">${of.map((entry) => html`<li>
    <span class="verdict"><${Icon} name="reviews" /></span><div>
    <strong>${named(`review.actions.${entry.action}`, entry.action)}</strong>
    ${entry.by && html` <span class="muted">${entry.by}</span>`}
    ${entry.reason_code && html`<div>${named(`review.reasons.${entry.reason_code}`,
      entry.reason_code)}</div>`}
    ${entry.assignee && html`<div>${t('reviews.assignedTo', { name: entry.assignee })}</div>`}
    ${entry.overruled_checks && entry.overruled_checks.length > 0 && html`<div>
      ${t('bench.overruled')}<${CheckList} of=${entry.overruled_checks.map(checkBy)} /></div>`}
    ${entry.note && html`<div>${entry.note}</div>`}
    <div class="muted small"><${Time} at=${entry.created} long /></div></div></li>`)}</ol>`;
}

// Which cases share what with this one, as a picture of the table below it.
const MOST_TIES = 6;
const ROW = 34;

function Ties({ of }) {
  const kinds = [...new Set(of.flatMap((one) => one.shared))].sort();
  const rows = of.slice(0, MOST_TIES);
  const height = Math.max(rows.length, kinds.length) * ROW + 8;
  const y = (i, count) => height * (i + .5) / count;
  const line = (x1, y1, x2, y2, kind) => html`<path class=${kind}
    d=${`M${x1} ${y1}C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}`} />`;
  return html`<svg class="graph ties" viewBox=${`0 0 340 ${height}`} role="img"
    aria-label=${t('bench.ties', { n: of.length })}>
    ${kinds.map((kind, k) => html`${line(60, height / 2, 100, y(k, kinds.length))}
      ${rows.map((one, i) => one.shared.includes(kind) && line(190, y(k, kinds.length), 236,
        y(i, rows.length)))}`)}
    <g class="accent"><rect x="2" y=${height / 2 - 13} width="60" height="26" rx="8" />
      <text x="32" y=${height / 2}>${t('bench.thisOne')}</text></g>
    ${kinds.map((kind, k) => html`<g class="warn"><rect x="100" y=${y(k, kinds.length) - 13}
      width="90" height="26" rx="8" /><text x="145" y=${y(k, kinds.length)}>${
      named(`review.shares.${kind}`, kind)}</text></g>`)}
    ${rows.map((one, i) => html`<g class=${TIES[one.status] || ''}><rect x="236"
      y=${y(i, rows.length) - 13} width="102" height="26" rx="8" />
      <text x="287" y=${y(i, rows.length)}>${shortly(one)}</text></g>`)}</svg>`;
}
const MOST_SHORT = 12;
const shortly = ({ client_reference_id: name, session_id: id }) => (!name ? `…${id.slice(-8)}`
  : name.length > MOST_SHORT ? `${name.slice(0, MOST_SHORT - 1)}…` : name);
const TIES = { verified: 'good', failed: 'bad', under_review: 'accent' };

function Related({ of }) {
  const at = (row) => to('session', { id: row.session_id });
  return html`<${Ties} of=${of} /><${Table} label=${t('review.related')} rows=${of.map((one) => ({ ...one,
    id: one.session_id }))} at=${at} columns=${[
    { title: t('sessions.session'), cell: (row) => html`<${Called} of=${row} at=${at} />` },
    { title: t('sessions.status'), cell: (row) => html`<${Status} of=${row.status} />` },
    { title: t('review.shared'), cell: (row) => html`<span class="badges">
      ${row.shared.map((one) => html`<${Badge} kind="warn">
        ${named(`review.shares.${one}`, one)}<//>`)}</span>` }]} />`;
}

// Views of a case in one place, of which one is shown: [[name, count, content], …].
function Panels({ of, now, onShow }) {
  const id = useId();
  const list = useRef();
  const names = of.map(([name]) => name);
  const move = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = (names.indexOf(now) + by + names.length) % names.length;
    onShow(names[next]);
    list.current.children[next].focus();
  };
  return html`<section class="card panels"><div class="tabs" role="tablist" ref=${list}
      aria-label=${t('parts.views')} onKeyDown=${move}>${of.map(([name, count, , kind]) => html`
      <button type="button" role="tab" id=${`${id}-${name}`} aria-controls=${`${id}-of-${name}`}
        aria-selected=${name === now ? 'true' : 'false'} tabindex=${name === now ? 0 : -1}
        onClick=${() => onShow(name)}>${t(`bench.panels.${name}`)} ${count > 0 && html`<span
        class=${`count ${kind || ''}`}>${number(count)}</span>`}</button>`)}</div>
    ${of.map(([name, , content]) => html`<div role="tabpanel" id=${`${id}-of-${name}`} tabindex="0"
      aria-labelledby=${`${id}-${name}`} class="panel" hidden=${name !== now}>${content}</div>`)}
    </section>`;
}

function Case({ of, isHeld }) {
  const { session } = of;
  return html`<div class="inside"><${Facts} of=${[
    [t('sessions.session'), html`<${Id} of=${of.session_id} short />`],
    [t('sessions.type'), valueName('types', session.type)],
    [t('review.heldMethod'), valueName('methods', of.held_method)],
    [t('sessions.jurisdiction'), placed(session.jurisdiction)],
    [t('reviews.opened'), of.opened_at && html`<${Time} at=${of.opened_at} long />`],
    [t('reviews.deadline'), isHeld && of.deadline_at && html`
      <${Time} at=${of.deadline_at} long />`]]} /></div>`;
}

// Why a case has no pictures: nothing was shown, its methods take none, or they are not
// stored (deleted, or a sandbox session with a test outcome).
const pictureless = ({ decisions }) => (!decisions.length ? 'empty' : decisions.some((one) =>
  /^(document|selfie)/.test(one.method)) ? 'gone' : 'signed');

// Why a session failed although it was approved.
function Unapproved({ of }) {
  const { code, message } = of;
  const { meaning, lang } = useCodes()('FailureCode', code);
  return html`<${Note} kind="bad" title=${html`<span lang=${lang}>${meaning || message}</span>`} />`;
}

export function Review() {
  const { me, may } = useService();
  const { id } = useAddress();
  const found = useGet(`reviews/${encodeURIComponent(id)}`);
  useInterval(found.reload, 15); // a claim ends without anybody's deed
  const review = found.data;
  const [ended, end] = useState(null);
  const [panel, show] = useState('checks');
  const isOwn = !!review && !!review.claim && review.claim.reviewer === me.user;
  const isLooking = isOwn && ended !== review;
  const look = useLook(`${id} ${isLooking}`);
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
  const isOthers = review.claim && !isOwn;
  const names = picturesOf(review.evidence);
  const isDesk = isHeld && names.length > 0;
  const told = isHeld && may('reviewer') && review.decisions.findLast((one) =>
    one.verdict !== 'unreadable' && (one.method === 'document_capture' ? isDesk
      : ['nfc_passport', 'mdl'].includes(one.method)));
  const hasFields = Boolean(told);
  // Its picture is kept only where the review follows at once.
  const isFaceless = !names.includes('still') && review.decisions.some((one) =>
    one.method.startsWith('selfie_'));
  const at = `sessions/${review.session_id}`;
  const history = review.entries.filter((one) => one.action !== 'noted');
  const [failed, doubts] = objectionsOf(review);
  const fired = firedOf(review.risk_assessments);
  const read = hasFields ? look.read || {} : null;
  const hold = html`<p class="small"><span class="muted">${t(isHeld ? 'reviews.why'
    : 'reviews.whyThen')}:</span> ${review.reason === 'undetermined' && doubts.length
    ? `${t('status.undetermined')} (${[...new Set(doubts.map((one) =>
      t(`bench.groups.${groupOf(one)}`)))].join('; ')})` : why(review)}</p>`;
  const panels = [
    ['checks', failed.length + doubts.length, html`<div class="inside">${isHeld && !isDesk
      && html`<p class="muted">${t(`review.pictureless.${pictureless(review)}`)}</p>`}
      ${!failed.length && hold}<${FoundBy} of=${review} read=${read} />${failed.length > 0 && hold}</div>`,
    failed.length ? 'bad' : doubts.length && 'warn'],
    review.risk_assessments.length > 0 && ['risk', fired.length, html`
      <${Risks} of=${review.risk_assessments} />`],
    ['notes', notesOf(review).length, html`<div class="inside"><${Notes} review=${review}
      reload=${found.reload} onShow=${() => show('notes')} /></div>`],
    ['related', review.related_sessions.length, review.related_sessions.length
      ? html`<${Related} of=${review.related_sessions} />`
      : html`<p class="inside muted">${t('bench.noneRelated')}</p>`],
    ['history', history.length, html`<div class="inside"><${Entries} of=${history}
      checks=${failed} /></div><${Case} of=${review} isHeld=${isHeld} />`]].filter(Boolean);
  // Without evidence there is room for what was found next to the rest.
  const isShown = isDesk || hasFields;
  const [checks, ...others] = panels;
  const listed = isShown ? panels : others;
  const now = listed.some(([name]) => name === panel) ? panel : isShown ? 'checks' : 'history';
  const fields = hasFields && html`<${Fields} at=${at} names=${names} look=${look}
    method=${told.method} form=${!isDesk && html`<${Reason} look=${look}
    reasons=${REASONS_TO_LOOK} isOwn=${isLooking} />`} />`;
  return html`<div class="bench"><${Head} crumbs=${crumbs} title=${session.client_reference_id
      || t('review.title')} badge=${html`${isHeld ? html`<${Deadline}
      at=${review.deadline_at} />` : html`<${Status} of=${session.status} />`}
      <${Marks} of=${review} />${isHeld && (isOthers || (!isOwn && review.assignee)) && html`
      <${Holder} of=${review} />`}`}
      actions=${html`<${Work} review=${review} reload=${found.reload} look=${look}
        hasFields=${hasFields} />`} />
    <${Stakes} of=${review} read=${look.read} until=${isHeld && isOwn && review.claim.expires_at} />
    ${isHeld && isOthers && html`<${Note} kind="warn" title=${t('review.others',
      { name: review.claim.reviewer })}><p>${t('review.othersText')}
      ${' '}<${Time} at=${review.claim.expires_at} /></p><//>`}
    ${session.last_error && history.some((one) => one.action === 'approved') && html`
      <${Unapproved} of=${session.last_error} />`}
    <div class="sides">${isDesk ? html`<${Evidence} names=${review.evidence} isOwn=${isLooking}
        look=${look} at=${at} reasons=${REASONS_TO_LOOK}
        note=${isFaceless && t('review.faceGone')} />`
      : html`<div class="pane">${fields || html`<section class="card panels"><header>
        <h2>${t('review.checks')}</h2></header><div class="panel">${checks[2]}</div></section>`}</div>`}
      <div class="pane">${isDesk && fields}<${Panels} of=${listed} now=${now} onShow=${show} /></div></div></div>`;
}
