import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Cli } from '../fixtures/cli';
import type { Muster } from '../fixtures/launch';
import { makeProject } from '../fixtures/project';
import { statusesSeen, watchStatus } from '../fixtures/terminal-status';
import { type Bench, expect, letGo, test, WORKFLOW } from '../fixtures/test';

/** Each execution writes a line; then it asks for a word, and waits for a file. */
const workflow = (folder: string) => `name: Shell
steps:
  - id: shell
    type: step.command
    on_interrupt: ask
    config:
      script: |
        echo run >> ${folder}/runs
        echo ready
        while read -r word; do echo "had $word"; [ "$word" = on ] && break; done
        while [ ! -e ${folder}/go ]; do sleep 0.05; done
        echo over
`;

const runs = (bench: Bench) => readFileSync(join(bench.dataDir, 'runs'), 'utf8');
const foot = (page: Page) => page.locator('.terminal-foot');
const shown = (page: Page) =>
  page.evaluate(() => {
    const rows = document.querySelectorAll('.xterm-accessibility-tree > div');
    return [...rows].map((row) => row.textContent ?? '').join('\n');
  });

async function type(page: Page, word: string): Promise<void> {
  await page.locator('[data-part="terminal-box"] textarea').focus();
  await page.keyboard.type(word);
  await page.keyboard.press('Enter');
}

/** Starts the program in a visible terminal. */
async function begin(bench: Bench, muster: Muster): Promise<number> {
  const { page } = muster;
  const project = await bench.project(muster, { [WORKFLOW]: workflow(bench.dataDir) });
  await muster.call('app.setLayout', { key: 'terminal.screenReader', value: true });
  await page.reload();
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ state }) => state.commands[1]?.status === 'running');
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/terminal/${runId}/c1`);
  await expect(foot(page)).toHaveAttribute('data-status', 'live');
  await expect.poll(() => shown(page)).toContain('ready');
  return runId;
}

/** The process id of the terminal process. */
const hostPid = (muster: Muster) =>
  muster.app.evaluate(({ app }) => {
    const named = app.getAppMetrics().find((one) => /terminal host/i.test(one.name ?? one.serviceName ?? ''));
    return named?.pid ?? 0;
  });

/** kill -9, and waits until the next core is there and has resumed its runs. */
async function killCore(muster: Muster, also: readonly number[] = []): Promise<void> {
  const pid = await muster.corePid();
  for (const one of [pid, ...also]) process.kill(one, 'SIGKILL');
  await expect.poll(() => muster.corePid().catch(() => pid), { timeout: 120_000 }).not.toBe(pid);
  await muster.call('run.list', {});
}

test('a command in a terminal outlives two kills of the core: the same terminal, typed into, run once', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const runId = await begin(bench, muster);
  await watchStatus(page);
  await killCore(muster);
  await type(page, 'first');
  await expect.poll(() => shown(page)).toContain('had first');
  await killCore(muster);
  await type(page, 'on');
  await expect.poll(() => shown(page)).toContain('had on');
  const { state: during } = await muster.call('run.get', { runId });
  expect(during.commands[1]?.status).toBe('running');
  const seen = await statusesSeen(page);
  expect(seen.filter((status) => status !== 'live')).toEqual([]);
  letGo(bench.dataDir);
  const { row, state } = await bench.until(muster, runId, (run) => run.row.finishedAt !== null);
  expect(row.status).toBe('succeeded');
  expect(Object.values(state.commands)).toHaveLength(1);
  expect(state.commands[1]).toMatchObject({ status: 'exited', exitCode: 0 });
  expect(state.commands[1]?.output).toMatch(/^ready\r\nfirst\r\nhad first\r\non\r\nhad on\r\nover\r\n$/);
  expect(runs(bench)).toBe('run\n');
});

test('a command that ends while there is no core ends its run when there is one again', async ({ bench }) => {
  const muster = await bench.launch();
  const runId = await begin(bench, muster);
  await type(muster.page, 'on');
  await expect.poll(() => shown(muster.page)).toContain('had on');
  const pid = await muster.corePid();
  process.kill(pid, 'SIGSTOP');
  letGo(bench.dataDir);
  await expect(foot(muster.page)).toHaveAttribute('data-status', 'ended');
  process.kill(pid, 'SIGKILL');
  const { row, state } = await bench.until(muster, runId, (run) => run.row.finishedAt !== null);
  expect(row.status).toBe('succeeded');
  expect(state.commands[1]?.output).toContain('over');
  expect(runs(bench)).toBe('run\n');
});

test('a run that is cancelled after the core came again ends its command', async ({ bench }) => {
  const muster = await bench.launch();
  const runId = await begin(bench, muster);
  await killCore(muster);
  await muster.call('run.cancel', { runId });
  const { state } = await bench.until(muster, runId, (run) => run.row.finishedAt !== null);
  expect(state.commands[1]?.status).toBe('cancelled');
  await expect(foot(muster.page)).toHaveAttribute('data-status', 'ended');
});

test('a kill of the terminal host with the core interrupts the command, and its policy is asked', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const runId = await begin(bench, muster);
  await killCore(muster, [await hostPid(muster)]);
  const { state } = await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  expect(state.commands[1]?.status).toBe('interrupted');
  expect(state.gates[1]?.kind).toBe('interrupted_command');
  expect(existsSync(join(bench.dataDir, 'runs')) && runs(bench)).toBe('run\n');
});

test('a kill of the whole app ends the command, which is interrupted at the next start', async ({
  bench,
}) => {
  const first = await bench.launch();
  const runId = await begin(bench, first);
  const gone = first.app.waitForEvent('close');
  process.kill(first.app.process().pid ?? 0, 'SIGKILL');
  await gone;
  const second = await bench.launch();
  const { state } = await bench.until(second, runId, ({ row }) => row.openGates === 1);
  expect(state.commands[1]?.status).toBe('interrupted');
  expect(runs(bench)).toBe('run\n');
});

/** Processes with this word among their arguments; zombies have none. */
function alive(word: string): number {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => !line.startsWith('Z') && line.split(/\s+/).includes(word)).length;
}

test('the command line takes its terminals with it: nothing of them is left, and the command is interrupted', async ({
  bench,
}) => {
  const script = `trap '' HUP TERM; setsid sleep 86413 & sleep 86413`;
  const project = makeProject({
    [WORKFLOW]: `name: Shell\nsteps:\n  - {id: shell, type: step.command, config: {script: "${script}"}}\n`,
  });
  const cli = new Cli(bench.dataDir);
  try {
    const hosting = cli.start('run', join(project, WORKFLOW));
    await expect.poll(() => alive('86413'), { timeout: 120_000 }).toBeGreaterThanOrEqual(2);
    hosting.child.kill('SIGKILL');
    await hosting.done;
    await expect.poll(() => alive('86413'), { timeout: 120_000 }).toBe(0);
    const resumed = await cli.run('resume', '1');
    expect(resumed).toMatchObject({ code: 6, out: expect.stringContaining('waits for you') });
  } finally {
    await cli.end();
  }
});
