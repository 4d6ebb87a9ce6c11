import { own } from '@contract/own';
import type { TriedMerge } from '@contract/run/feature';
import type { TeamState } from './state';

/** A member's merge as it was last tried. An old event leaves the commit out: it is what the member stopped with. */
export function triedMerge(team: TeamState, mergeId: number): TriedMerge | null {
  const merge = team.merges[mergeId];
  if (merge?.rehearsal == null) return null;
  const commit = merge.rehearsal.commit ?? own(team.members, merge.member)?.stopped?.frozen ?? null;
  if (commit === null) return null;
  return { branch: merge.rehearsal.target, into: merge.rehearsal.targetCommit, commit };
}
