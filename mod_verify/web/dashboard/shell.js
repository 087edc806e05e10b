// What stands around every page: the bar with the organization, the ways at the
// side, what one prefers, and the keys.

import { html, t, named, Icon, LANGUAGES, useState, useEffect, useRef, preference,
  prefer, usePreferences, language } from './view.js';
import { go, href, to, useAddress } from './address.js';
import { call } from './client.js';
import { useResource } from './resource.js';
import { roleName, valueName } from './format.js';
import { Badge, Choice, Code, Dialog, Failure, Field, Loading, Select, placeOf } from
  './parts.js';

// --- the organization ---

function Organizations({ onChosen, page }) {
  const [text, set] = useState('');
  const [wish, ask] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => ask(text.trim()), 200);
    return () => clearTimeout(timer);
  }, [text]);
  const found = useResource(`organizations ${wish}`, (signal) => call('GET',
    'organizations', { query: { search: wish, limit: 20 }, signal }));
  const last = useRef(null);
  last.current = found.data || last.current;
  const rows = last.current && last.current.data;
  return html`<div class="fields">
    <${Field} label=${t('organizations.search')} hint=${t('organizations.hint')}>
      ${(field) => html`<input ...${field} type="search" value=${text} autofocus
        autocomplete="off" onInput=${(event) => set(event.target.value)} />`}<//>
    ${found.error ? html`<${Failure} error=${found.error} retry=${found.reload} />`
      : !rows ? html`<${Loading} lines=${3} />`
        : html`<ul class="found" role="list" aria-label=${t('organizations.found')}>
          ${rows.map((one) => html`<li key=${one.id}><a
            href=${href({ org: one.id, page })} onClick=${onChosen}>
            <span>${one.name}<span class="code small">${one.id}</span></span>
            <${Livemode} of=${one} /></a></li>`)}
          ${!rows.length && html`<li class="state"><strong>
            ${t('organizations.none')}</strong></li>`}</ul>
          ${last.current.has_more && html`<p class="small muted">
            ${t('organizations.more')}</p>`}`}</div>`;
}

function Livemode({ of }) {
  return of.sandbox ? html`<${Badge} kind="warn">${t('organizations.sandbox')}<//>`
    : null;
}

// The page of somebody who has not said yet of which organization.
export function ChooseOrganization({ page }) {
  return html`<main class="alone" id="main"><h1>${t('organizations.title')}</h1>
    <p class="muted">${t('organizations.text')}</p>
    <${Organizations} page=${page} /></main>`;
}

// Nobody has a role by default: what the administrator has to write.
export function NoRole({ me }) {
  const line = /VerifyOperator .*/.exec(me.advice || '');
  return html`<main class="alone" id="main"><h1>${t('noRole.title')}</h1>
    <p>${t('noRole.text', { name: me.name || me.user })}</p>
    <${Code} text=${line ? line[0] : `VerifyOperator reviewer * user ${me.user}`}
      label=${t('noRole.code')} />
    <p class="muted small">${t('noRole.roles')}</p></main>`;
}

// --- the bar ---

// Who is signed in, with which roles here, and how.
function Identity({ me, held }) {
  const roles = held || [...new Set((me.roles || []).map((grant) => grant.role))];
  return html`<div><strong>${me.name || me.user}</strong>${me.name && me.name !== me.user
    && html` <span class="muted small">${me.user}</span>`}
    ${roles.length > 0 && html`<div class="badges roles">${roles.map((role) => html`
      <${Badge} kind="accent" key=${role}>${roleName(role)}<//>`)}</div>`}
    <p class="muted small">${t('preferences.signedIn', {
      how: valueName('authentications', me.authentication) })}</p></div>`;
}

// Some logins cannot be ended by a page: then it says how they end.
function SignOut({ me }) {
  if (me.logout_url)
    return html`<a class="button secondary" href=${me.logout_url}><${Icon} name="out" />
      <span>${t('preferences.logout')}</span></a>`;
  return html`<div class="sign-out"><strong><${Icon} name="out" /> ${t('preferences.logout')}</strong>
    <p class="small muted">${named(`preferences.logoutBy.${me.authentication}`,
      t('preferences.logoutOtherwise'))}</p></div>`;
}

function Preferences({ me, held, roles, as, viewAs }) {
  usePreferences();
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const menu = useRef();
  useEffect(() => {
    const close = (event) => {
      if (menu.current && menu.current.open
        && (event.key === 'Escape' || (event.type === 'pointerdown'
          && !menu.current.contains(event.target)))) {
        menu.current.open = false;
        if (event.key) menu.current.querySelector('summary').focus();
      }
    };
    addEventListener('keydown', close);
    addEventListener('pointerdown', close);
    return () => {
      removeEventListener('keydown', close);
      removeEventListener('pointerdown', close);
    };
  }, []);
  return html`<details class="menu" ref=${menu}>
    <summary class="button tool" aria-label=${[me && (me.name || me.user),
      t('preferences.title')].filter(Boolean).join(', ')} title=${t('preferences.title')}>
      <${Icon} name=${me ? 'persons' : 'settings'} />${me && html`<span
      class="who only-wide">${me.name || me.user}</span>`}</summary>
    <div>${me && html`<${Identity} me=${me} held=${held} />
        ${viewAs && html`<${Select} label=${t('team.viewAs')} value=${as || ''}
          onChange=${viewAs} options=${[['', t('team.self')], ...roles.map((one) =>
            [one, roleName(one)])]} />`}`}
      <${Select} label=${t('preferences.theme')} value=${preference('theme')}
        onChange=${(theme) => prefer('theme', theme)} options=${['auto', 'light', 'dark']
          .map((one) => [one, t(`preferences.themes.${one}`)])} />
      <${Field} label=${t('preferences.language')}>${(field) => html`<select
        ...${field} value=${language()} onChange=${(event) => {
          prefer('language', event.target.value);
          location.reload();
        }}>${Object.entries(LANGUAGES).map(([code, name]) => html`
          <option value=${code} lang=${code}>${name}</option>`)}</select>`}<//>
      <${Select} label=${t('preferences.zone')} onChange=${(zone) => prefer('zone', zone)}
        value=${local === 'UTC' ? 'utc' : preference('zone')}
        options=${[...(local === 'UTC' ? [] : [['local', local]]), ['utc', 'UTC']]} />
      <${Choice} label=${t('preferences.shortcuts')}
        checked=${preference('shortcuts') === 'on'}
        onChange=${(on) => prefer('shortcuts', on ? 'on' : 'off')} />
      ${me && html`<${SignOut} me=${me} />`}</div></details>`;
}

export function Bar({ me, organization, onMenu, isMenuOpen, onHelp, onCommand, view = {} }) {
  const [choosing, choose] = useState(false);
  const state = useAddress();
  useEffect(() => choose(false), [organization && organization.id]);
  return html`<header class="bar">
    ${onMenu && html`<button type="button" class="button tool only-narrow"
      aria-expanded=${isMenuOpen ? 'true' : 'false'} aria-controls="ways"
      aria-label=${t('shell.menu')} onClick=${onMenu}><${Icon} name="menu" /></button>`}
    <a class="brand" href=${organization ? to('start') : href({})}
      aria-label=${t('shell.brand')}><${Icon} name="shield" />
      <span>${t('shell.brand')}</span></a>
    ${organization && html`<button type="button" class="chooser"
      aria-haspopup="dialog" onClick=${() => choose(true)}>
      <span>${organization.name}</span><${Livemode} of=${organization} />
      <${Icon} name="down" /><span class="visually-hidden">
      ${t('organizations.change')}</span></button>`}
    <span class="spring"></span><div class="bar-tools">
      ${onCommand && html`<button type="button" class="button tool" onClick=${onCommand}
        title=${t('command.title')}><${Icon} name="search" /><span class="visually-hidden">
        ${t('command.title')}</span><kbd class="only-wide">Ctrl K</kbd></button>`}
      <button type="button" class="button tool only-wide" onClick=${onHelp}
        aria-label=${t('keys.title')} title=${t('keys.title')}>
        <${Icon} name="help" /></button>
      <${Preferences} me=${me} ...${view} /></div>
    ${choosing && html`<${Dialog} title=${t('organizations.title')}
      onClose=${() => choose(false)}><${Organizations}
      page=${state.page && !state.id ? state.page : ''}
      onChosen=${() => choose(false)} /><//>`}</header>`;
}

// The entries: [{name, icon, pages: [name, …]}, …].
export function Side({ entries, current, isOpen, counts }) {
  const way = (page, label, icon, isNow) => html`<a href=${to(page)}
    aria-current=${isNow ? 'page' : null}><${Icon} name=${icon} /><span>${label}</span>
    ${counts[page] ? html`<span class="count"><${Badge} kind="warn">
      ${counts[page]}<//></span>` : ''}</a>`;
  const own = (page) => way(page, t(`ways.${page}`), signOf(page),
    current === page);
  return html`<nav id="ways" class=${`side ${isOpen ? 'open' : ''}`}
    aria-label=${t('shell.ways')}><ul role="list">${entries.map(({ name, icon, pages }) => html`
      <li>${!name ? own(pages[0]) : html`${way(pages[0], t(`ways.groups.${name}`), icon)}
        ${pages.includes(current) && html`<ul role="list">${pages.map((page) => html`
          <li>${own(page)}</li>`)}</ul>`}`}</li>`)}</ul></nav>`;
}

// --- keys ---

const KEYS = ['command', 'search', 'next', 'previous', 'open', 'nextCase', 'claim', 'look', 'decide',
  'assign', 'note', 'picture', 'pictures', 'zone', 'help'];
const SIGNS = { search: 's', command: '/ Ctrl K', next: 'j', previous: 'k', open: 'Enter', zone: 'u',
  decide: 'a r e', nextCase: 'n', claim: 'c', look: 'v', assign: 'g', note: 'm', picture: '+ - 0 ← → t f', pictures: '1 2 b',
  help: '?' };

function moveRow(step) {
  const rows = [...document.querySelectorAll('main tr.opens a.row, main a.row')]
    .filter((row, i, all) => all.indexOf(row) === i);
  if (!rows.length) return;
  const at = rows.findIndex((row) => row.closest('tr, li')
    .contains(document.activeElement));
  const next = at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step));
  rows[next].focus();
  rows[next].scrollIntoView({ block: 'nearest' });
}

// The keys of every page; a page adds its own (`more`: key → handler).
export function useKeys(onHelp, onCommand) {
  useEffect(() => {
    const press = (event) => {
      if (event.key === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey
        && !document.querySelector('dialog[open]')) {
        event.preventDefault();
        onCommand();
        return;
      }
      if (preference('shortcuts') !== 'on' || event.ctrlKey || event.metaKey
        || event.altKey || document.querySelector('dialog[open]')
        || event.target.closest('input, select, textarea, [contenteditable]')) return;
      const deeds = {
        '/': onCommand,
        s: () => document.querySelector('[data-search]')?.focus(),
        j: () => moveRow(1),
        k: () => moveRow(-1),
        u: () => prefer('zone', preference('zone') === 'utc' ? 'local' : 'utc'),
        '?': onHelp,
      };
      if (!deeds[event.key]) return;
      event.preventDefault();
      deeds[event.key]();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

// How well NAME fits WISH: what begins with it comes first, then words that do.
function fit(name, wish) {
  const at = name.toLowerCase().indexOf(wish);
  return at < 0 ? 0 : at === 0 ? 3 : /[\s–-]/.test(name[at - 1]) ? 2 : 1;
}

const signOf = (page) => (page === 'team' ? 'persons' : page);

// Pages, actions and objects by what is typed of them: a name, or an id.
export function Command({ entries, deeds, onClose }) {
  const [text, set] = useState('');
  const wish = text.trim().toLowerCase();
  const address = placeOf(text.trim());
  const rows = [...(address ? [[t('command.open', { id: text.trim() }), address, 'right']]
    : []), ...[...entries.flatMap((entry) => entry.pages.map((page) => [t(`ways.${page}`),
    to(page), signOf(page)])), ...deeds.map(([name, deed, icon]) => [name, deed, icon || 'right'])]
    .filter(([name]) => fit(name, wish)).sort(([a], [b]) => fit(b, wish) - fit(a, wish)),
  ...(wish && !address ? [[t('command.search', { text: text.trim() }),
    to('sessions', { search: text.trim() }), 'search']] : [])];
  const follow = (target) => {
    onClose();
    if (typeof target === 'function') target();
    else if (target.startsWith('?')) go(target);
    else location.assign(target);
  };
  const move = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll('input, li button')];
    all[Math.max(0, Math.min(all.length - 1, all.indexOf(document.activeElement)
      + step))].focus();
  };
  return html`<${Dialog} title=${t('command.title')} onClose=${onClose}>
    <form class="fields" onKeyDown=${move} onSubmit=${(event) => {
      event.preventDefault();
      if (rows.length) follow(rows[0][1]);
    }}><${Field} label=${t('command.label')} hint=${t('command.hint')}>${(field) => html`
      <input ...${field} type="search" value=${text} autocomplete="off"
      onInput=${(event) => set(event.target.value)} />`}<//>
    <ul class="found" role="list" aria-label=${t('command.found')}>${rows.map(([name,
      target, icon]) => html`<li key=${name}><button type="button"
      onClick=${() => follow(target)}><${Icon} name=${icon} /><span>${name}</span></button>
      </li>`)}</ul></form><//>`;
}

export function Help({ onClose }) {
  return html`<${Dialog} title=${t('keys.title')} onClose=${onClose}>
    <dl class="shortcuts">${KEYS.map((key) => html`<dt><kbd>${SIGNS[key]}</kbd></dt>
      <dd>${t(`keys.${key}`)}</dd>`)}</dl>
    <p class="small muted">${t('keys.off')}</p>
    <p class="small"><a href=${new URL('licences.txt', import.meta.url)}>
      ${t('keys.licences')}</a></p><//>`;
}
