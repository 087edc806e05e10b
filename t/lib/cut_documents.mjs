// Photos of documents that go beyond one side of the picture, and of whole ones close
// to it, as PPM files in DIRECTORY:
//
//   cut_documents.mjs DIRECTORY [--step N] [--first N]
//
// Each N-th scene, from the first on (0). Prints a line of tab-separated fields for each photo: file, group
// ("cut", "close", "whole" or "bare"), share in percent, ratio for border_read, name.
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DESIGNS, GROUNDS, VIEWS, sceneOf } from './document_frames.mjs';
import { SIDES, moveOut } from './document_shots.mjs';

const LONGER = 640; // pixels
const LEAST_MARGIN = 0.004; // of the picture, for a document that counts as whole

const { values, positionals: [directory] } = parseArgs({ allowPositionals: true,
  options: { step: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' } } });

function size(width, height) {
  const scale = LONGER / Math.max(width, height);
  return [Math.round(width * scale), Math.round(height * scale)];
}

function* scenes() {
  let count = 0;
  for (const ground in GROUNDS)
    for (const design in DESIGNS)
      for (const side in SIDES)
        for (const [group, share] of [['cut', 0.02], ['cut', 0.05], ['cut', 0.1],
          ['close', 0.01], ['close', 0.02], ['close', 0.03]]) {
          const view = Object.keys(VIEWS)[Math.floor(count++ / 3) % 8];
          const names = { ground, design, view };
          yield { group, share, side, ...names,
            off: moveOut(names, side, group === 'cut' ? share : -share) };
        }
  for (const ground in GROUNDS)
    for (const view in VIEWS) {
      for (const design in DESIGNS)
        yield { group: 'whole', share: 0, ground, design, view };
      yield { group: 'bare', share: 0, ground, design: 'plain', view, bare: true };
    }
}

function write(file, { data, width, height }) {
  const rgb = Buffer.alloc(width * height * 3);
  for (let i = 0, o = 0; i < data.length; i += 4, o += 3)
    for (let k = 0; k < 3; k++) rgb[o + k] = data[i + k];
  writeFileSync(file, Buffer.concat([
    Buffer.from(`P6\n${width} ${height}\n255\n`), rgb]));
}

// The smallest distance of a corner to the picture's edge, as a share.
const marginOf = ({ corners, width, height }) => Math.min(...corners.map(
  ({ x, y }) => Math.min(x / width, y / height, 1 - x / width, 1 - y / height)));

mkdirSync(directory, { recursive: true });
let count = 0;
for (const scene of scenes()) {
  if ((count++ - Number(values.first)) % Number(values.step)) continue;
  const shot = sceneOf(scene, size);
  if (scene.group === 'close' && marginOf(shot) < LEAST_MARGIN) continue;
  const file = `${directory}/${scene.group}-${count}.ppm`;
  write(file, shot.frames(1)[0]);
  console.log([file, scene.group, 100 * scene.share,
    scene.kind === 'passport' || scene.design === 'passport' ? 'page' : 'card',
    [scene.ground, scene.design, scene.view, scene.side].filter(Boolean).join(' '),
  ].join('\t'));
}
