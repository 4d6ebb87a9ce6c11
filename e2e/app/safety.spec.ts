import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Muster } from '../fixtures/launch';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

const flow = `name: Waiting
workspace: folder
steps:
  - id: ok
    type: step.approval
    config: {message: Is it fine?}
`;

const openNets = (muster: Muster): Promise<void> =>
  muster.page.evaluate(() => {
    location.hash = '#/settings/backups';
  });

/** The process with the lock of the data folder. */
function holderOf(dataDir: string): number | null {
  try {
    return Number(readlinkSync(join(dataDir, 'SingletonLock')).split('-').at(-1));
  } catch {
    return null;
  }
}

test('a backup made with its button is restored with its button, and the window shows its history', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page, call } = muster;
  const projects = async () => (await call('project.list', {})).length;
  await bench.project(muster, scripted(flow, 'default: Done.\n'));
  await openNets(muster);
  await expect(page.getByText('No backups yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Back up now' }).click();
  const list = page.getByRole('list', { name: 'Backups' });
  await expect(list.getByRole('listitem')).toHaveCount(1);

  await bench.project(muster, scripted(flow, 'default: Done.\n'));
  expect(await projects()).toBe(2);
  await list.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  // The window is loaded again on the other history.
  await expect.poll(() => projects().catch(() => null), { timeout: 60_000 }).toBe(1);
  await expect(page.getByText(/^Restored .*before-restore/)).toBeVisible();
  await expect(list.getByRole('listitem')).toHaveCount(1);
});

test('after a crash of the core one notice says so, and leads to the diagnostics', async ({ bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const notice = page.getByText('Core crashed (signal 11). Your runs are safe on disk.');
  for (const _crash of [1, 2]) {
    const core = await muster.corePid();
    process.kill(core, 'SIGSEGV');
    await expect.poll(() => muster.corePid(), { timeout: 60_000 }).not.toBe(core);
    await expect(notice).toHaveCount(1);
  }
  await page.getByRole('button', { name: 'Save diagnostics' }).click();
  await expect(page.getByRole('heading', { name: 'Backups and diagnostics' })).toBeVisible();
  await page.getByRole('button', { name: 'Show what is saved' }).click();
  await expect(page.getByText('logs/core.jsonl')).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toHaveCount(0);
});

test('after three crashes at start safe mode reads and backs up history, starts nothing, and has a way out', async ({
  bench,
}) => {
  test.setTimeout(360_000);
  const first = await bench.launch();
  const project = await bench.project(first, scripted(flow, 'default: Done.\n'));
  await first.call('settings.set', { settings: { theme: 'dark' } });
  const { runId } = await first.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(first, runId, ({ row }) => row.status === 'waiting');
  await first.close();
  for (const _crash of [1, 2, 3]) {
    const muster = await bench.launch();
    const gone = muster.app.waitForEvent('close');
    muster.app.process().kill('SIGKILL');
    await gone;
  }

  const { app, page, call } = await bench.launch({
    args: ['--no-sandbox'],
    env: { MUSTER_SAFE_MODE_ANSWER: 'safe' },
  });
  await expect(page.getByText(/^Safe mode: no run continues/)).toBeVisible({ timeout: 60_000 });
  expect(await call('run.live', {})).toEqual([]);
  expect((await call('run.list', {})).rows).toMatchObject([{ id: runId, status: 'waiting' }]);
  expect(await call('settings.get', {})).toMatchObject({ theme: 'system' });
  expect(await call('backup.make', {})).toMatchObject({ kind: 'manual', version: 1 });
  const refused = /In safe mode nothing is started or changed/;
  await expect(call('run.start', { projectId: project.id, file: WORKFLOW })).rejects.toThrow(refused);
  await expect(call('settings.set', { settings: { theme: 'light' } })).rejects.toThrow(refused);

  const log = join(bench.dataDir, 'logs', 'main.log');
  const started = () => (existsSync(log) && readFileSync(log, 'utf8').match(/core: running/g)?.length) || 0;
  const before = started();
  const safe = holderOf(bench.dataDir);
  const gone = app.waitForEvent('close');
  await page.getByRole('button', { name: 'Leave safe mode' }).click();
  await gone;
  try {
    await expect.poll(started, { timeout: 120_000 }).toBeGreaterThan(before);
    expect(holderOf(bench.dataDir)).not.toBe(safe);
  } finally {
    const pid = holderOf(bench.dataDir);
    if (pid !== null && pid !== safe) process.kill(pid, 'SIGTERM');
  }
  await expect.poll(() => holderOf(bench.dataDir), { timeout: 120_000 }).toBeNull();
  const again = await bench.launch();
  expect(await again.call('settings.get', {})).toMatchObject({ theme: 'dark' });
  await bench.until(again, runId, ({ row }) => row.status === 'waiting');
  expect(await again.call('run.live', {})).toEqual([runId]);
});
