import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/lib/paths.mjs';
import { canvasHash, gridText } from '../lib/canvas-app.mjs';
import { interleaved } from '../lib/compare.mjs';
import { inFolder } from '../lib/side.mjs';
import { median, spread } from '../lib/statistics.mjs';
import { addProject, CALL, openApp, wait } from '../lib/team-app.mjs';
import { writeWorkflows } from '../lib/workflow-files.mjs';

const DIFFS = { large: 20_000, small: 200 };
/** Gates of one run: each of its steps asks, and none waits for another. */
const ASKING = 50;
const ITEMS = { many: 5_000, few: 50 };
const KEYS = 40;
/** The work after the app's start is over by then. */
const SETTLE_MS = 4_000;

const writes = (lines) => `name: Diff of ${lines}
steps:
  - id: code
    type: step.coding
    config: { instruction: 'Write ${lines} lines.', agents: [{ role: builder, acp_profile_id: worker }] }
  - { id: ok, type: step.approval, config: { message: 'Take it?' } }
cables:
  - { from: code.diff_out, to: ok.data_in }
`;
const script = `match:
  - when: 'Write (\\d+) lines'
    reply: { do: [{ run: { command: 'seq 1 {{1}} > many.txt' } }], text: Written. }
default: Done.
`;
const asking = `name: Asking
workspace: folder
steps:
${Array.from({ length: ASKING }, (_, index) => `  - { id: s${index}, type: step.approval, config: { message: 'Take ${index}?' } }`).join('\n')}
`;
const TEXTS = {
  'large.yaml': writes(DIFFS.large),
  'small.yaml': writes(DIFFS.small),
  'asking.yaml': asking,
  'many.yaml': gridText('many', { steps: 500, cables: 0, placed: false }),
  'empty.yaml': 'name: empty\nsteps: []\n',
};

/** In the page: waits for frames and elements, and measures the milliseconds until a view shows something. */
const PAGE = `window.bench = (() => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const until = async (holds) => { while (!holds()) await frame(); await frame(); await frame(); };
  const leave = async () => { location.hash = '#/settings/api'; await until(() => document.querySelector('main [role="option"][aria-selected="true"]')?.textContent === 'Local API'); };
  const open = async (hash, selector, count = 1) => {
    const began = performance.now();
    location.hash = hash;
    await until(() => document.querySelectorAll(selector).length >= count);
    return performance.now() - began;
  };
  return { frame, until, leave, open };
})(); 0`;

const page = (app, code) => app.ask('page', { code });

async function startRuns(app, { projectId, name, count }) {
  const file = `.muster/workflows/${name}`;
  return page(
    app,
    `(async () => { ${CALL}
      const runs = [];
      for (let index = 0; index < ${count}; index += 1)
        runs.push((await call('run.start', { projectId: ${projectId}, file: '${file}' })).runId);
      return runs;
    })()`,
  );
}

const openGates = (app, runId) =>
  page(app, `(async () => { ${CALL} return (await call('run.get', { runId: ${runId} })).row.openGates; })()`);

async function comparison(app, quick, { ours, limit, ...row }) {
  const timeOf = (open) => async () => {
    const ms = await page(app, open);
    await page(app, 'bench.leave()');
    await wait(200);
    return ms;
  };
  const sides = { ours: timeOf(ours), limit: timeOf(limit) };
  await sides.limit();
  await sides.ours();
  const figures = await interleaved(quick ? 3 : 9, sides, (own, bare) => own / bare);
  return {
    ...row,
    ours: `${spread(figures.ours, 0)} ms`,
    limit: `${spread(figures.limit, 0)} ms`,
    ratio: figures.middle,
    ratios: spread(figures.ratio),
  };
}

async function openingGates(app, quick, projectId) {
  const runs = {};
  for (const name of ['large', 'small']) {
    const [runId] = await startRuns(app, { projectId, name: `${name}.yaml`, count: 1 });
    while ((await openGates(app, runId)) === 0) await wait(200);
    runs[name] = runId;
  }
  const opens = (runId) => `bench.open('#/gate/${runId}/1', '.diff-line.added', 10)`;
  return comparison(app, quick, {
    what: `opening a gate with a diff of ${DIFFS.large.toLocaleString('en')} lines, against ${DIFFS.small}`,
    ours: opens(runs.large),
    limit: opens(runs.small),
    goal: { atMost: 2 },
    note: 'from the address to two frames after the first lines of the diff are in the page.',
  });
}

/** One app after the other: a window covered by another draws no frames. */
async function openingList(quick) {
  const rounds = quick ? 3 : 9;
  const timesOf = (items) =>
    inFolder(async (home) => {
      const app = await openApp(join(home, 'data'));
      const projectId = await addProject(app, home, script);
      writeWorkflows(home, TEXTS);
      const runs = await startRuns(app, { projectId, name: 'asking.yaml', count: items / ASKING });
      while ((await openGates(app, runs.at(-1))) < ASKING) await wait(200);
      await page(app, PAGE);
      await wait(SETTLE_MS);
      const times = [];
      for (let round = 0; round <= rounds; round += 1) {
        await page(app, 'bench.leave()');
        await wait(200);
        times.push(
          await page(app, `bench.open('#/inbox', '[aria-label="Waiting gates"] [role="option"]', 5)`),
        );
      }
      await app.end();
      return times.slice(1);
    });
  const ours = await timesOf(ITEMS.many);
  const limit = await timesOf(ITEMS.few);
  return {
    what: `opening the attention list with ${ITEMS.many.toLocaleString('en')} items, against ${ITEMS.few}`,
    ours: `${spread(ours, 0)} ms`,
    limit: `${spread(limit, 0)} ms`,
    ratio: median(ours) / median(limit),
    goal: { atMost: 1.3 },
    note: 'from the address to two frames after the first rows are in the page; an app of its own for each.',
  };
}

/** The main thread's time for a key, with the frame that shows it. */
const typing = (hash) => `(async () => {
  await bench.open('${hash}?show=text', '[data-part="yaml-editor"]');
  const text = () => document.querySelector('[data-part="yaml-editor"]').shadowRoot?.querySelector('.cm-content');
  await bench.until(() => text());
  text().focus();
  const times = [];
  for (let index = 0; index < ${KEYS}; index += 1) {
    await bench.frame();
    const began = performance.now();
    document.execCommand('insertText', false, '#');
    await bench.frame();
    await new Promise((resolve) => setTimeout(resolve));
    times.push(performance.now() - began);
  }
  for (let index = 0; index < ${KEYS}; index += 1) document.execCommand('undo');
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
})()`;

/**
 * The cost of the operator's own work: a gate with its evidence, the attention list, the text of a workflow.
 */
export const operator = {
  name: 'operator',
  async run({ quick }) {
    if (!existsSync(join(root, 'out', 'main', 'startup', 'main.cjs')))
      return [{ what: 'the work of an operator', missing: 'the app is not built: npm run build' }];
    const rows = await inFolder(async (home) => {
      const app = await openApp(join(home, 'data'));
      const projectId = await addProject(app, home, script);
      writeWorkflows(home, TEXTS);
      await page(app, PAGE);
      await wait(SETTLE_MS);
      const gates = await openingGates(app, quick, projectId);
      const keys = await comparison(app, quick, {
        what: 'typing in the text of 500 steps, against an empty file',
        ours: typing(canvasHash(projectId, 'many.yaml')),
        limit: typing(canvasHash(projectId, 'empty.yaml')),
        goal: { atMost: 1.5 },
        note: `the median of ${KEYS} keys, each with the frame that shows it.`,
      });
      await app.end();
      return [gates, keys];
    });
    return [...rows, await openingList(quick)];
  },
};
