import { expect, test } from 'vitest';
import type { MemberState } from '../state';
import { stoppedLanes } from './stopped-lanes';

const member = (name: string, changes: Partial<MemberState>): MemberState =>
  ({ name, stopped: null, merged: null, freezing: null, stopping: null, ...changes }) as MemberState;

const teamOf = (...members: MemberState[]) => ({
  members: Object.fromEntries(members.map((one) => [one.name, one])),
});

test('A member that is being stopped by force has left, and one that stops after its turn has not', () => {
  const stopping = { by: 'operator', at: 1 };
  const team = teamOf(
    member('forced', { stopping: { ...stopping, force: true } }),
    member('graceful', { stopping: { ...stopping, force: false } }),
  );
  expect(stoppedLanes(team)).toEqual(['member-forced']);
});

test('Stopped, merged and snapshotted members have left, working ones have not', () => {
  const team = teamOf(
    member('stopped', { stopped: { reason: 'done', at: 1, frozen: null } }),
    member('merged', { merged: { at: 1, commit: null } }),
    member('freezing', { freezing: { reason: 'done', at: 1 } }),
    member('working', {}),
  );
  expect(stoppedLanes(team)).toEqual(['member-stopped', 'member-merged', 'member-freezing']);
  expect(stoppedLanes(teamOf())).toEqual([]);
});
