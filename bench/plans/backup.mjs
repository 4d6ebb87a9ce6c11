import { interleaved } from '../lib/compare.mjs';
import { databaseOf } from '../lib/databases.mjs';
import { inFolder, runSide } from '../lib/side.mjs';
import { spread } from '../lib/statistics.mjs';

export const backup = {
  name: 'backup',
  async run({ side, quick }) {
    const events = quick ? 100_000 : 1_000_000;
    const file = await databaseOf(side, events);
    const taken = (how) => () => inFolder((folder) => runSide(side('backup'), [how, file, folder]));
    const { ours, limit, ratio, middle } = await interleaved(
      quick ? 3 : 7,
      { ours: taken('ours'), limit: taken('copy') },
      (own, copy) => own / copy,
    );
    return [
      {
        what: `backup of a database of ${events} events, against a copy with fsync`,
        ours: `${spread(ours, 0)} ms`,
        limit: `${spread(limit, 0)} ms`,
        ratio: middle,
        ratios: spread(ratio),
        goal: { atMost: 3 },
        note: 'ours copies in steps of 5 ms from one snapshot, then checks every page of the copy.',
      },
    ];
  },
};
