// How many good frames automatic capture takes, and whether it cuts documents:
//
//   scripts/bench-capture [--step N] [--each] [--other-views]
//
// All scenes of t/lib/document_shots.mjs, or each N-th of them, are looked at by the
// widget's own code; with --other-views whole documents in views on which no limit was
// tuned. --each prints the scenes that were not taken or were wrong.
// Times are of the processor. Goals: 95 % of the whole documents taken, none cut.
// A whole document that is cut makes the exit status 1.
import { parseArgs } from 'node:util';
import { MOST, measure, otherScenes, scenes } from './document_shots.mjs';

const { values } = parseArgs({ options: {
  step: { type: 'string', default: '1' }, each: { type: 'boolean' },
  'other-views': { type: 'boolean' } } });
const name = ({ ground, design, view, side, share }) => [ground, design, view,
  side && `${100 * share} % beyond the ${side}`].filter(Boolean).join(', ');
const words = {
  whole: 'whole documents',
  hidden: 'a band that nothing sets off from the ground',
  beyond: 'documents that go beyond the edge',
  bare: 'no document',
};

const { groups, milliseconds } = measure(Number(values.step) || 1,
  (scene, shot, isCut) => {
    const isWanted = scene.group === 'whole'
      ? !shot.isTaken || shot.error > MOST : isCut;
    if (values.each && isWanted)
      console.log(`${scene.group}: ${name(scene)}: ${shot.isTaken
        ? `off by ${(100 * shot.error).toFixed(1)} %` : 'not taken'}`);
  }, values['other-views'] ? otherScenes() : scenes());
const row = (cells) => console.log(cells[0].padEnd(46)
  + cells.slice(1).map((cell) => String(cell).padStart(9)).join(''));
row(['frames', 'of', 'taken', 'right', 'cut', 'worst/%']);
for (const [group, { frames, taken, right, cut, worst }]
  of Object.entries(groups))
  row([words[group], frames, taken, right, cut, (100 * worst).toFixed(1)]);
console.log(`${milliseconds.toFixed(1)} ms of the processor for each look`);
process.exit(groups.whole.cut ? 1 : 0);
