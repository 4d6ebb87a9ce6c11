import type { Result } from '@contract/result';
import type { ProcessExit } from './process';

export interface TerminalSpec {
  readonly owner: string;
  readonly command: string;
  /** With none, `command` is a line for the shell. */
  readonly args: readonly string[];
  /** Where a session begins: its folder and environment. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What this request says itself. It holds for this command, whatever the session's shell has by now. */
  readonly requested: { readonly cwd: string | null; readonly env: Readonly<Record<string, string>> };
  /** Folder and first part of the name of the files that keep what is printed. */
  readonly outputBase: string;
  /** What is kept of the output; the oldest goes first. */
  readonly outputByteLimit: number;
  /** Called on each piece of output: a sign of life. */
  onOutput(): void;
}

export interface TerminalOutput {
  readonly text: string;
  readonly truncated: boolean;
  readonly exit: ProcessExit | null;
}

export interface Terminal {
  readonly id: string;
  output(): Promise<TerminalOutput>;
  waitForExit(): Promise<ProcessExit>;
  /** Ends what runs in it; the output stays readable. */
  kill(): Promise<void>;
  /** Ends what runs in it and forgets it. */
  release(): Promise<void>;
}

/** Where a session's terminals begin. */
export type TerminalPlace = Pick<TerminalSpec, 'owner' | 'cwd' | 'env' | 'outputBase'>;

/** Terminals that an agent asks for, in the session's workspace. */
export interface TerminalPort {
  /**
   * The session is open, and its conversation is an earlier one or a new one. What its terminals had in common under an
   * earlier core, and has outlived that, continues with an earlier one and is ended with a new one.
   */
  begin(place: TerminalPlace, conversation: 'earlier' | 'new'): Promise<void>;
  create(spec: TerminalSpec): Promise<Result<Terminal>>;
  /**
   * The session's process goes: ends what its terminals have in common. What a session that may be resumed needs of it
   * is kept until its next `begin`.
   */
  close(owner: string, session: 'over' | 'resumable'): Promise<void>;
}
