// Where one begins: what is still to be set up, what needs somebody, how today went,
// what came last.

import { html, t, usePreferences } from '../view.js';
import { to } from '../address.js';
import { useGet, useResource, useInterval } from '../resource.js';
import { useService } from '../operator.js';
import { midnight, number } from '../format.js';
import { Card, Head, Loaded, Verdict, amount } from '../parts.js';
import { Legend, OUTCOMES, Share, outcomesOf, percent } from '../charts.js';
import { Insights } from './insights.js';
import { SessionTable, useWorkflows } from './sessions.js';
import { EndpointTable } from './endpoints.js';
import { freeLeft } from './usage.js';

const FEW = 8;

function Step({ done, title, children }) {
  return html`<li><${Verdict} of=${done ? 'passed' : 'pending'} /><div>
    <strong>${title}</strong>${!done && html`<div class="muted">${children}</div>`}
    </div></li>`;
}

// Whether an API key can be used, or why not.
export function stateOf(key) {
  if (key.revoked_at) return 'revoked';
  return key.expires_at && key.expires_at * 1000 <= Date.now() ? 'expired' : 'active';
}

// What a new organization needs, each with its action for somebody who may do it; gone once
// sessions are created and reported.
function Checklist({ endpoints, sessions, workflows }) {
  const { organization, may } = useService();
  const hasEndpoint = endpoints.data.some((one) => one.status === 'enabled');
  const hasSession = sessions.data.length > 0;
  const isDone = (hasEndpoint || organization.sandbox) && hasSession;
  const keys = useGet(isDone ? null : 'keys', { limit: 100 });
  if (isDone || !keys.data || !workflows.isLoaded) return null;
  const hasKey = keys.data.data.some((one) => one.type === 'secret'
    && stateOf(one) === 'active');
  const step = (done, title, href, action) => html`<${Step} done=${done} title=${t(title)}>
    ${may('developer') && html`<p><a href=${href}>${t(action)}</a></p>`}<//>`;
  return html`<${Card} title=${t('start.setUp')}><ol class="steps" role="list">
    ${step(hasKey, 'start.key', to('keys', { form: 'new' }), 'apiKeys.create')}
    ${step(workflows.list.length, 'start.workflow', to('workflows'), 'workflows.create')}
    ${step(hasEndpoint, 'start.endpoint', to('endpoints', { form: 'new' }),
    'endpoints.create')}
    ${step(hasSession, 'start.session', to('sessions', { form: 'new' }), 'start.sessionText')}</ol>
    ${!may('developer') && html`<p class="muted">${t('start.byDeveloper')}</p>`}<//>`;
}

// How the sessions of today went: the parts are the whole.
function Today() {
  usePreferences();
  const { api, organization } = useService();
  const since = midnight();
  const found = useResource(`today ${organization.id} ${since}`, (signal) =>
    api.get('funnel', { signal, query: { created_gte: since } }));
  useInterval(found.reload, 60);
  return html`<${Card} title=${t('start.today')}><${Loaded} resource=${found}
    lines=${3}>${(day) => (day.sessions ? html`<p>${t('start.sessions',
      { n: day.sessions })}${day.live > 0 && day.live < day.sessions && `, ${t('start.live', { share:
      `${number(day.live)} (${percent(day.live, day.sessions)})` })}`}${
      !day.is_whole && `. ${t('start.newest')}`}</p>
      <${Share} of=${outcomesOf(day)} /><${Legend} names=${OUTCOMES} of=${outcomesOf(day)} />`
      : html`<p class="muted">${t('start.none')}</p>`)}<//><//>`;
}

export function Start() {
  const { api, organization, queue } = useService();
  const key = organization.id;
  const sessions = useResource(`last ${key}`, (signal) =>
    api.get('verification_sessions', { signal, query: { limit: FEW, 'expand[]': 'workflow' } }));
  const held = useResource(`held ${key}`, (signal) => api.get('verification_sessions',
    { signal, query: { limit: 100, status: 'under_review' } }));
  const workflows = useWorkflows();
  const endpoints = useResource(`endpoints ${key}`, (signal) =>
    api.get('webhook_endpoints', { signal, query: { limit: 50 } }));
  const usage = useResource(organization.sandbox ? null : `usage ${key}`, (signal) =>
    api.get('usage', { signal }));
  useInterval(() => {
    sessions.reload();
    held.reload();
  }, 20);
  const failing = endpoints.data
    ? endpoints.data.data.filter((one) => one.failing_since) : [];
  return html`<${Head} title=${t('ways.start')}>${organization.name}<//>
    ${endpoints.data && sessions.data && html`<${Checklist} endpoints=${endpoints.data}
      sessions=${sessions.data} workflows=${workflows} />`}
    <div class="tiles"><a class=${`tile ${held.data && held.data.data.length ? 'warn' : ''}`}
      href=${queue ? to('reviews')
        : to('sessions', { status: 'under_review' })}><strong>${held.data
        ? amount(held.data) || '0' : '–'}</strong>
        <span>${t('start.held')}</span></a>
      <a class=${`tile ${failing.length ? 'bad' : ''}`} href=${to('endpoints')}>
        <strong>${endpoints.data ? failing.length : '–'}</strong>
        <span>${t('start.failing')}</span></a>
      ${usage.data && html`<a href=${to('usage')} class=${`tile ${freeLeft(usage.data)
        + usage.data.credit_balance > 0 ? '' : 'bad'}`}><strong>
        ${number(freeLeft(usage.data))}</strong><span>${t('start.free',
          { credits: number(usage.data.credit_balance) })}</span></a>`}
    </div>
    ${failing.length > 0 && html`<${Card} title=${t('start.failing')} flush>
      <${EndpointTable} rows=${failing} /><//>`}
    <${Today} />
    <${Insights} />
    <${Card} title=${t('start.last')} flush tools=${html`<a href=${to('sessions')}>
      ${t('start.all')}</a>`}><${Loaded} resource=${sessions}>${(data) => (
        data.data.length ? html`<${SessionTable} rows=${data.data}
          workflows=${workflows} />`
          : html`<div class="inside muted">${t('sessions.empty')}</div>`)}<//><//>`;
}
