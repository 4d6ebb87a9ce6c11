import { expect, test } from 'vitest';
import type { RunState } from '../run/state';
import { leftLanes } from './left';
import type { MemberState } from './state';

const member = (name: string, changes: Partial<MemberState>): MemberState =>
  ({ name, stopped: null, merged: null, freezing: null, stopping: null, ...changes }) as MemberState;

const teams = (...members: MemberState[]) =>
  ({
    1: { members: Object.fromEntries(members.map((one) => [one.name, one])) },
  }) as unknown as RunState['teams'];

test('A member that is being stopped by force has left, one that stops after its turn has not', () => {
  const stopping = { by: 'operator', at: 1 };
  const state = {
    teams: teams(
      member('forced', { stopping: { ...stopping, force: true } }),
      member('graceful', { stopping: { ...stopping, force: false } }),
    ),
  };
  expect([...leftLanes(state, 1)]).toEqual(['member-forced']);
});

test('Stopped, merged and snapshotted members have left, working ones have not', () => {
  const state = {
    teams: teams(
      member('stopped', { stopped: { reason: 'done', at: 1, frozen: null } }),
      member('merged', { merged: { at: 1, commit: null } }),
      member('freezing', { freezing: { reason: 'done', at: 1 } }),
      member('working', {}),
    ),
  };
  expect([...leftLanes(state, 1)]).toEqual(['member-stopped', 'member-merged', 'member-freezing']);
  expect([...leftLanes(state, 2)]).toEqual([]);
});
