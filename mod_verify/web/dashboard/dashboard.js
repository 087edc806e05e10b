// The dashboard: finds out who looks and at which organization, and shows the page
// that the address names.

import { html, render, t, loadTexts, applyTheme, prefer, preference, useState, useEffect, useMemo,
  useRef } from './view.js';
import { useAddress, followLinks, go, href, to } from './address.js';
import { call, organization as apiOf } from './client.js';
import { useResource, useInterval } from './resource.js';
import { ROLES, Service, mayWith, within } from './operator.js';
import { Bar, ChooseOrganization, Command, Help, NoRole, Side, useKeys } from './shell.js';
import { roleName } from './format.js';
import { Card, Failure, Head, Loading, Note, amount } from './parts.js';
import { PAGES, ENTRIES } from './pages.js';
import { takeNext } from './pages/reviews.js';

// A page shows what is wrong with it in its own place, and the way out stays.
function Page({ name, id, service, entries }) {
  const page = PAGES[name];
  if (!page)
    return html`<${Head} title=${t('state.missing.title')}>${t('state.noPage', { name })}<//>
      <${Card}><ul class="choices" role="list">${entries.flatMap(({ pages }) => pages).map((one) => html`
        <li key=${one}><a href=${to(one)}>${t(`ways.${one}`)}</a></li>`)}</ul><//>`;
  if (page.needs && !service.may(page.needs))
    return html`<${Head} title=${t(`ways.${page.way || name}`)} />
      <${Failure} error=${{ kind: 'noRight' }} />`;
  return html`<${page.view} key=${name + id} />`;
}

const QUEUE_SHOWN = 25;
const QUEUE_SECONDS = 30;

// Tells the audit log who came, once in each session of the browser.
function signIn(id, user) {
  const name = `idv-dashboard-signed-in-${id}-${user}`;
  try {
    if (sessionStorage.getItem(name)) return;
  } catch {
    // Without storage, every load of the page is recorded.
  }
  apiOf(id).post('sign_ins').then(() => sessionStorage.setItem(name, 'yes'))
    .catch(() => {});
}

// The role of which somebody has the view in ORG: it outlasts a reload of the page, and
// ends with the window.
function useRole(org) {
  const key = `idv-dashboard-role-${org}`;
  const [role, set] = useState(() => {
    try {
      return sessionStorage.getItem(key) || '';
    } catch {
      return '';
    }
  });
  return [role, (now) => {
    set(now);
    try {
      sessionStorage.setItem(key, now);
    } catch {
      // Without storage, it lasts until the page is loaded again.
    }
  }];
}

// The actions of pages that the operator may do, as [name, what leads to their form, icon].
// A case has its own way to the next one, which gives the case back.
function actionsOf(service, page) {
  const form = (right, name, page) => (service.may(right)
    ? [[t(name), to(page, { form: 'new' }), 'plus']] : []);
  const of = (page, name) => `${t(`ways.${page}`)}: ${t(name)}`;
  const next = () => takeNext(service).then((id) => go(id ? to('review', { id })
    : to('reviews')), () => go(to('reviews')));
  return [...(service.may('reviewer') && page !== 'review' ? [[of('reviews', 'reviews.next'), next, 'reviews']] : []),
    ...form('developer', 'apiKeys.create', 'keys'),
    ...form('developer', 'workflows.create', 'workflows'),
    ...form('developer', 'endpoints.create', 'endpoints'),
    ...form('developer', 'oidcClients.create', 'oidc_clients'),
    ...form('service', 'trustLists.add', 'trust_lists'),
    [of('sessions', 'sessions.export'), to('sessions'), 'sessions'],
    ...(service.may('admin') ? [[of('team', 'team.add'), to('team'), 'persons']] : [])];
}

// A login that no page ends: the menu says how.
function openMenu() {
  // Once the dialog is closed, which keeps the focus until then.
  setTimeout(() => {
    const menu = document.querySelector('details.menu');
    menu.open = true;
    menu.querySelector('summary').focus();
  }, 60);
}

function Inside({ me, state }) {
  const [isOpen, open] = useState(false);
  const [helping, help] = useState(false);
  const [asking, ask] = useState(false);
  const [chosen, viewAs] = useRole(state.org);
  const main = useRef();
  const name = state.page || 'start';
  const found = useResource(`organization ${state.org}`, (signal) => call('GET',
    `organizations/${encodeURIComponent(state.org)}`, { signal }));
  const organization = found.data;
  // The beginning of the queue: how much waits.
  const waiting = useResource(`queue ${state.org}`, (signal) =>
    apiOf(state.org).get('reviews', { signal, query: { limit: QUEUE_SHOWN } }));
  useInterval(waiting.reload, waiting.data ? QUEUE_SECONDS : 0);
  const queue = waiting.data;
  useEffect(() => {
    if (organization) signIn(organization.id, me.user);
  }, [organization && organization.id]);
  const roles = organization ? ROLES.filter((role) => within(role,
    organization.roles || [])) : [];
  const as = roles.includes(chosen) ? chosen : '';
  // As somebody with another role sees it: fewer rights, and never more.
  const service = useMemo(() => organization && ({ me, organization, queue,
    api: apiOf(organization.id), may: (right) => (right === 'service'
      ? !as && me.roles.some((one) => one.organization === '*' && one.role === 'admin')
      : mayWith(as ? [as] : organization.roles || [], right)) }),
  [organization, me, queue, as]);
  useKeys(() => help(true), () => ask(true));
  const place = `${state.org} ${name} ${state.id || ''}`;
  const before = useRef(place);
  useEffect(() => {
    open(false);
    if (before.current === place) return undefined;
    before.current = place;
    // Whoever came by keyboard or listens begins at the heading of the new page, unless
    // he is in one of its fields already.
    const timer = setTimeout(() => {
      const heading = main.current && main.current.querySelector('h1');
      if (heading && !document.activeElement.matches('input, select, textarea, main summary'))
        heading.focus({ preventScroll: true });
    }, 60);
    return () => clearTimeout(timer);
  }, [place]);
  if (found.error)
    return html`<${Bar} me=${me} onHelp=${() => help(true)} />
      <main id="main" class="alone"><h1 class="visually-hidden">
      ${t('shell.brand')}</h1><${Failure} error=${found.error}
      retry=${found.reload} /><p><a href=${href({})}>${t('organizations.other')}</a></p>
      </main>`;
  const entries = ENTRIES.map((entry) => ({ ...entry, pages: entry.pages.filter((one) =>
    service && (!PAGES[one].needs || service.may(PAGES[one].needs))) }))
    .filter((entry) => entry.pages.length);
  const deeds = [...(service ? actionsOf(service, name) : []), ...['light', 'dark'].map((theme) =>
    [`${t('preferences.theme')}: ${t(`preferences.themes.${theme}`)}`,
      () => prefer('theme', theme)]), [t('keys.zone'), () => prefer('zone', preference('zone') === 'utc' ? 'local' : 'utc')],
  [t('keys.help'), () => help(true)], [t('organizations.change'), href({})],
  [t('preferences.logout'), me.logout_url || openMenu, 'out']];
  return html`<${Service.Provider} value=${service}>
    <a class="skip" href="#main" onClick=${(event) => {
      event.preventDefault();
      main.current.focus();
    }}>${t('shell.skip')}</a>
    <${Bar} me=${me} organization=${organization || { name: '…' }}
      onMenu=${() => open(!isOpen)} isMenuOpen=${isOpen} onHelp=${() => help(true)}
      onCommand=${() => ask(true)} view=${{ roles, as, viewAs,
        held: organization && (organization.roles || []) }} />
    <div class="frame"><${Side} entries=${entries} isOpen=${isOpen}
      counts=${{ reviews: queue && amount(queue) }}
      current=${PAGES[name] ? PAGES[name].way || name : name} />
    <main id="main" ref=${main} tabindex="-1">${service
      ? html`${as && html`<${Note} title=${t('team.as', { role: roleName(as) })}><p>
        ${t('team.asText')} <button type="button" class="as-link"
        onClick=${() => viewAs('')}>${t('team.self')}</button></p><//>`}
        ${organization.disabled_at && html`<${Note} kind="warn"
        title=${t('organizations.disabled')}><p>${t('organizations.disabledText')}</p><//>`}
        <${Page} ...${{ name, id: state.id, service, entries }} />`
      : html`<h1 class="visually-hidden">${t('state.loading')}</h1><${Loading} />`}
    </main></div>
    ${helping && html`<${Help} onClose=${() => help(false)} />`}
    ${asking && html`<${Command} entries=${entries} deeds=${deeds}
      onClose=${() => ask(false)} />`}<//>`;
}

function Dashboard() {
  const state = useAddress();
  const me = useResource('me', (signal) => call('GET', 'me', { signal }));
  useEffect(() => {
    // Whoever has roles in one organization alone need not choose.
    const own = me.data && [...new Set((me.data.roles || [])
      .map((grant) => grant.organization))];
    if (own && !state.org && own.length === 1 && own[0] !== '*')
      go(href({ ...state, org: own[0] }), { replace: true });
  }, [me.data, state.org]);
  if (me.error)
    return html`<${Bar} /><main id="main" class="alone">
      <h1 class="visually-hidden">${t('shell.brand')}</h1>
      <${Failure} error=${me.error} retry=${me.reload} /></main>`;
  if (!me.data)
    return html`<${Bar} /><main id="main"><h1 class="visually-hidden">
      ${t('state.loading')}</h1><${Loading} /></main>`;
  if (!(me.data.roles || []).length)
    return html`<${Bar} me=${me.data} /><${NoRole} me=${me.data} />`;
  if (!state.org)
    return html`<${Bar} me=${me.data} /><${ChooseOrganization} page=${state.page} />`;
  return html`<${Inside} key=${state.org} me=${me.data} state=${state} />`;
}

async function begin() {
  applyTheme();
  await loadTexts();
  followLinks();
  const root = document.getElementById('dashboard');
  root.replaceChildren();
  render(html`<${Dashboard} />`, root);
}

begin();
