import type { Result } from '@contract/result';
import type {
  Confinement,
  ExecResult,
  ReplSeed,
  ReplSettings,
  SubAnswer,
  SubPrompt,
} from '@contract/sandbox/protocol';
import type { CallCancel } from '../cancel';

export interface SandboxOptions extends ReplSettings {
  /** Resident memory of the process that runs the code. */
  readonly memoryMb: number;
  /** The operator accepts the browser's isolation alone if the operating system's sandbox is off. */
  readonly allowWeak: boolean;
}

export interface ExecOptions {
  /** The block's own computing time, without waiting for sub-calls. */
  readonly seconds: number;
  /** Answers the block's sub-calls, in order. */
  ask(prompts: readonly SubPrompt[], cancel: CallCancel): Promise<readonly SubAnswer[]>;
}

/** A document, whole or in pieces. */
export type DocumentText = string | AsyncIterable<string>;

/** Why a sandbox is gone, and with it every variable. */
export type LostReason = 'time' | 'memory' | 'crashed' | 'misbehaved' | 'host' | 'closed';

export type ExecEnd =
  /** `timedOut`: it was interrupted at its time limit; its variables are kept. */
  | { readonly kind: 'done'; readonly result: ExecResult; readonly timedOut: boolean }
  /** `detail`: what the sandbox said last. */
  | { readonly kind: 'lost'; readonly reason: LostReason; readonly detail?: string };

/** One REPL: its own process, whose variables live as long as it does. None of its methods rejects. */
export interface Sandbox {
  readonly pid: number;
  /** False: its process is gone, and every variable with it. */
  readonly alive: boolean;
  /** Why it is gone; null while it is alive. */
  readonly lost: LostReason | null;
  readonly confinement: Confinement;
  /** Call before the first block: the same seed gives the same clock and random numbers. */
  fix(seed: ReplSeed): Promise<Result<void>>;
  /** Sets the documents of `context`. */
  setContext(documents: Iterable<DocumentText> | AsyncIterable<DocumentText>): Promise<Result<void>>;
  exec(code: string, options: ExecOptions): Promise<ExecEnd>;
  /** A variable as text; null if it does not exist. */
  read(name: string): Promise<string | null>;
  /**
   * Interrupts the running block and keeps the variables; a block that does not react is ended with the
   * sandbox.
   */
  interrupt(): void;
  /** Resolves when its process is gone. */
  stop(): Promise<void>;
}

export interface Sandboxes {
  /** Fails if code cannot be run safely here, with the reason and a remedy. */
  start(options: SandboxOptions): Promise<Result<Sandbox>>;
  /** Ends all sandboxes. */
  stop(): Promise<void>;
}
