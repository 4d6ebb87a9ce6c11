import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/lib/paths.mjs';
import { interleaved } from '../lib/compare.mjs';
import { databaseOf } from '../lib/databases.mjs';
import { startElectron } from '../lib/electron.mjs';
import { inFolder } from '../lib/side.mjs';
import { quantile, spread } from '../lib/statistics.mjs';

const built = () => existsSync(join(root, 'out', 'main', 'startup', 'main.cjs'));
const ROW = '[aria-label="Updates"] article';
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
      // The first start of each creates Chromium's own files, and ours caches its compiled code after running
      // for a while.
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

/** The number of frames scrolled, and the distance per frame: some pages of updates a second. */
const FRAMES = 600;
const STEP_PX = 260;

/**
 * Runs in the page: the milliseconds of each frame while the feed is scrolled; at an end the direction is
 * reversed.
 */
const scrolled = `new Promise((resolve) => {
  const list = document.querySelector('[data-part="feed-scroll"]');
  const times = [];
  let way = 1;
  let last = null;
  const frame = (now) => {
    if (last !== null) times.push(now - last);
    last = now;
    if (times.length >= ${FRAMES}) return resolve({ times, top: list.scrollTop, drawn: list.querySelectorAll('article').length });
    const before = list.scrollTop;
    list.scrollTop = before + way * ${STEP_PX};
    if (list.scrollTop === before) way = -way;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;

export const feedscroll = {
  name: 'feedscroll',
  async run({ side, quick }) {
    const many = quick ? 100_000 : 1_000_000;
    const what = `frame time p95 scrolling ${many.toLocaleString('en')} updates, against 1,000`;
    const goal = { atMost: 1.25 };
    if (!built()) return [{ what, goal, missing: UNBUILT }];
    const databases = {
      ours: await databaseOf(side, many, 'updates'),
      limit: await databaseOf(side, 1_000, 'updates'),
    };
    return inFolder(async (folder) => {
      const p95 = async (name) => {
        const args = [root, '--data-dir', join(folder, name), '--db', databases[name], 'muster://feed'];
        const electron = await startElectron(args, { selector: ROW });
        await electron.painted;
        // Other work of a start.
        await new Promise((resolve) => setTimeout(resolve, 4_000));
        const { times, drawn } = await electron.ask('page', { code: scrolled });
        await electron.end();
        if (drawn < 10) throw new Error(`only ${drawn} rows are drawn`);
        return quantile(times, 0.95);
      };
      const sides = { ours: () => p95('ours'), limit: () => p95('limit') };
      await sides.limit();
      const { ours, limit, ratio, middle } = await interleaved(quick ? 3 : 5, sides, (own, few) => own / few);
      return [
        {
          what,
          ours: `${spread(ours, 1)} ms`,
          limit: `${spread(limit, 1)} ms`,
          ratio: middle,
          ratios: spread(ratio),
          goal,
          note: `${FRAMES} frames of ${STEP_PX} px, read by cursor on the way.`,
        },
      ];
    });
  },
};
