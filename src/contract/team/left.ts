import { memberLane } from '../run/reduce/team';
import type { RunState } from '../run/state';
import type { MemberState } from './state';

const left = ({ stopped, merged, freezing, stopping }: MemberState): boolean =>
  stopped !== null || merged !== null || freezing !== null || stopping?.force === true;

/** The lanes of members that have stopped, or are stopped at once: nothing more is sent there, and nothing waited for. */
export const leftLanes = ({ teams }: Pick<RunState, 'teams'>, activationId: number): ReadonlySet<string> =>
  new Set(
    Object.values(teams[activationId]?.members ?? {}).flatMap((member) =>
      left(member) ? [memberLane(member.name)] : [],
    ),
  );
