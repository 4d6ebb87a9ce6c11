import type { Page } from '@playwright/test';
import type { Muster } from '../fixtures/launch';
import { type Bench, canDecide, expect, scripted, test, WORKFLOW } from '../fixtures/test';

const approval = (id: string, more = '') =>
  `name: ${id}\nsteps:\n  - {id: ${id}, type: step.approval, config: {message: Take ${id}?${more}}}\n`;
const workflow = (name: string) => `.muster/workflows/${name}.yaml`;

const FILES = {
  ...scripted(approval('one'), 'default:\n  text: <task-result>A draft.</task-result>\n'),
  ...Object.fromEntries(['two', 'three', 'four', 'five'].map((id) => [workflow(id), approval(id)])),
  [workflow('port')]: approval('port', ', capture_response: true'),
  [workflow('breaks')]:
    'name: Breaks\nsteps:\n  - {id: no, type: step.command, config: {script: exit 3, terminal: false}}\n',
};

const TEAM = {
  members: ['ana', 'ben'].map((name) => ({ name, agent: 'worker', prompt: 'Write.', iterative: true })),
};

const show = (muster: Muster, hash: string) =>
  muster.page.evaluate((to) => {
    location.hash = to;
  }, hash);

/**
 * Ten things that need the operator: five approvals, a question for a text, two replies and two failed runs.
 */
async function tenItems(bench: Bench, muster: Muster) {
  const { id: projectId } = await bench.project(muster, FILES);
  for (const file of [WORKFLOW, ...['two', 'three', 'four', 'five', 'port'].map(workflow)]) {
    const { runId } = await muster.call('run.start', { projectId, file });
    await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  }
  for (let count = 0; count < 2; count += 1) {
    const { runId } = await muster.call('run.start', { projectId, file: workflow('breaks') });
    await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  }
  const team = await muster.call('team.start', { projectId, name: 'Writers', config: TEAM });
  const listed = async () => (await muster.call('attention.list', {})).count;
  await expect.poll(listed, { timeout: 60_000 }).toBe(10);
  return { team: team.runId, listed };
}

const rows = (page: Page) => page.getByRole('listbox', { name: 'Waiting gates' }).getByRole('option');

test('ten mixed items are answered with one key each, and the next one comes by itself', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { team, listed } = await tenItems(bench, muster);
  await show(muster, '#/inbox');
  await expect(rows(page)).toHaveCount(10);
  await expect(page.getByRole('link', { name: 'Inbox, 10 waiting' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('10 need you');
  let keys = 0;
  const press = async (key: string) => {
    await canDecide(page);
    await page.keyboard.press(key);
    keys += 1;
  };
  for (let left = 10; left > 0; left -= 1) {
    await expect(page.getByRole('link', { name: `Inbox, ${left} waiting` })).toBeVisible();
    const field = page.getByRole('textbox', { name: 'Your answer' });
    if (await field.isVisible()) {
      await page.keyboard.type('8080');
      keys += 4;
      await press('ControlOrMeta+Enter');
    } else if (await page.getByRole('button', { name: /^Dismiss/ }).isVisible()) await press('r');
    else await press('a');
    await expect(page.getByRole('link', { name: `Inbox, ${left} waiting` })).toBeHidden();
  }
  expect(keys).toBe(14);
  await expect.poll(listed).toBe(0);
  const { state } = await bench.until(muster, team, () => true);
  expect(Object.values(state.teams[1]?.members ?? {}).map(({ released }) => released?.how)).toEqual([
    'satisfied',
    'satisfied',
  ]);
});

test('a decision is held for some seconds: undone it was never sent, and a reload sends it', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { id: projectId } = await bench.project(muster, FILES);
  await muster.call('settings.set', { settings: { undoSeconds: 60 } });
  const { runId } = await muster.call('run.start', { projectId, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  const gate = page.getByRole('article', { name: 'one' });
  const undo = page.getByRole('button', { name: /^Undo/ });
  await show(muster, '#/inbox');
  await canDecide(page);
  await page.keyboard.press('r');
  await page.getByRole('textbox', { name: /^Reason/ }).fill('Not yet.');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(gate).toBeHidden();
  await expect(page.getByRole('link', { name: 'Inbox', exact: true })).toBeVisible();
  await page.keyboard.press('u');
  await expect(gate).toBeVisible();
  await expect(undo).toBeHidden();
  await canDecide(page);
  // The draft of the reason is still there.
  await page.keyboard.press('r');
  await expect(page.getByRole('textbox', { name: /^Reason/ })).toHaveValue('Not yet.');
  await page.keyboard.press('Escape');
  await canDecide(page);
  await page.keyboard.press('a');
  await expect(undo).toBeVisible();
  const { state } = await bench.until(muster, runId, () => true);
  expect(state.gates[1]?.status).toBe('open');
  await show(muster, `#/run/${runId}`);
  await expect(
    page.getByRole('region', { name: 'Your answer' }).or(page.getByRole('status', { name: 'Your answer' })),
  ).toContainText('Approve');
  await page.reload();
  const end = await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  expect(end.state.gates[1]?.answer).toMatchObject({ option: 'approve' });
});
