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
  const project = await bench.project(muster, scripted(workflow, script(bench.dataDir)));
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
  await expect(run.getByText('It waited for an answer at this moment.')).toBeVisible();
  await expect(run.getByRole('button', { name: /Continue in the session|^Cancel/ })).toHaveCount(0);

  const cut = await seqOf(muster, runId, (type) => type === 'turn.interrupted');
  const last = Number(await slider.getAttribute('aria-valuemax'));
  for (let seq = last; seq >= cut; seq -= 1) await page.keyboard.press('ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuenow', String(cut - 1));
  await expect(run.getByText('It was in flight at this moment.')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`at=${cut - 1}$`));

  await page.reload();
  await expect(slider).toHaveAttribute('aria-valuenow', String(cut - 1));
  await expect(run.getByText('It was in flight at this moment.')).toBeVisible();
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuenow', '1');
  await expect(run.getByRole('region', { name: 'Re-prompt 1/1' })).toHaveCount(0);

  await page.keyboard.press('n');
  await expect(scrubber).toHaveCount(0);
  await expect(page).not.toHaveURL(/at=/);
  const answer = run.getByRole('button', { name: /Continue in the session/ });
  await expect(answer).toBeEnabled();
  letGo(bench.dataDir);
  await expect(page.locator('.gate-answer:not([data-resting])')).toHaveCount(1);
  await answer.click();
  await bench.until(muster, runId, (end) => end.row.status === 'succeeded');
});
