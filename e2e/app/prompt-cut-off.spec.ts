import { gateAsking, received } from '../fixtures/team';
import { expect, letGo, scripted, test, WORKFLOW } from '../fixtures/test';

const steps = `name: Build it
steps:
  - { id: build, title: Build, type: step.agent_task, config: { acp_profile_id: worker, instruction: Build. } }
`;

test("an operator's prompt that kill -9 cut off is sent again from its place, exactly once", async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const worker = `match:
  - when: Make it blue
    reply: { do: [{ say: "I begin. " }, { wait_for_file: "${bench.dataDir}/go" }], text: It is blue. }
default: Built.
`;
  const project = await bench.project(muster, scripted(steps, worker));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  await muster.call('session.prompt', { runId, sessionId: 1, text: 'Make it blue' });
  await bench.until(muster, runId, ({ state }) => received(state).length === 2);
  process.kill(await muster.corePid(), 'SIGKILL');
  const title = 'Build: what you said was cut off';
  const cut = await bench.until(muster, runId, ({ state }) => gateAsking(state, title) !== undefined);
  expect(cut.state.turns[2]?.status).toBe('interrupted');

  await page.evaluate(() => {
    location.hash = '#/inbox';
  });
  await expect(page.getByRole('article', { name: title })).toContainText('Make it blue');
  await page.evaluate((id) => {
    location.hash = `#/session/${id}/1`;
  }, runId);
  letGo(bench.dataDir);
  const gate = page.getByRole('region', { name: `Gate: ${title}` });
  await gate.getByRole('button', { name: /^Send again/ }).click();
  const { state, row } = await bench.until(
    muster,
    runId,
    (run) => run.row.finishedAt !== null && run.state.turns[3]?.status === 'completed',
  );
  expect(state.turns[3]).toMatchObject({
    prompt: 'Make it blue',
    resendOf: 2,
    response: expect.stringContaining('It is blue.'),
  });
  expect(row.outcome).toBe('succeeded');
  expect(received(state).filter((prompt) => prompt === 'Make it blue')).toHaveLength(2);
});
