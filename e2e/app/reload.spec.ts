import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

const FLOW = `name: Kept
steps:
  - id: plan
    type: step.command
    config: {script: 'echo planned'}
  - id: again
    type: step.loop
    config:
      max_iterations: 2
      until: DONE
      body:
        steps:
          - {id: build, type: step.agent_task, config: {acp_profile_id: worker, instruction: Build.}}
          - {id: check, type: step.command, config: {script: 'exit 3'}}
        cables:
          - {from: build.signal_out, to: check.signal_in}
cables:
  - {from: plan.data_out, to: again.data_in}
`;

const go = (page: Page, hash: string) =>
  page.evaluate((next) => {
    location.hash = next;
  }, hash);

test('a reload shows the same again: open group, chosen cable, panel with a half sentence, file, dialog and moment', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(FLOW, 'default: Built.\n'));
  const text = () => readFileSync(join(project.path, WORKFLOW), 'utf8');
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { row } = await bench.until(muster, runId, (run) => run.row.status === 'failed');

  // The dialog of a run, with its changes.
  await go(page, `#/run/${row.uid}`);
  const run = page.getByRole('article', { name: 'Run Kept' });
  await run.getByRole('button', { name: 'Run again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run again from a step' });
  await dialog.getByLabel('Step').selectOption('plan');
  await dialog.getByRole('button', { name: 'Configuration' }).click();
  await dialog.getByLabel('Configuration as JSON').fill('{"script": "echo half');
  await page.reload();
  await expect(dialog.getByLabel('Step')).toHaveValue('plan');
  await dialog.getByRole('button', { name: 'Configuration' }).click();
  await expect(dialog.getByLabel('Configuration as JSON')).toHaveValue('{"script": "echo half');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  // The canvas of the run at a moment, with a selected cable and the body closed.
  await go(page, `#/run/${row.uid}?show=canvas&at=3`);
  const canvas = page.getByRole('application', { name: 'Canvas of the run Kept' });
  const inside = canvas.getByRole('group', { name: /^build/ });
  await expect(inside).toBeVisible();
  await canvas.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('o');
  await page.keyboard.press('.');
  const cable = page.getByRole('complementary', { name: 'Cable' });
  await expect(cable).toBeVisible();
  await expect(inside).toHaveCount(0);
  await page.reload();
  await expect(cable).toContainText('plan.data_out to again.data_in');
  await expect(inside).toHaveCount(0);
  await expect(page.getByRole('slider')).toHaveAttribute('aria-valuenow', '3');

  // The workflow: a step inside an open group, whose instruction is being written.
  await go(page, `#/workflow/${project.id}/${encodeURIComponent(WORKFLOW)}?show=canvas`);
  const drawn = page.getByRole('application', { name: 'Canvas of Kept' });
  await drawn.getByRole('button', { name: 'Open again' }).click();
  await drawn.getByRole('group', { name: /^build/ }).click();
  const instruction = page
    .getByRole('region', { name: 'Step build' })
    .getByRole('textbox', { name: /^Instruction/ });
  await instruction.press('Control+End');
  await page.keyboard.type(' And then half a sen');
  await page.reload();
  await expect(drawn.getByRole('group', { name: /^build/ })).toBeVisible();
  await expect(instruction).toHaveText('Build. And then half a sen');
  await expect.poll(text).toContain('And then half a sen');

  // The text of the file, unsaved.
  await page.getByRole('tab', { name: 'File' }).click();
  const editor = page.getByRole('textbox', { name: /^Text of/ });
  await editor.press('Control+End');
  await page.keyboard.type('# half a com');
  await page.reload();
  await expect(editor).toContainText('# half a com');
  expect(text()).not.toContain('# half');
});
