// How an organization looks to people: all that can be set of its brand, with a preview
// in the widget's own colours, letters and corners.

import { html, t, Icon, useRef, useState, language } from '../view.js';
import { LANGUAGES, fill } from '../../texts.js';
import { WORDS, contrastWith, isColor, looksOf } from '../../page/brand.js';
import { useDeed, useResource } from '../resource.js';
import { useService } from '../operator.js';
import { number } from '../format.js';
import { Button, Fault, Field, Loading, Note, Select } from '../parts.js';

const COLORS = { accent: '#1d4f91', background: '#eef2f6' }; // the widget's own
const CHOICES = { theme: ['light', 'dark'], font: ['serif', 'rounded'],
  radius: ['none', 'small', 'large'], density: ['compact'] };
const TEXTS = { support: 2048, privacy_url: 2048, controller: 300, operator: 300 };
const AT_FIELDS = ['name', 'result_days', ...Object.keys(COLORS), ...Object.keys(TEXTS)];
const LOGO_MAX = 49152; // bytes
const LOGO_TYPES = ['image/png', 'image/svg+xml', 'image/webp'];
const DAYS_MAX = 36500;
const WORD_MAX = 200;
// As domain/account/brand.c, which decides.
const LEAST = 4.5;
const EDGE = ['#6f7e90', 3];

// --- what is wrong, by field, while one types ---

const ratio = (value) => number(value, { maximumFractionDigits: 1 });

function faultsOf({ accent, background }) {
  const faults = {};
  for (const [name, value] of Object.entries({ accent, background }))
    if (value && !isColor(value)) faults[name] = t('brand.faults.color');
  if (isColor(accent) && contrastWith('#ffffff', accent) < LEAST)
    faults.accent = t('brand.faults.accent',
      { ratio: ratio(contrastWith('#ffffff', accent)) });
  if (isColor(background) && contrastWith(background, EDGE[0]) < EDGE[1])
    faults.background = t('brand.faults.background');
  else if (isColor(background) && isColor(accent) && !faults.accent
    && contrastWith(background, accent) < LEAST)
    faults.background = t('brand.faults.pair',
      { ratio: ratio(contrastWith(background, accent)) });
  return faults;
}

// --- the preview ---

// The widget's texts of the language TONGUE that can be worded, by key; null: not there
// yet; {}: they do not come.
function useWording(tongue) {
  const found = useResource(`wording ${tongue}`, () => fetch(new URL(
    `wording-${tongue}.json`, import.meta.url)).then((answer) => answer.json()));
  return found.data || (found.error ? {} : null);
}

function Screen({ brand, scheme, say }) {
  return html`<div class=${`brand-preview ${brand.density || ''}`} role="img"
    aria-label=${t(`brand.in.${scheme}`)} style=${{ ...looksOf(brand),
      colorScheme: scheme }}><div class="shop">${brand.logo ? html`<img alt=""
      src=${brand.logo} />` : html`<${Icon} name="shield" />`}<span>${brand.name}</span></div>
    <div class="screen"><strong>${say('choose.title')}</strong><p>${say('choose.lead')}</p>
      <b>${say('choose.country')}</b><div class="entry">${new Intl.DisplayNames(
        language(), { type: 'region' }).of('DE')}</div>
      <div class="press">${say('page.continue')}</div>
      <div class="press other">${say('page.more')}</div></div></div>`;
}

function Preview({ brand, texts, tongue }) {
  const own = (brand.wording || {})[tongue] || {};
  const say = (key) => fill(own[key] || (texts && texts[key]) || '',
    { organization: brand.name });
  const schemes = CHOICES.theme.includes(brand.theme) ? [brand.theme] : CHOICES.theme;
  return html`<div class="beside fields"><h3>${t('brand.preview')}</h3>${!texts
    ? html`<${Loading} />` : schemes.map((scheme) => html`<${Screen} key=${scheme} brand=${brand} scheme=${scheme} say=${say} />`)}</div>`;
}

// --- fields ---

function ColorField({ name, value, fault, disabled, put }) {
  const label = t(`brand.fields.${name}`);
  return html`<${Field} label=${label} hint=${t('brand.colorHint', { color: COLORS[name] })}
    fault=${fault}>${(field) => html`<div class="color"><input type="color"
      aria-label=${t('brand.pick', { name: label })} disabled=${disabled}
      value=${isColor(value) ? value : COLORS[name]}
      onInput=${(event) => put(name, event.target.value)} />
    <input ...${field} disabled=${disabled} value=${value || ''} spellcheck=${false}
      onInput=${(event) => put(name, event.target.value.trim()
        .replace(/^[\da-f]{6}$/i, '#$&'))} /></div>`}<//>`;
}

// The picture of FILE as the service keeps it; null: none that it takes.
function pictureOf(file) {
  if (!LOGO_TYPES.includes(file.type) || file.size > LOGO_MAX) return null;
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(file);
  });
}

function Logo({ value, disabled, put }) {
  const [isRefused, refuse] = useState(false);
  const take = async (event) => {
    const [file] = event.target.files;
    event.target.value = '';
    if (!file) return;
    const picture = await pictureOf(file);
    refuse(!picture);
    if (picture) put('logo', picture);
  };
  return html`<div class="field"><span class="label">${t('brand.logo')}</span>
    <div class="actions">${value && html`<img class="logo" alt="" src=${value} />`}
      ${!disabled && html`<label class="button secondary file"><input type="file"
        accept=${LOGO_TYPES.join()} onChange=${take} /><span>${t('brand.choose')}</span></label>
      ${value && html`<${Button} kind="quiet" onClick=${() => put('logo', '')}>
        ${t('brand.unset')}<//>`}`}</div><p class="hint">${t('brand.logoHint')}</p>
    ${isRefused && html`<p class="fault" role="alert">${t('brand.faults.logo')}</p>`}</div>`;
}

// Own words; what is left empty stays as the service has it.
function Wording({ value, texts, tongue, speak, disabled, put }) {
  const own = value || {};
  const word = (key, text) => put('wording', { ...own, [tongue]: { ...own[tongue], [key]: text } });
  return html`<details class="more"><summary>${t('brand.wording')}</summary>
    <div class="fields"><p class="small muted">${t('brand.wordingText')}</p>
    <${Select} label=${t('brand.tongue')} value=${tongue} onChange=${speak}
      options=${Object.entries(LANGUAGES)} />
    ${WORDS.map((key) => html`<${Field} key=${tongue + key} label=${t(`brand.words.${
  key.replace('.', '_')}`)} hint=${html`<span lang=${tongue}>${texts && texts[key]}
      </span>`}>${(field) => html`<input ...${field} maxlength=${WORD_MAX} lang=${tongue}
      dir="auto" disabled=${disabled} value=${(own[tongue] || {})[key] || ''}
      onInput=${(event) => word(key, event.target.value)} />`}<//>`)}</div></details>`;
}

// WORDING without what is empty; null: nothing.
function worded(wording) {
  const languages = Object.entries(wording || {}).map(([name, texts]) => [name,
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, text.trim()])
      .filter(([, text]) => text))]).filter(([, texts]) => Object.keys(texts).length);
  return languages.length ? Object.fromEntries(languages) : null;
}

// An address of e-mail stands for its link.
const asLink = (text) => (/^[^\s:@/]+@[^\s:@/]+$/.test(text) ? `mailto:${text}` : text);

function bodyOf(form) {
  const text = (name) => [name, (form[name] || '').trim() || null];
  return { ...Object.fromEntries(['name', 'logo', ...Object.keys(COLORS), ...Object.keys(CHOICES),
    ...Object.keys(TEXTS)].map(text)), support: asLink((form.support || '').trim()) || null,
  wording: worded(form.wording),
  result_days: Number(form.result_days) || null };
}

// --- the form ---

export function BrandForm({ of, onSaved }) {
  const { api, may } = useService();
  const [form, set] = useState(of.brand || {});
  const [tongue, speak] = useState(language());
  const [sent, send] = useState(null); // what was last given to the service
  const element = useRef();
  const texts = useWording(tongue);
  const disabled = !may('admin');
  const put = (name, value) => set((old) => ({ ...old, [name]: value }));
  const save = useDeed(async () => {
    send(form);
    onSaved(await api.patch('.', { body: { brand: bodyOf(form) } }));
  });
  const faults = faultsOf(form);
  // What the service refuses is said until something changes.
  const refused = sent === form ? save.fault : null;
  const at = refused && refused.param && refused.param.slice(6); // brand.…
  const isAtField = AT_FIELDS.includes(at);
  if (isAtField && !faults[at]) faults[at] = refused;
  const line = (name, more) => html`<${Field} key=${name} label=${t(`brand.fields.${name}`)}
    hint=${more.hint} fault=${faults[name]}>${(field) => html`<input ...${field} ...${more}
      disabled=${disabled} value=${form[name] || ''}
      onInput=${(event) => put(name, event.target.value)} />`}<//>`;
  const press = (event) => {
    event.preventDefault();
    const wrong = element.current.querySelector('[aria-invalid=true]');
    if (wrong && !refused) wrong.focus();
    else save.run();
  };
  return html`<form class="outline-and-graph branding" ref=${element} onSubmit=${press}>
    <div class="fields">${line('name', { maxlength: 100 })}
    <${Logo} value=${form.logo} disabled=${disabled} put=${put} />
    <div class="columns">${Object.keys(COLORS).map((name) => html`<${ColorField} key=${name}
      name=${name} value=${form[name]} fault=${faults[name]} disabled=${disabled} put=${put} />`)}
    ${Object.entries(CHOICES).map(([name, values]) => html`<${Select} key=${name}
      label=${t(`brand.fields.${name}`)} disabled=${disabled} value=${values.includes(form[name])
        ? form[name] : ''} onChange=${(value) => put(name, value)}
      options=${[['', t(`brand.usual.${name}`)], ...values.map((one) =>
        [one, t(`brand.values.${one}`)])]} />`)}</div></div>
    <${Preview} brand=${{ ...form, name: (form.name || '').trim() || of.name }} texts=${texts}
      tongue=${tongue} />
    <div class="fields"><${Wording} value=${form.wording} texts=${texts} tongue=${tongue} speak=${speak}
      disabled=${disabled} put=${put} />
    <fieldset class="fields"><legend><h3>${t('brand.parties')}</h3></legend>
      ${Object.entries(TEXTS).map(([name, maxlength]) => line(name, { maxlength,
        hint: t(`brand.hints.${name}`) }))}
      ${line('result_days', { type: 'number', min: 1, max: DAYS_MAX,
        hint: t('brand.hints.result_days') })}</fieldset>
    ${!isAtField && html`<${Fault} fault=${refused} />`}
    <div role="status">${sent === form && !save.busy && !save.fault && html`<${Note} kind="good"
      title=${t('settings.saved')} />`}</div>
    ${!disabled && html`<div class="actions"><${Button} kind="primary" type="submit"
      busy=${save.busy}>${t('parts.save')}<//></div>`}</div></form>`;
}
