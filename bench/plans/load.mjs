import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/lib/paths.mjs';
import { startElectron } from '../lib/electron.mjs';
import { EVENTS_OF } from '../lib/pushes.mjs';
import { bareRelay, FRAME_MS } from '../lib/relay.mjs';
import { inFolder } from '../lib/side.mjs';
import { median, quantile, spread } from '../lib/statistics.mjs';
import { variantApp } from '../lib/variant-app.mjs';

const MEASURE_MS = 2_500;
/** Together enough for the whole time at 400 steps per second. */
const RUNS = 5;
const STEPS = 256;

const workflow = `name: load
workspace: folder
max_parallel: 8
steps:${Array.from({ length: STEPS }, (_, index) => `\n  - { id: s${index}, type: step.command, config: { script: ':', terminal: false } }`).join('')}
`;

function makeProject(folder) {
  const project = join(folder, 'project');
  mkdirSync(join(project, '.muster', 'workflows'), { recursive: true });
  writeFileSync(join(project, '.muster', 'workflows', 'load.yaml'), workflow);
  return project;
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** In the page: starts the runs, subscribes to them and notes the age of each event at its arrival. */
const begin = (project) => `(async () => {
  const call = async (name, input) => {
    const reply = await muster.call(name, input);
    if (!reply.ok) throw new Error(name + ': ' + reply.error.message);
    return reply.value;
  };
  const eventsOf = ${EVENTS_OF};
  window.ages = [];
  window.deaf?.();
  window.deaf = muster.onPush((pushes) => {
    const now = performance.timeOrigin + performance.now();
    for (const push of pushes) if (push.topic === 'run') for (const event of eventsOf(push)) ages.push(now - event.at);
  });
  const { id } = await call('project.add', { path: ${JSON.stringify(project)} });
  const started = [];
  for (let run = 0; run < ${RUNS}; run += 1) {
    started.push(call('run.start', { projectId: id, file: '.muster/workflows/load.yaml' }));
  }
  const runs = await Promise.all(started);
  muster.subscribe(runs.map(({ runId }) => 'run:' + runId));
})()`;

const stillRunning = `muster.call('run.list', { status: 'running' }).then((reply) => reply.value.rows.length)`;

/** One round on the running app: main's loop while the app is idle, while the core works, and afterwards. */
async function round(app, project) {
  const before = await app.ask('loop', { ms: MEASURE_MS });
  await app.ask('page', { code: begin(project) });
  const loaded = await app.ask('loop', { ms: MEASURE_MS });
  const ages = await app.ask('page', { code: 'ages.splice(0)' });
  while ((await app.ask('page', { code: stillRunning })) > 0) await wait(100);
  await wait(500);
  const after = await app.ask('loop', { ms: MEASURE_MS });
  return {
    idle: (before.p99 + after.p99) / 2,
    loaded: loaded.p99,
    age: quantile(ages, 0.99),
    events: ages.length,
  };
}

export const load = {
  name: 'load',
  async run({ quick }) {
    const age = { what: 'commit to event in the window at 400 steps/s, p99', goal: { atMost: 1 } };
    const loop = { what: "main's loop at 400 steps/s against idle, p99", goal: { atMost: 1.25 } };
    if (!existsSync(join(root, 'out', 'main', 'startup', 'main.cjs'))) {
      return [age, loop].map((row) => ({ ...row, missing: 'the app is not built: npm run build' }));
    }
    const folder = await variantApp('paced');
    return inFolder(async (home) => {
      const project = makeProject(home);
      const ours = [];
      const bare = [];
      const app = await startElectron([folder, '--data-dir', join(home, 'data'), 'muster://settings'], {
        selector: 'section',
      });
      await app.painted;
      // The work of the start is over, and the first round has warmed everything up.
      await wait(2_000);
      await round(app, project);
      for (let i = 0; i < (quick ? 3 : 7); i += 1) {
        ours.push(await round(app, project));
        bare.push(await bareRelay(home));
      }
      await app.end();
      const ages = ours.map((one) => one.age);
      const limits = bare.map((p99) => p99 + FRAME_MS);
      const ageRatio = ages.map((p99, index) => p99 / limits[index]);
      const loopRatio = ours.map(({ idle, loaded }) => loaded / idle);
      return [
        {
          ...age,
          ours: `${spread(ages, 1)} ms`,
          limit: `${spread(limits, 1)} ms`,
          ratio: median(ageRatio),
          ratios: spread(ageRatio),
          note: `the limit is one frame and the p99 of a bare relay from a utility process over main to a page (${spread(bare, 1)} ms); ours counts from the event's own time, which is before its commit; ${median(ours.map(({ events }) => events))} events a round.`,
        },
        {
          ...loop,
          ours: `${spread(ours.map(({ loaded }) => loaded))} ms`,
          limit: `${spread(ours.map(({ idle }) => idle))} ms`,
          ratio: median(loopRatio),
          ratios: spread(loopRatio),
          note: "the delay of main's event loop, told every event of all runs for a window that follows them.",
        },
      ];
    });
  },
};
