import type { Muster } from '../fixtures/launch';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

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
  bench,
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
  await expect(muster.page.getByRole('heading', { name: 'This gate is not here' })).toBeVisible();
  await expect(gate).toBeHidden();
  await muster.page.keyboard.press('a');
  await show(muster, '#/inbox');
  await expect(gate).toBeVisible();
  const { state } = await bench.until(muster, runId, () => true);
  expect(state.gates[1]?.status).toBe('open');
});

test('a gate waits in the inbox also when its project was taken off the list', async ({ bench }) => {
  const muster = await bench.launch();
  const project = await bench.project(muster, scripted(workflow, 'default: Done.\n'));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  await muster.call('project.remove', { projectId: project.id });
  await muster.page.reload();
  await show(muster, '#/inbox');
  await expect(muster.page.getByRole('article', { name: 'ok' })).toBeVisible();
  await muster.page.keyboard.press('a');
  await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
});
