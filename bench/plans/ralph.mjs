import { join } from 'node:path';
import { inFolder, runSide } from '../lib/side.mjs';
import { median, spread } from '../lib/statistics.mjs';

const SMALL_MIB = 1;

export const ralph = {
  name: 'ralph',
  run: ({ side, quick }) =>
    inFolder(async (folder) => {
      const mib = quick ? 128 : 1024;
      const grown = [];
      const speed = [];
      for (let round = 0; round < 3; round += 1) {
        const small = await runSide(side('ralph'), [join(folder, 'small'), SMALL_MIB]);
        const large = await runSide(side('ralph'), [join(folder, 'large'), mib]);
        grown.push(large.mib - small.mib);
        speed.push(mib / (large.ms / 1000));
      }
      return [
        {
          what: `memory that a loop's log of ${mib} MiB takes, beyond one of ${SMALL_MIB} MiB`,
          ours: `${spread(grown, 1)} MiB`,
          limit: '64 MiB',
          ratio: median(grown) / 64,
          goal: { atMost: 1 },
          note: `the highest resident memory of a process that reads the log for its evidence, at ${spread(speed, 0)} MiB/s.`,
        },
      ];
    }),
};
