// What is wrong with the service and its organizations, and what to do about it.

import { html, t, named } from '../view.js';
import { href } from '../address.js';
import { call } from '../client.js';
import { useGet, useResource, useInterval } from '../resource.js';
import { useService } from '../operator.js';
import { number } from '../format.js';
import { useWorkflows } from './sessions.js';
import { Button, Card, Facts, Head, Id, Loaded, Note, State, Time } from
  '../parts.js';

const KINDS = { error: 'bad', warning: 'warn', note: '' };
const SECONDS = 30;

// The page on which something can be done about a finding, by its code.
const PAGES = { failing: 'endpoints', endpoint_failing: 'endpoints', endpoint_disabled: 'endpoints',
  deliveries_late: 'endpoints', reviews_due: 'reviews', reviews_late: 'reviews',
  key_ends: 'keys', key_unrestricted: 'keys', credits_exhausted: 'usage',
  sandbox_exhausted: 'usage', billing_suspended: 'settings',
  compliance_change_soon: 'compliance', workflow_law_changes: 'compliance',
  workflow_law_review: 'compliance', trust_lists_none: 'trust_lists',
  passport_trust_missing: 'trust_lists', wallet_trust_missing: 'trust_lists',
  trust_list_due: 'trust_lists', trust_list_overdue: 'trust_lists',
  trust_certificates_due: 'trust_lists', trust_certificates_overdue: 'trust_lists' };

// The findings about which an organization itself can do something, by their page or code;
// the others are left to whoever operates the service.
const OWN = ['endpoints', 'reviews', 'keys', 'workflow_law_changes'];

// In the words of this page; a code that it does not know, in those of the service.
function said(kind, of) {
  return named(`health.${kind}.${of.code}`, null)
    || html`<span lang="en">${of[kind].replaceAll('`', '')}</span>`;
}

// NAME: that of the workflow that it is about.
function Finding({ of, name }) {
  const { organization, may } = useService();
  const owner = of.organization_id;
  const page = PAGES[of.code];
  const isOperator = may('service');
  const commands = isOperator && of.deed.match(/(?<=`)(verifyctl|make) [^`]+(?=`)/g);
  return html`<div role="listitem"><${Note} kind=${KINDS[of.severity]} title=${html`
    ${t(`health.kinds.${of.severity}`)}: ${said('wrong', of)}`}>
    <p>${isOperator || OWN.includes(page) || OWN.includes(of.code) ? said('deed', of)
    : t('health.operator')}</p>
    ${page && html`<p><a class="button secondary tiny" href=${href({ page,
      org: owner || organization.id })}>${t('health.open', { page: t(`ways.${page}`) })}</a></p>`}
    ${commands && html`<p class="small">${t('health.commands')}${commands.map((one) =>
      html` <code>${one}</code>`)}</p>`}<${Facts} of=${[
      [t('ways.groups.organization'), owner && owner !== organization.id
        && html`<a class="code" href=${href({ org: owner, page: 'health' })}>${owner}</a>`],
      [t('audit.subject'), of.subject && html`${name} <${Id} of=${of.subject} />`],
      [t('audit.details'), of.detail && html`<span lang="en">${of.detail}</span>`],
      [t('health.count'), of.count && number(of.count)],
      [t('audit.at'), of.at && html`<${Time} at=${of.at} long />`]]} /><//></div>`;
}

export function Health() {
  const { organization, may } = useService();
  const report = useResource('health', (signal) => call('GET', 'health', { signal }));
  const endpoints = useGet('webhook_endpoints', { limit: 50 });
  const workflows = useWorkflows();
  useInterval(() => {
    report.reload();
    endpoints.reload();
  }, report.data ? SECONDS : 0);
  return html`<${Head} title=${t('ways.health')} actions=${html`
    <${Button} onClick=${report.reload}>${t('health.again')}<//>`}>${t(
  may('service') ? 'health.lead' : 'health.own')}<//>
    <${Card}><${Loaded} resource=${endpoints.data ? report : endpoints}>${(data) => {
    // Those of others, and of the server, concern whoever operates the service.
    const findings = data.findings.filter((one) => may('service')
      || one.organization_id === organization.id);
    // Those that have failed for less than an hour, of which nothing is found yet.
    for (const { id, failing_since: at } of endpoints.data.data)
      if (at && !findings.some(({ subject }) => subject === id))
        findings.push({ severity: 'note', code: 'failing', subject: id, at, deed: '' });
    return findings.length ? html`<div class="fields problems" role="list" aria-label=${t('ways.health')}>
        ${findings.map((one, i) => html`<${Finding} key=${i} of=${one}
          name=${workflows.list.find(({ id }) => id === one.subject)?.name} />`)}</div>
        ${data.has_more && html`<p class="small muted">${t('health.more')}</p>`}`
      : html`<${State} icon="check" title=${t('health.empty')}>
        <p>${t('health.emptyText')}</p><//>`;
  }}<//><//>`;
}
