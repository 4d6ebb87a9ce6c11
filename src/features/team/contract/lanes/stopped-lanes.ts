import type { MemberState, TeamState } from '../state';
import { memberLane } from './lanes';

const hasStopped = ({ stopped, merged, freezing, stopping }: MemberState): boolean =>
  stopped !== null || merged !== null || freezing !== null || stopping?.force === true;

/**
 * The lanes of members that have stopped, or are being stopped immediately: nothing is sent or expected
 * there.
 */
export const stoppedLanes = ({ members }: Pick<TeamState, 'members'>): string[] =>
  Object.values(members).flatMap((member) => (hasStopped(member) ? [memberLane(member.name)] : []));
