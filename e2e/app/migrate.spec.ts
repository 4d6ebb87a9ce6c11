import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pressBoth } from '../fixtures/press-both';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

const OLD = `# Ours
name: Old
steps:
  - id: build
    type: step.coding
    config:
      instruction: Build it.
      completion_mode: iteration_limit
      max_iterations: 3
      agents:
        - role: builder
          acp_profile_id: worker
`;

test('an old file offers its migration, which is shown, applied, undone, and applied by key', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(OLD, 'default: Done.\n'));
  const file = join(project.path, WORKFLOW);
  await pressBoth(page, 'g', 'w');
  await page.getByRole('option', { name: /Old/ }).click();
  const run = page.getByRole('button', { name: /^Run/ });
  await expect(page.getByRole('list', { name: 'Problems' })).toContainText('muster migrate FILE');
  await expect(run).toBeDisabled();

  await page.getByRole('button', { name: /^Migrate/ }).click();
  const migration = page.getByRole('region', { name: 'Migration' });
  await expect(migration).toContainText('completion_mode: agent_signals');
  await expect(migration).toContainText('Address any remaining issues and finalize.');
  await page.getByRole('button', { name: /^Cancel/ }).click();
  await expect(migration).toHaveCount(0);
  expect(readFileSync(file, 'utf8')).toBe(OLD);

  await page.getByRole('button', { name: /^Migrate/ }).click();
  await page.getByRole('button', { name: /^Apply/ }).click();
  await expect(page.getByText('The old file is kept as w.yaml.bak')).toBeVisible();
  await expect(run).toBeEnabled();
  expect(readFileSync(`${file}.bak`, 'utf8')).toBe(OLD);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('The old file is back')).toBeVisible();
  await expect(run).toBeDisabled();
  expect([readFileSync(file, 'utf8'), existsSync(`${file}.bak`)]).toEqual([OLD, false]);

  await page.keyboard.press('m');
  await expect(migration).toContainText('agent_signals');
  await page.keyboard.press('a');
  await expect(run).toBeEnabled();
  await expect(page.getByRole('button', { name: /^Migrate/ })).toHaveCount(0);
});

test('changes after the migration are not undone', async ({ bench }) => {
  const muster = await bench.serve();
  const project = await bench.project(muster, scripted(OLD, 'default: Done.\n'));
  const at = { projectId: project.id, file: WORKFLOW };
  const { backup, diff } = await muster.call('workflow.migrate', { ...at, apply: true });
  expect(diff).toContain('+      completion_mode: agent_signals');
  const file = join(project.path, WORKFLOW);
  const mine = `${readFileSync(file, 'utf8')}# mine\n`;
  writeFileSync(file, mine);
  const undo = muster.call('workflow.restore', { ...at, backup: backup ?? '' });
  await expect(undo).rejects.toThrow('conflict');
  expect(readFileSync(file, 'utf8')).toBe(mine);
});
