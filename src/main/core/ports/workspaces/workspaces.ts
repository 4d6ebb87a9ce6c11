import type { FileChange, TakenDiff, TurnChanges } from '@areas/changes/contract/changes';
import type { AppError } from '@contract/errors';
import type { Result } from '@contract/result';
import type { RunState } from '@contract/run/state';

export interface MadeWorkspace {
  readonly path: string;
  readonly branch: string | null;
  readonly baseCommit: string | null;
  /** What the folder lacks, for the operator. */
  readonly notes?: readonly string[];
}

/** A run's description of its working folders. */
export interface WorkspaceRun {
  readonly uid: string;
  readonly name: string;
  readonly mode: RunState['workspaceMode'];
  readonly projectPath: string;
  readonly artifactsDir: string;
  /** Globs for the project's ignored files that a new worktree receives too: `.env`. */
  readonly copy: readonly string[];
  /** A shell command that runs once in a new worktree. */
  readonly setup: string | null;
  /** Whether submodules get the files that the project has of them; they do by default. */
  readonly submodules?: boolean;
  /** The snapshot of another run that its own folder starts from, and its branch's commit at that time. */
  readonly begins?: {
    readonly commit: string;
    readonly head: string | null;
    /** The artifacts folder of the run that took the snapshot, which contains a plain folder's snapshots. */
    readonly artifactsDir: string;
  };
  /**
   * Resolves when the folder is no longer wanted before it is ready: a running setup command is ended, and
   * the call fails with `cancelled`. What exists is kept and reused by the next call.
   */
  readonly unwanted?: Promise<void>;
}

/** A working folder in addition to the run's own: for one activation, or one of its agents. */
export interface WorkspaceBranch {
  /** Name of the folder and branch, unique within the run: letters, digits and `-`. */
  readonly key: string;
  /** The folder whose state it starts from. */
  readonly from: string;
}

/** A folder that snapshots are taken of, and the run that owns them. */
export interface SnapshotPlace {
  readonly path: string;
  readonly run: Pick<WorkspaceRun, 'mode' | 'projectPath' | 'artifactsDir'>;
}

/** Snapshots have names and are kept by Muster's refs; see `turnSnapshot` for the names. */
export interface DiffWanted {
  readonly place: SnapshotPlace;
  /** The first existing one of these snapshots, else this commit, else the folder's beginning. */
  readonly from: { readonly snapshots: readonly string[]; readonly commit: string | null };
  /** The first existing one of these snapshots, else the current state. */
  readonly to: { readonly snapshots: readonly string[] };
  /** The file for the whole diff; null: none. */
  readonly file: string | null;
}

/** How agents left git in a folder. */
export interface FolderState {
  /** Why the files are no finished work, such as an unfinished merge with its conflicts; null if they are. */
  readonly unsettled: AppError | null;
  /** What a merge of the folder would not bring, or brings otherwise than expected: sentences. */
  readonly notes: readonly string[];
}

export interface WorkspaceDiff {
  readonly diff: TakenDiff;
  /** What the diff does not show: `FolderState` as sentences. */
  readonly notes: readonly string[];
  /** All of them. */
  readonly files: readonly FileChange[];
}

/** Runs' working folders and their snapshots. No method ever deletes or overwrites what it did not create. */
export interface Workspaces {
  /**
   * Creates the run's working folder. Idempotent: a second call after a crash finds the first one's result.
   */
  prepare(run: WorkspaceRun): Promise<Result<MadeWorkspace>>;
  /** Creates a separate folder with the state of another, including uncommitted work. Also idempotent. */
  branch(run: WorkspaceRun, wanted: WorkspaceBranch): Promise<Result<MadeWorkspace>>;
  /**
   * Repairs worktrees of these branches that lost their link to the repository, and recreates missing ones with
   * their last saved state. Returns the branches whose worktree was repaired or recreated.
   */
  revive(run: WorkspaceRun, branches: readonly string[]): Promise<Result<readonly string[]>>;
  /** Whether the folder can be read: it is there, and a worktree has its link to the repository. */
  readable(place: SnapshotPlace): Promise<Result<void>>;
  /** Null if the folder has no repository. */
  state(place: SnapshotPlace): Promise<Result<FolderState | null>>;
  /** HEAD's commit, or null outside a repository. */
  head(path: string): Promise<string | null>;
  /**
   * Saves the folder's current state (tracked, changed and new files, without ignored ones) under a name,
   * without touching index or branch. Returns the commit; null if the folder cannot have snapshots.
   */
  snapshot(place: SnapshotPlace, name: string): Promise<Result<string | null>>;
  /** The snapshot with this name, and HEAD's commit when it was taken; null if there is none. */
  keptSnapshot(place: SnapshotPlace, name: string): Promise<{ commit: string; head: string | null } | null>;
  /** The size of the difference between two commits from `snapshot`. */
  changes(place: SnapshotPlace, between: { before: string; after: string }): Promise<TurnChanges | null>;
  /** Null if the folder cannot have snapshots. */
  diff(wanted: DiffWanted): Promise<Result<WorkspaceDiff | null>>;
}
