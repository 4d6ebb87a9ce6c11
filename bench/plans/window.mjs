import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/lib/paths.mjs';
import { interleaved } from '../lib/compare.mjs';
import { databaseOf } from '../lib/databases.mjs';
import { startElectron } from '../lib/electron.mjs';
import { inFolder } from '../lib/side.mjs';
import { spread } from '../lib/statistics.mjs';

const built = () => existsSync(join(root, 'out', 'main', 'index.js'));
const ROW = '[aria-label="Updates"] [role="option"]';
const UNBUILT = 'the app is not built: npm run build';

export const start = {
  name: 'start',
  async run({ side, quick }) {
    const what = 'start to the first painted feed, against a blank window';
    const goal = { atMost: 1.35 };
    if (!built()) return [{ what, goal, missing: UNBUILT }];
    const database = await databaseOf(side, quick ? 100_000 : 1_000_000);
    return inFolder(async (folder) => {
      const blank = { selector: 'p', env: { BENCH_USER_DATA: join(folder, 'blank') } };
      const args = [root, '--data-dir', join(folder, 'data'), '--db', database, 'muster://feed'];
      const timeTo = async (what, options) => {
        const electron = await startElectron(what, options);
        const taken = await electron.painted;
        await new Promise((resolve) => setTimeout(resolve, options.stays ?? 0));
        await electron.end();
        return taken;
      };
      const sides = {
        ours: () => timeTo(args, { selector: ROW }),
        limit: () => timeTo([join(root, 'bench', 'electron', 'blank.cjs')], blank),
      };
      // The first start of each makes Chromium's own files, and ours keeps its compiled code when it has run for a while.
      await sides.limit();
      await timeTo(args, { selector: ROW, stays: 7_000 });
      const { ours, limit, ratio, middle } = await interleaved(
        quick ? 3 : 9,
        sides,
        (own, bare) => own / bare,
      );
      return [
        {
          what: `${what}, ${quick ? '100,000' : '1,000,000'} events`,
          ours: `${spread(ours, 0)} ms`,
          limit: `${spread(limit, 0)} ms`,
          ratio: middle,
          ratios: spread(ratio),
          goal,
          note: 'from the start of the program to two frames after the first row is in the page; the blank window likewise.',
        },
      ];
    });
  },
};
