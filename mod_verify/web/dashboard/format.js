// Times, numbers and places as a person reads them.

import { language, preference, named } from './view.js';

const formats = new Map();

function formatOf(kind, options) {
  const key = `${language()} ${kind} ${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, new Intl[kind](language(), options));
  return formats.get(key);
}

function zone() {
  return preference('zone') === 'utc' ? { timeZone: 'UTC' } : {};
}

// SECONDS (Unix) in the chosen zone.
export function dateTime(seconds) {
  return formatOf('DateTimeFormat', { dateStyle: 'medium', timeStyle: 'medium',
    ...zone() }).format(seconds * 1000) + (preference('zone') === 'utc' ? ' UTC' : '');
}

export function shortTime(seconds) {
  const isToday = new Date(seconds * 1000).toDateString()
    === new Date().toDateString() && preference('zone') !== 'utc';
  const isThisYear = new Date(seconds * 1000).getFullYear() === new Date().getFullYear();
  return formatOf('DateTimeFormat', { ...(isToday ? {} : { day: 'numeric',
    month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) }), hour: '2-digit', minute: '2-digit',
    ...zone() }).format(seconds * 1000).replace(/\s(?=[ap]m\b)/i, '\u00a0');
}

// When the day began, in the chosen zone.
export function midnight() {
  const now = new Date();
  return (preference('zone') === 'utc' ? now.setUTCHours(0, 0, 0, 0)
    : now.setHours(0, 0, 0, 0)) / 1000;
}

// The day of SECONDS in the chosen zone, without its year.
export function shortDay(seconds) {
  return formatOf('DateTimeFormat', { day: 'numeric', month: 'short', ...zone() })
    .format(seconds * 1000);
}

// "2027-01-31", a day of no zone.
export function day(text) {
  return formatOf('DateTimeFormat', { dateStyle: 'medium', timeZone: 'UTC' })
    .format(new Date(`${text}T00:00:00Z`));
}

// "2027-01".
export function month(text) {
  return formatOf('DateTimeFormat', { month: 'long', year: 'numeric', timeZone: 'UTC' })
    .format(new Date(`${text}-01T00:00:00Z`));
}

// Each with its seconds, and with how many of them it begins: "tomorrow" would be
// wrong of what is in 40 hours.
const UNITS = [['day', 86400, 2], ['hour', 3600, 1], ['minute', 60, 1],
  ['second', 1, 0]];

// "3 minutes ago", "in 2 days", seen from NOW (Unix seconds).
export function relative(seconds, now = Date.now() / 1000) {
  const difference = seconds - now;
  const [unit, size] = UNITS.find(([, length, least]) =>
    Math.abs(difference) >= length * least);
  const count = Math.round(difference / size);
  return formatOf('RelativeTimeFormat', { style: 'short',
    numeric: count ? 'always' : 'auto' }).format(count, unit);
}

export function number(value, options = {}) {
  return formatOf('NumberFormat', options).format(value);
}

// "US-VA" as ["United States", "Virginia"]; what has no name is as it is.
function placeNames(code) {
  const [country, region] = code.split('-');
  let name = country;
  try {
    name = formatOf('DisplayNames', { type: 'region' }).of(country);
  } catch {
    // No country that the browser knows: as it is.
  }
  return [named(`countries.${country}`, name),
    region && named(`regions.${country}.${region}`, region)];
}

// "US-VA" as "Virginia (United States)".
export function place(code) {
  if (!code) return '';
  const [country, region] = placeNames(code);
  return region ? `${region} (${country})` : country;
}

// "US-VA" as "Virginia".
export const shortPlace = (code) => placeNames(code).findLast(Boolean);

// The name of a value of the API in the chosen language; what this page does not
// know is shown as it is.
export function valueName(list, value) {
  return value ? named(`${list}.${String(value).replace(/\./g, '_')}`, value) : '';
}

export const eventName = (type) => valueName('events.types', type);
export const roleName = (role) => valueName('roles', role);

// Of a time as text.
export const seconds = (iso) => Date.parse(iso) / 1000;
