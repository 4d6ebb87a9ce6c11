import type { Result } from '@contract/result';

/** A file that receives a worker's output as it arrives. */
export interface OutputSink {
  /** False if too much is waiting for the disk: pause the source until `drained`. */
  write(bytes: Uint8Array): boolean;
  drained(run: () => void): void;
  /** Resolves with a description of lost output, or null. */
  close(): Promise<string | null>;
}

export interface LogOpening {
  readonly mode: 'replace' | 'append';
  /** Texts that are not written. */
  readonly secrets: readonly string[];
}

export interface LogFiles {
  /**
   * Opens a file and creates its folder, replacing the file or appending to it. Fails if the place is not
   * writable.
   */
  open(path: string, how: LogOpening): Promise<Result<OutputSink>>;
  readText(path: string): Promise<string | null>;
  writeText(path: string, text: string): Promise<Result<void>>;
}
