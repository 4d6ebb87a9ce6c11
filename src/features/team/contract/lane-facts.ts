import { ownValue } from '@contract/own';
import type { LaneFacts } from '@contract/run/features/feature';
import { agentOfLane, LEAD_LANE } from './lanes/lanes';
import type { MemberState, TeamState } from './state';
import { isPlanning } from './status';

/** It has stopped, or is being stopped immediately. */
const hasStopped = ({ stopped, merged, freezing, stopping }: MemberState): boolean =>
  stopped !== null || merged !== null || freezing !== null || stopping?.force === true;

const stopsAfter = (name: string): string =>
  `${name} is to stop, and does so when this turn has ended. Force in its team ends the turn at once and withdraws this question.`;

/** What holds for the lanes of a team. For failed members the operator is asked instead of resuming them. */
export function teamLane(team: Pick<TeamState, 'members'>, lane: string): LaneFacts {
  const parks = true;
  if (lane === LEAD_LANE) return { name: 'Lead', resumes: true, parks };
  const member = ownValue(team.members, agentOfLane(team, lane) ?? '');
  if (member === undefined) return { parks };
  const { name, rounds, readOnly, stopping } = member;
  return {
    name,
    round: rounds.at(-1)?.round,
    stopped: hasStopped(member),
    reads: readOnly || isPlanning(member),
    parks,
    ...(stopping === null ? {} : { stopsAfter: stopsAfter(name) }),
  };
}
