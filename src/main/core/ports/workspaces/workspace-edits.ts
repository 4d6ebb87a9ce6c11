import type { DiffFile } from '@areas/changes/contract/procedures';
import type { Result } from '@contract/result';
import type { RunResult } from '@contract/run/results/results';
import type { ChangedFile, ChangeSearched, FileWanted } from './changed-content';
import type { MadeWorkspace, SnapshotPlace, WorkspaceDiff, WorkspaceRun } from './workspaces';

/** Stands for all changes of a file, if they cannot be undone line by line. */
export const WHOLE_FILE = 'file';

/** Two states of a folder. */
export interface HunksWanted {
  readonly place: SnapshotPlace;
  /** The first existing one of these snapshots, else this commit, else (if allowed) the empty folder. */
  readonly from: {
    readonly snapshots: readonly string[];
    readonly commit: string | null;
    readonly orEmpty: boolean;
  };
  /** Likewise; null: the current state. */
  readonly to: { readonly snapshots: readonly string[]; readonly commit: string | null } | null;
  /** Only this file, with hunks of a size that is left out in a list. */
  readonly only?: string | undefined;
}

export interface WorkspaceHunks {
  /** The folder that the file paths are relative to: the top of the work tree. */
  readonly root: string;
  /** The folder can be edited: hunks can be taken back in it. Absent where it is only read, as for a merge. */
  readonly alive?: boolean;
  /** All of them, with true counts. */
  readonly files: readonly DiffFile[];
  /** The trees of both sides. */
  readonly from: string;
  readonly to: string;
}

/** One hunk of such a diff, to be undone in the folder. */
export interface HunkToRevert {
  readonly wanted: HunksWanted;
  /** The run's uid, under which the undo snapshot is kept. */
  readonly uid: string;
  readonly path: string;
  /** Its id, or `WHOLE_FILE`. */
  readonly hunk: string;
}

/** A change of a folder that the operator asked for. */
export interface FolderEdit {
  /** The snapshot that was taken first: `restore` with it undoes the change. */
  readonly undo: string;
  /** The trees of the folder before and after. */
  readonly before: string;
  readonly after: string;
  /** A hunk was taken out of the folder, or put back; null: a whole state was restored. */
  readonly hunk: 'taken' | 'put_back' | null;
}

/** A recorded change of a folder that was edited since. */
export interface ChangeToRetake {
  readonly place: SnapshotPlace;
  /** The run's uid, under which the new states are kept. */
  readonly uid: string;
  /** Names the change within the run. */
  readonly key: string;
  readonly recorded: { readonly from: string; readonly to: string };
  /** The beginning as it was recorded first. */
  readonly began: string;
  /** The edit to carry over to both recorded states; null: the folder as it is now is the end of the change. */
  readonly edit: Omit<FolderEdit, 'undo'> | null;
  /** The folder for the file with the whole diff. */
  readonly folder: string;
}

/** What to delete permanently with a run. */
export interface ToRemove {
  /** Branches of worktrees that were never ready, so no agent worked in them. */
  readonly unfinished: readonly string[];
  /** A shell command that runs in each worktree before its removal. */
  readonly teardown: string | null;
}

export interface ToClear extends ToRemove {
  readonly branches: readonly string[];
}

export interface Removed {
  /** What could not be removed, and why. */
  readonly notes: readonly string[];
  /** The refs that keep uncommitted work. */
  readonly kept: readonly string[];
}

/** A run's result in one of its worktrees. */
export interface ReleasedFolder extends Omit<RunResult, 'workspaceId' | 'includedIn'> {
  /** The branch that Muster created for the folder; `branch` is the one that holds its work. */
  readonly made: string;
  /** Branches of the run's other folders that contain all of this work. */
  readonly includedIn: readonly string[];
}

/** A worktree created by Muster, in any project. */
export interface KnownWorktree {
  readonly root: string;
  /** The run that it belongs to; null if it has no mark, for example because its creation was interrupted. */
  readonly uid: string | null;
  /** The branch that Muster created for it, from its mark or its name. */
  readonly made: string;
  /** A branch is checked out in it. */
  readonly holdsBranch: boolean;
}

/** What was removed of a run, with the command that restores each branch. */
export interface Cleared {
  readonly worktrees: readonly string[];
  readonly branches: readonly { readonly name: string; readonly commit: string; readonly restore: string }[];
  readonly notes: readonly string[];
}

/**
 * The operator's actions on runs' working folders. Before changing a folder, each saves the current state as
 * a snapshot and returns its name: `restore` with it undoes the change.
 */
export interface WorkspaceEdits {
  /** Fails with `not_found` if a side of the diff is gone, or the folder cannot have snapshots. */
  hunksOf(wanted: HunksWanted): Promise<Result<WorkspaceHunks>>;
  /** A file of such a diff on both sides. */
  fileOf(wanted: HunksWanted, file: FileWanted): Promise<Result<ChangedFile>>;
  searchIn(wanted: HunksWanted, text: string): Promise<Result<ChangeSearched>>;
  /** Fails with `conflict` if the hunk no longer applies, with `not_found` if the diff has no such hunk. */
  revertHunk(what: HunkToRevert): Promise<Result<FolderEdit>>;
  /**
   * Reapplies a hunk that `revertHunk` undid; later changes stay. `undo`: the value returned by `revertHunk`.
   * Fails with `conflict`, changing nothing, if it no longer fits.
   */
  undoRevert(
    place: SnapshotPlace,
    what: { readonly uid: string; readonly undo: string },
  ): Promise<Result<FolderEdit>>;
  /** Restores files to a snapshot. Ignored files stay. Fails with `conflict` if a file is in the way. */
  restore(
    place: SnapshotPlace,
    what: { readonly uid: string; readonly snapshot: string },
  ): Promise<Result<FolderEdit>>;
  /**
   * Reads a recorded change again after an edit of its folder. Null if the edit does not concern it. Fails with
   * `conflict` if it cannot be carried over.
   */
  retake(what: ChangeToRetake): Promise<Result<WorkspaceDiff | null>>;
  /** Whether a folder has what an edit took out of the one that it was branched from; null if it cannot be read. */
  holdsTaken(place: SnapshotPlace, edit: Pick<FolderEdit, 'before' | 'after'>): Promise<boolean | null>;
  /**
   * Called before a run is permanently deleted: removes its snapshots and the worktrees that Muster made for
   * it, but not their branches. Work that is on no branch is kept as `refs/muster/kept/FOLDER`; a worktree
   * with content that no snapshot can hold (too large files, a nested repository) is left in place.
   */
  remove(run: WorkspaceRun, what: ToRemove): Promise<Result<Removed>>;
  /**
   * Called after a run's end: commits uncommitted work on the run's own branch, and checks out no branch in
   * the run's worktrees any more. Files in the folders do not change. `ended` is checked once nothing else
   * works on them.
   */
  release(
    run: WorkspaceRun,
    made: readonly MadeWorkspace[],
    ended: () => boolean,
  ): Promise<Result<readonly ReleasedFolder[] | null>>;
  /**
   * Called before a run continues: checks out again what `release` freed, with uncommitted work as it was.
   * Fails with `conflict`, changing nothing, if another folder has the branch by now.
   */
  reattach(run: WorkspaceRun, branches: readonly string[]): Promise<Result<void>>;
  /** All existing worktrees that Muster made, of all projects. */
  worktrees(): Promise<readonly KnownWorktree[]>;
  /** Whether the checkout's branch contains all changes of this commit. */
  isInCheckout(projectPath: string, commit: string): Promise<boolean>;
  /** Removes these branches and their worktrees; each branch's commit stays under a ref of Muster's. */
  clear(run: WorkspaceRun, what: ToClear): Promise<Result<Cleared>>;
}
