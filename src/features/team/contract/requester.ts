import type { GateAsker } from '@areas/gates/contract/gate';
import { ownValue } from '@contract/own';
import type { AskedBy } from '@contract/run/features/feature';
import type { PlatformState } from '@contract/run/platform-state';
import { LEAD } from './events';
import { memberIn, teamKey } from './keys';
import { LEAD_LANE, memberLane } from './lanes/lanes';
import type { TeamState } from './state';

/** The member that a team's question is about: a name, `lead`, or null. */
export function gateMember(
  state: PlatformState,
  team: TeamState,
  gate: Pick<AskedBy, 'turnId' | 'about'>,
): string | null {
  const lane = gate.turnId === null ? null : (state.turns[gate.turnId]?.lane ?? null);
  if (lane === LEAD_LANE) return LEAD;
  const names = Object.keys(team.members);
  if (lane !== null) return names.find((name) => memberLane(name) === lane) ?? null;
  const key = teamKey.read(gate.about ?? '');
  if (key === null) return null;
  if (key[0] === 'team.merge') return team.merges[key[1]]?.member ?? null;
  const name = memberIn(key);
  return name === LEAD || (name !== null && names.includes(name)) ? name : null;
}

/** The asking member with its round, or the lead; null if the question comes from neither. */
export function teamRequester(state: PlatformState, team: TeamState, gate: AskedBy): GateAsker | null {
  const name = gateMember(state, team, gate);
  if (name === null || name === LEAD) return name === null ? null : { name };
  const rounds = ownValue(team.members, name)?.rounds ?? [];
  const gateRound = rounds.find(({ turnIds }) => gate.turnId !== null && turnIds.includes(gate.turnId));
  const round = (gateRound ?? rounds.at(-1))?.round;
  return round === undefined ? { name } : { name, round };
}
