import { runSide } from '../lib/side.mjs';
import { median, quantile, spread } from '../lib/statistics.mjs';

const EVENTS = 100_000;

/** A look back into a long run, compared with folding all of it. */
export const seek = {
  name: 'seek',
  async run({ side, quick }) {
    const times = [];
    const memory = [];
    const folds = [];
    const looks = [];
    for (let round = 0; round < (quick ? 1 : 3); round += 1) {
      const one = await runSide(side('seek'), [EVENTS], { before: ['--expose-gc'] });
      folds.push(median(one.folds));
      looks.push(quantile(one.looks, 0.95));
      times.push(quantile(one.looks, 0.95) / median(one.folds));
      memory.push(one.pointsBytes / one.stateBytes);
    }
    return [
      {
        what: `p95 of looking back at a moment of ${EVENTS} events`,
        ours: `${spread(looks, 1)} ms`,
        limit: `${spread(folds, 1)} ms`,
        ratio: median(times),
        ratios: spread(times, 3),
        goal: { atMost: 0.05 },
        note: 'against folding all events once, with the events at hand on both sides.',
      },
      {
        what: `memory of the checkpoints of ${EVENTS} events`,
        ratio: median(memory),
        ratios: spread(memory),
        goal: { atMost: 4 },
        note: 'against the memory of the final state; both without the events.',
      },
    ];
  },
};
