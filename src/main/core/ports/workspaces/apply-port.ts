import type { Result } from '@contract/result';
import type { AppliedChange, ApplyHow } from '@contract/run/results/apply';
import type { MergeMade, MergeToMake, MergeWanted } from './merges';

/** An application confirmed by the operator. It never resolves conflicts. */
export interface ApplyToMake extends Omit<MergeToMake, 'choices' | 'newer'> {
  readonly how: ApplyHow;
}

export interface AppliedNow {
  readonly kind: 'made';
  /** Null if nothing was committed: with `change` the files are staged, without it nothing was left to do. */
  readonly commit: string | null;
  readonly signed?: true;
  /** What it made; null if it changed nothing. */
  readonly change: AppliedChange | null;
  /** The operator had staged some of the same changes before, as far as is known. */
  readonly staged: boolean;
}
export type ApplyMade = AppliedNow | Extract<MergeMade, { readonly kind: 'moved' }>;

/** What an application would meet and bring, beside its files. */
export interface ApplyOutlook {
  /** Its files with uncommitted changes in the checkout: git would refuse to overwrite them. */
  readonly inTheWay: readonly string[];
  /** The operator has staged some of the same changes. */
  readonly staged: boolean;
  /** The commits that the checkout does not have, newest first; not all of very many. */
  readonly commits: readonly { readonly commit: string; readonly author: string; readonly subject: string }[];
  readonly commitCount: number;
}

export interface ApplyToUndo {
  readonly projectPath: string;
  readonly change: AppliedChange;
  /** Its name for people. */
  readonly what: string;
}

/** Whether the checkout is as the application left it, or as it was before. */
export interface Undoable {
  readonly at: 'applied' | 'undone';
  readonly files: number;
}

/** Brings results into the operator's checkout, and takes them out again: whole or not at all. */
export interface ApplyPort {
  outlook(wanted: MergeWanted & { readonly into: string }): Promise<Result<ApplyOutlook>>;
  /** Like a merge. Asked again after a crash it finds what it had made, whatever `how` says now. */
  apply(wanted: ApplyToMake): Promise<Result<ApplyMade>>;
  /** Fails with `conflict` if the checkout is on neither side of the application any more. Changes nothing. */
  undoable(wanted: ApplyToUndo): Promise<Result<Undoable>>;
  /** Puts the checkout back to before the application. `undone`: it was there already. */
  undo(wanted: ApplyToUndo): Promise<Result<Undoable>>;
}
