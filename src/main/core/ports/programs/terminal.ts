import type { Result } from '@contract/result';
import type { ProcessExit } from './process';

export interface TerminalSpec {
  readonly owner: string;
  readonly command: string;
  /** If empty, `command` is a shell command line. */
  readonly args: readonly string[];
  /** The session's initial folder and environment. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables whose values must not be stored. */
  readonly secrets?: readonly string[];
  /** Values of this request that must not be stored either. */
  readonly conceal?: readonly string[];
  /**
   * Folder and variables of this request. They apply to this command, whatever the session's shell has
   * changed.
   */
  readonly requested: { readonly cwd: string | null; readonly env: Readonly<Record<string, string>> };
  /** Folder and name prefix of the output files. */
  readonly outputBase: string;
  /** Maximum output kept; the oldest is dropped first. */
  readonly outputByteLimit: number;
  /** Called for each piece of output, as a sign of life. */
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
  /** Ends its program; the output stays readable. */
  kill(): Promise<void>;
  /** Ends its program and forgets the terminal. */
  release(): Promise<void>;
}

/** The start environment of a session's terminals. */
export type TerminalPlace = Pick<TerminalSpec, 'owner' | 'cwd' | 'env' | 'outputBase' | 'secrets'>;

/** Terminals requested by an agent, in the session's workspace. */
export interface TerminalPort {
  /**
   * The session is open, with an earlier or a new conversation. What its terminals share, if it survived an
   * earlier core, continues with an earlier conversation and is ended with a new one.
   */
  begin(place: TerminalPlace, conversation: 'earlier' | 'new'): Promise<void>;
  create(spec: TerminalSpec): Promise<Result<Terminal>>;
  /**
   * The session's process ends: closes what its terminals share. Whatever a resumable session needs is kept
   * until its next `begin`.
   */
  close(owner: string, session: 'over' | 'resumable'): Promise<void>;
}
