import type { SnapshotPlace } from './workspaces';

/** A folder of a run whose programs run on a remote host. */
export interface HostedPlace {
  readonly host: string;
  readonly uid: string;
  /** The folder on this machine: the host's folder has its state while a program runs there. */
  readonly place: SnapshotPlace;
  /** A shell command for each new worktree, which does not run on hosts yet. */
  readonly setup: string | null;
}
