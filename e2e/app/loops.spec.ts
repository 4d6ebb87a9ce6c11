import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import type { Page } from '@playwright/test';
import { beginLoop, does, loopFiles, openLoops, pass, plan, planIsRead, TITLES } from '../fixtures/loop';
import { looksBack } from '../fixtures/replay';
import { canDecide, expect, letGo, test } from '../fixtures/test';

const story = (page: Page, number: number) =>
  page.getByRole('listbox', { name: 'Stories' }).getByRole('option', { name: new RegExp(`US-00${number}`) });
const allPass = (page: Page) => page.getByText('3 of 3 stories pass', { exact: true });
const attempts = (page: Page) => page.getByRole('region', { name: /^Iteration \d/ });

test('a loop runs from the form to its end: stories pass, updates stand, logs are read, and a reload shows the same', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, loopFiles([1, 2, 3].map((number) => does(number)).join('')));
  await openLoops(page);
  await expect(page.getByRole('heading', { name: 'No loops yet' })).toBeVisible();
  await page.getByLabel('Folder').fill('nowhere');
  await expect(page.getByText('there is no nowhere/prd.json')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start the loop' })).toBeDisabled();
  await page.getByLabel('Folder').fill('.');
  await beginLoop(page, '4');

  await expect(allPass(page)).toBeVisible({ timeout: 120_000 });
  for (const number of [1, 2, 3])
    await expect(story(page, number)).toContainText(`passed at iteration ${number}`);
  await expect(attempts(page)).toHaveCount(3);
  const last = page.getByRole('region', { name: 'Iteration 3/4', exact: true });
  await expect(last).toContainText('the story passes in prd.json');
  const { rows } = await muster.call('feed.list', { runId: 1 });
  expect(rows.map(({ text }) => text.split('\n').slice(0, 3))).toEqual(
    [3, 2, 1].map((number) => [
      `Iteration ${number}/4`,
      `Story: US-00${number} - ${TITLES[number - 1]}`,
      'Result: completed',
    ]),
  );
  const log = execFileSync('git', ['log', '--format=%s', 'ralph/e2e'], {
    cwd: project.path,
    encoding: 'utf8',
  });
  expect(log.trim().split('\n')).toEqual(['feat: US-003', 'feat: US-002', 'feat: US-001', 'first']);

  await page.getByRole('region', { name: 'Attempts' }).focus();
  await page.keyboard.press('Shift+U');
  const copied = () => muster.app.evaluate(({ clipboard }) => clipboard.readText());
  await expect.poll(copied).toBe(rows[0]?.text);
  await page.keyboard.press('l');
  const logs = page.getByRole('region', { name: 'Logs of iteration 3/4' });
  await expect(logs.getByRole('region', { name: 'Last message', exact: true })).toContainText('Did story 3.');
  await logs.getByLabel('Search the logs').fill('prd.json');
  await expect(logs.getByRole('region', { name: 'Events', exact: true })).toContainText('Edit prd.json');
  await expect(logs.getByRole('region', { name: 'Last message', exact: true })).toContainText('No matches');
  await page.getByRole('button', { name: 'Close the logs' }).click();

  await story(page, 1).dblclick();
  await expect(page).toHaveURL(/#\/loop\/1\/1\/attempt\/1$/);
  const first = page.getByRole('region', { name: 'Iteration 1/4', exact: true });
  await expect(first.getByRole('region', { name: 'The update as it was sent' })).toContainText(
    'Did story 1.',
  );
  const shown = async () => [
    await page.getByRole('listbox', { name: 'Stories' }).textContent(),
    await first.getByRole('region', { name: 'The update as it was sent' }).textContent(),
  ];
  const before = await shown();
  await page.reload();
  await expect(first.getByRole('region', { name: 'The update as it was sent' })).toBeVisible();
  expect(await shown()).toEqual(before);
  await looksBack(page, () => expect(page.getByText('passed at iteration')).toHaveCount(0));
  expect(await shown()).toEqual(before);
});

test('a blocked loop is answered in place, with text that the next worker is given', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const told = `
  - when: 'From the operator\\s+Use semicolons'
    reply:
      do:${pass(1)}
      text: "Did it with semicolons.\\nResult: completed"
  - when: '^Your story: US-001'
    reply: "Commas or semicolons? I need your decision.\\nResult: blocked"`;
  await bench.project(muster, loopFiles(told + does(2) + does(3)));
  await openLoops(page);
  await beginLoop(page, '5');
  const gate = page.getByRole('region', { name: /^Gate: .*blocked at US-001/ });
  await expect(gate).toContainText('Result: blocked', { timeout: 120_000 });
  await expect(story(page, 1)).toContainText('blocked after 1 attempt');
  await page.keyboard.press('t');
  await gate.getByRole('textbox').fill('Use semicolons');
  await gate.getByRole('button', { name: /^Continue/ }).click();
  await expect(allPass(page)).toBeVisible({ timeout: 120_000 });
  await expect(gate).toContainText('Continue');
  await expect(story(page, 1)).toContainText('passed at iteration 2');
  await expect(page.getByText('You said: Use semicolons')).toBeVisible();
});

test('a loop pauses after its iteration, is stopped, and goes on where it stood', async ({ bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const waits = (number: number) => does(number, `\n        - wait_for_file: go-${number}`);
  await bench.project(muster, loopFiles(waits(1) + waits(2) + does(3)));
  await openLoops(page);
  await beginLoop(page, '6');
  await expect(story(page, 1)).toContainText('being worked on', { timeout: 120_000 });
  await page.keyboard.press('p');
  await expect(page.getByText('pauses after this iteration', { exact: true })).toBeVisible();
  const { state } = await bench.until(muster, 1, (run) => run.state.workspace !== null);
  const folder = state.workspace?.path ?? '';
  letGo(folder, 'go-1');
  const gate = page.getByRole('region', { name: /^Gate: .*: paused/ });
  await expect(gate).toBeVisible({ timeout: 120_000 });
  await canDecide(page);
  await page.keyboard.press('a');
  await expect(story(page, 2)).toContainText('being worked on', { timeout: 120_000 });
  const works = ({ state }: { state: RunState }) =>
    Object.values(state.turns).some(({ status }) => status === 'in_flight');
  await bench.until(muster, 1, works);
  // The worker's answer would be lost: a confirmation comes first.
  const question = page.getByRole('dialog', { name: /^Cancel/ });
  await page.keyboard.press('Shift+X');
  await question.getByRole('button', { name: 'Cancel the run' }).click();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByRole('region', { name: 'Iteration 2/6', exact: true })).toContainText('failed');
  letGo(folder, 'go-2');
  await page.keyboard.press('Shift+R');
  await expect(allPass(page)).toBeVisible({ timeout: 120_000 });
  await expect(story(page, 1)).toContainText('passed at iteration 1');
});

test('the sample loop runs to its end with one click', async ({ bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  await bench.project(muster, loopFiles(does(1)));
  await openLoops(page);
  await page.getByRole('button', { name: 'Start the sample loop' }).click();
  await expect(allPass(page)).toBeVisible({ timeout: 120_000 });
  await expect(attempts(page)).toHaveCount(3);
});

/** A ralph.sh that waits until its standard input ends. */
async function startRalph(cwd: string, iterations: string): Promise<ChildProcess> {
  const ralph = spawn('bash', ['ralph.sh', iterations], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  await once(ralph.stdout, 'data');
  return ralph;
}

test('a loop that someone else runs is shown as it goes, read-only, until its process ends', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const script = { 'ralph.sh': 'echo up\nread -r _\n' };
  const project = await bench.project(muster, { ...loopFiles(does(1)), ...script });
  const [one, other] = [await startRalph(project.path, '3'), await startRalph(project.path, '5')];
  await openLoops(page);
  await planIsRead(page);
  await page.getByRole('button', { name: 'Watch a running ralph.sh' }).click();
  await page.getByRole('button', { name: 'Watch it' }).click();
  await expect(page.getByText('watched, read-only')).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText('Several processes may run it')).toContainText(
    `process ${other.pid} (ralph.sh)`,
  );
  await page.getByRole('button', { name: `It is process ${one.pid}` }).click();
  await expect(page.getByText(`Run by process ${one.pid} (ralph.sh)`)).toContainText('names 3 iterations');
  await expect(page.getByRole('button', { name: 'Pause after this iteration' })).toHaveCount(0);
  const logs = join(project.path, 'logs');
  const log = join(logs, 'codex-iteration-1.jsonl');
  mkdirSync(logs);
  writeFileSync(log, '{"type":"thread.started","thread_id":"T"}\n{"type":"turn.started"}\n');
  const attempt = page.getByRole('region', { name: 'Iteration 1/3', exact: true });
  await expect(attempt).toContainText('Working', { timeout: 120_000 });
  writeFileSync(
    join(project.path, 'prd.json'),
    plan.replace('"priority": 1,\n      "passes": false', '"priority": 1,\n      "passes": true'),
  );
  const git = ['-c', 'user.name=R', '-c', 'user.email=r@muster.invalid', 'commit', '-qam', 'feat: US-001'];
  execFileSync('git', git, { cwd: project.path });
  writeFileSync(join(logs, 'codex-iteration-1-last-message.txt'), 'Logged in.\nResult: completed\n');
  appendFileSync(log, '{"type":"turn.completed","usage":{"input_tokens":10,"output_tokens":2}}\n');
  await expect(attempt).toContainText('completed', { timeout: 120_000 });
  await expect(story(page, 1)).toContainText('passed at iteration 1');
  await expect(attempt.getByRole('region', { name: 'The update as it was sent' })).toContainText(
    'Logged in.',
  );
  one.stdin?.end();
  await expect(page.getByText(`process ${one.pid} (ralph.sh) has ended`)).toBeVisible({ timeout: 120_000 });
  other.stdin?.end();
});

test('a loop without a known process says so, and its watch is stopped by hand', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  await bench.project(muster, loopFiles(does(1)));
  await openLoops(page);
  await planIsRead(page);
  await page.getByRole('button', { name: 'Watch a running ralph.sh' }).click();
  await page.getByRole('button', { name: 'Watch it' }).click();
  await expect(page.getByText('No running ralph.sh was found here')).toBeVisible({ timeout: 120_000 });
  // The plan exists before the first attempt.
  await expect(story(page, 3)).toContainText('Export');
  await page.getByRole('button', { name: /^Stop watching/ }).click();
  await expect(page.getByRole('article', { name: /^Loop Watched/ })).toContainText('Stopped');
});
