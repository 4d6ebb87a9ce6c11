import type { Result } from '@contract/result';

/** How a process ended: by a code, or by a signal. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
  /**
   * The process of Muster's that ran the program died first: its guard or the terminal host. How the program ended is
   * then unknown, and code and signal do not describe it. Nothing of the program lives any more.
   */
  readonly host?: 'guard' | 'terminals';
}

/** Standard output line by line, standard error apart: for programs that speak a protocol. */
export interface LineOutput {
  readonly kind: 'lines';
  /** A longer line is dropped whole, so that a flood without line ends cannot fill the memory. */
  readonly maxLineBytes: number;
  line(text: string): void;
  tooLong(bytes: number): void;
  stderr(text: string): void;
  /** Both streams byte for byte, for who keeps them. */
  readonly raw?: { stdout(bytes: Uint8Array): void; stderr(bytes: Uint8Array): void };
}

/** Standard output and standard error as one stream of bytes, in the order they were written. */
export interface MergedOutput {
  readonly kind: 'merged';
  chunk(bytes: Uint8Array): void;
}

export interface LaunchSpec {
  /** A path, or a name that is looked for on PATH. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** On top of Muster's own environment, which is cleaned for foreign programs. */
  readonly env: Readonly<Record<string, string>>;
  /** The session key or command that it belongs to; the environment mark by which it is found again. */
  readonly owner: string;
  readonly stdin: 'pipe' | 'none';
  /** Given on standard input, which then ends; with `pipe` only. */
  readonly input?: string;
  readonly output: LineOutput | MergedOutput;
}

/** A process in a group of its own, under a guard that ends the group when Muster dies. */
export interface ManagedProcess {
  readonly pid: number;
  /** Resolves when it has exited and its output was handed on. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Resolves when nothing of its group lives. Never rejects. */
  readonly gone: Promise<void>;
  /** Resolves when the text was taken, or when the process is gone. */
  write(text: string): Promise<void>;
  /** Stops the flow of its output, and so in the end the program itself. */
  hold(): void;
  release(): void;
  stderrTail(): string;
  /** TERM to the group, KILL after a while, then whatever left the group. Resolves when nothing of it lives. */
  end(): Promise<void>;
}

export interface Processes {
  launch(spec: LaunchSpec): Promise<Result<ManagedProcess>>;
  /** The absolute path of a program, or null where it is not installed. */
  find(command: string, options?: { readonly path?: string; readonly cwd?: string }): Promise<string | null>;
}

/** How a script of Muster's own is started: under Electron its own binary, with the variable that makes it a Node. */
export interface ScriptRuntime {
  readonly execPath: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Someone else's process, as the operating system tells of it. */
export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  /** Its command line, the program first. */
  readonly args: readonly string[];
  /** Where it works, without symbolic links; null where that was not asked or is not told. */
  readonly cwd: string | null;
  /** When it began, in milliseconds since 1970; null where that is not told. */
  readonly startedAt: number | null;
  /** With its number it names the process until the machine starts again: numbers are given out again. */
  readonly mark: string;
}

/** Looks at the processes of this machine and touches none. */
export interface ProcessList {
  /** All of them; where they work only for those whose command line `matters`. Null where this system does not tell. */
  all(matters: (args: readonly string[]) => boolean): Promise<readonly SeenProcess[] | null>;
  /** One by its number; `gone` where there is none, null where this system does not tell. */
  one(pid: number): Promise<SeenProcess | 'gone' | null>;
}
