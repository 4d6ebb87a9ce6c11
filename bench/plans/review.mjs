import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/lib/paths.mjs';
import { interleaved } from '../lib/compare.mjs';
import { startElectron } from '../lib/electron.mjs';
import { inFolder } from '../lib/side.mjs';
import { quantile, spread } from '../lib/statistics.mjs';
import { CALL, wait } from '../lib/team-app.mjs';

const LARGE = { name: 'large', files: 100, lines: 500 };
const SMALL = { name: 'small', files: 1, lines: 200 };
const FRAMES = 360;
const STEP_PX = 180;
/** A view that was left keeps its answers for a while; then the change is read again. */
const FORGOTTEN_MS = 5_000;

/** The script of an agent that writes `files` files of `lines` lines. */
function scriptOf({ files, lines }) {
  const text = `awk 'BEGIN { for (i = 1; i <= ${lines}; i += 1) print "export const value" i " = compute(" i ", 1);" }'`;
  const command = `mkdir -p src && for f in $(seq 1 ${files}); do ${text} > src/file-$f.ts; done`;
  return `default:\n  do:\n    - run: {command: ${JSON.stringify(command)}}\n  text: Written.\n`;
}

function makeProject(path) {
  const muster = join(path, '.muster');
  mkdirSync(join(muster, 'workflows'), { recursive: true });
  const profiles = [LARGE, SMALL].map(
    ({ name }) => `  - {kind: scripted, id: ${name}, name: ${name}, script: .muster/${name}.yaml}\n`,
  );
  writeFileSync(join(muster, 'agents.yaml'), `profiles:\n${profiles.join('')}`);
  for (const size of [LARGE, SMALL]) {
    writeFileSync(join(muster, `${size.name}.yaml`), scriptOf(size));
    const step = `  - {id: write, type: step.agent_task, config: {acp_profile_id: ${size.name}, instruction: Write it.}}\n`;
    writeFileSync(join(muster, 'workflows', `${size.name}.yaml`), `name: ${size.name}\nsteps:\n${step}`);
  }
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=B', '-c', 'user.email=b@example.org', ...args], { cwd: path });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'begin');
}

/** In the page: opens the changes of a session, and scrolls them. */
const PAGE = `window.bench = (() => {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const until = async (holds) => { while (!holds()) await nextFrame(); };
  const lines = () => document.querySelectorAll('[data-part="desk"] .diff-line').length;
  const open = async (runId, least) => {
    const began = performance.now();
    location.hash = '#/session/' + runId + '/1?show=changes';
    await until(() => lines() >= least);
    await nextFrame();
    await nextFrame();
    return performance.now() - began;
  };
  const leave = async () => {
    location.hash = '#/settings';
    await until(() => lines() === 0);
  };
  const frames = async (count, act) => {
    const times = [];
    let last = await nextFrame();
    for (let index = 0; index < count; index += 1) {
      act(index);
      const now = await nextFrame();
      times.push(now - last);
      last = now;
    }
    return times;
  };
  const scroll = async (count, step) => {
    const list = document.querySelector('[data-part="desk"] [data-part="stack"]');
    let way = 1;
    const times = await frames(count, () => {
      const before = list.scrollTop;
      list.scrollTop = before + way * step;
      if (list.scrollTop === before) way = -way;
    });
    return { times, top: list.scrollTop, height: list.scrollHeight };
  };
  const idle = (count) => frames(count, () => {});
  return { open, leave, scroll, idle };
})(); 0`;

async function reviewApp(home) {
  const path = join(home, 'project');
  makeProject(path);
  const app = await startElectron([root, '--data-dir', join(home, 'data'), 'muster://settings'], {
    selector: 'section',
  });
  await app.painted;
  const page = (code) => app.ask('page', { code });
  const started = (name) => `(async () => { ${CALL}
    const projects = await call('project.list', {});
    const known = projects.find(({ path }) => path === ${JSON.stringify(path)});
    const projectId = known?.id ?? (await call('project.add', { path: ${JSON.stringify(path)} })).id;
    const { runId } = await call('run.start', { projectId, file: '.muster/workflows/${name}.yaml' });
    while ((await call('run.get', { runId })).row.status !== 'succeeded')
      await new Promise((resolve) => setTimeout(resolve, 200));
    return runId;
  })()`;
  const large = await page(started('large'));
  const small = await page(started('small'));
  await page(PAGE);
  return { app, page, large, small };
}

async function opening({ page, large, small }, quick) {
  const timeOf = async (runId) => {
    const taken = await page(`bench.open(${runId}, 20)`);
    await page('bench.leave()');
    await wait(FORGOTTEN_MS);
    return taken;
  };
  const sides = { ours: () => timeOf(large), limit: () => timeOf(small) };
  await sides.limit();
  const { ours, limit, ratio, middle } = await interleaved(quick ? 3 : 7, sides, (many, few) => many / few);
  return {
    what: `first lines of a change of ${LARGE.files * LARGE.lines} lines`,
    ours: `${spread(ours, 0)} ms`,
    limit: `${spread(limit, 0)} ms`,
    ratio: middle,
    ratios: spread(ratio),
    goal: { atMost: 2 },
    note: `against one of ${SMALL.lines} lines, in a session; from the address to two frames after its first lines.`,
  };
}

async function scrolling({ page, large }, quick) {
  const ofChange = async () => {
    await page(`bench.open(${large}, 20)`);
    await wait(500);
    const { times, height } = await page(`bench.scroll(${FRAMES}, ${STEP_PX})`);
    if (height < 100_000) throw new Error(`only ${height} pixels of lines`);
    await page('bench.leave()');
    return quantile(times, 0.95);
  };
  const empty = async () => quantile(await page(`bench.idle(${FRAMES})`), 0.95);
  const { ours, limit, ratio, middle } = await interleaved(
    quick ? 3 : 7,
    { ours: ofChange, limit: empty },
    (own, bare) => own / bare,
  );
  return {
    what: `frame time p95 scrolling a change of ${LARGE.files * LARGE.lines} lines`,
    ours: `${spread(ours, 1)} ms`,
    limit: `${spread(limit, 1)} ms`,
    ratio: middle,
    ratios: spread(ratio),
    goal: { atMost: 1.25 },
    note: `against a page in which nothing happens; ${FRAMES} frames of ${STEP_PX} px, with colours and words worked out on the way.`,
  };
}

export const review = {
  name: 'review',
  async run({ quick }) {
    if (!existsSync(join(root, 'out', 'main', 'startup', 'main.cjs')))
      return [{ what: 'the review desk', missing: 'the app is not built: npm run build' }];
    return inFolder(async (home) => {
      const opened = await reviewApp(home);
      try {
        return [await opening(opened, quick), await scrolling(opened, quick)];
      } finally {
        await opened.app.end();
      }
    });
  },
};
