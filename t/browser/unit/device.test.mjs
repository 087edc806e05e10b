import assert from 'node:assert/strict';
import { webcrypto as crypto } from 'node:crypto';
import test from 'node:test';
import { opening } from '../../../mod_verify/web/session/device.js';

const view = { passive_checks: ['device_risk'] };

// A browser with a store of its own, given to every page of it.
function browser({ kept, webdriver = false } = {}) {
  const items = new Map(kept ? [['idv:device', kept]] : []);
  return { items, crypto, navigator: { webdriver },
    storage: () => ({ getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => items.set(key, value) }) };
}

test('nothing is said or kept without the check', () => {
  const page = browser({ webdriver: true });
  assert.deepEqual(opening({ passive_checks: ['geolocation'] }, page), {});
  assert.deepEqual(opening({}, page), {});
  assert.equal(page.items.size, 0);
});

test('the identifier is random and stays', () => {
  const page = browser();
  const { device_id: id, webdriver } = opening(view, page);
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.equal(webdriver, false);
  assert.equal(opening(view, page).device_id, id);
  assert.notEqual(opening(view, browser()).device_id, id);
});

test('what somebody else left is replaced', () => {
  const { device_id: id } = opening(view, browser({ kept: '<x>'.repeat(99) }));
  assert.match(id, /^[0-9a-f]{32}$/);
});

test('a browser that keeps nothing has no identifier', () => {
  const forbidden = { ...browser(), storage: () => { throw new Error('no'); } };
  assert.deepEqual(opening(view, forbidden), { webdriver: false });
  const full = { ...browser(), storage: () => ({ getItem: () => null,
    setItem: () => { throw new Error('full'); } }) };
  assert.deepEqual(opening(view, full), { webdriver: false });
  const forgetful = { ...browser(), storage: () => ({ getItem: () => null,
    setItem: () => {} }) };
  assert.deepEqual(opening(view, forgetful), { webdriver: false });
});

test('the time zone is said where addresses are looked at', () => {
  const both = { passive_checks: ['ip_analysis', 'device_risk'] };
  const inBerlin = { ...browser(), zone: () => 'Europe/Berlin' };
  assert.equal(opening(both, inBerlin).time_zone, 'Europe/Berlin');
  assert.equal(opening({ passive_checks: ['ip_analysis'] }, inBerlin).device_id,
    undefined);
  assert.equal(inBerlin.items.size, 1);
  assert.equal(opening(view, inBerlin).time_zone, undefined);
  for (const zone of [() => null, () => '<script>', () => 'x'.repeat(65)])
    assert.equal(opening(both, { ...browser(), zone }).time_zone, undefined);
  assert.match(opening(both, browser()).time_zone, /^[A-Za-z0-9_/+-]+$/);
});

test('a program that drives the browser is told', () => {
  assert.equal(opening(view, browser({ webdriver: true })).webdriver, true);
});
