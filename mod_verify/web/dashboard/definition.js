// A workflow's definition as a value that is never changed in place: where its parts
// stand, what an editor does to it, and what differs between two of it. Nothing here
// judges it; the compiler of the service does. Whatever JSON may be given, since
// somebody may have typed it.

const EXITS = { checks: ['low', 'medium', 'high'],
  methods: ['passed', 'exhausted'], review: ['approved', 'rejected'], outcome: [] };
export const TYPES = Object.keys(EXITS);

const isObject = (value) => !!value && typeof value === 'object'
  && !Array.isArray(value);
const own = (value, key) => (isObject(value) && Object.hasOwn(value, key)
  ? value[key] : undefined);

// RFC 6901.
export const pointerOf = (...keys) => keys.map((key) =>
  `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
export const keysOf = (pointer) => String(pointer).split('/').slice(1).map((key) =>
  key.replaceAll('~1', '/').replaceAll('~0', '~'));

// The steps in their order: [[name, node], …]; null when they cannot be shown as
// steps.
export function stepsOf(definition) {
  const nodes = own(definition, 'nodes');
  if (!isObject(nodes) || !Object.values(nodes).every(isObject)) return null;
  return Object.entries(nodes);
}

// The exits that a node of this type has, each with where it leads: [[exit, name], …].
export function exitsOf(node) {
  return (own(EXITS, node.type) || []).map((exit) => [exit, own(node.next, exit)]);
}

// Those of STEPS to which an exit of the step NAME can lead without a loop, and NOW, to
// which it leads.
export function targetsOf(steps, name, now) {
  const before = new Set([name]); // all that leads to it
  for (let size = 0; size < before.size;) {
    size = before.size;
    for (const [one, node] of steps)
      if (exitsOf(node).some(([, to]) => before.has(to))) before.add(one);
  }
  return steps.filter(([one]) => one === now || !before.has(one));
}

// VALUE with WANTED at KEYS; undefined takes the member away.
export function put(value, keys, wanted) {
  if (!keys.length) return wanted;
  const [key, ...rest] = keys;
  const now = put(own(value, key), rest, wanted);
  const entries = Object.entries(isObject(value) ? value : {});
  if (now === undefined)
    return Object.fromEntries(entries.filter(([name]) => name !== key));
  return Object.fromEntries(entries.some(([name]) => name === key)
    ? entries.map(([name, old]) => [name, name === key ? now : old])
    : [...entries, [key, now]]);
}

// --- steps ---

const withNodes = (definition, entries) => ({ ...definition,
  nodes: Object.fromEntries(entries) });

// A new step of TYPE behind the one named AFTER: [definition, its name].
export function addStep(definition, type, after) {
  const steps = stepsOf(definition) || [];
  const isTaken = (name) => steps.some(([one]) => one === name);
  let name = type;
  for (let n = 2; isTaken(name); n++) name = `${type}_${n}`;
  const node = { type, ...({ checks: { checks: ['ip_analysis'] },
    methods: { methods: ['document_capture'] }, outcome: { status: 'failed' } })[type],
    ...(EXITS[type].length ? { next: {} } : {}) };
  const at = steps.findIndex(([one]) => one === after) + 1 || steps.length;
  const now = withNodes(definition, [...steps.slice(0, at), [name, node],
    ...steps.slice(at)]);
  return [now.start === undefined ? { ...now, start: name } : now, name];
}

const GOES_ON = ['low', 'medium', 'passed', 'approved'];

// A new step of TYPE where EXIT of the step named FROM leads: [definition, its name].
// Its good exits lead where that one led, the others to an outcome that is a failure.
export function insertStep(definition, type, from, exit) {
  const target = own(own(own(own(definition, 'nodes'), from), 'next'), exit);
  const steps = stepsOf(definition);
  const [added, name] = addStep(definition, type, from);
  const failed = (steps.find(([, node]) => node.type === 'outcome'
    && node.status === 'failed') || [])[0];
  const isThere = steps.some(([one]) => one === target);
  let now = added;
  for (const one of EXITS[type]) {
    const to = GOES_ON.includes(one) ? (isThere ? target : undefined) : failed;
    if (to) now = put(now, ['nodes', name, 'next', one], to);
  }
  return [put(now, ['nodes', from, 'next', exit], name), name];
}

// The step NAME at the place of the step TO, which makes room.
export function moveStep(definition, name, to) {
  const steps = stepsOf(definition);
  const place = steps.findIndex(([one]) => one === to);
  const rest = steps.filter(([one]) => one !== name);
  return withNodes(definition, [...rest.slice(0, place),
    ...steps.filter(([one]) => one === name), ...rest.slice(place)]);
}

// What leads to FROM leads to TO afterwards; undefined: nowhere.
function redirect(node, from, to) {
  if (!isObject(node.next)) return node;
  return { ...node, next: Object.fromEntries(Object.entries(node.next)
    .map(([exit, name]) => [exit, name === from ? to : name])
    .filter(([, name]) => name !== undefined)) };
}

export function renameStep(definition, from, to) {
  const now = withNodes(definition, stepsOf(definition).map(([name, node]) =>
    [name === from ? to : name, redirect(node, from, to)]));
  return now.start === from ? { ...now, start: to } : now;
}

export function removeStep(definition, name) {
  return withNodes(definition, stepsOf(definition).filter(([one]) => one !== name)
    .map(([one, node]) => [one, redirect(node, name, undefined)]));
}

// --- differences ---

// What changes from BEFORE to AFTER, member by member: [{keys, before, after}, …],
// undefined for what is not there. Arrays are compared as a whole.
export function differences(before, after, keys = []) {
  if (!isObject(before) || !isObject(after))
    return JSON.stringify(before) === JSON.stringify(after) ? []
      : [{ keys, before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    differences(own(before, key), own(after, key), [...keys, key]));
}

const meets = (one, other) => one.slice(0, other.length).join('\0')
  === other.slice(0, one.length).join('\0');

// What was changed from BASE to MINE, done to THEIRS: the result, and which of these
// changes meet one of theirs.
export function takeOnto(base, mine, theirs) {
  const others = differences(base, theirs);
  const changes = differences(base, mine);
  return { definition: changes.reduce((value, { keys, after }) =>
    put(value, keys, after), theirs), meeting: changes.filter((one) =>
    others.some((other) => meets(one.keys, other.keys))) };
}

// --- undo and redo ---

const KEPT = 200;

export const historyOf = (value) => ({ past: [], value, future: [], mark: null });

// Changes that bear the same MARK, as letters typed into one field, are undone at
// once.
export function changedTo(history, value, mark = null) {
  const past = mark && mark === history.mark ? history.past
    : [...history.past.slice(-KEPT), history.value];
  return { past, value, future: [], mark };
}

export function undone({ past, value, future }) {
  return past.length ? { past: past.slice(0, -1), value: past[past.length - 1],
    future: [value, ...future], mark: null } : { past, value, future, mark: null };
}

export function redone({ past, value, future }) {
  return future.length ? { past: [...past, value], value: future[0],
    future: future.slice(1), mark: null } : { past, value, future, mark: null };
}
