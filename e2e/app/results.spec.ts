import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

const coding = `name: Build it
steps:
  - id: build
    type: step.coding
    config:
      agents: [{role: builder, acp_profile_id: worker}]
      instruction: Build it.
`;
const builder = 'default:\n  do: [{ write: { path: made.txt, content: "one\\n" } }]\n  text: Built.\n';

test('the page of a finished run names its result, and a button brings it into the checkout', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(coding, builder));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { state } = await bench.until(muster, runId, (run) => run.state.results !== null);
  const branch = state.results?.find(({ files }) => files > 0)?.branch ?? '';
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/run/${state.uid}`);
  const run = page.getByRole('article', { name: 'Run Build it' });
  await expect(run.getByText('Your checkout does not have this yet.')).toBeVisible();
  await expect(run.getByRole('button', { name: branch })).toBeVisible();
  writeFileSync(join(project.path, 'made.txt'), 'mine\n');
  await run.getByRole('button', { name: 'Apply to checkout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Apply to your checkout' });
  await expect(dialog).toContainText('1 file changed');
  await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(dialog.getByText(/your checkout is unchanged/)).toBeVisible();
  await page.keyboard.press('Escape');
  expect(readFileSync(join(project.path, 'made.txt'), 'utf8')).toBe('mine\n');
  const { rm } = await import('node:fs/promises');
  await rm(join(project.path, 'made.txt'));
  await run.getByRole('button', { name: 'Apply to checkout' }).click();
  await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(run.getByText('Applied to main.')).toBeVisible();
  expect(readFileSync(join(project.path, 'made.txt'), 'utf8')).toBe('one\n');
  await page.evaluate(() => {
    window.location.hash = '#/settings/worktrees';
  });
  const settings = page.getByRole('article', { name: 'Worktrees' });
  await settings.getByRole('button', { name: 'Remove 2 worktrees' }).click();
  await expect(settings.getByText('Removed 2 worktrees and 2 branches.')).toBeVisible();
  await expect(settings.getByText('No worktrees of ended runs.')).toBeVisible();
  expect(state.results?.some(({ path }) => existsSync(path))).toBe(false);
});
