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
  /** The file in that folder to which the program's helper appends its lines; what was there before is dropped. */
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
  /** What is in the terminal with what has scrolled out above it, lines that were wrapped as one. */
  readonly lines: readonly string[];
  /** How wide it is: a program breaks its lines there, and draws all of them again where that changes. */
  readonly cols: number;
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
  /** How far it has come: bytes that it has printed, and bytes of its inbox whose lines were told. */
  place(): ProgramPlace;
  /**
   * Writes this down beside it, instead of what was written before, for a core that takes it up again; resolves when it
   * is there. Where it cannot be written nothing stays written: what is not true any more must not be found.
   */
  note(text: string): Promise<void>;
  /** Once it has exited: that is known for good, and need not be kept for another core. */
  taken(): void;
}

export interface ProgramPlace {
  readonly printed: number;
  readonly told: number;
}

/** Where a program's files are: as in `InteractiveSpec`. */
export type ProgramFiles = Pick<InteractiveSpec, 'outputPath' | 'folder' | 'inbox'>;

/** A program that an earlier core opened and that has outlived it; it may have exited meanwhile. */
export interface KeptProgram {
  /** What was last written down beside it. */
  readonly note: string | null;
  /** What it has printed by now, in bytes. */
  readonly printed: number;
  /** The earlier core had asked for its end. */
  readonly ending: boolean;
  /**
   * Takes it up. Lines of its inbox are told from `told` on (null: only those that come), and resolves when all that
   * there is was told and drawn. `before` is its screen as it was when so much was printed; null where not asked for.
   */
  take(
    listener: InteractiveListener,
    from: { readonly told: number | null; readonly printed: number | null },
  ): Promise<{ readonly terminal: InteractiveTerminal; readonly before: Screen | null }>;
  /** Ends it. Resolves when nothing of it lives. */
  end(): Promise<void>;
}

export interface InteractivePort {
  /**
   * An error where there is no terminal process, or the program cannot be started. What an earlier core left with this
   * output is ended before.
   */
  open(spec: InteractiveSpec, listener: InteractiveListener): Promise<Result<InteractiveTerminal>>;
  /** What an earlier core left with this output; null where there is nothing. */
  find(files: ProgramFiles): Promise<KeptProgram | null>;
}
