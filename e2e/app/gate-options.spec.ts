import type { Muster } from '../fixtures/launch';
import { canDecide, expect, scripted, test, WORKFLOW } from '../fixtures/test';

const workflow = `name: Reviewed
steps:
  - id: review
    type: step.agent_review_gate
    config: {acp_profile_id: worker, instruction: Review it.}
`;
const show = (muster: Muster, hash: string) =>
  muster.page.evaluate((to) => {
    location.hash = to;
  }, hash);

test('the chosen one of two options that reject is sent: by mouse in its run, by keys in the inbox', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(workflow, 'default: I have no view.\n'));
  const asked = async () => {
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
    const { row } = await bench.until(muster, runId, (run) => run.row.openGates === 1);
    return { runId, uid: row.uid };
  };
  const answered = async (runId: number) => {
    const { state } = await bench.until(muster, runId, (run) => run.row.status === 'failed');
    return state.gates[1]?.answer;
  };

  const first = await asked();
  await show(muster, `#/run/${first.uid}`);
  const gate = page.getByRole('region', { name: /^Gate: / });
  await gate
    .getByRole('button', { name: /Fail the step/ })
    .first()
    .click();
  await expect(gate.getByRole('button', { name: /^Reject/ })).toHaveCount(0);
  await gate.getByRole('textbox', { name: 'Reason for "Fail the step"' }).fill('no use');
  await page.keyboard.press('Control+Enter');
  expect(await answered(first.runId)).toEqual({ option: 'fail', reason: 'no use' });

  const second = await asked();
  await show(muster, '#/inbox');
  // The failed run is in the list too, and is shown if it arrived before the question.
  await page.getByRole('option', { name: /^review / }).click();
  const answer = page.getByRole('region', { name: 'Your answer' });
  await expect(answer.getByRole('button', { name: /^Fail the step/ })).toBeVisible();
  // A revision is requested only with its reason.
  await canDecide(page);
  await page.keyboard.press('r');
  await expect(answer.getByRole('textbox', { name: 'Reason for "Reject"' })).toBeFocused();
  await expect(answer.locator('footer').getByRole('button', { name: /^Reject/ })).toBeDisabled();
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Escape');
  await canDecide(page);
  await page.keyboard.press('Shift+C');
  await page.getByRole('menuitem', { name: /Fail the step/ }).press('Enter');
  await answer.getByRole('textbox', { name: 'Reason for "Fail the step"' }).fill('still none');
  await page.keyboard.press('Control+Enter');
  expect(await answered(second.runId)).toEqual({ option: 'fail', reason: 'still none' });
});
