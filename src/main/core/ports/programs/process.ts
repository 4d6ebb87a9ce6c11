import type { Result } from '@contract/result';

/** How a process ended: with an exit code, or by a signal. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
  /**
   * Muster's process that ran the program (its guard or the terminal host) died first. How the program ended
   * is then unknown; code and signal do not describe it. None of its processes is left.
   */
  readonly host?: 'guard' | 'terminals';
}

/** Standard output by line, standard error separately: for programs that speak a protocol. */
export interface LineOutput {
  readonly kind: 'lines';
  /** A longer line is dropped completely, so that output without line ends cannot fill the memory. */
  readonly maxLineBytes: number;
  line(text: string): void;
  tooLong(bytes: number): void;
  stderr(text: string): void;
  /** Both streams byte for byte, for storing them. */
  readonly raw?: { stdout(bytes: Uint8Array): void; stderr(bytes: Uint8Array): void };
}

/** Standard output and standard error as one byte stream, in the order written. */
interface MergedOutput {
  readonly kind: 'merged';
  chunk(bytes: Uint8Array): void;
}

/** Both streams byte for byte: for scripts, whose standard output alone is their result. */
interface SplitOutput {
  readonly kind: 'split';
  stdout(bytes: Uint8Array): void;
  stderr(bytes: Uint8Array): void;
}

export interface LaunchSpec {
  /** A path, or a name to look up on PATH. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** In addition to Muster's own environment, which is cleaned for foreign programs. */
  readonly env: Readonly<Record<string, string>>;
  /** The owning session key or command; also the environment mark for finding the process again. */
  readonly owner: string;
  readonly stdin: 'pipe' | 'none';
  /** Text for standard input, which is closed afterwards; with `pipe` only. */
  readonly input?: string;
  readonly output: LineOutput | MergedOutput | SplitOutput;
}

/** A process in its own group, under a guard that ends the group when Muster dies. */
export interface ManagedProcess {
  readonly pid: number;
  /** Resolves when it has exited and its output was passed on. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Resolves when no process of its group is left. Never rejects. */
  readonly gone: Promise<void>;
  /** Resolves when the text was accepted, or the process is gone. */
  write(text: string): Promise<void>;
  /** Pauses reading its output, which eventually blocks the program itself. */
  hold(): void;
  release(): void;
  stderrTail(): string;
  /**
   * TERM to the group, KILL after a delay, then to processes that left the group. Resolves when none is left.
   */
  end(): Promise<void>;
}

export interface Processes {
  launch(spec: LaunchSpec): Promise<Result<ManagedProcess>>;
  /** The absolute path of a program, or null if it is not installed. */
  find(command: string, options?: { readonly path?: string; readonly cwd?: string }): Promise<string | null>;
}

/**
 * How to start one of Muster's own scripts: under Electron with its own binary and the variable that makes it
 * act as Node.
 */
export interface ScriptRuntime {
  readonly execPath: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Another program's process, as reported by the operating system. */
export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  /** Its command line, program first. */
  readonly args: readonly string[];
  /** Its working folder, with links resolved; null if not requested or not available. */
  readonly cwd: string | null;
  /** When it started, in milliseconds since 1970; null if not available. */
  readonly startedAt: number | null;
  /** Together with the process id, identifies the process until a reboot, since ids are reused. */
  readonly mark: string;
}

/** Lists the machine's processes without affecting them. */
export interface ProcessList {
  /**
   * All processes; working folders only for those whose command line `matters`. Null if this system does not
   * provide them.
   */
  all(matters: (args: readonly string[]) => boolean): Promise<readonly SeenProcess[] | null>;
  /** One process by id; `gone` if there is none, null if this system does not provide it. */
  one(pid: number): Promise<SeenProcess | 'gone' | null>;
}
