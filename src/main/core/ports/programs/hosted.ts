import type { Result } from '@contract/result';
import type { SnapshotPlace } from '../workspaces/workspaces';
import type { Processes } from './process';

/** A folder of a run whose programs run on a remote host. */
export interface HostedPlace {
  readonly host: string;
  readonly uid: string;
  /** The folder on this machine: the host's folder has its state while a program runs there. */
  readonly place: SnapshotPlace;
  /** A shell command for each new worktree, which does not run on hosts yet. */
  readonly setup: string | null;
}

/** The folder on the host, with the state of the one on this machine. */
export interface HostedFolder {
  readonly path: string;
  readonly processes: Processes;
  /** Copies a file of the run there, and returns its path there. */
  copy(path: string): Promise<Result<string>>;
  /** Brings the folder's state to this machine. Called once, after the last program. */
  end(): Promise<Result<void>>;
}

/** Lets programs of a run work on remote hosts. */
export interface HostedWork {
  begin(wanted: HostedPlace): Promise<Result<HostedFolder>>;
}
