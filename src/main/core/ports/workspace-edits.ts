import type { Result } from '@contract/result';
import type { DiffFile } from '@contract/workspace/procedures';
import type { SnapshotPlace, WorkspaceRun } from './workspaces';

/** A hunk's name for everything that was done to its file: what cannot be taken back line by line. */
export const WHOLE_FILE = 'file';

/** Two states of a folder. */
export interface HunksWanted {
  readonly place: SnapshotPlace;
  /** The first of these snapshots that there is, else this commit, else (where allowed) the folder without files. */
  readonly from: {
    readonly snapshots: readonly string[];
    readonly commit: string | null;
    readonly orEmpty: boolean;
  };
  /** The same; null: what is there now. */
  readonly to: { readonly snapshots: readonly string[]; readonly commit: string | null } | null;
}

export interface WorkspaceHunks {
  /** The folder that the files' paths are relative to: the top of the work tree. */
  readonly root: string;
  readonly files: readonly DiffFile[];
  /** There are more files than are listed. */
  readonly truncated: boolean;
}

/** One hunk of such a diff, to be taken back in the folder. */
export interface HunkToRevert {
  readonly wanted: HunksWanted;
  /** The run's, under which the way back is kept. */
  readonly uid: string;
  readonly path: string;
  /** Its id, or `WHOLE_FILE`. */
  readonly hunk: string;
}

export interface Removed {
  /** What was left where it is, and why. */
  readonly notes: readonly string[];
  /** Under which refs what was not committed is kept. */
  readonly kept: readonly string[];
}

/**
 * What the operator does to the working folders of runs. Whatever changes a folder keeps its present state as a
 * snapshot first and gives its name: `restore` with it puts the whole folder back to before.
 */
export interface WorkspaceEdits {
  /** Fails with `not_found` where a side of the diff is gone, or the folder can have no snapshots. */
  hunksOf(wanted: HunksWanted): Promise<Result<WorkspaceHunks>>;
  /** Fails with `conflict` where the hunk does not apply any more, with `not_found` where the diff has no such hunk. */
  revertHunk(what: HunkToRevert): Promise<Result<{ undo: string }>>;
  /**
   * Puts the hunk back that `revertHunk` took out; what was done since stays. `undo`: what that gave. Fails with
   * `conflict` where it does not fit any more, and changes nothing then.
   */
  undoRevert(
    place: SnapshotPlace,
    what: { readonly uid: string; readonly undo: string },
  ): Promise<Result<{ undo: string }>>;
  /** Puts files back to a snapshot. Ignored files stay. Fails with `conflict` where a file is in the way. */
  restore(
    place: SnapshotPlace,
    what: { readonly uid: string; readonly snapshot: string },
  ): Promise<Result<{ undo: string }>>;
  /**
   * Before a run is deleted for ever: removes the worktrees that Muster made for it, whose branches stay, and its
   * snapshots. What is on no branch stays as `refs/muster/kept/FOLDER`; a worktree that holds what no snapshot can
   * (files too large, a repository within) stays where it is. `teardown`: a shell line that runs in each before.
   */
  remove(run: WorkspaceRun, teardown: string | null): Promise<Result<Removed>>;
  /** Makes the worktrees of these branches again where they are gone, with the last state that was kept of them. */
  revive(run: WorkspaceRun, branches: readonly string[]): Promise<Result<void>>;
}
