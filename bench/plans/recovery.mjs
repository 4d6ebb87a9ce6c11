import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from '../../tools/lib/run.mjs';
import { interleaved } from '../lib/compare.mjs';
import { inFolder, timeToFirstLine } from '../lib/side.mjs';
import { median, spread } from '../lib/statistics.mjs';

const RUNS = 3;

export const recovery = {
  name: 'recovery',
  run: ({ side, quick }) =>
    inFolder(async (folder) => {
      const killed = join(folder, 'killed');
      const { signal, output } = await run(process.execPath, [
        side('unfinished'),
        join(killed, 'muster.db'),
        RUNS,
      ]);
      if (signal !== 'SIGKILL') throw new Error(`the database could not be made: ${output}`);
      // The first start of a build caches its compiled code for all later ones.
      cpSync(killed, join(folder, 'first'), { recursive: true });
      await run(process.execPath, [side('started/recover'), join(folder, 'first', 'muster.db')]);
      const start = (program) => async (round) => {
        const times = [];
        for (let i = 0; i < 5; i += 1) {
          const copy = join(folder, `${basename(program)}-${round}-${i}`);
          cpSync(killed, copy, { recursive: true });
          times.push(await timeToFirstLine(process.execPath, [side(program), join(copy, 'muster.db')]));
        }
        return median(times);
      };
      const { ours, limit, ratio, middle } = await interleaved(
        quick ? 3 : 9,
        { ours: start('started/recover'), limit: start('bare') },
        (own, bare) => own / bare,
      );
      return [
        {
          what: `start to the next decision of ${RUNS} unfinished runs`,
          ours: `${spread(ours, 0)} ms`,
          limit: `${spread(limit, 0)} ms`,
          ratio: middle,
          ratios: spread(ratio),
          goal: { atMost: 1.5 },
          note: 'ours is started as the app starts its core, with the code kept that an earlier start compiled; the limit is a Node that opens the same database with better-sqlite3 and reads its first page.',
        },
      ];
    }),
};
