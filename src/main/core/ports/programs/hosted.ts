import type { Result } from '@contract/result';
import type { HostedPlace } from '../workspaces/hosted-place';
import type { Processes } from './process';

/** The folder on the host, with the state of the one on this machine. */
export interface HostedFolder {
  readonly path: string;
  readonly processes: Processes;
  /** Copies a file of the run there, and returns its path there. */
  copy(path: string): Promise<Result<string>>;
  /** Calls `hear` when the connection is lost and when it is back; the result ends that. */
  watch(hear: (connected: boolean) => void): () => void;
  /** Drops its programs: they count as lost here, and end there once the host can be reached. */
  giveUp(): void;
  /** Brings the folder's state to this machine. Called once, after the last program. */
  end(): Promise<Result<void>>;
}

/** Lets programs of a run work on remote hosts. */
export interface HostedWork {
  begin(wanted: HostedPlace): Promise<Result<HostedFolder>>;
}
