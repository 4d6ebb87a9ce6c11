import { appError } from '@contract/errors';
import { member, profiles, prompts, TeamHarness } from '@features/team/core/testing/team';
import { expect, test } from 'vitest';

const GONE = appError('not_found', 'The folder /work-team-1-member-ana is gone.');

async function opened(): Promise<TeamHarness> {
  const team = new TeamHarness();
  team.agents.answer = () => null;
  const config = { members: [member('ana', { iterative: true, worktree: true })] };
  const definition = { workspace: 'worktree' as const, steps: [{ id: 'team', type: 'step.team', config }] };
  await team.run(definition, { profiles, prompts });
  await team.deliver('ana', 'A draft.');
  return team;
}

test('a member whose folder was deleted fails, and "Send again" makes the folder again and sends its prompt', async () => {
  const team = await opened();
  team.folders.lost = GONE;
  await team.say('ana', 'Make it shorter.');
  const { failed } = team.team.members.ana ?? {};
  expect(failed?.error).toMatchObject({
    code: 'workspace.snapshot_failed',
    message: expect.stringContaining('is gone'),
    mend: expect.stringContaining('recreates the folder'),
  });
  expect(team.state().sessions[1]).toMatchObject({ status: 'lost', reason: 'its folder is gone' });
  await team.answer('restore');
  expect(team.folders.revived).toHaveLength(1);
  expect(team.state().sessions[1]?.notice).toContain('recreated it from its branch');
  expect(team.waiting('ana')?.request.prompt).toContain('Make it shorter.');
  await team.deliver('ana', 'A short one.');
  expect(team.team.members.ana?.rounds.at(-1)?.result?.text).toBe('A short one.');
});

test('a folder that cannot be made again is named exactly, and asked about again', async () => {
  const team = await opened();
  team.folders.lost = GONE;
  await team.say('ana', 'Make it shorter.');
  team.clock.advance(1);
  team.folders.revive = async () => ({ ok: false, error: appError('workspace.failed', 'the disk is full') });
  await team.answer('restore');
  expect(team.team.members.ana?.failed?.error.message).toMatch(
    /The folder .* is gone and could not be recreated: the disk is full/,
  );
  expect(Object.values(team.state().gates).at(-1)).toMatchObject({ status: 'open', title: 'ana failed' });
});
