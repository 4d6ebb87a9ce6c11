import type { MergeChoices, Rehearsal } from '@areas/changes/contract/merge';
import type { Result } from '@contract/result';
import type { ChangedFile, ChangeSearched, FileWanted } from './changed-content';
import type { WorkspaceHunks } from './workspace-edits';

export type MergeChanges = WorkspaceHunks;

export interface MergeWanted {
  readonly projectPath: string;
  /** The state to merge, as a commit. */
  readonly commit: string;
}

/** The merge of a commit into another one. */
export interface MergeInto extends MergeWanted {
  readonly into: string;
}

/** A merge confirmed by the operator. */
export interface MergeToMake extends MergeWanted {
  readonly choices: MergeChoices;
  /** Without the mark line. */
  readonly message: string;
  /** Identifies this merge, so that its commit can be recognised. */
  readonly id: string;
  /** Newer work that replaced what was shown; null: none. */
  readonly newer: string | null;
  /** What the merge was rehearsed against when the operator was asked. */
  readonly rehearsed: Pick<Rehearsal, 'target' | 'targetCommit'>;
  /** Whether the commit is signed where git is configured so; default: it is. */
  readonly sign?: 'as-configured' | 'never' | undefined;
}

/** The line in a merge commit's message that identifies the merge. */
export const markOf = (id: string): string => `Muster-Merge: ${id}`;

export type MergeMade =
  /** Null if there is nothing left to merge. */
  | { readonly kind: 'made'; readonly commit: string | null; readonly signed?: true }
  /** Nothing was done: the situation differs from the confirmed one. `moved` says how. */
  | ({ readonly kind: 'moved'; readonly moved: string } & Rehearsal);

/** Merges into the operator's checkout: always complete, and never with conflict markers. */
export interface Merges {
  /** Rehearses the merge without touching any work tree. */
  rehearse(wanted: MergeWanted): Promise<Result<Rehearsal>>;
  /** The changes of merging `commit` into the commit `into`, without files in conflict. */
  changes(wanted: MergeInto & { readonly only?: string | undefined }): Promise<Result<MergeChanges>>;
  /**
   * Performs the confirmed merge, with the operator's choice for each conflict. `conflict`: a conflict has no
   * choice, or the checkout has own changes in an affected file; then nothing is done.
   */
  merge(wanted: MergeToMake): Promise<Result<MergeMade>>;
}

/** Reads in the changes of a merge. */
export interface MergeReads {
  /** A file of these changes on both sides. */
  fileOf(wanted: MergeInto, file: FileWanted): Promise<Result<ChangedFile>>;
  searchIn(wanted: MergeInto, text: string): Promise<Result<ChangeSearched>>;
}
