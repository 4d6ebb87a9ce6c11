import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { parse } from 'yaml';
import { findings } from '../fixtures/axe';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

const TEXT = `# Ours
name: Release   # by hand

steps:
  - id: plan      # first
    type: step.command
    config: { script: echo plan }
  # then
  - id: build
    type: step.command
    config:
      script: |  # kept
        make
  - { id: ship, type: step.command, config: { script: ./ship } } # last
cables:
  - { from: plan.data_out, to: build.data_in } # the only one
`;
const OTHER = 'name: Other\nsteps:\n  - { id: plan, type: step.command, config: { script: ls } } # here\n';

interface File {
  readonly steps: readonly { readonly id: string; readonly position?: object; readonly config: object }[];
  readonly cables?: readonly { readonly from: string; readonly to: string }[];
}

const soon = <T>(value: () => T | Promise<T>) => expect.poll(value, { intervals: [25, 50, 100] });
const at = (page: Page, { id }: { readonly id: number }, shown: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, `#/workflow/${id}/${shown}`);
const shownAs = (file: string, show: string) => `${encodeURIComponent(file)}?show=${show}`;

test('the list has the actions of the canvas, the settings write the keys of the workflow, and undo gives the first bytes', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(TEXT, 'default: Done.\n'));
  const text = () => readFileSync(join(project.path, WORKFLOW), 'utf8');
  const file = () => parse(text()) as File;
  await at(page, project, shownAs(WORKFLOW, 'steps'));
  const said = page.locator('[data-part="list-said"]');
  const acts = (step: string) => page.getByRole('button', { name: `Change ${step}`, exact: true });
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await acts('plan').focus();
  await press('ArrowRight');
  await expect(acts('build')).toBeFocused();
  // Connected and inserted by keys, and announced.
  await press('c');
  await page.keyboard.type('output ship context');
  await press('Enter');
  await expect(said).toContainText('Cable from build, Output, to ship');
  await expect(acts('build')).toBeFocused();
  await press('a');
  await page.keyboard.type('approval');
  await press('Enter');
  await expect(said).toHaveText('Approval was added after build');
  await expect(acts('Approval')).toBeFocused();
  // Named, placed and removed through the menu of a step.
  const act = async (name: string) => {
    await press('Enter');
    await page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).press('Enter');
  };
  await act('Rename');
  await page.getByRole('dialog').getByLabel('Title').fill('Ask');
  await page.getByRole('dialog').getByLabel('Name').fill('ask');
  await press('Enter');
  await expect(said).toHaveText('The step is called Ask');
  await expect(acts('Ask')).toBeFocused();
  await act('Move on the canvas');
  await page.getByRole('dialog').getByLabel('Across').fill('300');
  await press('Enter');
  await expect(said).toHaveText('Ask is at 300 across, 0 down');
  await act('Open its panel');
  await expect(page.locator('[data-part="step-panel"]').getByLabel('Name', { exact: true })).toBeFocused();
  await press('Escape');
  await expect(acts('Ask')).toBeFocused();
  expect(await findings(page, 'the list of a workflow')).toEqual([]);
  await act('Remove');
  await expect(said).toHaveText('Ask was removed');
  expect(file().steps.map(({ id }) => id)).toEqual(['plan', 'build', 'ship']);
  // Grouped: the comments of the steps go with them.
  for (const step of ['build', 'ship']) {
    await acts(step).focus();
    await act('Select');
  }
  await page.getByRole('button', { name: 'Make a sub-workflow' }).click();
  await expect(said).toHaveText('2 steps became a sub-workflow');
  expect(text()).toContain('script: |  # kept');
  expect(text()).toContain('config: { script: ./ship } } # last');
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('[data-step]')?.getAttribute('data-step'));
  await acts('plan').focus();
  for (let copies = 0; copies < 10; copies += 1) {
    const before = await focused();
    await press('Control+d');
    await soon(focused).not.toBe(before);
  }
  // The keys of the workflow itself.
  await press('s');
  const settings = page.getByRole('region', { name: 'Settings of the workflow' });
  await expect(settings.getByLabel('Name (required)', { exact: true })).toBeFocused();
  await settings.getByLabel('Working folder').selectOption('Folder');
  await soon(text).toContain('\nworkspace: folder\n');
  await settings.getByLabel('Step with the result').selectOption('sub_workflow');
  await soon(text).toContain('\nreturns: sub_workflow\n');
  await settings.getByRole('textbox', { name: 'New name in inputs' }).fill('target');
  await press('Enter');
  const target = settings.getByRole('listitem', { name: 'target' });
  await target.getByLabel('Type', { exact: true }).selectOption('Number');
  await soon(text).toContain('type: number');
  expect(await findings(page, 'the settings of a workflow')).toEqual([]);
  let undone = 0;
  const undo = settings.getByRole('button', { name: 'Undo' });
  while (text() !== TEXT && undone < 40) {
    const before = text();
    await undo.click();
    await soon(text).not.toBe(before);
    undone += 1;
  }
  await expect(undo).toBeDisabled();
  expect([text() === TEXT, undone >= 20]).toEqual([true, true]);
});

test('steps are pasted into another file as YAML, and two windows on one file are both told and lose nothing', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const second = '.muster/workflows/other.yaml';
  const project = await bench.project(muster, { ...scripted(TEXT, 'default: Done.\n'), [second]: OTHER });
  const text = () => readFileSync(join(project.path, second), 'utf8');
  await at(page, project, shownAs(WORKFLOW, 'canvas'));
  const canvas = (name: string) => page.getByRole('application', { name: `Canvas of ${name}` });
  const said = page.locator('[data-part="canvas-said"]');
  await canvas('Release').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await expect(said).toHaveText('3 steps copied');
  const copied = await muster.app.evaluate(({ clipboard }) => clipboard.readText());
  expect((parse(copied) as File).cables).toEqual([{ from: 'plan.data_out', to: 'build.data_in' }]);
  await at(page, project, shownAs(second, 'canvas'));
  await expect(canvas('Other').locator('[data-part="canvas-step"]')).toHaveCount(1);
  const target = { projectId: project.id, file: second };
  const { hash: base } = await muster.call('workflow.source', target);
  await canvas('Other').focus();
  await page.keyboard.press('Control+v');
  await expect(said).toHaveText('3 steps pasted');
  expect(text().startsWith(OTHER)).toBe(true);
  expect((parse(text()) as File).steps.map(({ id }) => id)).toEqual(['plan', 'plan_2', 'build', 'ship']);
  expect((parse(text()) as File).cables).toEqual([{ from: 'plan_2.data_out', to: 'build.data_in' }]);

  // Another editor that has not seen the paste: compatible changes are merged, others are rejected with both
  // texts.
  const name = (value: string) => ({ kind: 'value.set' as const, step: [], path: ['name'], value });
  const merged = await muster.call('workflow.edit', { ...target, base, edits: [name('Theirs')] });
  expect(merged).toMatchObject({ kind: 'written', merged: true });
  await expect(canvas('Theirs').locator('[data-part="canvas-step"]')).toHaveCount(4);
  const both = text();
  const refused = await muster.call('workflow.edit', { ...target, base, edits: [name('Again')] });
  expect(refused).toMatchObject({ kind: 'conflict', theirs: { text: both } });
  expect(text()).toBe(both);
  // Undo reverts what this window did, and nothing of the other editor.
  await canvas('Theirs').focus();
  await page.keyboard.press('Control+z');
  const undone = OTHER.replace('Other', 'Theirs');
  await soon(text).toBe(undone);

  // A second Muster with its own window on the same file: each shows what the other writes.
  const { page: there, call } = await bench.launch({ dataDir: join(bench.dataDir, 'second') });
  await at(there, await call('project.add', { path: project.path }), shownAs(second, 'canvas'));
  const stepsIn = (window: Page) =>
    window.getByRole('application', { name: 'Canvas of Theirs' }).locator('[data-part="canvas-step"]');
  await expect(stepsIn(there)).toHaveCount(1);
  await there.getByRole('application', { name: 'Canvas of Theirs' }).focus();
  await there.keyboard.press('a');
  await there.keyboard.type('approval');
  await there.keyboard.press('Enter');
  await expect(stepsIn(page)).toHaveCount(2);
  // Both write in different places, neither having seen what the other writes: both are in the file, and in both windows.
  const settings = (window: Page) => window.getByRole('region', { name: 'Settings of the workflow' });
  for (const window of [page, there]) {
    await window.evaluate(() => {
      location.hash = location.hash.replace(/&step=[^&]*|$/, '&side=settings');
    });
    await expect(settings(window)).toBeVisible();
  }
  const described = settings(page).getByLabel('Description', { exact: true });
  await described.fill('By the first.');
  await settings(there).getByLabel('Working folder').selectOption('Folder');
  await soon(text).toContain('workspace: folder');
  await described.blur();
  await soon(text).toContain('description: By the first.');
  expect(text()).toContain('workspace: folder');
  await expect(settings(page).getByLabel('Working folder')).toHaveValue('folder');
  await expect(settings(there).getByLabel('Description', { exact: true })).toHaveText('By the first.');
  for (const window of [page, there]) await expect(stepsIn(window)).toHaveCount(2);
  // Both write the same field: what was typed over another number is not written before its operator chose.
  const most = (window: Page) => window.getByRole('spinbutton', { name: 'Maximum parallel steps' });
  for (const window of [page, there]) await expect(most(window)).toBeVisible();
  await most(there).fill('5');
  await most(page).fill('3');
  await most(page).press('Enter');
  await soon(text).toContain('max_parallel: 3');
  await expect(there.getByText('Yours is not saved yet.')).toBeVisible();
  expect(text()).toContain('max_parallel: 3');
  await there.getByRole('button', { name: 'Save my text' }).click();
  await soon(text).toContain('max_parallel: 5');
  await expect(most(page)).toHaveValue('5');
  await there.getByRole('button', { name: 'Undo' }).first().click();
  await soon(text).toContain('max_parallel: 3');
});
