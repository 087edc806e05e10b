// A slice of what scripts/bench-capture measures: no document is cut, and most are
// taken.

import assert from 'node:assert/strict';
import test from 'node:test';
import { MOST, shoot } from '../../lib/document_shots.mjs';

function isWhole(names) {
  const shot = shoot(names);
  if (shot.isTaken)
    assert.ok(shot.cut <= MOST && shot.error <= MOST,
      `${Object.values(names).join(' ')}: off by ${shot.error}`);
  return shot.isTaken;
}

test('documents with bands are taken whole, on dark, light and grained tables', () => {
  const taken = [['black', 'header', 'level'], ['walnut', 'camouflage', 'leaning'],
    ['graphite', 'header', 'wide'], ['white', 'footer', 'turned'],
    ['oak', 'spine', 'steep'], ['cloth', 'camouflage', 'handed'],
    ['granite', 'footer', 'upright'], ['night', 'passport', 'wide'],
    ['brick', 'dark', 'held'], ['beige', 'passport', 'leaning']]
    .filter(([ground, design, view]) => isWhole({ ground, design, view }));
  assert.ok(taken.length >= 9, `${taken.length} of 10`);
});

test('an outline that only one scale of the picture shows is not taken', () => {
  for (const [ground, design] of [['graphite', 'passport'], ['oak', 'framed']])
    assert.ok(isWhole({ ground, design, view: 'held' }), ground);
});

test('a look that is off by a little is corrected by the one that confirms it', () => {
  for (const [ground, design, view] of [['white', 'camouflage', 'level'],
    ['white', 'dark', 'level'], ['beige', 'framed', 'handed'], ['beige', 'framed', 'steep']])
    isWhole({ ground, design, view });
});

test('a thin frame along the border is not the border', () => {
  for (const [ground, view] of [['graphite', 'held'], ['beige', 'level'], ['beige', 'held'],
    ['gray', 'handed'], ['brick', 'steep'], ['cloth', 'held']])
    isWhole({ ground, design: 'framed', view });
});

test('a band with the very color of the table is not left out', () => {
  for (const [ground, design, view] of [['black', 'header', 'wide'],
    ['gray', 'camouflage', 'leaning'], ['white', 'footer', 'level']])
    isWhole({ ground, design, view, hidden: true });
});

test('what is printed on a document is not taken for its border', () => {
  isWhole({ ground: 'walnut', design: 'dark', view: 'leaning' });
  for (const [ground, view] of [['graphite', 'held'], ['night', 'leaning'],
    ['oak', 'level'], ['cloth', 'held']])
    isWhole({ ground, design: 'spine', view, hidden: true });
});

test('nothing is taken of a document that goes beyond the edge, or of a table', () => {
  const shots = [{ ground: 'walnut', design: 'dark', view: 'wide', off: [-0.2, 0] },
    { ground: 'white', design: 'passport', view: 'wide', off: [-0.22, 0] },
    { ground: 'oak', design: 'header', view: 'turned', off: [0, 0.25] },
    { ground: 'tiles', design: 'plain', view: 'level', bare: true },
    { ground: 'walnut', design: 'plain', view: 'wide', bare: true }];
  for (const names of shots) assert.equal(shoot(names).isTaken, false,
    JSON.stringify(names));
});
