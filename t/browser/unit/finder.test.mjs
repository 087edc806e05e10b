import assert from 'node:assert/strict';
import test from 'node:test';
import { createCodeSight }
  from '../../../mod_verify/web/methods/document_capture/code_sight.js';
import { createSpeech }
  from '../../../mod_verify/web/methods/document_capture/speech.js';

// A clock that the test moves, and what was said by it.
function speaking() {
  let time = 0;
  const said = [];
  const speech = createSpeech((key) => said.push([time, key]), () => time);
  return { said,
    // Hears KEY at each look of MS milliseconds.
    hear(key, ms) {
      for (const end = time + ms; time < end; time += 140) speech.hear(key);
    } };
}

test('what the page said first is not talked over', () => {
  const { said, hear } = speaking();
  hear('none', 3900);
  assert.deepEqual(said, []);
  hear('none', 280);
  assert.equal(said.length, 1);
});

test('no sentence follows another before it was heard', () => {
  const { said, hear } = speaking();
  for (let i = 0; i < 40; i++) {
    hear('left', 280);
    hear('closer', 280);
    hear('up', 280);
  }
  assert.ok(said.length > 10);
  for (let i = 1; i < said.length; i++)
    assert.ok(said[i][0] - said[i - 1][0] >= 1800);
});

test('a place that is kept wrong is said again, and holding still is not', () => {
  const { said, hear } = speaking();
  hear('closer', 20000);
  assert.ok(said.length >= 2 && said.length <= 3, `${said.length} times`);
  hear('hold', 20000);
  assert.equal(said.filter(([, key]) => key === 'hold').length, 1);
});

// A browser's detector that sees what CODES holds.
function detectorOf(formats, codes) {
  return class {
    static async getSupportedFormats() { return formats; }
    async detect() {
      if (codes instanceof Error) throw codes;
      return codes;
    }
  };
}

test('a browser without such a detector says nothing', async () => {
  assert.equal(await createCodeSight(undefined), null);
  assert.equal(await createCodeSight(detectorOf(['qr_code'], [])), null);
});

test('a code that was seen stays for a moment', async () => {
  let time = 0;
  const codes = [{}];
  const sight = await createCodeSight(detectorOf(['pdf417'], codes),
    () => time);
  assert.equal(sight.isSeen(), false);
  await sight.look({});
  codes.length = 0;
  time = 1000;
  await sight.look({});
  assert.equal(sight.isSeen(), true);
  time = 1600;
  assert.equal(sight.isSeen(), false);
});

test('a frame that cannot be looked at harms nothing', async () => {
  const sight = await createCodeSight(detectorOf(['pdf417'], new Error('no')));
  await sight.look({});
  assert.equal(sight.isSeen(), false);
});
