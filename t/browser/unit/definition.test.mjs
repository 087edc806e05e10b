// The definition of a workflow as the dashboard's editor handles it.
import { test } from 'node:test';
import { readdirSync, readFileSync } from 'node:fs';
import assert from 'node:assert/strict';
import { addStep, changedTo, differences, exitsOf, historyOf, insertStep, keysOf, moveStep,
  pointerOf, put, redone, removeStep, renameStep, stepsOf, takeOnto, targetsOf, undone }
  from '../../../mod_verify/web/dashboard/definition.js';
import { PLACES } from '../../../mod_verify/web/dashboard/places.js';

const definition = Object.freeze({ name: 'Age', start: 'id', nodes: {
  id: { type: 'methods', methods: ['document_capture'],
    next: { passed: 'granted', exhausted: 'denied' } },
  granted: { type: 'outcome', status: 'verified' },
  denied: { type: 'outcome', status: 'failed' } } });

test('pointers name members as RFC 6901 says', () => {
  assert.equal(pointerOf('nodes', 'a/b~c', 'next'), '/nodes/a~1b~0c/next');
  assert.deepEqual(keysOf('/nodes/a~1b~0c/next'), ['nodes', 'a/b~c', 'next']);
  assert.deepEqual(keysOf(''), []);
  assert.deepEqual(keysOf(pointerOf('~1')), ['~1']);
});

test('a member is put without changing the value, at its place', () => {
  const now = put(definition, ['nodes', 'id', 'next', 'passed'], 'denied');
  assert.equal(now.nodes.id.next.passed, 'denied');
  assert.equal(definition.nodes.id.next.passed, 'granted');
  assert.equal(now.nodes.granted, definition.nodes.granted);
  assert.deepEqual(Object.keys(now.nodes), ['id', 'granted', 'denied']);
  assert.deepEqual(Object.keys(put(definition, ['name'], undefined)), ['start', 'nodes']);
  assert.deepEqual(put({}, ['vp_token', 'same_person'], 'required'),
    { vp_token: { same_person: 'required' } });
  // What was typed there may be anything.
  assert.deepEqual(put({ nodes: [1] }, ['nodes', 'a'], 2), { nodes: { a: 2 } });
  assert.equal(Object.hasOwn(put({}, ['__proto__'], 1), '__proto__'), true);
  assert.equal({}.polluted, undefined);
});

test('steps are shown only where they can be', () => {
  assert.deepEqual(stepsOf(definition).map(([name]) => name), ['id', 'granted', 'denied']);
  for (const nodes of [undefined, null, 7, [], { a: null }, { a: 'x' }, { a: [] }])
    assert.equal(stepsOf({ nodes }), null);
  assert.deepEqual(exitsOf(definition.nodes.id),
    [['passed', 'granted'], ['exhausted', 'denied']]);
  assert.deepEqual(exitsOf({ type: 'constructor' }), []);
  assert.deepEqual(exitsOf({ type: 'review', next: 'x' }),
    [['approved', undefined], ['rejected', undefined]]);
});

test('steps are added, renamed and removed with what leads to them', () => {
  const [added, name] = addStep(definition, 'review', 'id');
  assert.equal(name, 'review');
  assert.deepEqual(Object.keys(added.nodes), ['id', 'review', 'granted', 'denied']);
  assert.equal(addStep(added, 'review', 'id')[1], 'review_2');
  const [first] = addStep({}, 'outcome');
  assert.equal(first.start, 'outcome');
  const renamed = renameStep(definition, 'granted', 'ok');
  assert.equal(renamed.nodes.id.next.passed, 'ok');
  assert.deepEqual(Object.keys(renamed.nodes), ['id', 'ok', 'denied']);
  assert.equal(renameStep(definition, 'id', 'document').start, 'document');
  const removed = removeStep(definition, 'granted');
  assert.deepEqual(removed.nodes.id.next, { exhausted: 'denied' });
  assert.deepEqual(Object.keys(removed.nodes), ['id', 'denied']);
});

test('exits are offered the steps that make no loop, and where they lead', () => {
  const nodes = { a: { type: 'checks', next: { low: 'b' } },
    b: { type: 'review', next: { approved: 'yes', rejected: 'c' } },
    c: { type: 'review', next: { approved: 'd' } }, d: { type: 'review', next: { approved: 'c' } },
    yes: { type: 'outcome' } };
  const targets = (...which) => targetsOf(Object.entries(nodes), ...which).map(([name]) => name);
  assert.deepEqual(targets('b'), ['c', 'd', 'yes']);
  assert.deepEqual(targets('b', 'a'), ['a', 'c', 'd', 'yes']);
  assert.deepEqual(targets('c', 'd'), ['d', 'yes']);
});

test('differences are told member by member, lists as a whole', () => {
  const now = { ...definition, use_case: 'firearms', nodes: { ...definition.nodes,
    id: { ...definition.nodes.id, methods: ['mdl', 'document_capture'] },
    denied: undefined } };
  delete now.nodes.denied;
  assert.deepEqual(differences(definition, now), [
    { keys: ['nodes', 'id', 'methods'], before: ['document_capture'],
      after: ['mdl', 'document_capture'] },
    { keys: ['nodes', 'denied'], before: definition.nodes.denied, after: undefined },
    { keys: ['use_case'], before: undefined, after: 'firearms' }]);
  // The order of members says nothing.
  assert.deepEqual(differences({ a: 1, b: 2 }, { b: 2, a: 1 }), []);
});

test('mine is put onto theirs, and says where both changed something', () => {
  const mine = put(put(definition, ['name'], 'Mine'), ['nodes', 'id', 'max_attempts'], 2);
  const theirs = put(put(definition, ['name'], 'Theirs'), ['use_case'], 'firearms');
  const taken = takeOnto(definition, mine, theirs);
  assert.equal(taken.definition.name, 'Mine');
  assert.equal(taken.definition.use_case, 'firearms');
  assert.equal(taken.definition.nodes.id.max_attempts, 2);
  assert.deepEqual(taken.meeting.map((one) => one.keys), [['name']]);
  // A step that they removed, and that I changed, is a meeting, too.
  const without = removeStep(definition, 'granted');
  assert.deepEqual(takeOnto(definition, put(definition, ['nodes', 'granted', 'status'],
    'failed'), without).meeting.length, 1);
  // Whoever changed nothing has theirs.
  assert.deepEqual(takeOnto(definition, definition, theirs),
    { definition: theirs, meeting: [] });
});

test('changes are undone and redone, typing at once', () => {
  let history = historyOf('');
  for (const text of ['a', 'ab', 'abc']) history = changedTo(history, text, '/name');
  history = changedTo(history, 'abc!', '/description');
  history = undone(history);
  assert.equal(history.value, 'abc');
  history = undone(history);
  assert.equal(history.value, '');
  assert.equal(undone(history).value, '');
  history = redone(redone(redone(history)));
  assert.equal(history.value, 'abc!');
  history = changedTo(undone(history), 'other');
  assert.deepEqual(history.future, []);
  for (let i = 0; i < 500; i++) history = changedTo(history, i);
  assert.ok(history.past.length <= 201);
});

test('a step that is inserted leads where the exit led', () => {
  const definition = { start: 'a', nodes: {
    a: { type: 'methods', methods: [], next: { passed: 'yes', exhausted: 'no' } },
    yes: { type: 'outcome', status: 'verified' }, no: { type: 'outcome', status: 'failed' } } };
  const [now, name] = insertStep(definition, 'review', 'a', 'passed');
  assert.equal(now.nodes.a.next.passed, name);
  assert.deepEqual(now.nodes[name].next, { approved: 'yes', rejected: 'no' });
  assert.deepEqual(Object.keys(now.nodes), ['a', 'review', 'yes', 'no']);
  assert.deepEqual(insertStep(definition, 'checks', 'a', 'passed')[0].nodes.checks.next,
    { low: 'yes', medium: 'yes', high: 'no' }, 'a high risk goes on to no success');
  const [ended] = insertStep(definition, 'outcome', 'a', 'passed');
  assert.deepEqual(ended.nodes.outcome, { type: 'outcome', status: 'failed' });
  const open = { nodes: { a: { type: 'methods', methods: [], next: {} } } };
  assert.deepEqual(insertStep(open, 'checks', 'a', 'passed')[0].nodes.checks.next, {});
  assert.equal(definition.nodes.a.next.passed, 'yes');
});

test('a step takes the place of another one', () => {
  const of = (...names) => ({ nodes: Object.fromEntries(names.map((name) =>
    [name, { type: 'review' }])) });
  const order = (value) => Object.keys(value.nodes).join('');
  assert.equal(order(moveStep(of('a', 'b', 'c', 'd'), 'b', 'd')), 'acdb');
  assert.equal(order(moveStep(of('a', 'b', 'c', 'd'), 'd', 'b')), 'adbc');
  assert.equal(order(moveStep(of('a', 'b'), 'a', 'b')), 'ba');
});

test('the places that are offered are those whose law is known', () => {
  const folder = new URL('../../../conf/compliance/', import.meta.url);
  const known = readdirSync(folder).filter((one) => /^[A-Z]{2}\.json$/.test(one)).flatMap((file) => {
    const country = file.slice(0, 2);
    const { regions = {} } = JSON.parse(readFileSync(new URL(file, folder)));
    return [country, ...Object.keys(regions).map((region) => `${country}-${region}`)];
  });
  assert.deepEqual([...PLACES].sort(), known.sort());
});
