// What every part of the page is written with: Preact's elements as htm
// templates, its hooks, and the texts of the chosen language.

import { h, render, Fragment, createContext } from 'preact';
import { useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback,
  useContext, useId } from 'preact/hooks';
import { default as htm } from 'htm';
import { translator } from '../texts.js';

export { render, Fragment, createContext, useState, useEffect, useLayoutEffect,
  useRef, useMemo, useCallback, useContext, useId };

export const LANGUAGES = { en: 'English', de: 'Deutsch' };

export const html = htm.bind(h);

// --- what a person has chosen for this browser ---

function stored(name) {
  try {
    return localStorage.getItem(`idv-dashboard-${name}`);
  } catch {
    return null; // switched off: it holds until the page is left
  }
}

const chosen = { theme: stored('theme') || 'auto', zone: stored('zone') || 'local',
  shortcuts: stored('shortcuts') || 'on', language: stored('language') };
const listeners = new Set();

export function preference(name) {
  return chosen[name];
}

export function prefer(name, value) {
  chosen[name] = value;
  try {
    localStorage.setItem(`idv-dashboard-${name}`, value);
  } catch {
    // As above.
  }
  applyTheme();
  for (const listener of listeners) listener();
}

// Draws the component anew when a preference changes.
export function usePreferences() {
  const [, again] = useState(0);
  useEffect(() => {
    const listener = () => again((n) => n + 1);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
}

export function applyTheme() {
  const root = document.documentElement;
  if (chosen.theme === 'auto') delete root.dataset.theme;
  else root.dataset.theme = chosen.theme;
}

// --- texts ---

const texts = { now: null };

// The text of KEY, with {name} replaced by its value.
export function t(key, values) {
  return texts.now(key, values);
}

// The text of KEY, or OTHERWISE where there is none: for values that come from
// the service, which may know more than this page.
export function named(key, otherwise) {
  return texts.now.has(key) ? texts.now(key) : otherwise;
}

export function language() {
  return texts.now.language;
}

// Texts as they are served, as a tree: their names, those with a number, those with a name
// (apxs/number_texts.pl).
export function opened([names, numbered, others]) {
  const path = [numbered];
  let i = 0;
  for (const [, name, isList] of names.matchAll(/([^{},]+)(\{?)|\}/g)) {
    if (!name) path.pop();
    else if (isList) path.push(path.at(-1)[name] = {});
    else path.at(-1)[name] = others[i++];
  }
  return numbered;
}

// The page comes with the texts of the language that the browser asks for; another
// one that was chosen before is fetched.
export async function loadTexts() {
  const element = document.getElementById('texts');
  texts.now = translator(element.dataset.language, opened(JSON.parse(element.textContent)));
  const wish = chosen.language;
  if (Object.hasOwn(LANGUAGES, wish) && wish !== texts.now.language) {
    try {
      const answer = await fetch(new URL(`texts-${wish}.json`, import.meta.url));
      if (answer.ok) texts.now = translator(wish, opened(await answer.json()));
    } catch {
      // The delivered ones serve as well.
    }
  }
  document.documentElement.lang = texts.now.language;
  document.documentElement.dir = texts.now.direction;
}

// Says TEXT to assistive technology without moving the focus. Emptied first,
// because a repeated text would not be announced.
export function announce(text) {
  const region = document.getElementById('announcer');
  region.textContent = '';
  setTimeout(() => { region.textContent = text; }, 50);
}

// An icon of icons.svg; decorative, the text beside it says the same.
export function Icon({ name }) {
  return html`<svg class="icon" aria-hidden="true">
    <use href=${`#icon-${name}`}></use></svg>`;
}
