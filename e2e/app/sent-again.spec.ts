import { rpcChannel } from '@contract/system/channels';
import type { Muster } from '../fixtures/launch';
import { resultsOf, startTeam } from '../fixtures/team';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

/**
 * Kills the core with -9 after it has executed the next command of this name, so the answer never reaches the
 * window.
 */
async function loseAnswer(muster: Muster, name: string): Promise<void> {
  const pid = await muster.corePid();
  await muster.app.evaluate(
    ({ ipcMain }, of) => {
      const { _invokeHandlers } = ipcMain;
      const answer = _invokeHandlers.get(of.channel);
      if (answer === undefined) throw new Error('no one answers the window');
      _invokeHandlers.set(of.channel, async (event, raw) => {
        const reply = await answer(event, raw);
        if (raw.name !== of.name) return reply;
        _invokeHandlers.set(of.channel, answer);
        process.kill(of.pid, 'SIGKILL');
        throw new Error('the core has died');
      });
    },
    { channel: rpcChannel, name, pid },
  );
}

/** Waits until the next core answers. */
async function nextCore(muster: Muster, before: number): Promise<void> {
  await expect
    .poll(async () => {
      const { core } = await muster.call('system.status', {});
      return core.state === 'running' && core.pid !== before;
    })
    .toBe(true);
}

const goTo = (muster: Muster, hash: string) =>
  muster.page.evaluate((to) => {
    location.hash = to;
  }, hash);

/** Number of times that the history contains this message of the operator. */
async function timesSaid(muster: Muster, runId: number, words: string): Promise<number> {
  const events = await muster.call('run.events', { runId });
  return events.filter(
    ({ event }) => (event.type === 'prompt.queued' || event.type === 'team.message') && event.text === words,
  ).length;
}

const steps = `name: Build it
steps:
  - id: build
    type: step.agent_task
    on_interrupt: retry
    config: { acp_profile_id: worker, instruction: Build. }
`;

test('a prompt whose reply was lost with the core is there once when it is sent again', async ({ bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(steps, 'default: Built.\n'));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  await goTo(muster, `#/session/${runId}/1`);
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('Make it blue');
  const pid = await muster.corePid();
  await loseAnswer(muster, 'session.prompt');
  await prompt.press('Control+Enter');
  await expect(page.getByText('session.prompt did not reach the core')).toBeVisible();
  await expect(prompt).toHaveValue('Make it blue');
  await nextCore(muster, pid);
  expect(await timesSaid(muster, runId, 'Make it blue')).toBe(1);

  await prompt.press('Control+Enter');
  await expect(prompt).toHaveValue('');
  await prompt.fill('And round');
  await prompt.press('Control+Enter');
  await bench.until(muster, runId, ({ state }) => state.last.prompt === 2);
  expect(await timesSaid(muster, runId, 'Make it blue')).toBe(1);

  await prompt.fill('Make it blue');
  await prompt.press('Control+Enter');
  await bench.until(muster, runId, ({ state }) => state.last.prompt === 3);
  expect(await timesSaid(muster, runId, 'Make it blue')).toBe(2);
});

test('a message to a team whose reply was lost is there once when it is sent again', async ({ bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { runId } = await startTeam(bench, muster, {
    scripts: { quick: 'default: <task-result>Read.</task-result>\n' },
    config: { members: [{ name: 'S1', agent: 'quick', prompt: 'Read.', iterative: true }] },
  });
  await bench.until(muster, runId, ({ state }) => resultsOf(state, 'S1')[0] === 'Read.');
  await goTo(muster, `#/team/${runId}/1/S1`);
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill('Once more');
  const pid = await muster.corePid();
  await loseAnswer(muster, 'team.say');
  await message.press('Control+Enter');
  await expect(page.getByText('team.say did not reach the core')).toBeVisible();
  await expect(message).toHaveValue('Once more');
  await nextCore(muster, pid);

  await message.press('Control+Enter');
  await expect(message).toHaveValue('');
  await message.fill('And again');
  await message.press('Control+Enter');
  await expect.poll(() => timesSaid(muster, runId, 'And again')).toBe(1);
  expect(await timesSaid(muster, runId, 'Once more')).toBe(1);
});

test('a workflow whose start was not answered is started once, and another press starts another', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, scripted(steps, 'default: Built.\n'));
  const runs = async () => (await muster.call('run.list', {})).rows.length;
  const open = () => goTo(muster, `#/workflow/${project.id}/${encodeURIComponent(WORKFLOW)}`);
  await open();
  const run = page.getByRole('button', { name: /^Run\b/ });
  await expect(run).toBeEnabled();
  const pid = await muster.corePid();
  await loseAnswer(muster, 'run.start');
  await run.click();
  await expect(page.getByText('run.start did not reach the core')).toBeVisible();
  await nextCore(muster, pid);
  await run.click();
  await expect(page.getByRole('article', { name: 'Run Build it' })).toBeVisible();
  expect(await runs()).toBe(1);

  await open();
  await run.click();
  await expect.poll(runs).toBe(2);
});
