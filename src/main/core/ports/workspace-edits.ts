import type { Result } from '@contract/result';
import type { RunResult } from '@contract/run/results';
import type { DiffFile } from '@contract/workspace/procedures';
import type { MadeWorkspace, SnapshotPlace, WorkspaceRun } from './workspaces';

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

/** What of a run is removed for good. */
export interface ToRemove {
  /** Branches of worktrees that never became ready: no agent worked in them. */
  readonly unfinished: readonly string[];
  /** A shell line that runs in each worktree before. */
  readonly teardown: string | null;
}

export interface ToClear extends ToRemove {
  readonly branches: readonly string[];
}

export interface Removed {
  /** What was left where it is, and why. */
  readonly notes: readonly string[];
  /** Under which refs what was not committed is kept. */
  readonly kept: readonly string[];
}

/** What a run left in one of its worktrees. */
export interface ReleasedFolder extends Omit<RunResult, 'workspaceId' | 'includedIn'> {
  /** The branch that Muster made for the folder; `branch` is the one that holds its work. */
  readonly made: string;
  /** Made branches of other folders of the run that have all of this work. */
  readonly includedIn: readonly string[];
}

/** A worktree that Muster made, in whichever project. */
export interface KnownWorktree {
  readonly root: string;
  /** The run that it was made for; null where it bears no mark, as where its making was cut off. */
  readonly uid: string | null;
  /** The branch that Muster made for it, by its mark or else by its name. */
  readonly made: string;
  /** A branch is checked out in it. */
  readonly holdsBranch: boolean;
}

/** What was removed of a run, and the command that brings each branch back. */
export interface Cleared {
  readonly worktrees: readonly string[];
  readonly branches: readonly { readonly name: string; readonly commit: string; readonly restore: string }[];
  readonly notes: readonly string[];
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
   * Before a run is deleted forever: removes the worktrees that Muster made for it, whose branches stay, and its
   * snapshots. What is on no branch stays as `refs/muster/kept/FOLDER`; a worktree that holds what no snapshot can
   * (files too large, a repository within) stays where it is.
   */
  remove(run: WorkspaceRun, what: ToRemove): Promise<Result<Removed>>;
  /**
   * After a run's end: what no one committed is committed on the run's own branch, and no worktree of the run has a
   * branch checked out any more. Nothing in the folders changes. `ended` is asked once no one else works on them.
   */
  release(
    run: WorkspaceRun,
    made: readonly MadeWorkspace[],
    ended: () => boolean,
  ): Promise<Result<readonly ReleasedFolder[] | null>>;
  /**
   * Before a run continues: checks out again what `release` freed, with what was not committed as it was. Fails with
   * `conflict` where another folder has the branch by now, and changes nothing then.
   */
  reattach(run: WorkspaceRun, branches: readonly string[]): Promise<Result<void>>;
  /** The worktrees that Muster made and that are there, of all projects. */
  worktrees(): Promise<readonly KnownWorktree[]>;
  /** The checkout's branch has all that this commit changed. */
  isInCheckout(projectPath: string, commit: string): Promise<boolean>;
  /** Removes the worktrees of these branches, and the branches; each branch's commit stays under a ref of Muster's. */
  clear(run: WorkspaceRun, what: ToClear): Promise<Result<Cleared>>;
}
