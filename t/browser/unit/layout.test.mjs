// Where the steps of a graph and the lines between them are drawn.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { layout } from '../../../mod_verify/web/dashboard/layout.js';

const WIDTH = 136;
const HEIGHT = 46;
const node = (name) => ({ name, width: WIDTH, height: HEIGHT });
const line = (text) => {
  const [from, to] = text.split('>');
  return { from, to, label: { width: 60, height: 18 } };
};
const drawn = (names, ...lines) => layout(names.map(node), lines.map(line));

test('a step is below those that lead to it', () => {
  const picture = drawn(['d', 'a', 'b', 'c'], 'a>b', 'b>c', 'a>c', 'c>d', 'b>d');
  const y = (name) => picture.at(name).y;
  assert.ok(y('a') < y('b') && y('b') < y('c') && y('c') < y('d'));
  assert.equal(picture.lines.length, 5);
});

test('a line begins and ends at its steps', () => {
  const { at, lines } = drawn(['a', 'b', 'c'], 'a>b', 'a>c', 'b>c');
  for (const { line: of, points } of lines) {
    assert.deepEqual([points[0].x, points[0].y], [at(of.from).x, at(of.from).bottom]);
    assert.deepEqual([points.at(-1).x, points.at(-1).y], [at(of.to).x, at(of.to).top]);
  }
});

test('a circle is drawn, with the line back from below', () => {
  const { at, lines } = drawn(['a', 'b'], 'a>b', 'b>a', 'a>a');
  assert.ok(at('a').y < at('b').y);
  assert.equal(lines.length, 3);
  const loop = lines.find(({ line: of }) => of.to === of.from);
  for (const { x, y } of [loop.points[0], loop.points.at(-1)]) {
    assert.equal(x, at('a').x + WIDTH / 2);
    assert.ok(Math.abs(y - at('a').y) < HEIGHT / 2);
  }
  assert.ok(loop.x - 30 > loop.points[0].x);
  const back = lines.find(({ line: of }) => of.from === 'b').points;
  assert.equal(back[0].y, at('b').top);
  assert.equal(back.at(-1).y, at('a').bottom);
});

test('steps of one layer keep their order where nothing crosses', () => {
  for (const names of [['a', 'b', 'c'], ['a', 'c', 'b']]) {
    const { at } = drawn(names, 'a>b', 'a>c');
    assert.ok(at(names[1]).x < at(names[2]).x);
  }
});

test('crossings are undone', () => {
  const { at } = drawn(['a', 'b', 'c', 'd', 'e'], 'a>b', 'a>c', 'b>e', 'c>d');
  assert.equal(at('b').x < at('c').x, at('e').x < at('d').x);
});

test('nothing overlaps in a large graph, and no line crosses a step', () => {
  const names = Array.from({ length: 64 }, (_, i) => `n${i}`);
  const lines = names.slice(1).flatMap((name, i) => [`n${i}>${name}`,
    `n${(i * 7) % (i + 1)}>${name}`]);
  const picture = drawn(names, ...lines);
  const boxes = names.map((name) => picture.at(name));
  const labels = picture.lines.map(({ x, y }) => ({ x, y, width: 60, height: 18 }));
  const all = [...boxes, ...labels];
  for (const [i, a] of all.entries())
    for (const b of all.slice(i + 1))
      assert.ok(Math.abs(a.x - b.x) >= (a.width + b.width) / 2
        || Math.abs(a.y - b.y) >= (a.height + b.height) / 2);
  const inside = ({ x, y }, box) => Math.abs(x - box.x) < WIDTH / 2
    && Math.abs(y - box.y) < HEIGHT / 2;
  for (const { points } of picture.lines)
    for (const point of points) assert.ok(!boxes.some((box) => inside(point, box)));
  for (const box of all)
    assert.ok(box.x - box.width / 2 >= 0 && box.x + box.width / 2 <= picture.width
      && box.y + box.height / 2 <= picture.height);
});

test('one step, and none that lead anywhere', () => {
  assert.deepEqual([drawn(['a']).width, drawn(['a']).height], [WIDTH + 8, HEIGHT + 8]);
  const { at } = drawn(['a', 'b']);
  assert.notEqual(at('a').x, at('b').x);
  assert.equal(at('a').y, at('b').y);
});
