import type { Result } from '@contract/result';
import type { MergeChoices, Rehearsal } from '@contract/workspace/merge';
import type { WorkspaceDiffView } from '@contract/workspace/procedures';

export type MergeChanges = Pick<WorkspaceDiffView, 'files' | 'truncated'> & { readonly root: string };

export interface MergeWanted {
  readonly projectPath: string;
  /** The state that is to be merged, as a commit. */
  readonly commit: string;
}

/** A merge that the operator confirmed. */
export interface MergeToMake extends MergeWanted {
  readonly choices: MergeChoices;
  /** Without the mark. */
  readonly message: string;
  /** Of all merges this one: its commit is known again by it. */
  readonly id: string;
  /** What has come since in the place of what was shown; null: nothing. */
  readonly newer: string | null;
  /** What it was tried on when the operator was asked. */
  readonly rehearsed: Pick<Rehearsal, 'target' | 'targetCommit'>;
}

/** The line in the message of a merge's commit that says which merge it is. */
export const markOf = (id: string): string => `Muster-Merge: ${id}`;

export type MergeMade =
  /** Null where there is nothing to merge any more. */
  | { readonly kind: 'made'; readonly commit: string | null }
  /** Nothing was done: it is not the merge any more that was confirmed. `moved` says why. */
  | ({ readonly kind: 'moved'; readonly moved: string } & Rehearsal);

/** Merges into the operator's checkout: only ever whole, and never with conflict markers in it. */
export interface Merges {
  /** Tries the merge without touching any work tree. */
  rehearse(wanted: MergeWanted): Promise<Result<Rehearsal>>;
  /** What the merge of `commit` into the commit `into` would change; files in conflict are left out. */
  changes(wanted: MergeWanted & { readonly into: string }): Promise<Result<MergeChanges>>;
  /**
   * Merges, with the operator's choice for each conflict, what was shown into the branch that was shown. `conflict`: a
   * conflict without a choice, or the checkout has changes of its own in a file that would change; nothing was done then.
   */
  merge(wanted: MergeToMake): Promise<Result<MergeMade>>;
}
