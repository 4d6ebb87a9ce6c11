import { memberLane } from './lanes';
import type { MemberState, TeamState } from './state';

const hasStopped = ({ stopped, merged, freezing, stopping }: MemberState): boolean =>
  stopped !== null || merged !== null || freezing !== null || stopping?.force === true;

/** The lanes of members that have stopped, or are stopped at once: nothing more is sent there, and nothing waited for. */
export const stoppedLanes = ({ members }: Pick<TeamState, 'members'>): string[] =>
  Object.values(members).flatMap((member) => (hasStopped(member) ? [memberLane(member.name)] : []));
