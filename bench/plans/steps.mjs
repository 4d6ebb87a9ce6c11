import { interleaved } from '../lib/compare.mjs';
import { inFolder, runSide } from '../lib/side.mjs';
import { slowSyncEnv } from '../lib/slow-sync.mjs';
import { median, spread } from '../lib/statistics.mjs';

/** The shortest sync measured on the disk for which the goals were set. */
const SLOW_SYNC_MS = 0.18;

const CHAIN = { shape: 'chain', count: 200, goal: { atLeast: 0.75 }, against: 'in the same transactions' };
const SHAPES = [
  CHAIN,
  { ...CHAIN, syncMs: SLOW_SYNC_MS },
  { shape: 'fan', count: 100, goal: { atLeast: 0.3 }, against: 'in one transaction' },
];

/**
 * Both sides are measured like a core that has run for a while: V8 compiles the last functions after some
 * thousand steps.
 */
const WARM_UP_STEPS = 8_000;
const REPEATS = 25;

const DISK =
  'what one commit costs the disk alone; the chain waits for it at every step, so a faster disk shows more of our own work.';

export const steps = {
  name: 'steps',
  async run({ side, quick }) {
    const sync = await inFolder(async (folder) => median(await runSide(side('device'), [folder])));
    const rows = [{ what: 'append of 4 KiB and fdatasync', limit: `${sync.toFixed(3)} ms`, note: DISK }];
    for (const shape of SHAPES) rows.push(await rowOf(shape, { side, rounds: quick ? 3 : 9 }));
    return rows;
  },
};

async function rowOf({ shape, count, goal, against, syncMs }, { side, rounds }) {
  const disk = syncMs === undefined ? '' : `, no sync under ${syncMs} ms`;
  const what = `${shape === 'chain' ? 'chain' : 'fan-out'} of ${count} durable steps${disk}`;
  const env = syncMs === undefined ? {} : await slowSyncEnv(syncMs);
  if (env === null) return { what, goal, missing: 'no C compiler here' };
  const measure = (which) => () =>
    inFolder(async (folder) => {
      const args = [which, shape, count, Math.ceil(WARM_UP_STEPS / count), REPEATS, folder];
      return median(await runSide(side('steps'), args, { env }));
    });
  const sides = { ours: measure('ours'), limit: measure('limit') };
  const { ours, limit, ratio, middle } = await interleaved(rounds, sides, (own, raw) => raw / own);
  const perSecond = (times) => `${Math.round((count * 1000) / median(times))} steps/s`;
  return {
    what,
    ours: perSecond(ours),
    limit: perSecond(limit),
    ratio: middle,
    ratios: spread(ratio),
    goal,
    note: `the rows of the run written with better-sqlite3 alone ${against}, statements prepared and values made beforehand, \`synchronous=FULL\` on both sides; ${spread(ours, 1)} ms against ${spread(limit, 1)} ms, so our own work is ${own(ours, limit, count)} µs a step.`,
  };
}

const own = (ours, limit, count) => Math.round(((median(ours) - median(limit)) * 1000) / count);
