import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { findings } from '../fixtures/axe';
import { canDecide, expect, scripted, test, WORKFLOW } from '../fixtures/test';

const open = (page: Page, hash: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);
const panel = (page: Page, id: string) => page.getByRole('region', { name: `Step ${id}`, exact: true });

test('the sample workflow is edited on its canvas and run, and a preview has the values of that run', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  await muster.call('settings.set', { settings: { undoSeconds: 0 } });
  const sample = await muster.call('project.createSample', {});
  const file = '.muster/workflows/release-notes.yaml';
  const path = join(sample.path, file);
  const before = readFileSync(path, 'utf8');
  await open(page, `#/workflow/${sample.id}/${encodeURIComponent(file)}?show=canvas`);
  const canvas = page.getByRole('application', { name: /^Canvas of/ });
  const steps = canvas.locator('[data-part="canvas-step"]');
  await expect(steps).toHaveCount(4);
  const { definition } = await muster.call('workflow.get', { projectId: sample.id, file });
  const gate = definition?.steps.find(({ type }) => type === 'step.approval');
  const first = definition?.steps[0];
  if (gate === undefined || first === undefined) throw new Error('the sample has no gate');
  await canvas.locator(`[id="canvas-${gate.id}"]`).click();
  const message = panel(page, gate.id).getByRole('textbox', { name: /^Message/ });
  await message.press('Control+End');
  await page.keyboard.type(` The notes: $${first.id}.output`);
  await message.blur();
  await expect.poll(() => readFileSync(path, 'utf8')).toContain(`The notes: $${first.id}.output`);
  const after = readFileSync(path, 'utf8').split('\n');
  const changed = before.split('\n').filter((line) => !after.includes(line));
  expect(changed.length, 'lines that are not as they were').toBeLessThanOrEqual(1);
  const preview = () => panel(page, gate.id).getByRole('region', { name: 'Preview of Message' });
  await panel(page, gate.id).getByRole('button', { name: 'Preview of Message' }).click();
  await expect(preview()).toContainText('The workflow has not run yet');
  const { runId } = await muster.call('run.start', { projectId: sample.id, file });
  const { state } = await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  expect(JSON.stringify(state.gates)).toContain('The notes: ');
  await page.reload();
  await panel(page, gate.id).getByRole('button', { name: 'Preview of Message' }).click();
  await expect(preview()).toContainText('With the values of the last run');
  await expect(preview()).not.toContainText(`<output of ${first.id}>`);
  // The run goes on to its end, from its own canvas.
  await open(page, `#/run/${runId}?show=canvas&step=${gate.id}`);
  const run = page.getByRole('application', { name: /^Canvas of the run/ });
  await expect(run.locator(`[id="canvas-${gate.id}"]`)).toContainText('Waits for you');
  const side = page.getByRole('complementary', { name: 'Step' });
  await expect(side).toContainText('The notes: ');
  await canDecide(page);
  await side.getByRole('button', { name: /^Approve/ }).click();
  await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  await run.getByRole('button', { name: 'Show the whole workflow' }).click();
  await expect(run.getByRole('group', { name: /, Succeeded/ })).toHaveCount(4);
});

const PROMPTS = `name: Prompts
steps:
  - id: plan
    type: step.agent_task
    config:
      acp_profile_id: worker
      instruction: Plan.
      re_prompts:
${Array.from({ length: 9 }, (_, index) => `        - Prompt ${index + 1}.\n`).join('')}`;

/** Drops a file of the system on the middle of an element, like a drag by hand. */
async function dropFile(page: Page, on: Locator, file: string): Promise<void> {
  await on.scrollIntoViewIfNeeded();
  const box = await on.boundingBox();
  if (box === null) throw new Error('it is not on screen');
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2, data };
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at });
  await session.detach();
}

test('re-prompts are reordered by their handle, stop at ten, and take files from a dialog and by a drop', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, {
    ...scripted(PROMPTS, 'default: Done.\n'),
    'docs/known.md': 'known\n',
  });
  const path = join(project.path, WORKFLOW);
  const text = () => readFileSync(path, 'utf8');
  await open(page, `#/workflow/${project.id}/${encodeURIComponent(WORKFLOW)}?show=steps&step=plan`);
  const list = panel(page, 'plan').getByRole('region', { name: 'Re-prompts' });
  const entries = list.getByRole('listitem', { name: /^Re-prompt/ });
  await expect(entries).toHaveCount(9);
  const add = list.getByRole('button', { name: 'Add re-prompt' });
  await add.click();
  await expect(entries).toHaveCount(10);
  await expect(add).toBeDisabled();

  // By the handle: with the mouse, and with its keys.
  const handle = (place: number) =>
    list.getByRole('button', { name: `Move re-prompt ${place}`, exact: true });
  await handle(1).scrollIntoViewIfNeeded();
  const [from, to] = [await handle(1).boundingBox(), await handle(2).boundingBox()];
  if (from === null || to === null) throw new Error('the handles are not in sight');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2, from.y + 20, { steps: 4 });
  await page.mouse.move(to.x + to.width / 2, to.y + to.height, { steps: 8 });
  await page.mouse.up();
  await expect.poll(text).toContain('- Prompt 2.\n        - Prompt 1.\n');
  await handle(1).press('Alt+ArrowDown');
  await expect.poll(text).toContain('- Prompt 1.\n        - Prompt 2.\n');

  // From a dialog: a file of the project is named, a file from outside is copied in after a question.
  const outside = join(bench.scratch, 'outside');
  mkdirSync(outside);
  for (const name of ['notes.md', 'dropped.md']) writeFileSync(join(outside, name), `${name}\n`);
  const answer = (files: readonly string[]) =>
    muster.app.evaluate(({ dialog }, filePaths) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [...filePaths] });
    }, files);
  await answer([join(project.path, 'docs/known.md'), join(outside, 'notes.md')]);
  const attach = list.getByRole('button', { name: 'Attach files to re-prompt 1', exact: true });
  await attach.click();
  const question = page.getByRole('dialog', { name: 'Copy the file into the project?' });
  await expect(question).toContainText('notes.md');
  await question.getByRole('button', { name: 'Copy and attach' }).click();
  await expect.poll(text).toContain('.muster/attachments/notes.md');
  expect(text()).toContain('docs/known.md');
  expect(readFileSync(join(project.path, '.muster/attachments/notes.md'), 'utf8')).toBe('notes.md\n');
  await dropFile(page, attach, join(outside, 'dropped.md'));
  await question.getByRole('button', { name: 'Copy and attach' }).click();
  await expect.poll(text).toContain('.muster/attachments/dropped.md');
  expect(await findings(page, 'ten re-prompts')).toEqual([]);

  // More than ten are in the file: they are shown, and stay.
  writeFileSync(path, `${PROMPTS}${[10, 11, 12].map((one) => `        - Prompt ${one}.\n`).join('')}`);
  await expect(entries).toHaveCount(12);
  await expect(add).toBeDisabled();
});

const MARKS = `name: Marks
workspace: folder
steps:
  - id: flaky
    type: step.command
    retry: { max_attempts: 1, delay_seconds: 0.1, on: all }
    config: { script: 'test -e tried || { touch tried; exit 3; }' }
  - id: each
    type: step.workflow
    config:
      for_each: { items: '["one", "two"]', as: name }
      body:
        steps:
          - { id: build, type: step.command, when: "$INPUTS.name == 'two'", config: { script: 'echo built $ITEM' } }
  - id: last
    type: step.command
    trigger_rule: all_done
    when: $each.output == 'never'
    config: { script: 'echo last' }
cables:
  - { from: flaky.signal_out, to: each.signal_in }
  - { from: each.signal_out, to: last.signal_in }
`;

test('a run shows attempts, items, skips with their cause and conditions on its steps, and a reload shows the same place', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, { [WORKFLOW]: MARKS });
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { row } = await bench.until(muster, runId, (run) => run.row.status === 'succeeded');
  await open(page, `#/run/${row.uid}?show=canvas`);
  const canvas = page.getByRole('application', { name: 'Canvas of the run Marks' });
  const step = (key: string) => canvas.locator(`[id="canvas-${key}"]`);
  await expect(step('flaky').getByTitle('Attempt 2')).toBeVisible();
  await expect(step('last')).toContainText("after all end, if $each.output == 'never'");
  await expect(step('last')).toContainText('Skipped');
  await expect(canvas.locator('[data-part="canvas-cable"]')).toHaveCount(2);
  const items = step('each').getByRole('combobox', { name: 'Item shown' });
  await items.selectOption({ label: 'Item 1: one' });
  await expect(step('each/build')).toContainText('Skipped');
  await items.selectOption({ label: 'Item 2: two' });
  await expect(step('each/build')).toContainText('Succeeded');
  await step('last').click();
  await expect(page.getByRole('complementary', { name: 'Step' })).toContainText(/Skipped: .*never/);
  expect(await findings(page, 'a run with items')).toEqual([]);

  // Panned and zoomed, then reloaded, and shown again after another view.
  const seen = () => canvas.locator('.react-flow__viewport').evaluate((one) => one.style.transform);
  await canvas.getByRole('button', { name: 'Show the whole workflow' }).click();
  const whole = await seen();
  await canvas.hover({ position: { x: 60, y: 300 } });
  await page.mouse.wheel(0, 120);
  await canvas.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(seen).not.toBe(whole);
  const kept = () =>
    page.evaluate((key) => sessionStorage.getItem(key), `muster.kept.canvas/${row.uid}/seen`);
  const zoom = (transform: string) => Number(/scale\(([\d.]+)\)/.exec(transform)?.[1]);
  await expect.poll(async () => JSON.parse((await kept()) ?? '{}').zoom).toBeCloseTo(zoom(await seen()), 3);
  const place = await seen();
  await page.reload();
  await expect(step('flaky')).toBeVisible();
  await expect.poll(seen).toBe(place);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('tab', { name: 'Canvas' }).click();
  await expect.poll(seen).toBe(place);
  await canvas.getByRole('button', { name: 'Show the whole workflow' }).click();
  await expect.poll(seen).not.toBe(place);
});

const trial = (word: string) => `name: Trial
steps:
  - id: trial
    type: step.experiment
    config:
      target: { id: say, type: step.command, config: { script: 'echo ${word}' } }
      variants:
        - { name: Short }
        - { name: Long, config_overrides: { script: 'echo ${word}; echo and more' } }
`;

test('two runs of an experiment are compared variant by variant', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, { [WORKFLOW]: trial('one') });
  const run = async () => {
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
    return (await bench.until(muster, runId, ({ row }) => row.status === 'succeeded')).row;
  };
  const before = await run();
  writeFileSync(join(project.path, WORKFLOW), trial('two'));
  const after = await run();
  await open(page, `#/run/${after.uid}?with=${before.uid}`);
  const rows = page.getByRole('region', { name: 'Comparison' }).getByRole('row');
  for (const name of ['Short', 'Long']) {
    const of = rows.filter({ has: page.getByRole('rowheader', { name: new RegExp(name) }) });
    await of.getByRole('button', { name: 'differs' }).click();
    await expect(of).toContainText('-one');
    await expect(of).toContainText('+two');
  }
  expect(await findings(page, 'a comparison of an experiment')).toEqual([]);
});
