import { ownValue } from '@contract/own';
import type { TriedMerge } from '@contract/run/features/feature';
import type { TeamState } from '../state';

/** The last attempt at a member's merge. Old events lack the commit, which is then the member's final one. */
export function triedMerge(team: TeamState, mergeId: number): TriedMerge | null {
  const merge = team.merges[mergeId];
  if (merge?.rehearsal == null) return null;
  const commit = merge.rehearsal.commit ?? ownValue(team.members, merge.member)?.stopped?.frozen ?? null;
  if (commit === null) return null;
  return { branch: merge.rehearsal.target, into: merge.rehearsal.targetCommit, commit };
}
