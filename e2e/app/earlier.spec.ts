import { startTeam } from '../fixtures/team';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

const FLOW =
  'name: Short\nsteps:\n  - id: a\n    type: step.agent_task\n    config: {acp_profile_id: worker, instruction: Go.}\n';

test('a team that ended before the last 40 runs is found by looking further back', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { runId } = await startTeam(bench, muster, {
    scripts: { writer: 'default: Done.\n' },
    config: { members: [{ name: 'S1', agent: 'writer', prompt: 'Write.', iterative: true }] },
  });
  await muster.call('run.cancel', { runId, by: 'test' });
  await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  const project = await bench.project(muster, scripted(FLOW, 'default: Done.\n'));
  for (let count = 0; count < 40; count += 1)
    await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await page.evaluate(() => {
    location.hash = '#/teams';
  });
  await expect(page.getByText('Of the last 40 runs')).toBeVisible();
  const team = page.getByRole('option', { name: /Case/ });
  await expect(team).toHaveCount(0);
  await page.getByRole('button', { name: 'Show earlier' }).click();
  await expect(team.first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show earlier' })).toHaveCount(0);
});
