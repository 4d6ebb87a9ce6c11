import { pressBoth } from '../fixtures/press-both';
import { canDecide, expect, test } from '../fixtures/test';

test('the sample leads from the first start by clicks and keys to a finished run', async ({ bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  // An empty Muster offers its first action at once.
  await expect(page.getByRole('region', { name: 'Start' }).getByRole('button').first()).toBeFocused();
  await page.getByRole('button', { name: 'Create the sample project' }).click();
  await expect(page.getByRole('option', { name: /Release notes/ })).toBeVisible();
  await page.getByRole('option', { name: /Release notes/ }).click();
  await page.getByRole('button', { name: /^Run/ }).click();
  await expect(page.getByText(/Re-prompt 1\/2/).first()).toBeVisible();

  await pressBoth(page, 'g', 'i');
  await expect(page.getByRole('option', { name: /Publish\?/ })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByRole('article', { name: 'Publish?' })).toContainText('A whole year of tide tables');
  await canDecide(page);
  await page.keyboard.press('a');
  await expect(page.getByText('Nothing waits for you')).toBeVisible();

  const { state } = await bench.until(muster, 1, ({ row }) => row.status === 'succeeded');
  expect(Object.values(state.steps).map((step) => step.activationIds.length)).toEqual([1, 1, 1, 1]);
  const last = Object.values(state.commands)[0];
  expect(last?.output).toContain('Release notes for 0.4');

  await pressBoth(page, 'g', 'f');
  const feed = page.getByRole('region', { name: 'Feed' });
  await expect(feed.getByText('Draft the notes')).toHaveCount(3);
  await expect(feed.getByText('3/3')).toBeVisible();
});

test('the first start shows a team at work with one click', async ({ bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  await page.getByRole('button', { name: 'Start the sample team' }).click();
  const threads = page.getByRole('listbox', { name: 'Teams and their threads' });
  for (const name of ['S1', 'S2', 'dr-brac', 'converter', 'S2-assembly'])
    await expect(threads.getByRole('option', { name: new RegExp(` ${name} `) })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Satisfied/ }).first()).toBeVisible({ timeout: 120_000 });

  await pressBoth(page, 'g', 'i');
  const waiting = page.getByRole('listbox', { name: 'Waiting gates' });
  await expect(waiting.getByRole('option', { name: /round 1/ })).toHaveCount(5, { timeout: 120_000 });
  await page.keyboard.press('e');
  await expect(threads.getByRole('option', { name: / S1 / })).toBeVisible();
});

test('a gate rejected by keyboard leads back with the reason, and is asked again', async ({ bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await muster.call('project.createSample', {});
  const { runId } = await muster.call('run.start', {
    projectId: project.id,
    file: '.muster/workflows/release-notes.yaml',
  });
  await pressBoth(page, 'g', 'i');
  await expect(page.getByRole('option', { name: /Publish\?/ })).toBeVisible({ timeout: 120_000 });
  await canDecide(page);
  await page.keyboard.press('r');
  const reason = page.getByRole('textbox', { name: /Reason/ });
  await expect(reason).toBeFocused();
  await reason.fill('Shorter, please.');
  await page.keyboard.press('Control+Enter');
  const { state } = await bench.until(muster, runId, (run) => run.state.last.gate === 2);
  expect(state.gates[1]?.answer).toEqual({ option: 'reject', reason: 'Shorter, please.' });
  const again = Object.values(state.turns).filter((turn) => turn.prompt.includes('Shorter, please.'));
  expect(again).toHaveLength(1);
  await expect(page.getByRole('option', { name: /Publish\?/ })).toBeVisible();
  await canDecide(page);
  await page.keyboard.press('a');
  await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
});
