import type { Confinement, GoneReason, ToRepl } from '@contract/sandbox/protocol';

/** The connection to one REPL, in whichever process. Its messages are not validated yet. */
export interface ReplLine {
  readonly pid: number;
  readonly confinement: Confinement;
  post(message: ToRepl): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once; immediately if it is already gone. */
  onGone(listener: (reason: GoneReason) => void): void;
  /** Resolves when its process is gone. */
  close(): Promise<void>;
}
