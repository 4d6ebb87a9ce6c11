import type { Confinement, GoneReason, ToRepl } from '@contract/sandbox/protocol';

/** The connection to one REPL, whichever process hosts it. What comes from the REPL is not parsed yet. */
export interface ReplLine {
  readonly pid: number;
  readonly confinement: Confinement;
  post(message: ToRepl): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once; at once where it is gone already. */
  onGone(listener: (reason: GoneReason) => void): void;
  /** Resolves when its process is gone. */
  close(): Promise<void>;
}
