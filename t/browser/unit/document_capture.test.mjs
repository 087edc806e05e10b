import assert from 'node:assert/strict';
import test from 'node:test';
import { KINDS, countryOf, kindsOf }
  from '../../../mod_verify/web/methods/document_capture/documents.js';
import { createGuide, isSteady, placement }
  from '../../../mod_verify/web/methods/document_capture/guidance.js';
import { agreed, area, distance, findOutline, firstLook }
  from '../../../mod_verify/web/methods/document_capture/outline.js';
import { projection, rectifiedSize, rectify, widened }
  from '../../../mod_verify/web/methods/document_capture/rectify.js';

const SIZE = { width: 260, height: 200 };

// Whether a point lies within a convex quadrangle given clockwise.
function isInside(corners, x, y) {
  return corners.every((a, i) => {
    const b = corners[(i + 1) % 4];
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) >= 0;
  });
}

// A card with lines of print between CORNERS on a table with a grain. The
// colours are of one brightness when EQUAL is true.
function scene(corners, equal = false) {
  const data = new Uint8ClampedArray(SIZE.width * SIZE.height * 4);
  let seed = 7;
  for (let y = 0, i = 0; y < SIZE.height; y++)
    for (let x = 0; x < SIZE.width; x++, i += 4) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      const noise = (seed >> 16) % 9 - 4;
      const isCard = corners && isInside(corners, x, y);
      const isPrint = isCard && y % 14 < 3 && x % 6 < 4
        && isInside(widened(corners, -0.25, 1e9, 1e9), x, y);
      const table = equal ? [130, 88, 58] : [90, 70, 60];
      const card = equal ? [70, 100, 160] : [225, 228, 220];
      const [r, g, b] = isPrint ? [30, 30, 30] : isCard ? card : table;
      data.set([r + noise, g + noise, b + noise, 255], i);
    }
  return { data, ...SIZE };
}

const at = (...numbers) => [0, 2, 4, 6].map((i) => ({ x: numbers[i],
  y: numbers[i + 1] }));
const LEVEL = at(40, 45, 220, 45, 220, 158, 40, 158);
const LEANING = at(52, 38, 226, 56, 212, 168, 38, 146);

function assertNear(found, corners, most) {
  assert.ok(found, 'found');
  corners.forEach((corner, i) => assert.ok(
    distance(corner, found.corners[i]) < most,
    `corner ${i}: ${JSON.stringify(found.corners[i])}`));
}

test('the corners of a card are found, level, leaning, and by colour', () => {
  assertNear(findOutline(scene(LEVEL)), LEVEL, 4);
  assertNear(findOutline(scene(LEANING)), LEANING, 5);
  assertNear(findOutline(scene(LEVEL, true)), LEVEL, 4);
});

test('where there is no card there are no corners', () => {
  assert.equal(findOutline(scene(null)), null);
  const narrow = at(20, 90, 240, 90, 240, 120, 20, 120);
  assert.equal(findOutline(scene(narrow)), null);
});

test('a leaning card becomes an upright picture', () => {
  const size = rectifiedSize(LEANING, 1000);
  const flat = rectify(scene(LEANING), LEANING, size);
  assert.equal(flat.data.length, size.width * size.height * 4);
  const pixel = (x, y) => flat.data[(y * size.width + x) * 4];
  for (const [x, y] of [[3, 3], [size.width - 4, 3],
    [size.width - 4, size.height - 4], [3, size.height - 4]])
    assert.ok(pixel(x, y) > 200, `corner ${x}, ${y} shows the card`);
  assert.ok(rectifiedSize(LEANING, 50).width <= 50, 'no larger than asked');
});

test('the projection meets the corners and the middle', () => {
  const point = projection(LEVEL);
  assert.deepEqual([point(0, 0), point(1, 0), point(1, 1), point(0, 1)], LEVEL);
  assert.deepEqual(point(0.5, 0.5), { x: 130, y: 101.5 });
  const leaning = projection(LEANING);
  LEANING.forEach((corner, i) => assert.ok(distance(corner,
    leaning([0, 1, 1, 0][i], [0, 0, 1, 1][i])) < 1e-6));
});

test('what is widened stays in the picture', () => {
  const around = widened(LEVEL, 0.1, SIZE.width, SIZE.height);
  assert.ok(area(around) > area(LEVEL));
  for (const { x, y } of widened(LEVEL, 9, SIZE.width, SIZE.height))
    assert.ok(x >= 0 && x < SIZE.width && y >= 0 && y < SIZE.height);
});

const BIG = { width: 1000, height: 1600 };
const card = (x, y, width) => at(x, y, x + width, y, x + width,
  y + width / 1.586, x, y + width / 1.586);
const CENTRED = card(75, 530, 850);

test('the person is told how to hold the phone', () => {
  assert.equal(placement(CENTRED, BIG), null);
  assert.equal(placement(card(300, 670, 400), BIG), 'closer');
  assert.equal(placement(card(2, 500, 996), BIG), 'further');
  assert.equal(placement(card(4, 500, 700), BIG), 'whole');
  assert.equal(placement(card(20, 560, 660), BIG), 'left');
  assert.equal(placement(card(320, 560, 660), BIG), 'right');
  assert.equal(placement(card(75, 100, 850), BIG), 'up');
  assert.equal(placement(card(75, 950, 850), BIG), 'down');
  assert.equal(placement(card(40, 150, 550), { width: 640, height: 640 }),
    null, 'a camera of few pixels');
  // What a phone that is held upright shows of a stream of 960 x 1280.
  assert.equal(placement(card(41, 480, 510), { width: 591, height: 1280 }), null,
    'a camera that shows few pixels along the document');
  assert.equal(placement(card(91, 480, 410), { width: 591, height: 1280 }), 'closer');
});

test('the picture is taken of a document that rests and can be read', () => {
  const guide = createGuide();
  const look = (corners, problems = [], isConfirmed = true) => guide.look({ corners,
    size: BIG, isDark: () => false, quality: () => ({ problems }),
    isConfirmed: () => isConfirmed });
  assert.deepEqual(look(null), { advice: 'none', isReady: false });
  assert.equal(look(CENTRED).isReady, false);
  assert.equal(look(CENTRED).isReady, false);
  assert.equal(look(CENTRED).isReady, false);
  assert.deepEqual(look(CENTRED, [], false), { advice: 'hold', isReady: false },
    'a look at another scale finds another outline');
  assert.deepEqual(look(CENTRED), { advice: 'hold', isReady: true });
  assert.equal(look(card(75, 600, 850)).isReady, false, 'it has moved');
  for (let i = 0; i < 30; i++)
    assert.deepEqual(look(card(75, 600, 850), ['blurred']),
      { advice: 'blurred', isReady: false }, 'never blurred');
  let looks = 1;
  while (!look(card(75, 600, 850), ['glare']).isReady) looks++;
  assert.ok(looks > 10 && looks < 20, `white paper, after ${looks} looks`);
});

test('two of three looks at one picture have to agree', () => {
  const shots = (...corners) => {
    const left = [...corners];
    const find = () => left.shift();
    return agreed(find, firstLook(find));
  };
  const other = card(75, 560, 850), near = card(76, 531, 850);
  const between = card(75.5, 530.5, 850);
  assert.deepEqual(shots(CENTRED, near), between);
  assert.deepEqual(shots(other, CENTRED, near), between, 'the first look was wrong');
  assert.equal(shots(other, null, CENTRED), null);
  assert.deepEqual(shots(null, CENTRED, near), between);
  assert.equal(shots(null, CENTRED, null), null);
  assert.equal(shots(null, null), null);
});

test('darkness is told where nothing is found', () => {
  const guide = createGuide();
  assert.equal(guide.look({ corners: null, size: BIG, isDark: () => true })
    .advice, 'too_dark');
});

test('a ground on which nothing is found is to be changed', () => {
  const guide = createGuide();
  const look = (corners) => guide.look({ corners, size: BIG, isDark: () => false,
    quality: () => ({ problems: [] }), isConfirmed: () => true }).advice;
  const advice = Array.from({ length: 60 }, () => look(null));
  assert.equal(advice[0], 'none');
  const first = advice.indexOf('ground');
  assert.ok(first >= 30 && first <= 50, `after ${first} looks`);
  assert.ok(advice.slice(first).every((one) => one === 'ground'));
  assert.notEqual(look(CENTRED), 'ground');
  assert.equal(look(null), 'none', 'and not again at once');
});

test('resting means that no corner moves', () => {
  assert.ok(isSteady(CENTRED, card(77, 533, 850), BIG));
  assert.ok(!isSteady(CENTRED, card(110, 530, 850), BIG));
  assert.ok(!isSteady(null, CENTRED, BIG));
});

test('what cannot be read is not offered', () => {
  assert.deepEqual(kindsOf('US'), ['licence', 'passport', 'permit']);
  assert.deepEqual(kindsOf('DE'), ['id_card', 'passport', 'permit']);
  assert.deepEqual(kindsOf('GB'), ['passport', 'permit']);
  for (const kind of ['US', 'DE', 'JP'].flatMap(kindsOf))
    assert.ok(KINDS[kind].sides.includes('front'), kind);
});

test('the country to begin with', () => {
  assert.equal(countryOf('DE', ['en-US']), 'DE');
  assert.equal(countryOf('US-VA', []), 'US');
  assert.equal(countryOf(null, ['de', 'de-AT']), 'AT');
  assert.equal(countryOf(null, ['tlh']), 'US');
});
