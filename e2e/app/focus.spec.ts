import type { Page } from '@playwright/test';
import { startTeam } from '../fixtures/team';
import { canDecide, expect, scripted, test, WORKFLOW } from '../fixtures/test';

const APPROVAL = `name: Asked
steps:
  - id: first
    type: step.approval
    config: {message: Go on?}
`;

/** The part of the page that has the focus. */
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.closest('[data-part^="column-"]')?.getAttribute('data-part') ?? 'none',
  );

const outlineOfFocused = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);

test('the focus stays in the card while its answer is sent, then goes to the next card, then to the list', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { id } = await bench.project(muster, scripted(APPROVAL, 'default: Done.\n'));
  for (const runId of [1, 2]) {
    await muster.call('run.start', { projectId: id, file: WORKFLOW });
    await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  }
  await muster.call('settings.set', { settings: { undoSeconds: 1 } });
  await page.evaluate(() => {
    location.hash = '#/inbox';
  });
  for (const runId of [1, 2]) {
    await canDecide(page);
    await page.getByRole('button', { name: /^Approve/ }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /^Undo/ })).toBeVisible();
    // With the last card gone there is only the list.
    expect(await focused(page)).toBe(runId === 1 ? 'column-detail' : 'column-list');
    // The next card is not ringed as if it were chosen.
    if (runId === 1) expect(await outlineOfFocused(page)).toBe('none');
    await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  }
  await expect(page.getByText('Nothing waits for you')).toBeVisible();
  await expect.poll(() => focused(page)).not.toBe('none');
});

test('the focus stays in the chat of a team after the operator is satisfied and after a merge is put off', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const script =
    "default:\n  do:\n    - write: {path: a.txt, content: a}\n  text: '<task-result>Done</task-result>'\n";
  const { runId } = await startTeam(bench, muster, {
    scripts: { ana: script },
    config: { members: [{ name: 'ana', agent: 'ana', prompt: 'Write.', iterative: true }] },
  });
  await page.evaluate((run) => {
    location.hash = `#/team/${run}/1/all`;
  }, runId);
  await page.getByRole('button', { name: /^Satisfied/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Satisfied/ })).toBeHidden();
  expect(await focused(page)).toBe('column-detail');
  await muster.call('settings.set', { settings: { undoSeconds: 2 } });
  const later = page.getByRole('button', { name: /^Not now/ });
  await expect(later).toBeVisible();
  await canDecide(page);
  await later.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  // The card offers it, and no bar besides, which would cover what is written below.
  await expect(page.getByRole('button', { name: /^Undo/ })).toHaveCount(1);
  await expect(later).toBeHidden();
  expect(await focused(page)).toBe('column-detail');
});
