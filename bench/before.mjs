/**
 * `node bench/before.mjs --checkout FOLDER [--only NAME] [--rounds N]`: what Muster costs against an earlier commit of
 * itself. FOLDER is a worktree of that commit with its node_modules and `npm run build`. Both are measured in turn, each
 * by the benches of its own checkout; a ratio over 1 means that this checkout is slower.
 */
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from '../tools/lib/paths.mjs';
import { run } from '../tools/lib/run.mjs';
import { interleaved } from './lib/compare.mjs';
import { tableOf, verdictOf } from './lib/report.mjs';
import { inFolder, runSide, timeToFirstLine } from './lib/side.mjs';
import { median, spread } from './lib/statistics.mjs';

/** Enough steps for V8 to compile everything. */
const WARM_UP_STEPS = 8_000;
const REPEATS = 25;
const RECOVERED_RUNS = 3;
const STARTS_A_ROUND = 5;
const EVENTS = 100_000;
const ROW = '[aria-label="Updates"] article';
/** Time until the app has cached its compiled code. */
const FIRST_START_MS = 7_000;

const steps = (shape, count) => ({
  what: `${shape === 'chain' ? 'chain' : 'fan-out'} of ${count} durable steps`,
  atMost: 1.05,
  prepare:
    ({ side }) =>
    () =>
      inFolder(async (folder) => {
        const warmUp = Math.ceil(WARM_UP_STEPS / count);
        return median(await runSide(side('steps'), ['ours', shape, count, warmUp, REPEATS, folder]));
      }),
});

const recovery = {
  what: `start to the next decision of ${RECOVERED_RUNS} unfinished runs`,
  atMost: 1.05,
  async prepare({ side, folder }) {
    const killed = join(folder, 'killed');
    await run(process.execPath, [side('unfinished'), join(killed, 'muster.db'), RECOVERED_RUNS]);
    cpSync(killed, join(folder, 'first'), { recursive: true });
    await run(process.execPath, [side('started/recover'), join(folder, 'first', 'muster.db')]);
    return async (round) => {
      const times = [];
      for (let index = 0; index < STARTS_A_ROUND; index += 1) {
        const copy = join(folder, `${round}-${index}`);
        cpSync(killed, copy, { recursive: true });
        const args = [side('started/recover'), join(copy, 'muster.db')];
        times.push(await timeToFirstLine(process.execPath, args));
      }
      return median(times);
    };
  },
};

const start = {
  what: `start to the first painted feed, ${EVENTS.toLocaleString('en')} events`,
  atMost: 1.02,
  async prepare({ checkout, side, folder, lib }) {
    const { databaseOf } = await lib('databases');
    const { startElectron } = await lib('electron');
    const database = await databaseOf(side, EVENTS);
    const args = [checkout, '--data-dir', join(folder, 'data'), '--db', database, 'muster://feed'];
    const begin = async (staysMs) => {
      const electron = await startElectron(args, { selector: ROW });
      const ms = await electron.painted;
      await new Promise((done) => setTimeout(done, staysMs));
      await electron.end();
      return ms;
    };
    await begin(FIRST_START_MS);
    return () => begin(0);
  },
};

/** A bench that reports its figure only in its row: the median comes first. */
const byPlan = ({ file, name, what }) => ({
  what,
  atMost: 1.05,
  async prepare({ checkout, side }) {
    const plans = await import(pathToFileURL(join(checkout, 'bench', 'plans', `${file}.mjs`)).href);
    return async () => {
      const rows = await plans[name].run({ side, quick: true });
      return Number.parseFloat(rows[0].ours);
    };
  },
});

const measures = {
  chain: steps('chain', 200),
  fan: steps('fan', 100),
  recovery,
  start,
  commit: byPlan({ file: 'load', name: 'load', what: 'commit to event in the window at 400 steps/s, p99' }),
  typing: byPlan({
    file: 'terminals',
    name: 'terminalsTyping',
    what: 'a typed key back under 20 floods, p99',
  }),
};

const { values } = parseArgs({
  options: {
    checkout: { type: 'string' },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '5' },
  },
});
const unknown = values.only?.find((name) => !Object.hasOwn(measures, name));
if (values.checkout === undefined || unknown !== undefined) {
  console.error(`bench: --checkout FOLDER, and --only with one of ${Object.keys(measures).join(', ')}`);
  process.exit(2);
}

/** A checkout with its bench programs, and with its own library for running its app. */
async function checkoutAt(path) {
  const checkout = resolve(path);
  const lib = (name) => import(pathToFileURL(join(checkout, 'bench', 'lib', `${name}.mjs`)).href);
  return { checkout, lib, side: await (await lib('bundle')).bundleSides() };
}

async function compared({ what, atMost, prepare }, both) {
  return inFolder(async (folder) => {
    const sides = {};
    for (const [name, one] of Object.entries(both))
      sides[name] = await prepare({ ...one, folder: join(folder, name) });
    const found = await interleaved(Number(values.rounds), sides, (now, before) => now / before);
    return {
      what,
      goal: { atMost },
      ratio: found.middle,
      ratios: spread(found.ratio),
      ours: `${spread(found.ours, 1)} ms`,
      limit: `${spread(found.limit, 1)} ms`,
    };
  });
}

const both = { ours: await checkoutAt(root), limit: await checkoutAt(values.checkout) };
const rows = [];
for (const [name, measure] of Object.entries(measures)) {
  if (values.only !== undefined && !values.only.includes(name)) continue;
  console.log(`bench: ${name}`);
  try {
    rows.push(await compared(measure, both));
  } catch (error) {
    rows.push({ what: measure.what, missing: String(error).split('\n')[0] });
  }
}
for (const { lib } of Object.values(both)) await (await lib('electron')).closeDisplay();
console.log(`\n${tableOf(rows)}`);
process.exitCode = rows.some((row) => verdictOf(row) === 'MISSED') ? 1 : 0;
