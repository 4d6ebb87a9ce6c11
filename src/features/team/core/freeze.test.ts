import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import { runStatus } from '@contract/run/status';
import { cutShort } from '@main/core/engine/turns/truncate-history';
import type { MergeToMake } from '@main/core/ports/workspaces/merges';
import type { Workspaces } from '@main/core/ports/workspaces/workspaces';
import { describe, expect, test } from 'vitest';
import { errorOf, openTeam, type TeamHarness } from './testing/team';

type Snapshot = Workspaces['snapshot'];

/** A team whose members change their folders: each snapshot is its own commit, named by its order. */
async function teamAtWork(more: Record<string, unknown> = {}): Promise<TeamHarness> {
  const team = await openTeam({ members: [], lead: { agent: 'leader' }, instruction: 'go' });
  const taken: Snapshot = async (_place, name) => {
    team.folders.kept.push(name);
    return ok(`${name} #${team.folders.kept.length}`);
  };
  Object.assign(team.folders, {
    snapshot: taken,
    changes: async (_place: unknown, { before, after }: { before: string; after: string }) => ({
      before,
      after,
      files: 1,
      added: 1,
      removed: 0,
    }),
  });
  await team.call('operator', 'team_spawn', {
    name: 'S1',
    agent: 'fake',
    prompt: 'work',
    iterative: true,
    worktree: true,
    ...more,
  });
  return team;
}

const command = async (team: TeamHarness, ...events: RunEvent[]) => {
  await team.engine.command(1, () => ok(events));
  await team.idle();
};
const stopped = (team: TeamHarness) => team.team.members.S1?.stopped;
const kept = (team: TeamHarness) => team.folders.kept.filter((name) => name.includes('/work-'));
const WORK = 'U0/work-1-S1';

describe("a stopped member's work", () => {
  test('a member leaves its folder as it is when it stops, not as one of its turns left it', async () => {
    const team = await teamAtWork();
    await team.deliver('S1', 'draft');
    await team.call('operator', 'satisfied', { member: 'S1' });
    Object.assign(team.folders, { changes: async () => null });
    await team.deliver('S1', 'final');
    expect(kept(team)).toEqual([WORK]);
    expect(stopped(team)).toMatchObject({
      reason: 'its last round is delivered',
      frozen: expect.stringMatching(/^U0\/work-1-S1 #/),
    });
    expect(team.team.merges[1]).toMatchObject({ member: 'S1', status: 'rehearsed' });
  });

  test('a member leaves the work of a turn that was ended by force', async () => {
    const team = await teamAtWork();
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    expect(team.team.members.S1?.stopped).toMatchObject({
      reason: 'ended by force',
      frozen: expect.stringMatching(/^U0\/work-1-S1 #/),
    });
  });

  test('a member leaves nothing where its folder is as it began', async () => {
    const team = await teamAtWork();
    await team.deliver('S1', 'draft');
    Object.assign(team.folders, {
      changes: async (_place: unknown, between: { before: string; after: string }) => ({
        ...between,
        added: 0,
        removed: 0,
        files: between.before.startsWith('base-') ? 0 : 1,
      }),
    });
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    expect(stopped(team)?.frozen).toBeNull();
    expect(team.team.merges).toEqual({});
  });

  test('a member leaves nothing in a folder that it shares, where only others changed it', async () => {
    const team = await teamAtWork({ worktree: false });
    Object.assign(team.folders, {
      changes: async (_place: unknown, between: { before: string; after: string }) => ({
        ...between,
        files: 0,
        added: 0,
        removed: 0,
      }),
    });
    await team.deliver('S1', 'looked');
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    expect([stopped(team)?.frozen, kept(team)]).toEqual([null, []]);
  });

  test('a member leaves what was kept after its own turns in a folder that it shares, where others go on', async () => {
    const team = await teamAtWork({ worktree: false });
    await team.deliver('S1', 'draft');
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    expect(kept(team)).toEqual([]);
    expect(stopped(team)?.frozen).toMatch(/^U0\/t\d+-after/);
  });

  test('a member leaves what a cut turn did, also where the next one had nothing more to do', async () => {
    const team = await teamAtWork({ worktree: false });
    await team.deliver('S1', 'draft');
    await team.say('S1', 'more');
    await team.restart();
    for (const { id, status, kind } of Object.values(team.state().gates))
      if (status === 'open' && kind === 'interrupted_turn') await team.answer('continue', { gateId: id });
    Object.assign(team.folders, {
      changes: async (_place: unknown, between: { before: string; after: string }) => ({
        ...between,
        files: between.before.startsWith('base') ? 1 : 0,
        added: 1,
        removed: 0,
      }),
    });
    await team.deliver('S1', 'it is all there');
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    expect(kept(team)).toEqual([WORK]);
  });

  test('a member leaves its work without what the operator took back, also where others go on', async () => {
    const team = await teamAtWork({ worktree: false });
    await team.deliver('S1', 'draft');
    const sessionId = team.state().activations[1]?.lanes['member-S1'] ?? 0;
    const { last } = team.state();
    await command(team, {
      type: 'hunk.marked',
      sessionId,
      turnId: last.turn,
      path: 'a.md',
      hunk: 'h',
      mark: 'rejected',
      by: 'operator',
    } as RunEvent);
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    expect(kept(team)).toEqual([WORK]);
  });

  test("a member's work is under way, and the run is, until it is kept", async () => {
    const team = await teamAtWork();
    await team.deliver('S1', 'draft');
    team.waiting('lead')?.end({ response: 'waits' });
    await team.idle();
    Object.assign(team.folders, { snapshot: () => new Promise(() => undefined) });
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    expect(runStatus(team.state())).toBe('running');
    // A current export, imported elsewhere, does not continue by itself.
    const state = replay(team.log.read(1));
    if (state === null) throw new Error('no run');
    cutShort(state, { when: 'it was exported', reason: 'it was exported' });
    expect(state.teams[1]?.members.S1).toMatchObject({
      freezing: null,
      stopped: { reason: expect.stringContaining('it was exported') },
    });
  });

  test("a member's work is kept once more after a crash, and not requested meanwhile", async () => {
    const team = await teamAtWork();
    await team.deliver('S1', 'draft');
    const { snapshot } = team.folders;
    Object.assign(team.folders, { snapshot: () => new Promise(() => undefined) });
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    expect(errorOf(await team.say('S1', 'wait'))).toBe('team.member_ended');
    expect([team.word('S1'), team.waiting('S1')]).toEqual(['stopping', undefined]);
    Object.assign(team.folders, { snapshot });
    await team.restart();
    expect(kept(team)).toEqual([WORK]);
    expect(stopped(team)?.frozen).toMatch(/^U0\/work-1-S1 #/);
    expect(team.events().filter(({ type }) => type === 'team.stopped')).toHaveLength(1);
  });

  test('a member leaves the work of its last turn, and that is said, where its folder cannot be kept', async () => {
    const team = await teamAtWork();
    await team.deliver('S1', 'draft');
    Object.assign(team.folders, { snapshot: async () => err(appError('workspace.failed', 'it is gone')) });
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    expect(stopped(team)?.frozen).toMatch(/^U0\/t\d+-after/);
    expect(stopped(team)?.reason).toContain('it is gone');
  });

  test("a member's work is kept before a run that is cancelled ends", async () => {
    const team = await teamAtWork();
    await team.deliver('S1', 'draft');
    let go: () => void = () => undefined;
    const { snapshot } = team.folders;
    const waits: Snapshot = (place, name) =>
      new Promise((resolve) => {
        go = () => resolve(snapshot(place, name));
      });
    Object.assign(team.folders, { snapshot: waits });
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    team.waiting('lead')?.end({ outcome: 'cancelled' });
    await team.cancel();
    expect(team.state().status).toBe('cancelling');
    go();
    await team.idle();
    expect([team.state().outcome, stopped(team)?.frozen]).toEqual([
      'cancelled',
      expect.stringMatching(/^U0\/work-1-S1 #/),
    ]);
  });
});

describe('changes in the folder of a stopped member', () => {
  /** Snapshots that differ by the folder's content. */
  async function offered() {
    const team = await teamAtWork();
    const folder = { state: 'final' };
    Object.assign(team.folders, {
      snapshot: async () => ok(folder.state),
      changes: async (_place: unknown, { before, after }: { before: string; after: string }) => ({
        before,
        after,
        files: before === after ? 0 : 1,
        added: 0,
        removed: 0,
      }),
    });
    await team.deliver('S1', 'draft');
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    const asked: Pick<MergeToMake, 'commit' | 'newer'>[] = [];
    team.merges.rehearse = async ({ commit }) =>
      ok({ target: 'main', targetCommit: 'abc', files: 1, conflicts: [], commit });
    team.merges.merge = async ({ commit, newer }) => {
      asked.push({ commit, newer });
      return ok({ kind: 'made', commit: 'merged' });
    };
    return { team, folder, asked };
  }

  test('a change in the folder of a stopped member is seen when the merge is made, and not merged unseen', async () => {
    const { team, folder, asked } = await offered();
    folder.state = 'hunk taken back';
    await team.answer('merge');
    expect(asked).toEqual([{ commit: 'final', newer: 'hunk taken back' }]);
  });

  test('a change in the folder of a stopped member is part of the merge that is tried again', async () => {
    const { team, folder, asked } = await offered();
    await team.answer('decline');
    folder.state = 'hunk taken back';
    await team.call('operator', 'team_merge', { member: 'S1' });
    expect(team.team.merges[2]?.rehearsal?.commit).toBe('hunk taken back');
    await team.answer('merge');
    expect(asked).toEqual([{ commit: 'hunk taken back', newer: null }]);
  });
});

describe("the operator's own prompt to a member that is to stop", () => {
  const said = (promptId: number): RunEvent => {
    const about = { text: `and this ${promptId}`, attachments: [], by: 'operator' };
    return { type: 'prompt.queued', promptId, sessionId: 2, ...about };
  };
  const spoken = (team: TeamHarness) =>
    team.agents.sent.find(({ request }) => request.prompt === 'and this 1');

  test("a prompt to a stopping member is answered first, and its changes are part of the member's work", async () => {
    const team = await teamAtWork();
    await team.deliver('S1', 'draft');
    await team.call('operator', 'satisfied', { member: 'S1' });
    await command(team, said(1));
    await team.deliver('S1', 'final');
    expect([kept(team), team.word('S1')]).toEqual([[], 'stopping']);
    spoken(team)?.end({ response: 'done' });
    await team.idle();
    expect(stopped(team)).toMatchObject({ reason: 'its last round is delivered' });
    expect(kept(team)).toEqual([WORK]);
  });

  test("the operator's prompt is answered before a member without rounds stops, also while its session is being resumed", async () => {
    const team = await teamAtWork({ iterative: false });
    await team.deliver('S1', 'done');
    await command(team, { type: 'session.parked', sessionId: 2, reason: 'it was idle' });
    const resuming = team.points.hold('agents.open');
    await command(team, said(1));
    expect(resuming.isReached).toBe(true);
    await team.call('operator', 'team_shutdown', { member: 'S1', force: false });
    expect([stopped(team), spoken(team)]).toEqual([null, undefined]);
    resuming.release();
    await team.idle();
    expect([stopped(team), team.word('S1')]).toEqual([null, 'stopping']);
    spoken(team)?.end({ response: 'done that too' });
    await team.idle();
    expect(stopped(team)).toMatchObject({ reason: 'asked by operator' });
    expect(kept(team)).toEqual([WORK]);
  });

  test('a prompt to a stopping member is ended by force', async () => {
    const team = await teamAtWork();
    await team.deliver('S1', 'draft');
    await command(team, said(1));
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    expect(team.state().turns[Number(spoken(team)?.request.turnId)]?.status).toBe('cancelled');
    expect(kept(team)).toEqual([WORK]);
  });
});
