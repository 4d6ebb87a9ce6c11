import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pressBoth } from '../fixtures/press-both';
import { expect, letGo, scripted, test, WORKFLOW } from '../fixtures/test';

const flow = (config: string) => `name: Checked
steps:
  - id: work
    type: step.agent_task
    config:
      acp_profile_id: worker
      instruction: Go.
${config}`;

test('a workflow file is checked as it changes on disk, and the problem with its line comes and goes', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(flow('      re_prompts: [""]\n'), 'default: Done.\n'));
  await pressBoth(page, 'g', 'w');
  await page.getByRole('option', { name: /Checked/ }).click();
  const problems = page.getByRole('list', { name: 'Problems' });
  await expect(problems).toContainText('re-prompt 1 is empty');
  await expect(problems).toContainText('8');
  await expect(page.getByRole('button', { name: /^Run/ })).toBeDisabled();
  writeFileSync(join(project.path, WORKFLOW), flow('      re_prompts: [Again.]\n'));
  await expect(page.getByRole('button', { name: /^Run/ })).toBeEnabled();
  await expect(problems).toHaveCount(0);
});

const ASKING = `name: Asking
workspace: folder
inputs:
  lang: { default: English, description: language of the notes }
  times: { type: number }
returns: say
steps:
  - { id: say, type: step.command, config: { script: 'printf "%s, %s times" "$INPUTS.lang" $INPUTS.times' } }
`;

test('a workflow asks for its inputs, reports errors at the field, and its run shows the result', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, { '.muster/workflows/w.yaml': ASKING });
  const open = `#/workflow/${project.id}/${encodeURIComponent(WORKFLOW)}`;
  await page.evaluate((hash) => {
    location.hash = hash;
  }, open);
  const times = page.getByLabel('times');
  await expect(page.getByLabel('lang')).toHaveValue('English');
  // In the colours of the system, no plate in the colour of the page hides the words of the filled button.
  await page.emulateMedia({ forcedColors: 'active' });
  const adjust = await page
    .getByRole('button', { name: /^Run/ })
    .evaluate((one) => getComputedStyle(one).getPropertyValue('forced-color-adjust'));
  expect(adjust).toBe('none');
  await page.emulateMedia({ forcedColors: null });
  // Beside a selected step, the key of the button shows the form first.
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `${open}?step=say`);
  await expect(page.getByLabel('lang')).toBeHidden();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByLabel('lang')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(times).toBeFocused();
  await expect(times).toHaveAccessibleDescription('Needs a value.');
  await page.keyboard.type('many');
  await expect(times).toHaveAccessibleDescription('Not a number.');
  await page.getByLabel('lang').fill('French, "$(id)"');
  await page.reload();
  await expect(times).toHaveValue('many');
  await expect(page.getByLabel('lang')).toHaveValue('French, "$(id)"');
  await times.fill('3');
  await page.keyboard.press('Control+Enter');
  const result = page.getByRole('region', { name: 'Result of the run' });
  await expect(result).toContainText('from say');
  await expect(result).toContainText('French, "$(id)", 3 times');
  const inputs = page.getByRole('region', { name: 'Inputs' });
  await expect(inputs).toContainText('French, "$(id)"');
  await expect(inputs).toContainText('times');
});

test('an instruction and an attachment reach the agent, once', async ({ bench }) => {
  const muster = await bench.serve();
  const project = await bench.project(muster, {
    ...scripted(flow('      re_prompts: [Again.]\n'), 'default: Done.\n'),
    'facts.md': 'The facts.',
  });
  const input = {
    projectId: project.id,
    file: WORKFLOW,
    instruction: 'For the harbour.',
    attachments: ['facts.md'],
  };
  const { runId } = await muster.call('run.start', input);
  const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  const record = readFileSync(join(state.artifactsDir, 'scripted-prompts.jsonl'), 'utf8').trim().split('\n');
  expect(record).toHaveLength(2);
  expect(record[0]).toContain('For the harbour.');
  expect(record[0]).toContain('facts.md');
  expect(record[1]).not.toContain('facts.md');
  expect(JSON.parse(record[1] ?? '')).toMatchObject({ prompt: 'Again.' });
});

test('a missing attachment is an error before the run', async ({ bench }) => {
  const muster = await bench.serve();
  const project = await bench.project(muster, scripted(flow(''), 'default: Done.\n'));
  const start = muster.call('run.start', { projectId: project.id, file: WORKFLOW, attachments: ['gone.md'] });
  await expect(start).rejects.toThrow('validation.file_missing: there is no file gone.md');
  expect((await muster.call('run.list', {})).rows).toEqual([]);
});

test('a run is cancelled by keyboard, and its agent is gone', async ({ bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const script = `default: { do: [{ wait_for_file: ${bench.scratch}/go }], text: Done. }\n`;
  const project = await bench.project(muster, scripted(flow(''), script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { row } = await bench.until(muster, runId, ({ state }) => state.turns[1]?.status === 'in_flight');
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/run/${row.uid}`);
  await page.getByRole('button', { name: /^Cancel/ }).click();
  // A turn would be lost: the dialog names it first, and the operator can still decline.
  const question = page.getByRole('dialog', { name: /^Cancel/ });
  await expect(question.getByRole('list', { name: 'Interrupted work' })).toContainText('worker');
  await question.getByRole('button', { name: 'Keep' }).click();
  expect((await muster.call('run.get', { runId })).row.status).toBe('running');
  await page.keyboard.press('Shift+X');
  await question.getByRole('button', { name: 'Cancel the run' }).click();
  const { state } = await bench.until(muster, runId, (run) => run.row.status === 'cancelled');
  expect(state.turns[1]?.status).toBe('cancelled');
  expect((await muster.call('system.status', {})).live.sessions).toBe(0);
  letGo(bench.scratch);
});

test('an exported run is imported again, and a broken file is named with its fault', async ({ bench }) => {
  const muster = await bench.serve();
  const project = await bench.project(muster, scripted(flow(''), 'default: Done.\n'));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  const path = join(bench.dataDir, 'out', 'run.jsonl');
  await muster.call('run.export', { runId, path });
  await expect(muster.call('run.export', { runId, path })).rejects.toThrow('already exists');
  await expect(muster.call('run.import', { path })).rejects.toThrow('conflict');
  await muster.call('run.bin', { runId });
  await muster.call('run.purge', { runId });
  const back = await muster.call('run.import', { path });
  expect((await muster.call('run.get', { runId: back.runId })).state).toEqual(state);
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, [lines[0], lines[2]].join('\n'));
  await expect(muster.call('run.import', { path })).rejects.toThrow('run.jsonl, line 2: event 1 is missing');
});

test('the palette finds every view and action by keyboard', async ({ shared: bench }) => {
  const { page } = await bench.launch();
  // Keys work once the window is drawn.
  await expect(page.getByRole('navigation', { name: 'Views' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('settings');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main', { name: 'Settings' })).toBeVisible();
  await page.keyboard.press('Shift+?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test("every write in the operator's own checkout is a gate, and nothing is written before the answer", async ({
  bench,
}) => {
  const muster = await bench.serve();
  const script = "default: { do: [{ write: { path: made.txt, content: 'x' } }], text: Written. }\n";
  const project = await bench.project(muster, scripted(`workspace: project\n${flow('')}`, script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const asked = await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  expect(asked.state.workspace?.path).toBe(project.path);
  expect(asked.state.gates[1]).toMatchObject({ kind: 'permission', request: { kind: 'edit' } });
  expect(existsSync(join(project.path, 'made.txt'))).toBe(false);
  await muster.call('gate.resolve', { runId, gateId: 1, answer: { option: 'allow' } });
  await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  expect(readFileSync(join(project.path, 'made.txt'), 'utf8')).toBe('x');
});

test('an agent works by default in a worktree of the run, on a branch of its own', async ({ bench }) => {
  const muster = await bench.serve();
  const script = "default: { do: [{ write: { path: made.txt, content: 'x' } }], text: Written. }\n";
  const project = await bench.project(muster, scripted(flow(''), script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  expect(existsSync(join(project.path, 'made.txt'))).toBe(false);
  expect(readFileSync(join(state.workspace?.path ?? '', 'made.txt'), 'utf8')).toBe('x');
  expect(state.workspace?.branch).toMatch(/^muster\/checked-/);
});
