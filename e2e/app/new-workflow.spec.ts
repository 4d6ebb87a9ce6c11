import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findings } from '../fixtures/axe';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

const TEXT = `# Ours
name: Release   # by hand
description: Plans and ships.

steps:
  - id: plan      # first
    type: step.agent_task
    config: { acp_profile_id: worker, instruction: Plan. }
  - { id: ship, type: step.command, config: { script: echo shipped } } # last
cables:
  - { from: plan.data_out, to: ship.data_in }
`;

test('a new workflow starts from another one, keeps its every line but the name, and runs', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const files = scripted(TEXT, 'default: Done.\n');
  const project = await bench.project(muster, files);
  const { [WORKFLOW]: _, ...agents } = files;
  const other = await bench.project(muster, agents);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/workflows/${other.id}`);
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New workflow' });
  const create = dialog.getByRole('button', { name: 'Create workflow' });
  await expect(create).toBeDisabled();
  await dialog.getByLabel('Name').fill('Ship it: twice');
  const from = dialog.getByLabel('Start from');
  const release = await from.getByRole('option', { name: /^Release \(/ }).textContent();
  await from.selectOption({ label: release ?? '' });
  await expect(dialog.getByLabel('Project')).toHaveValue(String(other.id));
  expect(await findings(page, 'a new workflow', 'dialog')).toEqual([]);
  await create.click();
  const canvas = page.getByRole('application', { name: 'Canvas of Ship it: twice' });
  await expect(canvas.locator('[data-part="canvas-step"]')).toHaveCount(2);
  const rows = await muster.call('workflow.list', { projectId: other.id });
  const [made] = rows;
  expect(rows.map(({ name }) => name)).toEqual(['Ship it: twice']);
  const text = readFileSync(join(other.path, made?.file ?? ''), 'utf8');
  expect(text).toBe(TEXT.replace('name: Release ', 'name: "Ship it: twice" '));
  expect(readFileSync(join(project.path, WORKFLOW), 'utf8')).toBe(TEXT);
  await page
    .getByRole('complementary', { name: 'Run the workflow' })
    .getByRole('button', { name: /^Run/ })
    .click();
  await expect(page.getByRole('article', { name: 'Run Ship it: twice' })).toContainText('shipped');

  // A second one of the same name gets a file of its own, and its own name beside the first.
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    `#/workflow/${other.id}/${encodeURIComponent(made?.file ?? '')}`,
  );
  await page.getByRole('button', { name: 'Duplicate the workflow' }).click();
  await expect(dialog.getByLabel('Name')).toHaveValue('Ship it: twice copy');
  await create.click();
  await expect(page.getByRole('application', { name: 'Canvas of Ship it: twice copy' })).toBeVisible();
  await expect.poll(async () => (await muster.call('workflow.list', { projectId: other.id })).length).toBe(2);
});
