import type { Result } from '@contract/result';
import type {
  Confinement,
  ExecResult,
  ReplSeed,
  ReplSettings,
  SubAnswer,
  SubPrompt,
} from '@contract/sandbox/protocol';
import type { CallCancel } from './cancel';

export interface SandboxOptions extends ReplSettings {
  /** Resident memory of the process that runs the code. */
  readonly memoryMb: number;
  /** The operator accepts that only the browser's walls hold, where the operating system's sandbox is off. */
  readonly allowWeak: boolean;
}

export interface ExecOptions {
  /** The block's own computing time. Waiting for sub-calls does not count. */
  readonly seconds: number;
  /** Answers the sub-calls of the block, each in its place. */
  ask(prompts: readonly SubPrompt[], cancel: CallCancel): Promise<readonly SubAnswer[]>;
}

/** A document, whole or in pieces. */
export type DocumentText = string | AsyncIterable<string>;

/** Why a sandbox, and with it every variable, is gone. */
export type LostReason = 'time' | 'memory' | 'crashed' | 'misbehaved' | 'host' | 'closed';

export type ExecEnd =
  /** `timedOut`: it was interrupted at its time limit, and its variables are kept. */
  | { readonly kind: 'done'; readonly result: ExecResult; readonly timedOut: boolean }
  | { readonly kind: 'lost'; readonly reason: LostReason };

/** One REPL: a process of its own, with variables that live as long as it does. Nothing of it rejects. */
export interface Sandbox {
  readonly pid: number;
  /** False: its process is gone, and every variable with it. */
  readonly alive: boolean;
  readonly confinement: Confinement;
  /** Before the first block: the same seed gives the same clock and the same random numbers. */
  fix(seed: ReplSeed): Promise<Result<void>>;
  /** Gives `context` its documents. */
  setContext(documents: Iterable<DocumentText> | AsyncIterable<DocumentText>): Promise<Result<void>>;
  exec(code: string, options: ExecOptions): Promise<ExecEnd>;
  /** A variable as text; null where there is none. */
  read(name: string): Promise<string | null>;
  /** Ends the block that runs and keeps the variables; a block that does not heed it is ended with the sandbox. */
  interrupt(): void;
  /** Resolves when its process is gone. */
  stop(): Promise<void>;
}

export interface Sandboxes {
  /** Fails with what keeps code from being run safely here, and what to do about it. */
  start(options: SandboxOptions): Promise<Result<Sandbox>>;
  /** Ends all of them. */
  stop(): Promise<void>;
}
