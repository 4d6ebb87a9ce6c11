import type { Muster } from '../fixtures/launch';
import { expect, letGo, scripted, test, WORKFLOW } from '../fixtures/test';

const workflow = `name: Held
steps:
  - id: work
    type: step.agent_task
    on_interrupt: ask
    config: {acp_profile_id: worker, instruction: Begin., re_prompts: [Go on.]}
`;
const script = (folder: string) => `match:
  - when: cut off
    reply: Taken up again.
  - when: Go on
    reply:
      do: [{ say: 'Half of it. ' }, { wait_for_file: ${folder}/go }]
      text: The other half.
default: Begun.
`;

const seqOf = async (muster: Muster, runId: number, wanted: (type: string) => boolean): Promise<number> => {
  const events = await muster.call('run.events', { runId });
  return events.find(({ event }) => wanted(event.type))?.seq ?? 0;
};

test('the operator scrubs back over a kill, sees the gate unanswerable there, reloads, and returns to now', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(workflow, script(bench.scratch)));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ state }) => state.turns[2]?.status === 'in_flight');
  process.kill(await muster.corePid(), 'SIGKILL');
  const { row } = await bench.until(muster, runId, (run) => run.row.openGates === 1);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/run/${row.uid}`);
  const run = page.getByRole('article', { name: 'Run Held' });
  const scrubber = page.getByRole('region', { name: 'Replay' });
  const slider = scrubber.getByRole('slider');
  await expect(run.getByRole('button', { name: /Continue in the session/ })).toBeVisible();

  await page.keyboard.press('h');
  await expect(scrubber.getByRole('status')).toContainText('You see the past.');
  await expect(scrubber.locator('[data-kind="restart"]')).toHaveCount(1);
  await expect(run.getByText('It was waiting for an answer at this moment.')).toBeVisible();
  await expect(run.getByRole('button', { name: /Continue in the session|^Cancel/ })).toHaveCount(0);

  const cut = await seqOf(muster, runId, (type) => type === 'turn.interrupted');
  const last = Number(await slider.getAttribute('aria-valuemax'));
  for (let seq = last; seq >= cut; seq -= 1) await page.keyboard.press('ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuenow', String(cut - 1));
  await expect(run.getByText('It was running at this moment.')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`at=${cut - 1}$`));

  await page.reload();
  await expect(slider).toHaveAttribute('aria-valuenow', String(cut - 1));
  await expect(run.getByText('It was running at this moment.')).toBeVisible();
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuenow', '1');
  await expect(run.getByRole('region', { name: 'Re-prompt 1/1' })).toHaveCount(0);
  // The first mark is the kill. Playing from it at 100x reaches the end of the history.
  await page.keyboard.press('Shift+ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuenow', String(cut));
  await scrubber.getByLabel('Speed').selectOption('100x');
  await scrubber.getByRole('button', { name: 'Play' }).click();
  await expect(slider).toHaveAttribute('aria-valuenow', String(last));
  await expect(scrubber.getByRole('button', { name: 'Play' })).toBeVisible();

  await page.keyboard.press('n');
  await expect(scrubber).toHaveCount(0);
  await expect(page).not.toHaveURL(/at=/);
  const answer = run.getByRole('button', { name: /Continue in the session/ });
  await expect(answer).toBeEnabled();
  letGo(bench.scratch);
  await expect(page.locator('.gate-answer:not([data-resting])')).toHaveCount(1);
  await answer.click();
  await bench.until(muster, runId, (end) => end.row.status === 'succeeded');
});

test('a failed step is run again with an edited instruction: earlier results are taken, the runs are linked and compared', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const chain = `name: Chain
steps:
  - {id: first, type: step.agent_task, config: {acp_profile_id: worker, instruction: Write it.}}
  - {id: second, type: step.agent_task, config: {acp_profile_id: worker, instruction: Break it.}}
cables: [{from: first.data_out, to: second.data_in}]
`;
  const replies = `match:
  - {when: Mend it, reply: Mended.}
  - {when: Break it, reply: {error: {message: It broke.}}}
  - when: Write it
    reply:
      do: [{write: {path: made.txt, content: made, via: direct}}]
      text: Written.
`;
  const project = await bench.project(muster, scripted(chain, replies));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { row } = await bench.until(muster, runId, (run) => run.row.status === 'failed');
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/run/${row.uid}`);
  const run = page.getByRole('article', { name: 'Run Chain' });
  await run.getByRole('button', { name: 'Run again' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Step')).toHaveValue('second');
  await dialog.getByLabel('Instruction').fill('Mend it.');
  await dialog.getByRole('button', { name: 'Configuration' }).click();
  const config = dialog.getByLabel('Configuration as JSON');
  const begin = dialog.getByRole('button', { name: 'Run again' });
  await config.fill('{"separate_outputs": tr');
  await expect(dialog.getByText('This is not a JSON object.')).toBeVisible();
  await expect(begin).toBeDisabled();
  await config.fill('{"separate_outputs": true}');
  await begin.click();
  await expect(run.getByText('Mended.').first()).toBeVisible();
  await expect(run.getByText('It was not executed here.')).toBeVisible();
  const next = (await muster.call('run.list', {})).rows.find(
    ({ name, id }) => name === 'Chain' && id !== runId,
  );
  const { state } = await bench.until(muster, next?.id ?? 0, (one) => one.row.status === 'succeeded');
  expect(state.activations[1]).toMatchObject({
    outcome: 'succeeded',
    turnIds: [],
    adopted: { uid: row.uid },
  });
  const { config: used } = state.definition.steps[1] ?? {};
  expect(used, 'what the field leaves out keeps its value').toEqual({
    acp_profile_id: 'worker',
    instruction: 'Mend it.',
    separate_outputs: true,
  });
  expect(state.again?.folder, 'it begins with the snapshot from before the step').not.toBeNull();
  expect(state.workspace?.path).not.toBe((await muster.call('run.get', { runId })).state.workspace?.path);
  await page.reload();
  await expect(run.getByText('It was not executed here.')).toBeVisible();
  await page.keyboard.press('Shift+D');
  const rows = page.getByRole('region', { name: 'Comparison' }).getByRole('row');
  await expect(rows.filter({ hasText: 'second' })).toContainText('configured differently');
  await expect(rows.filter({ hasText: 'first' })).toContainText('taken from an earlier run');
  await page.keyboard.press('Shift+D');
  await run.getByRole('link', { name: 'an earlier run' }).first().click();
  await expect(run.getByRole('link', { name: /run again from/ })).toBeVisible();
});
