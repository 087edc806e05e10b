// What the law says: of products in a jurisdiction on a day, beside the law of
// another day, and what is known to change.

import { html, t, Icon, useLayoutEffect, useMemo, useState } from '../view.js';
import { changed, go, useAddress } from '../address.js';
import { useResource } from '../resource.js';
import { useService } from '../operator.js';
import { day, number, place, valueName } from '../format.js';
import { Badge, Button, Card, Choice, Facts, Fault, Field, Head, Loaded, Note, State } from
  '../parts.js';
import { Methods } from './sessions.js';

const USE_CASES = ['alcohol_delivery', 'alcohol_in_person', 'cannabis_dispensary',
  'cannabis_delivery', 'gambling_online', 'gambling_in_person', 'tobacco_nicotine',
  'adult_content', 'social_media', 'firearms'];
// Every member of a result but what names it and says since when it holds.
const COMPARED = ['known', 'prohibited', 'prohibited_reason', 'required_age_tier',
  'required_age', 'born_before', 'parental_consent_from', 'consent_age', 'civil_age',
  'allowed_methods', 'mdl_acceptance_status', 'physical_check_required',
  'consent_required', 'credential_validity_days', 'credential_validity_minutes',
  'data_retention_days', 'governing_regulator', 'penalty_description', 'penalty_type',
  'articles', 'channels'];

// What differs between two answers for the same product, by field.
export function differences(before, after) {
  return COMPARED.filter((name) => JSON.stringify(before[name])
    !== JSON.stringify(after[name]));
}

function show(name, value) {
  if (value === null && name === 'consent_required') return t('compliance.unknown');
  if (value === null || value === undefined) return t('list.none');
  if (name === 'articles' || name === 'channels') return html`<${Kinds} of=${value}
    names=${name} />`;
  if (name === 'born_before') return day(value);
  if (typeof value === 'boolean') return t(value ? 'list.yes' : 'list.no');
  if (Array.isArray(value)) return html`<${Methods} of=${value} />`;
  if (name === 'required_age_tier') return valueName('tiers', value);
  if (name === 'mdl_acceptance_status') return t(`mdl.${value}`);
  if (name === 'penalty_type') return valueName('penalties', value);
  return typeof value === 'number' ? number(value) : value;
}

// What differs by article or channel, a line for each.
function Kinds({ of, names }) {
  const kinds = Object.keys(of);
  if (!kinds.length) return t('list.none');
  return kinds.map((kind) => html`<div>${valueName(names, kind)}: ${COMPARED
    .filter((name) => name in of[kind]).map((name, i) => html`${i > 0 && '; '}<span>${
      t(`compliance.fields.${name}`)} <strong>${show(name, of[kind][name])}</strong></span>`)}
    </div>`);
}

// How sure a rule is and what says so; its most specific part first.
function Sources({ of }) {
  return html`<details class="more"><summary>${t('compliance.confidence')}: ${
    t(`compliance.confidences.${of[0].confidence}`)}</summary>${of.map((part) => html`
    <ul class="faults">${part.sources.map((source) => html`<li lang="en">${source.url
      ? html`<a href=${source.url} rel="noreferrer">${source.citation}</a>`
      : source.citation}</li>`)}</ul>
    ${part.note && html`<p lang="en">${part.note}</p>`}
    <p class="small muted">${part.looked_up === 'unknown' ? t('compliance.notLookedUp')
      : t('compliance.lookedUp', { day: day(part.looked_up) })} <span class="code">
      ${part.file}${part.pointer}</span></p>`)}</details>`;
}

function Rule({ rule, parts, later, laterDay }) {
  const changes = later ? differences(rule, later) : [];
  return html`<${Card} title=${valueName('useCases', rule.use_case)}
    tools=${rule.prohibited ? html`<${Badge} kind="bad" icon="cross">
      ${t('compliance.prohibited')}<//>` : html`<${Badge} kind="accent">
      ${rule.required_age ? t('compliance.from', { age: rule.required_age })
        : valueName('tiers', rule.required_age_tier)}<//>${!rule.known && html`
      <${Badge} kind="warn" icon="warning">${t('compliance.unknown')}<//>`}`}>
    ${rule.prohibited_reason && html`<p lang="en">${rule.prohibited_reason}</p>`}
    ${rule.note && html`<p lang="en">${rule.note}</p>`}
    <${Facts} of=${[
      [t('compliance.methods'), html`<${Methods} of=${rule.allowed_methods} />`],
      [t('session.mdl'), t(`mdl.${rule.mdl_acceptance_status}`)],
      [t('compliance.consent'), show('consent_required', rule.consent_required)],
      ...['born_before', 'parental_consent_from', 'consent_age', 'civil_age',
        'physical_check_required', 'data_retention_days', 'penalty_type'].filter((name) =>
        rule[name] !== null && rule[name] !== false)
        .map((name) => [t(`compliance.fields.${name}`), show(name, rule[name])]),
      ...['articles', 'channels'].filter((name) => Object.keys(rule[name] || {}).length)
        .map((name) => [t(`compliance.fields.${name}`), show(name, rule[name])]),
      [t('compliance.validity'), t('compliance.days',
        { n: rule.credential_validity_days })],
      [t('session.regulator'), rule.governing_regulator],
      [t('compliance.penalty'), rule.penalty_description && html`
        <span lang="en">${rule.penalty_description}</span>`],
      [t('compliance.since'), rule.in_force_from && day(rule.in_force_from)],
      [t('compliance.until'), rule.in_force_until && html`<a
        href=${changed({ then: rule.in_force_until })}>${day(rule.in_force_until)}</a>`],
      [t('session.rules'), rule.rule_version && html`<span class="code">
        ${rule.rule_version}</span>`]]} />
    ${parts && parts.length > 0 && html`<${Sources} of=${parts} />`}
    ${changes.length > 0 && html`<div class="note warn changes"><${Icon} name="warning" />
      <div><strong>${t('compliance.changes', { day: day(laterDay) })}</strong>
      <dl class="facts">${changes.map((name) => html`<dt>${t(`compliance.fields.${name}`)}
        </dt><dd>${show(name, rule[name])} <span aria-hidden="true">→</span>
        <span class="visually-hidden">${t('compliance.becomes')}</span>
        ${' '}<strong>${show(name, later[name])}</strong></dd>`)}</dl></div></div>`}
    <//>`;
}

export function Compliance() {
  const { api } = useService();
  const state = useAddress();
  const chosen = (state.use || 'alcohol_delivery').split(',');
  const asked = (as_of) => ({ use_cases: chosen.join(','),
    jurisdiction: state.place, as_of });
  const now = useResource(state.place ? JSON.stringify(asked(state.day)) : null,
    (signal) => api.get('compliance/check', { signal, query: asked(state.day) }));
  const sources = useResource(now.data ? `sources ${JSON.stringify(asked(state.day))}`
    : null, (signal) => api.get('compliance/sources', { signal, query: asked(state.day) }));
  // The first day on which a rule that is shown ends, unless another was chosen.
  const next = useMemo(() => now.data && now.data.results
    .map((rule) => rule.in_force_until).filter(Boolean).sort()[0], [now.data]);
  const then = state.then || next;
  const later = useResource(state.place && then ? JSON.stringify(asked(then)) : null,
    (signal) => api.get('compliance/check', { signal, query: asked(then) }));
  // What is asked next; the address has what was asked.
  const asking = { place: state.place || '', day: state.day || '', then: state.then || '',
    use: chosen };
  const [form, set] = useState(asking);
  useLayoutEffect(() => set(asking), [JSON.stringify(asking)]);
  const [isNowhere, fail] = useState(false);
  const unknown = now.error && now.error.param === 'jurisdiction' && form.place === state.place
    && now.error;
  const put = (name) => (event) => {
    set({ ...form, [name]: event.target.value });
    fail(false);
  };
  const submit = (event) => {
    event.preventDefault();
    go(changed({ ...form, place: form.place.trim().toUpperCase(), use: form.use.join(',') }));
  };
  return html`<${Head} title=${t('ways.compliance')}>${t('compliance.lead')}<//>
    <${Card}><form class="fields" onSubmit=${submit}><div class="filters top">
      <${Field} label=${t('compliance.place')} hint=${t('compliance.placeHint')}
        fault=${isNowhere ? t('state.unfit') : unknown}>
        ${(field) => html`<input ...${field} name="place" required data-search
        pattern="[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?" value=${form.place}
        onInvalid=${(event) => {
          event.preventDefault(); // the browser's words are not in the page's language
          event.target.focus();
          fail(true);
        }} onInput=${put('place')} placeholder="US-VA" />`}<//>
      <${Field} label=${t('compliance.day')} hint=${t('compliance.dayHint')}>
        ${(field) => html`<input ...${field} type="date" min="2020-01-01" value=${form.day}
        onInput=${put('day')} />`}<//>
      <${Field} label=${t('compliance.then')} hint=${t('compliance.thenHint')}>
        ${(field) => html`<input ...${field} type="date" min="2020-01-01" value=${form.then}
        onInput=${put('then')} />`}<//></div>
      <fieldset><legend>${t('compliance.products')}</legend><div class="choices">
        ${USE_CASES.map((one) => html`<${Choice} label=${valueName('useCases', one)} name=${one}
          checked=${form.use.includes(one)} onChange=${(on) => set({ ...form,
            use: USE_CASES.filter((use) => (use === one ? on : form.use.includes(use))) })} />`)}
        </div></fieldset>
      <div class="actions"><${Button} kind="primary" type="submit">
        ${t('compliance.ask')}<//></div></form><//>
    ${unknown ? null : state.place ? html`<${Loaded} resource=${now}>${(data) => html`
      <${Card} title=${place(data.jurisdiction)} tools=${html`<span class="muted">
        ${t('compliance.asOf', { day: day(data.as_of) })}</span>`}><${Facts} of=${[
        [t('compliance.together'), data.most_restrictive.any_prohibited
          ? html`<${Badge} kind="bad" icon="cross">${t('compliance.anyProhibited')}<//>`
          : valueName('tiers', data.most_restrictive.required_age_tier)],
        [t('compliance.methods'), html`
          <${Methods} of=${data.most_restrictive.allowed_methods} />`]]} />
        ${later.data && !later.data.results.some((rule, i) =>
          differences(data.results[i], rule).length) && html`<${Note}
          title=${t('compliance.same', { day: day(later.data.as_of) })} />`}
        ${!then && html`<p class="muted">${t('compliance.nothingKnown')}</p>`}
        <p class="small muted">${t('compliance.disclaimer')}</p>
        <${Fault} fault=${sources.error} /><//>
      <div class="columns">${data.results.map((rule, i) => html`<${Rule} rule=${rule}
        parts=${sources.data && sources.data.results[i].parts}
        later=${later.data && later.data.results[i]} laterDay=${then} />`)}</div>`}<//>`
      : html`<${Card}><${State} icon="compliance" title=${t('compliance.empty')}>
        <p>${t('compliance.emptyText')}</p><//><//>`}`;
}
