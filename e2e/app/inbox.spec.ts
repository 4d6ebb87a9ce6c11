import type { Muster } from '../fixtures/launch';
import { canDecide, expect, scripted, test, WORKFLOW } from '../fixtures/test';

const workflow = `name: Asked
steps:
  - id: ok
    type: step.approval
    config: {message: Go on?}
`;

async function show(muster: Muster, hash: string): Promise<void> {
  await muster.page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

test('a gate is put off and fetched back by keys at once, and the address of another one shows none', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const project = await bench.project(muster, scripted(workflow, 'default: Done.\n'));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  await show(muster, `#/gate/${runId}/1`);
  const gate = muster.page.getByRole('article', { name: 'ok' });
  await expect(gate).toBeVisible();
  await muster.page.keyboard.press('s');
  await muster.page.getByRole('menuitem', { name: 'For 1 hour' }).click();
  await expect(gate.getByText('snoozed, back')).toBeVisible();
  const gates = muster.page.getByRole('region', { name: 'Gates' });
  await expect(gates.getByText('Snoozed')).toBeVisible();
  await muster.page.keyboard.press('u');
  await expect(gate.getByText('snoozed, back')).toBeHidden();
  await expect(gates.getByText('Snoozed')).toBeHidden();

  await show(muster, `#/gate/${runId}/99`);
  await expect(muster.page.getByRole('heading', { name: 'Gate not found' })).toBeVisible();
  await expect(gate).toBeHidden();
  await muster.page.keyboard.press('a');
  await show(muster, '#/inbox');
  await expect(gate).toBeVisible();
  const { state } = await bench.until(muster, runId, () => true);
  expect(state.gates[1]?.status).toBe('open');
});

test('the second click of two decides nothing on the card that has just come', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(workflow, 'default: Done.\n'));
  const runs: number[] = [];
  for (let index = 0; index < 2; index += 1) {
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
    await bench.until(muster, runId, ({ row }) => row.openGates === 1);
    runs.push(runId);
  }
  const [first = 0, second = 0] = runs;
  await show(muster, `#/gate/${first}/1`);
  await canDecide(page);
  const place = await page.locator('[data-part="gate-option"].approve').boundingBox();
  if (place === null) throw new Error('there is nothing to approve');
  await page.mouse.click(place.x + 20, place.y + 10);
  await expect.poll(() => page.evaluate(() => location.hash)).toBe(`#/gate/${second}/1`);
  await expect(page.locator('[data-part="gate-option"].approve')).toBeEnabled();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await canDecide(page);
  await page.keyboard.press('r');
  await page.getByRole('textbox', { name: /^Reason/ }).fill('Not this one.');
  await page.keyboard.press('Control+Enter');
  const { state } = await bench.until(muster, second, ({ row }) => row.finishedAt !== null);
  expect(state.gates[1]?.answer).toMatchObject({ option: 'reject', reason: 'Not this one.' });
});

test('a gate waits in the inbox also when its project was taken off the list', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const project = await bench.project(muster, scripted(workflow, 'default: Done.\n'));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  await muster.call('project.remove', { projectId: project.id });
  await muster.page.reload();
  await show(muster, '#/inbox');
  await expect(muster.page.getByRole('article', { name: 'ok' })).toBeVisible();
  await canDecide(muster.page);
  await muster.page.keyboard.press('a');
  await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
});

test('a text that was emptied again keeps its field until it is closed: no letter decides', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(workflow, 'default: Done.\n'));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  await show(muster, `#/gate/${runId}/1`);
  const gate = page.getByRole('article', { name: 'ok' });
  await expect(gate).toBeVisible();
  await page.keyboard.press('t');
  const text = gate.getByRole('textbox', { name: 'Text of your answer' });
  await expect(text).toBeFocused();
  await page.keyboard.type('ab');
  await page.keyboard.press('Escape');
  await expect(text).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+x');
  await expect(text).toHaveValue('');
  await page.keyboard.press('a');
  await expect(text).toHaveValue('a');
  await page.keyboard.press('Backspace');
  await expect(text).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(text).toBeHidden();
  const { state } = await bench.until(muster, runId, () => true);
  expect(state.gates[1]?.status).toBe('open');
});

test('equal questions of two runs stand together, and shift+a answers both after their list is confirmed', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(workflow, 'default: Done.\n'));
  const runs: number[] = [];
  for (let index = 0; index < 2; index += 1) {
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
    await bench.until(muster, runId, ({ row }) => row.openGates === 1);
    runs.push(runId);
  }
  await show(muster, `#/gate/${runs[0]}/1`);
  await expect(page.getByText('Same question')).toBeVisible();
  await canDecide(page);
  await page.keyboard.press('Shift+A');
  const dialog = page.getByRole('dialog', { name: 'Answer 2 questions alike' });
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Answer 2 questions' }).click();
  for (const runId of runs) {
    const { state } = await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
    expect(state.gates[1]).toMatchObject({ status: 'resolved', answer: { option: 'approve' } });
  }
  await expect(dialog).toBeHidden();
});
