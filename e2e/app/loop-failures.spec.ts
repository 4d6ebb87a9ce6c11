import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beginLoop, does, loopFiles, openLoops, pass } from '../fixtures/loop';
import { canDecide, expect, letGo, test } from '../fixtures/test';

const gitIn = (cwd: string, ...words: string[]): string =>
  execFileSync('git', words, { cwd, encoding: 'utf8' });

test('a loop that failed twice keeps its branch over a kill of the core, and its hint reaches the next worker', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const hinted = `
  - when: 'From the operator\\s+Use port 0'
    reply:
      do:${pass(1)}
      text: "Did it on port 0.\\nResult: completed"
  - when: '^Your story: US-001'
    reply: "The port is taken.\\nResult: failed"`;
  const project = await bench.project(muster, loopFiles(hinted + does(2) + does(3)));
  await openLoops(page);
  await beginLoop(page, '5');
  const before = await bench.until(muster, 1, ({ row }) => row.status === 'failed');
  expect(before.row).toMatchObject({ finishedAt: null, openGates: 1 });
  expect(before.row.now).toMatch(/^Question open: .*failed twice at US-001/);
  const folder = before.state.workspace?.path ?? '';
  const head = () => gitIn(folder, 'symbolic-ref', '--short', 'HEAD').trim();
  expect(head()).toBe('ralph/e2e');

  const pid = await muster.corePid();
  process.kill(pid, 'SIGKILL');
  await expect(async () => expect(await muster.corePid()).not.toBe(pid)).toPass({ timeout: 120_000 });
  const after = await bench.until(muster, 1, ({ row }) => row.openGates === 1);
  expect(after.row).toMatchObject({ status: 'failed', finishedAt: null });
  expect(after.state.results).toBeNull();
  expect(head()).toBe('ralph/e2e');
  // git itself rejects the branch for another worktree.
  const taken = () => gitIn(project.path, 'worktree', 'add', '-q', join(bench.dataDir, 'other'), 'ralph/e2e');
  expect(taken).toThrow();

  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/run/${after.row.uid}`);
  await expect(page.getByText('Failed, question open').first()).toBeVisible();
  await openLoops(page);
  const gate = page.getByRole('region', { name: /^Gate: .*failed twice at US-001/ });
  await canDecide(page);
  await page.keyboard.press('t');
  await gate.getByRole('textbox').fill('Use port 0');
  await gate.getByRole('button', { name: /^Resume from here/ }).click();
  const end = await bench.until(muster, 1, ({ row }) => row.status === 'succeeded');
  const third = Object.values(end.state.turns).find(({ label }) => label === 'iteration 2/5');
  expect(third?.prompt).toContain('## From the operator\nUse port 0');
  expect(gitIn(project.path, 'log', '--format=%s', 'ralph/e2e').trim().split('\n')).toEqual([
    ...['feat: US-003', 'feat: US-002', 'feat: US-001', 'first'],
  ]);
});

test('an attempt whose core is killed while the check of the project runs is judged by it, and reported once', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const project = await bench.project(muster, loopFiles([1, 2, 3].map((number) => does(number)).join('')));
  const check = `echo checked >> ${bench.dataDir}/checks; while [ ! -e ${bench.dataDir}/go ]; do sleep 0.05; done`;
  const { runId } = await muster.call('loop.start', {
    projectId: project.id,
    worker: 'worker',
    iterations: 4,
    verify: check,
  });
  await bench.until(muster, runId, ({ state }) => state.commands[1]?.status === 'running');
  const pid = await muster.corePid();
  process.kill(pid, 'SIGKILL');
  await expect(async () => expect(await muster.corePid()).not.toBe(pid)).toPass({ timeout: 120_000 });
  letGo(bench.dataDir);
  const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  const attempts = state.loops[1]?.attempts ?? [];
  expect(
    attempts.map(({ judged, end }) => [judged?.result, end?.check?.outcome, end?.check?.exitCode]),
  ).toEqual([1, 2, 3].map(() => ['completed', 'exited', 0]));
  const { rows } = await muster.call('feed.list', { runId });
  expect(rows.map(({ text }) => text.split('\n')[0])).toEqual(
    [3, 2, 1].map((number) => `Iteration ${number}/4`),
  );
});
