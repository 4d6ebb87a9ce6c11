import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { parse } from 'yaml';
import { findings } from '../fixtures/axe';
import { canDecide, expect, scripted, test } from '../fixtures/test';

const { '.muster/workflows/w.yaml': _, ...AGENT } = scripted('', 'default: "A plan.\\nDONE"\n');

interface Written {
  readonly steps: readonly { readonly id: string; readonly type: string; readonly position?: unknown }[];
  readonly cables?: readonly { readonly from: string; readonly to: string }[];
}
const written = (path: string, name: string): Written =>
  parse(readFileSync(join(path, '.muster/workflows', name), 'utf8')) as Written;

const soon = <T>(value: () => T | Promise<T>) => expect.poll(value, { intervals: [25, 50, 100] });
const at = (page: Page, hash: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);
const canvasOf = (page: Page, name: string) => page.getByRole('application', { name: `Canvas of ${name}` });
const panelOf = (page: Page) => page.locator('[data-part="step-panel"]');

test('a workflow of five steps with a loop and a gate is built from nothing by mouse, and run', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, AGENT);
  await at(page, `#/workflows/${project.id}`);
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New workflow' });
  await dialog.getByLabel('Name').fill('Built');
  await dialog.getByRole('button', { name: 'Create workflow' }).click();
  await page.getByRole('tab', { name: 'Canvas' }).click();
  const canvas = canvasOf(page, 'Built');
  const step = (id: string) => canvas.locator(`[id="canvas-${id}"]`);
  const tool = (name: string | RegExp) => canvas.getByRole('button', { name });
  // From an empty file: all steps of a new file are removed, and it still opens as a canvas.
  for (const id of ['check', 'work']) {
    await step(id).click();
    await tool('Remove the selection').click();
    await expect(step(id)).toHaveCount(0);
  }
  await expect(canvas.getByText('There are no steps yet')).toBeVisible();
  expect(written(project.path, 'built.yaml').steps).toEqual([]);

  const choices = canvas.getByRole('listbox', { name: 'Add a step' });
  const option = (name: string) => choices.getByRole('option', { name: new RegExp(`^${name}`) });
  const fill = async (fields: Record<string, string>) => {
    for (const [label, text] of Object.entries(fields)) {
      const field = panelOf(page).getByLabel(label, { exact: true });
      await field.fill(text);
      await field.blur();
    }
  };
  // Dragged out of the palette, to separate positions.
  await tool('Add a step').click();
  await option('Agent task').dragTo(canvas, { targetPosition: { x: 380, y: 120 } });
  await expect(step('agent_task')).toBeVisible();
  await fill({ 'Instruction (required)': 'Plan.' });
  await panelOf(page).getByLabel('Agent', { exact: true }).selectOption('worker');
  await soon(() => JSON.stringify(written(project.path, 'built.yaml'))).toContain('worker');
  const [whole, first] = [await canvas.boundingBox(), await step('agent_task').boundingBox()];
  if (whole === null || first === null) throw new Error('The first step is not in sight');
  const below = { x: first.x - whole.x, y: first.y - whole.y + first.height + 80 };
  await option('Loop').dragTo(canvas, { targetPosition: below });
  await expect(step('loop')).toBeVisible();
  await fill({ 'Text that ends the loop': 'DONE' });
  await tool('Add a step').click();
  await expect(choices).toHaveCount(0);
  await canvas.getByRole('button', { name: 'Open Loop' }).click();
  await step('loop/agent_task').click();
  await fill({ 'Instruction (required)': 'Work.' });
  // An edit that is still drawn would move the port from under the pointer.
  await soon(() => JSON.stringify(written(project.path, 'built.yaml'))).toContain('Work.');
  await tool('Show the whole workflow').click();
  // A cable by mouse; while it is drawn, compatible ports are highlighted and others are not.
  const port = (id: string, name: string) =>
    canvas.locator(`.react-flow__handle[data-nodeid="${id}"][data-handleid="${name}"]`);
  await port('agent_task', 'data_out').hover();
  await page.mouse.down();
  const to = await port('loop', 'data_in').boundingBox();
  if (to === null) throw new Error('The port is not in sight');
  await page.mouse.move(to.x - 30, to.y + 30, { steps: 4 });
  await expect(port('loop', 'data_in')).toHaveAttribute('data-lit', 'yes');
  await expect(port('agent_task', 'data_in')).toHaveAttribute('data-lit', 'no');
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect(canvas.locator('[data-part="canvas-cable"]')).toHaveCount(1);
  // Chosen from the palette, each is added after the selected step.
  await step('loop')
    .locator('span', { hasText: /^Loop$/ })
    .first()
    .click();
  for (const [name, id, fields] of [
    ['Approval', 'approval', { 'Message (required)': 'Go on?' }],
    ['Command', 'command', { 'Script (required)': 'echo shipped' }],
    ['Agent task', 'agent_task_2', { 'Instruction (required)': 'Report.' }],
  ] as const) {
    await tool('Add a step').click();
    await option(name).click();
    await expect(panelOf(page)).toHaveAttribute('aria-label', `Step ${id}`);
    await fill(fields);
  }
  await soon(() => JSON.stringify(written(project.path, 'built.yaml'))).toContain('Report.');
  const before = written(project.path, 'built.yaml');
  expect(before.steps.map(({ id }) => id)).toEqual([
    'agent_task',
    'loop',
    'approval',
    'command',
    'agent_task_2',
  ]);
  expect(before.cables?.map(({ from, to }) => `${from.split('.')[0]} ${to}`)).toEqual([
    ...[
      'agent_task loop.data_in',
      'loop approval.data_in',
      'approval command.data_in',
      'command agent_task_2.data_in',
    ],
  ]);
  await tool('Arrange all steps').click();
  await expect(canvas.locator('[data-part="canvas-said"]')).toContainText('arranged');
  await tool('Undo').click();
  await soon(() => written(project.path, 'built.yaml')).toEqual(before);
  expect(await findings(page, 'the canvas of a workflow that is edited')).toEqual([]);
  if (process.env.MUSTER_SHOT) await page.screenshot({ path: process.env.MUSTER_SHOT });
  await canvas.locator('.react-flow__pane').click({ position: { x: 12, y: 400 } });
  await page
    .getByRole('complementary', { name: 'Run the workflow' })
    .getByRole('button', { name: /^Run/ })
    .click();
  await soon(async () => (await muster.call('run.list', {})).rows[0]?.openGates).toBe(1);
  await at(page, '#/inbox');
  await canDecide(page);
  await page
    .getByRole('button', { name: /^Approve/ })
    .first()
    .click();
  await expect
    .poll(async () => (await muster.call('run.list', {})).rows.map(({ status }) => status), {
      timeout: 60_000,
    })
    .toEqual(['succeeded']);
});

test('a workflow is built, changed and run by keyboard alone, and each act is announced', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const flow = 'name: Keys\nsteps: []\n';
  const project = await bench.project(muster, { ...AGENT, '.muster/workflows/k.yaml': flow });
  await at(page, `#/workflow/${project.id}/${encodeURIComponent('.muster/workflows/k.yaml')}?show=canvas`);
  const canvas = canvasOf(page, 'Keys');
  const said = canvas.locator('[data-part="canvas-said"]');
  const { keyboard } = page;
  const press = async (...keys: string[]) => {
    for (const key of keys) await keyboard.press(key);
  };
  const file = () => written(project.path, 'k.yaml');
  const here = (key: string) => expect(canvas).toHaveAttribute('aria-activedescendant', `canvas-${key}`);
  await expect(canvas.getByText('There are no steps yet')).toBeVisible();
  await press('Enter');
  await expect(canvas).toBeFocused();
  const add = async (words: string, key: string) => {
    await press('a');
    await expect(canvas.getByRole('combobox', { name: 'Add a step' })).toBeFocused();
    await keyboard.type(words);
    await expect(canvas.getByRole('option', { selected: true })).toBeVisible();
    await press('Enter');
    await here(key);
    await expect(canvas).toBeFocused();
  };
  const reach = async (label: string) => {
    const field = panelOf(page).getByLabel(label, { exact: true });
    for (
      let tries = 0;
      tries < 40 && !(await field.evaluate((one) => one === (one.getRootNode() as ShadowRoot).activeElement));
      tries += 1
    )
      await press('Tab');
    await expect(field).toBeFocused();
  };
  // Right after a letter, Escape only cancels the search for completions.
  const back = async () => {
    do await press('Escape');
    while (!(await canvas.evaluate((one) => one === document.activeElement)));
  };
  const write = async (label: string, text: string) => {
    await press('Enter');
    await expect(panelOf(page).getByLabel('Name', { exact: true })).toBeFocused();
    await reach(label);
    await keyboard.type(text);
    await back();
    await soon(() => JSON.stringify(file())).toContain(text);
  };
  await add('agent task', 'agent_task');
  await expect(said).toHaveText('Agent task was added');
  await write('Instruction (required)', 'Plan.');
  await press('Enter');
  await reach('Agent');
  await keyboard.type('Worker');
  await soon(() => JSON.stringify(file())).toContain('worker');
  await back();
  await add('loop', 'loop');
  await write('Text that ends the loop', 'DONE');
  await press('o', 'ArrowDown');
  await here('loop/agent_task');
  await write('Instruction (required)', 'Work.');
  await press('ArrowUp');
  await here('loop');
  await add('approval', 'approval');
  await expect(said).toHaveText('Approval was added after Loop');
  await write('Message (required)', 'Go on?');
  await add('command', 'command');
  await write('Script (required)', 'echo shipped');
  // Named, moved, connected, and undone.
  await press('F2');
  const dialog = page.getByRole('dialog', { name: 'Rename the step' });
  await expect(dialog.getByLabel('Title')).toBeFocused();
  await press('Control+a');
  await keyboard.type('Ship it');
  await press('Tab', 'Control+a');
  await keyboard.type('ship');
  await press('Enter');
  await here('ship');
  await expect(said).toHaveText('The step is called Ship it');
  await expect(canvas).toBeFocused();
  await press('Shift+ArrowDown');
  await expect(said).toContainText('Ship it is at');
  expect(file().steps.map(({ position }) => position !== undefined)).toEqual([false, false, false, true]);
  await add('agent task', 'agent_task_2');
  await write('Instruction (required)', 'Report.');
  await press('ArrowLeft');
  await here('ship');
  await press('ArrowLeft', 'ArrowLeft', 'ArrowLeft');
  await here('agent_task');
  await press('c');
  await keyboard.type('output agent task 2 context');
  await press('Enter');
  await expect(said).toContainText('Cable from Agent task');
  expect(file().cables).toContainEqual({ from: 'agent_task.data_out', to: 'agent_task_2.context_in' });
  await expect(canvas).toBeFocused();
  await press('Control+z');
  await expect(said).toHaveText('Undone');
  expect(file().cables).toHaveLength(4);
  // Copied, pasted and removed: the file is as it was.
  const before = file();
  await press('Control+c');
  await expect(said).toHaveText('1 step copied');
  await press('Control+v');
  await expect(said).toHaveText('1 step pasted');
  await here('agent_task_3');
  await press('Delete');
  await expect(said).toHaveText('Agent task was removed');
  expect(file()).toEqual(before);
  await expect(
    page.getByRole('complementary', { name: 'Run the workflow' }).getByRole('button', { name: /^Run/ }),
  ).toBeEnabled();
  await press('Control+Enter');
  await soon(async () => (await muster.call('run.list', {})).rows[0]?.openGates).toBe(1);
  await press('g', 'i');
  await canDecide(page);
  await press('a');
  await expect
    .poll(async () => (await muster.call('run.list', {})).rows.map(({ status }) => status), {
      timeout: 60_000,
    })
    .toEqual(['succeeded']);
});
