import type { Result } from '@contract/result';
import type { ProcessExit } from './process';

/** A program for a terminal of its own, in which it is typed to and read from. */
export interface InteractiveSpec {
  /** The session key that it belongs to; the environment mark by which it is found again. */
  readonly owner: string;
  /** An absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** On top of Muster's own environment, which is cleaned for foreign programs. */
  readonly env: Readonly<Record<string, string>>;
  /** The file that keeps all that it prints. */
  readonly outputPath: string;
  /** Made for this session, readable to this user only, with these files in it, each of them executable. */
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** The file in that folder to which the program's helper appends its lines; what stood there before is dropped. */
  readonly inbox: string;
}

export interface InteractiveListener {
  /** Something was printed, and the screen shows it. */
  printed(): void;
  /** A line was appended to the inbox. */
  told(line: string): void;
  /** The program asked its terminal to notify the operator, with this text. */
  notified(text: string): void;
}

export interface Screen {
  /** What stands in the terminal with what has scrolled out above it, lines that were wrapped as one. */
  readonly lines: readonly string[];
  /** The program wants pasted text in brackets, so that a line end in it does not submit. */
  readonly pasteMode: boolean;
}

/** What lives below a program, and the processor time that it and they have used so far. */
export interface ProcessActivity {
  readonly children: number;
  readonly cpuMs: number;
}

export interface InteractiveTerminal {
  /** Resolves when nothing of it lives and all that it printed is on the screen. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  type(data: string): void;
  screen(): Screen;
  /** Null where it cannot be seen. */
  activity(): Promise<ProcessActivity | null>;
  /** TERM to all of it, KILL to what is left after this time. Resolves when nothing of it lives. */
  end(graceMs: number): Promise<void>;
}

export interface InteractivePort {
  /** An error where there is no terminal process, or the program cannot be started. */
  open(spec: InteractiveSpec, listener: InteractiveListener): Promise<Result<InteractiveTerminal>>;
}
