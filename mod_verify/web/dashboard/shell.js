// What stands around every page: the bar with the organization, the ways at the
// side, what one prefers, and the keys.

import { html, t, Icon, LANGUAGES, useState, useEffect, useRef, preference,
  prefer, usePreferences, language } from './view.js';
import { href, to, useAddress } from './address.js';
import { call } from './client.js';
import { useResource } from './resource.js';
import { Badge, Choice, Code, Dialog, Failure, Field, Loading, Select } from './parts.js';

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

function Preferences({ me }) {
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
    <summary class="button tool" aria-label=${t('preferences.title')}
      title=${t('preferences.title')}><${Icon} name="settings" /></summary>
    <div>${me && html`<p class="small"><strong>${me.name || me.user}</strong></p>`}
      <${Select} label=${t('preferences.theme')} value=${preference('theme')}
        onChange=${(theme) => prefer('theme', theme)} options=${['auto', 'light', 'dark']
          .map((one) => [one, t(`preferences.themes.${one}`)])} />
      <${Field} label=${t('preferences.language')}>${(field) => html`<select
        ...${field} id="language" value=${language()} onChange=${(event) => {
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
      ${me && me.logout_url && html`<a class="button secondary"
        href=${me.logout_url}><${Icon} name="out" />
        <span>${t('preferences.logout')}</span></a>`}</div></details>`;
}

export function Bar({ me, organization, onMenu, isMenuOpen, onHelp }) {
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
      <button type="button" class="button tool only-wide" onClick=${onHelp}
        aria-label=${t('keys.title')} title=${t('keys.title')}>
        <${Icon} name="help" /></button>
      <${Preferences} me=${me} /></div>
    ${choosing && html`<${Dialog} title=${t('organizations.title')}
      onClose=${() => choose(false)}><${Organizations}
      page=${state.page && !state.id ? state.page : ''}
      onChosen=${() => choose(false)} /><//>`}</header>`;
}

// The ways: [{title, pages: [name, …]}, …].
export function Side({ groups, current, isOpen, counts }) {
  return html`<nav id="ways" class=${`side ${isOpen ? 'open' : ''}`}
    aria-label=${t('shell.ways')}>${groups.map((group) => html`<section>
      ${group.title && html`<h2>${group.title}</h2>`}<ul role="list">
      ${group.pages.map((page) => html`<li><a href=${to(page)}
        aria-current=${current === page ? 'page' : null}><${Icon} name=${page} />
        <span>${t(`ways.${page}`)}</span>
        ${counts[page] ? html`<span class="count"><${Badge} kind="warn">
          ${counts[page]}<//></span>` : ''}</a></li>`)}</ul></section>`)}</nav>`;
}

// --- keys ---

const KEYS = ['search', 'next', 'previous', 'open', 'nextCase', 'claim', 'decide', 'assign',
  'note', 'picture', 'zone', 'help'];
const SIGNS = { search: '/', next: 'j', previous: 'k', open: 'Enter', zone: 'u',
  decide: 'a r e', nextCase: 'n', claim: 'c', assign: 'g', note: 'm', picture: '+ - 0 ← → t f',
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
export function useKeys(onHelp) {
  useEffect(() => {
    const press = (event) => {
      if (preference('shortcuts') !== 'on' || event.ctrlKey || event.metaKey
        || event.altKey || document.querySelector('dialog[open]')
        || event.target.closest('input, select, textarea, [contenteditable]')) return;
      const deeds = {
        '/': () => {
          const field = document.querySelector('[data-search]');
          if (field) field.focus();
        },
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

export function Help({ onClose }) {
  return html`<${Dialog} title=${t('keys.title')} onClose=${onClose}>
    <dl class="shortcuts">${KEYS.map((key) => html`<dt><kbd>${SIGNS[key]}</kbd></dt>
      <dd>${t(`keys.${key}`)}</dd>`)}</dl>
    <p class="small muted">${t('keys.off')}</p>
    <p class="small"><a href=${new URL('licences.txt', import.meta.url)}>
      ${t('keys.licences')}</a></p><//>`;
}
