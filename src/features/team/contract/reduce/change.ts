import type { LocalId } from '@contract/ids';
import { ownValue, setOwnValue } from '@contract/own';
import type { Reducer } from '@contract/run/event-table';
import type { TeamEvent } from '../events';
import type { MemberState, TeamState } from '../state';

/** A run's teams, by activation. */
export type Teams = Record<LocalId, TeamState>;

function teamOf(teams: Teams, activationId: LocalId): TeamState {
  teams[activationId] ??= {
    activationId,
    members: {},
    messages: {},
    tasks: {},
    merges: {},
    leadQueue: [],
    leadSent: 0,
    leadStalled: null,
    cleanedUp: null,
    last: { message: 0, task: 0, merge: 0 },
  };
  return teams[activationId];
}

/** A reducer that changes the event's team, which its first event creates. */
export const inTeam =
  <E extends TeamEvent>(reduce: Reducer<TeamState, E>): Reducer<Teams, E> =>
  (teams, event, at) =>
    reduce(teamOf(teams, event.activationId), event, at);

export function changeMember(
  team: TeamState,
  name: string,
  change: (m: MemberState) => Partial<MemberState>,
): void {
  const member = ownValue(team.members, name);
  if (member) setOwnValue(team.members, name, { ...member, ...change(member) });
}
