import { appError } from '@contract/errors';
import { LoopHarness, passed } from '@features/loop/core/testing/loop';
import { member, profiles, prompts, TeamHarness } from '@features/team/core/testing/team';
import { expect, test } from 'vitest';
import { Harness } from '../testing/harness';

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

const UNREADABLE = appError('workspace.unreadable', 'The workspace cannot be read: .git is missing (/w).');

test('the work of a member whose folder cannot be read when it stops is a question, and is offered once it can be read', async () => {
  const team = await opened();
  const { revive } = team.folders;
  team.folders.lost = UNREADABLE;
  team.folders.revive = async () => ({ ok: false, error: UNREADABLE });
  await team.call('operator', 'team_shutdown', { member: 'ana', force: true });
  expect(team.team.members.ana?.stopped).toMatchObject({ frozen: null, unread: UNREADABLE });
  const open = () => Object.values(team.state().gates).filter(({ status }) => status === 'open');
  expect(open()).toMatchObject([{ title: 'The work of ana is not merged', message: UNREADABLE.message }]);
  expect(team.state().outcome).toBeNull();
  team.folders.revive = revive;
  team.folders.snapshot = async () => ({ ok: true, value: 'c2' });
  team.folders.changes = async (_, between) => ({ ...between, files: 1, added: 1, removed: 0 });
  await team.answer('again');
  expect(open()).toMatchObject([{ title: 'Merge ana into main?' }]);
});

test('a command that leaves its workspace unreadable has failed, and one does not start in such a folder', async () => {
  const harness = new Harness();
  const script = { script: 'make', terminal: false };
  harness.folders.readable = async () => ({ ok: false, error: UNREADABLE });
  await harness.run({ steps: [{ id: 'a', type: 'step.command', config: script }] });
  expect(harness.state()).toMatchObject({
    outcome: 'failed',
    activations: { 1: { error: UNREADABLE } },
    commands: { 1: { status: 'exited', exitCode: 0 } },
  });
  const broken = new Harness();
  broken.folders.revive = async () => ({ ok: false, error: UNREADABLE });
  await broken.run({ steps: [{ id: 'a', type: 'step.command', config: script }] });
  expect(broken.commands.ran).toEqual([]);
  expect(broken.state().activations[1]?.error).toMatchObject(UNREADABLE);
});

test('a loop whose folder was deleted while it waited has it again before its next attempt', async () => {
  const harness = new LoopHarness(['A']);
  harness.deeds = [{ say: 'Result: blocked' }, passed('A')];
  await harness.loop();
  harness.folders.lost = GONE;
  await harness.answer('continue');
  expect(harness.folders.revived).not.toEqual([]);
  expect(harness.state().outcome).toBe('succeeded');
});

test('a merge is not offered while a member left conflicts, and its question names what it leaves out', async () => {
  const team = await opened();
  const unsettled = appError('conflict', 'An unfinished merge was left in /w. Files with conflicts: a.ts.');
  team.folders.snapshot = async () => ({ ok: true, value: 'c2' });
  team.folders.changes = async (_, between) => ({ ...between, files: 1, added: 1, removed: 0 });
  team.folders.state = async () => ({ ok: true, value: { unsettled, notes: [] } });
  await team.call('operator', 'team_shutdown', { member: 'ana', force: true });
  const open = () => Object.values(team.state().gates).filter(({ status }) => status === 'open');
  expect(open()).toMatchObject([{ title: 'The work of ana is not merged', message: unsettled.message }]);
  const notes = ['The submodule sub has changes that a merge leaves out.'];
  team.folders.state = async () => ({ ok: true, value: { unsettled: null, notes } });
  await team.answer('again');
  expect(open()).toMatchObject([{ message: `1 file changed. Merges cleanly. ${notes[0]}` }]);
});
