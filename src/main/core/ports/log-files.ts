import type { Result } from '@contract/result';

/** A file that a worker's output goes to as it comes. */
export interface OutputSink {
  /** False where too much waits for the disk: hold the source until `drained`. */
  write(bytes: Uint8Array): boolean;
  drained(run: () => void): void;
  /** Resolves with what was lost, if anything was. */
  close(): Promise<string | null>;
}

export interface LogFiles {
  /** Opens a file, with its folder: again, or at its end. Errors: a place that cannot be written. */
  open(path: string, how: 'replace' | 'append'): Promise<Result<OutputSink>>;
  readText(path: string): Promise<string | null>;
  writeText(path: string, text: string): Promise<Result<void>>;
}
