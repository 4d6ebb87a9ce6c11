import type { Result } from '@contract/result';
import type { RunState } from '@contract/run/state';
import type { FileChange, TakenDiff, TurnChanges } from '@contract/workspace/changes';

export interface MadeWorkspace {
  readonly path: string;
  readonly branch: string | null;
  readonly baseCommit: string | null;
}

/** What a run says of its working folders. */
export interface WorkspaceRun {
  readonly uid: string;
  readonly name: string;
  readonly mode: RunState['workspaceMode'];
  readonly projectPath: string;
  readonly artifactsDir: string;
  /** Ignored files of the project that a new worktree gets too, as globs: `.env`. */
  readonly copy: readonly string[];
  /** A shell line that runs in a new worktree, once. */
  readonly setup: string | null;
  /** The snapshot of another run that its own folder begins with, and the commit that its branch was at. */
  readonly begins?: {
    readonly commit: string;
    readonly head: string | null;
    /** Of the run that took the snapshot: a plain folder's snapshots are there. */
    readonly artifactsDir: string;
  };
  /**
   * Resolves where no one wants the folder any more before it is made: a set-up line that runs is ended, and the making
   * fails with `cancelled`. What is made stays, and is taken up by the next call.
   */
  readonly unwanted?: Promise<void>;
}

/** A working folder beside the run's own: of one activation, or of one agent of it. */
export interface WorkspaceBranch {
  /** Names the folder and the branch, unique within the run: letters, digits and `-`. */
  readonly key: string;
  /** The folder whose state it begins with. */
  readonly from: string;
}

/** A folder of which snapshots are taken, and the run that they belong to. */
export interface SnapshotPlace {
  readonly path: string;
  readonly run: Pick<WorkspaceRun, 'mode' | 'projectPath' | 'artifactsDir'>;
}

/** Snapshots are named, and kept by refs of Muster's: `turnSnapshot` makes the names. */
export interface DiffWanted {
  readonly place: SnapshotPlace;
  /** The first of these snapshots that there is, else this commit, else the folder's beginning. */
  readonly from: { readonly snapshots: readonly string[]; readonly commit: string | null };
  /** The first of these snapshots that there is, else what is there now. */
  readonly to: { readonly snapshots: readonly string[] };
  /** Where the whole diff is written; null: nowhere. */
  readonly file: string | null;
}

export interface WorkspaceDiff {
  readonly diff: TakenDiff;
  readonly files: readonly FileChange[];
  readonly filesTruncated: boolean;
}

/** Working folders of runs and what happens in them. No method ever deletes or overwrites what it did not make. */
export interface Workspaces {
  /** Makes the run's working folder. Idempotent: a second call after a crash finds what the first made. */
  prepare(run: WorkspaceRun): Promise<Result<MadeWorkspace>>;
  /** Makes a folder of its own, with the state of another one, also what is not committed there. Idempotent too. */
  branch(run: WorkspaceRun, wanted: WorkspaceBranch): Promise<Result<MadeWorkspace>>;
  /**
   * Makes the worktrees of these branches again where they are gone, with the last state that was kept of them. Gives the
   * branches whose worktree was made again.
   */
  revive(run: WorkspaceRun, branches: readonly string[]): Promise<Result<readonly string[]>>;
  /** The commit that HEAD is at, or null outside a repository. */
  head(path: string): Promise<string | null>;
  /**
   * Keeps the folder's present state (tracked, changed and new files, without ignored ones) under a name, and touches
   * neither its index nor its branch. Gives the commit; null where the folder can have no snapshots.
   */
  snapshot(place: SnapshotPlace, name: string): Promise<Result<string | null>>;
  /** The snapshot of this name, and what HEAD was at when it was taken; null where there is none. */
  keptSnapshot(place: SnapshotPlace, name: string): Promise<{ commit: string; head: string | null } | null>;
  /** How much is between two commits that `snapshot` gave. */
  changes(place: SnapshotPlace, between: { before: string; after: string }): Promise<TurnChanges | null>;
  /** Null where the folder can have no snapshots. */
  diff(wanted: DiffWanted): Promise<Result<WorkspaceDiff | null>>;
}
