// Places for the steps of a graph and for the lines between them, in layers from top to
// bottom: a step is below every step that leads to it, except where the lines form a
// circle. Each line passes the layers between its ends in a slot of its own, so that it
// crosses no step, and its label is in the first of them. Steps of one layer keep their
// order as long as no other order has fewer crossings.

const GAP = { x: 20, y: 14 };
const MARGIN = 4;
const LOOP = 20; // pixels beside its step
const SWEEPS = 8; // then the order of the layers hardly changes
const PULLS = 12; // likewise their places

// The names of NODES from start to end, and the lines that lead back to an earlier one.
function searched(nodes, lines) {
  const state = new Map();
  const back = new Set();
  const last = [];
  const visit = (name) => {
    state.set(name, 'open');
    for (const line of lines.filter((one) => one.from === name)) {
      if (state.get(line.to) === 'open') back.add(line);
      else if (!state.has(line.to)) visit(line.to);
    }
    state.set(name, 'done');
    last.unshift(name);
  };
  for (const { name } of nodes) if (!state.has(name)) visit(name);
  return { order: last, back };
}

// The layers, each a list of slots {width, height, up, down: slots, at: index}. Steps are
// in every other one; a line has a slot in each layer between its ends.
function layersOf(nodes, lines) {
  const { order, back } = searched(nodes, lines);
  const ends = (line) => (back.has(line) ? [line.to, line.from] : [line.from, line.to]);
  const rank = new Map(order.map((name) => [name, 0]));
  for (const name of order)
    for (const line of lines) {
      const [above, below] = ends(line);
      if (above === name && below !== name)
        rank.set(below, Math.max(rank.get(below), rank.get(name) + 2));
    }
  const layers = [];
  const add = (layer, slot) => {
    (layers[layer] ??= []).push(slot);
    return Object.assign(slot, { layer, up: [], down: [] });
  };
  // Room at both sides for a loop, since the node stays in the middle.
  const roomOf = (name) => Math.max(0, ...lines.filter(({ from, to }) => from === to
    && from === name).map(({ label }) => 2 * (label.width + LOOP)));
  const slots = new Map(nodes.map((node) => [node.name, add(rank.get(node.name),
    { ...node, box: node.width, width: node.width + roomOf(node.name) })]));
  const ways = lines.filter(({ from, to }) => from !== to).map((line) => {
    const [above, below] = ends(line).map((name) => slots.get(name));
    const isBack = back.has(line);
    const labelled = isBack ? below.layer - 1 : above.layer + 1;
    const way = [above];
    for (let layer = above.layer + 1; layer < below.layer; layer++)
      way.push(add(layer, layer === labelled ? { ...line.label } : { width: 0, height: 0 }));
    way.push(below);
    for (let i = 1; i < way.length; i++) {
      way[i - 1].down.push(way[i]);
      way[i].up.push(way[i - 1]);
    }
    return { line, isBack, way, label: way.find((slot) => slot.layer === labelled) };
  });
  return { layers: [...layers].map((layer) => layer ?? []), ways, slots };
}

const mean = (list, of) => list.reduce((sum, one) => sum + of(one), 0) / list.length;

function number(layer) {
  layer.forEach((slot, i) => { slot.at = i; });
}

function crossings(layers) {
  let sum = 0;
  for (const layer of layers) {
    const lines = layer.flatMap((slot) => slot.down.map((below) => [slot.at, below.at]));
    for (const [a, b] of lines) for (const [c, d] of lines) if (a < c && b > d) sum++;
  }
  return sum;
}

// Orders each layer by where its neighbours are, and keeps the order that crosses least.
function untangle(layers) {
  layers.forEach(number);
  let best = { crossed: crossings(layers), layers: layers.map((layer) => [...layer]) };
  for (let sweep = 0; sweep < SWEEPS && best.crossed; sweep++) {
    const side = sweep % 2 ? 'up' : 'down';
    for (const layer of sweep % 2 ? layers : [...layers].reverse()) {
      const wish = new Map(layer.map((slot) => [slot, slot[side].length
        ? mean(slot[side], (one) => one.at) : slot.at]));
      layer.sort((a, b) => wish.get(a) - wish.get(b));
      number(layer);
    }
    const crossed = crossings(layers);
    if (crossed < best.crossed)
      best = { crossed, layers: layers.map((layer) => [...layer]) };
  }
  best.layers.forEach(number);
  return best.layers;
}

const apart = (left, right) => (left.width + right.width) / 2 + GAP.x;

// Puts the slots of LAYER as near as can be to where WISH wants them, in their order and
// apart from each other: the least squares, by pooling neighbours that get too close.
function place(layer, wish) {
  const pools = [];
  let offset = 0;
  layer.forEach((slot, i) => {
    if (i) offset += apart(layer[i - 1], slot);
    slot.offset = offset;
    // Straight lines are worth more than steps in the middle.
    const weight = slot.width ? 1 : 4;
    let pool = { slots: [slot], weight, x: wish(slot) - offset };
    while (pools.length && pools[pools.length - 1].x > pool.x) {
      const left = pools.pop();
      const both = left.weight + pool.weight;
      pool = { slots: [...left.slots, ...pool.slots], weight: both,
        x: (left.x * left.weight + pool.x * pool.weight) / both };
    }
    pools.push(pool);
  });
  for (const pool of pools) for (const slot of pool.slots) slot.x = pool.x + slot.offset;
}

function spread(layers) {
  for (const layer of layers) place(layer, () => 0);
  for (let pull = 0; pull < PULLS; pull++) {
    const isLast = pull >= PULLS - 2;
    for (const layer of pull % 2 ? [...layers].reverse() : layers)
      place(layer, (slot) => {
        const near = isLast ? [...slot.up, ...slot.down] : slot[pull % 2 ? 'down' : 'up'];
        return near.length ? mean(near, (one) => one.x) : slot.x;
      });
  }
}

// NODES: [{name, width, height}], in the order in which they are given; LINES: [{from, to,
// label: {width, height}}] between them. Returns {width, height, at(name): {x, y}: the
// middle of a node, lines: [{line, x, y: the middle of its label, points}]}; a line from
// a node to itself is a loop at its right.
export function layout(nodes, lines) {
  const { layers: loose, ways, slots } = layersOf(nodes, lines);
  const layers = untangle(loose);
  spread(layers);
  const all = layers.flat();
  const left = Math.min(...all.map((slot) => slot.x - slot.width / 2)) - MARGIN;
  let y = MARGIN;
  for (const layer of layers) {
    const height = Math.max(0, ...layer.map((slot) => slot.height));
    for (const slot of layer) {
      slot.x -= left;
      slot.y = y + height / 2;
      slot.top = y;
      slot.bottom = y + height;
    }
    y += height + GAP.y;
  }
  const drawn = ways.map(({ line, isBack, way, label }) => {
    const points = way.flatMap((slot, i) => [...(i ? [{ x: slot.x, y: slot.top }] : []),
      ...(i < way.length - 1 ? [{ x: slot.x, y: slot.bottom }] : [])]);
    return { line, x: label.x, y: label.y, points: isBack ? points.reverse() : points };
  });
  const loops = lines.filter(({ from, to }) => from === to);
  for (const line of loops) {
    const slot = slots.get(line.from);
    const own = loops.filter(({ from }) => from === line.from);
    const x = slot.x + slot.box / 2;
    const by = (own.indexOf(line) - (own.length - 1) / 2) * (line.label.height + 2);
    drawn.push({ line, x: x + LOOP + line.label.width / 2 - 4, y: slot.y + by,
      points: [{ x, y: slot.y - 8 }, { x: x + LOOP, y: slot.y - 8 },
        { x: x + LOOP, y: slot.y + 8 }, { x, y: slot.y + 8 }] });
  }
  return { width: Math.max(...all.map((slot) => slot.x + slot.width / 2)) + MARGIN,
    height: y - GAP.y + MARGIN, at: (name) => slots.get(name), lines: drawn };
}
