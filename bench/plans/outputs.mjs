import { steady } from '../lib/compare.mjs';
import { inFolder, runSide } from '../lib/side.mjs';
import { median, spread } from '../lib/statistics.mjs';

/** The cost of an output that is kept whole. */
export const outputs = {
  name: 'outputs',
  async run({ side, quick }) {
    const { ours, limit } = steady(
      await inFolder((folder) => runSide(side('outputs'), [quick ? 5 : 20, folder])),
    );
    const ratios = ours.map((ms, index) => ms / limit[index]);
    return [
      {
        what: '10 MB of output of a command step',
        goal: { atMost: 3 },
        note: 'against writing 10 MB to a file with one sync; the time of the same run without output is taken off.',
        ours: `${spread(ours, 1)} ms`,
        limit: `${spread(limit, 1)} ms`,
        ratio: median(ratios),
        ratios: spread(ratios),
      },
    ];
  },
};
