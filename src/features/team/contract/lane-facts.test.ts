import { expect, test } from 'vitest';
import { teamLane } from './lane-facts';
import type { MemberState } from './state';

const member = (name: string, changes: Partial<MemberState>): MemberState =>
  ({
    name,
    rounds: [],
    stopped: null,
    merged: null,
    freezing: null,
    stopping: null,
    ...changes,
  }) as MemberState;

const teamOf = (...members: MemberState[]) => ({
  members: Object.fromEntries(members.map((one) => [one.name, one])),
});

const stopped = (team: ReturnType<typeof teamOf>) =>
  Object.keys(team.members).filter((name) => teamLane(team, `member-${name}`).stopped);

test('A member that is being stopped by force has left, and one that stops after its turn has not', () => {
  const stopping = { by: 'operator', at: 1 };
  const team = teamOf(
    member('forced', { stopping: { ...stopping, force: true } }),
    member('graceful', { stopping: { ...stopping, force: false } }),
  );
  expect(stopped(team)).toEqual(['forced']);
  expect(teamLane(team, 'member-graceful').stopsAfter).toContain('graceful is to stop');
});

test('Stopped, merged and snapshotted members have left, working ones have not', () => {
  const team = teamOf(
    member('stopped', { stopped: { reason: 'done', at: 1, frozen: null } }),
    member('merged', { merged: { at: 1, commit: null } }),
    member('freezing', { freezing: { reason: 'done', at: 1 } }),
    member('working', {}),
  );
  expect(stopped(team)).toEqual(['stopped', 'merged', 'freezing']);
  expect(stopped(teamOf())).toEqual([]);
});

test('only the lead is tried again by itself when the operator resumes a run', () => {
  const team = teamOf(member('ada', {}));
  expect([teamLane(team, 'lead').resumes, teamLane(team, 'member-ada').resumes]).toEqual([true, undefined]);
});
