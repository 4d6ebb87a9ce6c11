import { execFileSync } from 'node:child_process';
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
  await run.getByRole('button', { name: /^Apply to checkout/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Apply to your checkout' });
  await expect(dialog).toContainText('1 file changed');
  await dialog.getByRole('button', { name: /^Apply/ }).click();
  await expect(dialog.getByText(/your checkout is unchanged/)).toBeVisible();
  await page.keyboard.press('Escape');
  expect(readFileSync(join(project.path, 'made.txt'), 'utf8')).toBe('mine\n');
  const { rm } = await import('node:fs/promises');
  await rm(join(project.path, 'made.txt'));
  await run.getByRole('button', { name: /^Apply to checkout/ }).click();
  await dialog.getByRole('button', { name: /^Apply/ }).click();
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

test('Apply and its undo work by mouse, and by keys and the palette, with the message as edited', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(coding, builder));
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: project.path,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { state } = await bench.until(muster, runId, (run) => run.state.results !== null);
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/run/${state.uid}`);
  const run = page.getByRole('article', { name: 'Run Build it' });
  const dialog = page.getByRole('dialog', { name: 'Apply to your checkout' });
  const message = dialog.getByRole('textbox', { name: 'Commit message' });
  const start = git('rev-parse', 'HEAD');

  await run.getByRole('button', { name: /^Apply to checkout/ }).click();
  await expect(dialog).toContainText('Changes 1 file in main.');
  await expect(message).toHaveValue(/^Build it\n\nFrom muster\//);
  expect(git('rev-parse', 'HEAD')).toBe(start);
  await message.fill('Make the file');
  await dialog.getByRole('button', { name: /^Apply/ }).click();
  await expect(run.getByText('Applied to main.')).toBeVisible();
  expect(git('log', '-1', '--format=%s')).toBe('Make the file');
  writeFileSync(join(project.path, 'mine.txt'), 'mine\n');
  await run.getByRole('button', { name: /^Undo apply/i }).click();
  await expect(run.getByText('Your checkout does not have this yet.')).toBeVisible();
  expect([git('rev-parse', 'HEAD'), existsSync(join(project.path, 'made.txt'))]).toEqual([start, false]);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('bring into checkout');
  const found = page.getByRole('option', { name: /Apply the result to your checkout/ });
  await expect(found).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Changes 1 file in main.');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.keyboard.press('Shift+I');
  await expect(message).toHaveValue(/^Build it/);
  await expect(message).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('list', { name: 'Commits' })).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(run.getByText('Applied to main.')).toBeVisible();
  expect(git('rev-parse', 'HEAD^1')).toBe(start);
  await expect(run.getByRole('button', { name: /^Undo apply/i })).toBeVisible();
  await page.keyboard.press('Shift+Y');
  await expect(run.getByText('Your checkout does not have this yet.')).toBeVisible();

  await page.keyboard.press('Shift+I');
  await expect(message).toHaveValue(/^Build it/);
  await page.keyboard.press('Control+Enter');
  await expect(run.getByText('Applied to main.')).toBeVisible();
  writeFileSync(join(project.path, 'made.txt'), 'edited\n');
  await page.keyboard.press('Shift+Y');
  await expect(page.getByText(/1 file was changed since: made\.txt/)).toBeVisible();
  expect(readFileSync(join(project.path, 'made.txt'), 'utf8')).toBe('edited\n');
  expect(readFileSync(join(project.path, 'mine.txt'), 'utf8')).toBe('mine\n');
});
