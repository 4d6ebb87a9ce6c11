import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/lib/paths.mjs';
import { canvasApp, canvasHash, gridText } from '../lib/canvas-app.mjs';
import { interleaved } from '../lib/compare.mjs';
import { inFolder, runSide } from '../lib/side.mjs';
import { median, quantile, spread } from '../lib/statistics.mjs';
import { CALL, wait } from '../lib/team-app.mjs';
import { variantApp } from '../lib/variant-app.mjs';

const MANY = { steps: 500, cables: 700 };
const FEW = { steps: 20, cables: 19 };
const TEXTS = {
  'many.yaml': gridText('many', { ...MANY, placed: true }),
  'few.yaml': gridText('few', { ...FEW, placed: true }),
  'one.yaml': gridText('one', { steps: 1, cables: 0, placed: true }),
  'free.yaml': gridText('free', { ...MANY, placed: false }),
  'run.yaml': gridText('run', { ...MANY, placed: true }),
};
const FRAMES = 360;
/** The work after the app's start is over by then. */
const SETTLE_MS = 4_000;
/** Each command causes four events. */
const COMMANDS_PER_SECOND = 100;
const BUSY_MS = 3_500;

const page = (opened, code) => opened.app.ask('page', { code });
const hashOf = ({ projectId }, name) => JSON.stringify(canvasHash(projectId, name));
const leave = (opened) => page(opened, 'bench.leave()');
const show = (opened, name, count) => page(opened, `bench.open(${hashOf(opened, name)}, ${count})`);

async function panning(opened, quick) {
  const p95 = async (name, count) => {
    await show(opened, name, count);
    await wait(300);
    const { times, moved } = await page(opened, `bench.panAndZoom(${FRAMES})`);
    await leave(opened);
    if (moved < FRAMES / 3) throw new Error(`the canvas of ${name} moved in ${moved} of ${FRAMES} frames`);
    return quantile(times, 0.95);
  };
  const sides = { ours: () => p95('many.yaml', MANY.steps), limit: () => p95('one.yaml', 1) };
  const { ours, limit, ratio, middle } = await interleaved(quick ? 3 : 7, sides, (many, one) => many / one);
  return {
    what: `frame time p95 panning and zooming ${MANY.steps} steps and ${MANY.cables} cables`,
    ours: `${spread(ours, 1)} ms`,
    limit: `${spread(limit, 1)} ms`,
    ratio: middle,
    ratios: spread(ratio),
    goal: { atMost: 1.5 },
    note: `against a canvas of one step; ${FRAMES} frames from the whole workflow to single steps and back.`,
  };
}

async function opening(opened, quick, name) {
  const wholes = [];
  const timeOf = async (file, count) => {
    const { seen, whole } = await show(opened, file, count);
    if (count === MANY.steps) wholes.push(whole);
    await leave(opened);
    await wait(200);
    return seen;
  };
  const sides = { ours: () => timeOf(name, MANY.steps), limit: () => timeOf('few.yaml', FEW.steps) };
  await sides.limit();
  const { ours, limit, ratio, middle } = await interleaved(quick ? 3 : 9, sides, (many, few) => many / few);
  return {
    what: `opening ${MANY.steps} steps ${name === 'free.yaml' ? 'without places' : 'on the canvas'}`,
    ours: `${spread(ours, 0)} ms`,
    limit: `${spread(limit, 0)} ms`,
    ratio: middle,
    ratios: spread(ratio),
    goal: { atMost: name === 'free.yaml' ? 10 : 4 },
    note: `against a file of ${FEW.steps} steps with places; from the address to two frames after the last step is in the page, many steps at first as shapes; each of them takes the mouse after ${spread(wholes, 0)} ms.`,
  };
}

/** The canvas of a run while its commands end, and afterwards. */
async function busyCanvas(opened, quick) {
  const rounds = [];
  for (let round = 0; round < (quick ? 2 : 5); round += 1) {
    const code = `(async () => { ${CALL}
      return (await call('run.start', { projectId: ${opened.projectId}, file: '.muster/workflows/run.yaml' })).runId;
    })()`;
    const runId = await page(opened, code);
    await page(opened, `bench.open('#/run/${runId}?show=canvas', ${MANY.steps})`);
    const before = await page(opened, seqOf(runId));
    const times = await page(opened, `bench.framesFor(${BUSY_MS})`);
    const events = (await page(opened, seqOf(runId))) - before;
    await page(opened, ended(runId));
    await wait(500);
    const idle = await page(opened, `bench.framesFor(${BUSY_MS})`);
    await leave(opened);
    rounds.push({
      ours: quantile(times, 0.99),
      limit: quantile(idle, 0.99),
      perSecond: (events / BUSY_MS) * 1000,
      longest: Math.max(...times),
    });
  }
  const ratios = rounds.map(({ ours, limit }) => ours / limit);
  return {
    what: `frame time p99 of a run of ${MANY.steps} steps on the canvas`,
    ours: `${spread(
      rounds.map(({ ours }) => ours),
      1,
    )} ms`,
    limit: `${spread(
      rounds.map(({ limit }) => limit),
      1,
    )} ms`,
    ratio: median(ratios),
    ratios: spread(ratios),
    goal: { atMost: 1.5 },
    note: `against the same canvas when the run is over; ${spread(
      rounds.map(({ perSecond }) => perSecond),
      0,
    )} events a second, the longest frame ${spread(
      rounds.map(({ longest }) => longest),
      0,
    )} ms.`,
  };
}

const seqOf = (runId) =>
  `(async () => { ${CALL} return (await call('run.get', { runId: ${runId} })).state.seq; })()`;
const ended = (runId) => `(async () => { ${CALL}
  while ((await call('run.get', { runId: ${runId} })).row.status === 'running')
    await new Promise((resolve) => setTimeout(resolve, 100));
})()`;

/** When a file with this name is replaced: a change by the editor. */
function written(folder, name) {
  let watcher;
  const at = new Promise((resolve, reject) => {
    watcher = watch(folder, (_kind, changed) => changed === name && resolve(Date.now()));
    setTimeout(() => reject(new Error(`the edit of ${name} is not in the file`)), 20_000).unref();
  });
  return { at, end: () => watcher.close() };
}

/**
 * One edit by key, with the panel of the step beside the canvas, until it is both in the file and painted.
 * Compared with writing the same bytes to the disk, and with a page that only paints and a program that only
 * writes.
 */
async function editing(opened, quick, { name, count }) {
  const path = join(opened.files, name);
  const edit = async (round) => {
    const before = readFileSync(path, 'utf8');
    const write = written(opened.files, name);
    const key = round % 2 === 0 ? 'ArrowRight' : 'ArrowLeft';
    const { began, painted } = await page(opened, `bench.moveBy('s0', '${key}')`);
    const at = await write.at;
    write.end();
    if (readFileSync(path, 'utf8') === before) throw new Error(`the edit of ${name} is not in the file`);
    await wait(300);
    return { painted: painted - began, written: at - began };
  };
  const write = async () => {
    const bytes = readFileSync(path);
    const began = performance.now();
    const file = openSync(`${path}.bench`, 'w');
    writeSync(file, bytes);
    fsyncSync(file);
    closeSync(file);
    const ms = performance.now() - began;
    rmSync(`${path}.bench`);
    return { written: ms, painted: await page(opened, 'bench.repaint()') };
  };
  await page(
    opened,
    `bench.open(${JSON.stringify(`${canvasHash(opened.projectId, name)}?step=s0`)}, ${count})`,
  );
  await wait(SETTLE_MS);
  await edit(1);
  const all = (one) => Math.max(one.painted, one.written);
  const sides = { ours: edit, limit: write };
  const { ours, limit } = await interleaved(quick ? 4 : 20, sides, (one, other) => all(one) / other.written);
  await leave(opened);
  const shown = (values) => `${spread(values, 1)} ms`;
  const parts = `painted after ${shown(ours.map((one) => one.painted))}, in the file after ${shown(ours.map((one) => one.written))}`;
  const row = (what, limits, note) => {
    const ratios = ours.map((one, index) => all(one) / limits[index]);
    return {
      what,
      ours: shown(ours.map(all)),
      limit: shown(limits),
      ratio: median(ratios),
      ratios: spread(ratios),
      goal: { atMost: 3 },
      note,
    };
  };
  return [
    row(
      `an edit of ${count} steps from the key to the written file and the painted canvas`,
      limit.map((one) => one.written),
      `against writing the same bytes with fsync; ${parts}. A frame lasts 16.7 ms, and the edit ends with one: where a write takes less than a third of that, no program reaches the goal.`,
    ),
    row(
      `the same edit of ${count} steps against writing and painting alone`,
      limit.map((one) => one.written + one.painted),
      'against writing the same bytes with fsync, and a page that moves one element by a key, to its next frame.',
    ),
  ];
}

/** The code that the page loads before anything is opened: none of it belongs to the canvas or the editor. */
async function atStart(opened) {
  const names = await page(
    opened,
    // The page's own protocol leaves no resource entries: the bundler lists a script's imports beside it.
    `[...document.querySelectorAll('script[src], link[rel=modulepreload]')].map(({ src, href }) => (src ?? href).split('/').at(-1))`,
  );
  if (names.length === 0) throw new Error('the page says of no script that it read it');
  const read = names.map((name) => ({
    name,
    size: statSync(join(root, 'out', 'renderer', 'assets', name)).size,
  }));
  const lazy = read.filter(({ name }) => /canvas|arrange|elk|place-|file-editor|style/.test(name));
  const sum = (all) => all.reduce((bytes, { size }) => bytes + size, 0);
  return {
    what: 'script that is read at the start of the window',
    ours: `${Math.round(sum(read) / 1024)} kB`,
    limit: `${Math.round((sum(read) - sum(lazy)) / 1024)} kB`,
    ratio: sum(read) / (sum(read) - sum(lazy)),
    goal: { atMost: 1.02 },
    note: `against the same without what draws the canvas and edits files (${lazy.map(({ name }) => name).join(', ') || 'none of it is read'}); the time of a start is the row of the area start.`,
  };
}

async function checking(side, quick) {
  const { ours, limit } = await inFolder((folder) => runSide(side('checking'), [quick ? 8 : 30, folder]));
  const ratios = ours.map((ms, index) => ms / limit[index]);
  return {
    what: 'checking unsaved text of 500 steps',
    ours: `${spread(ours, 1)} ms`,
    limit: `${spread(limit, 1)} ms`,
    ratio: median(ratios),
    ratios: spread(ratios),
    goal: { atMost: 1.5 },
    note: 'against the check of `muster validate`, which reads the file; both in the core.',
  };
}

/** The cost for the window of drawing and editing workflows and runs. */
export const canvas = {
  name: 'canvas',
  async run({ side, quick }) {
    const rows = [await checking(side, quick)];
    if (!existsSync(join(root, 'out', 'main', 'startup', 'main.cjs')))
      return [...rows, { what: 'the canvas', missing: 'the app is not built: npm run build' }];
    const folder = await variantApp('paced');
    const env = { BENCH_COMMANDS_PER_SECOND: String(COMMANDS_PER_SECOND) };
    await inFolder(async (home) => {
      const opened = await canvasApp(home, TEXTS, { app: folder, env });
      try {
        await wait(SETTLE_MS);
        rows.push(await atStart(opened));
        await show(opened, 'one.yaml', 1);
        await leave(opened);
        rows.push(await opening(opened, quick, 'many.yaml'));
        rows.push(await opening(opened, quick, 'free.yaml'));
        rows.push(await panning(opened, quick));
        for (const file of [
          { name: 'few.yaml', count: FEW.steps },
          { name: 'many.yaml', count: MANY.steps },
        ])
          rows.push(...(await editing(opened, quick, file)));
        rows.push(await busyCanvas(opened, quick));
      } finally {
        // Before its folder is removed: otherwise that fails without a reason.
        await opened.app.end();
      }
    });
    return rows;
  },
};
