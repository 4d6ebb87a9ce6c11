import type { Result } from '@contract/result';
import type { ProcessExit } from './process';

/** A program in its own terminal, operated by typing and reading the screen. */
export interface InteractiveSpec {
  /** The session key that owns it; also the environment mark for finding the process again. */
  readonly owner: string;
  /** An absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** In addition to Muster's own environment, which is cleaned for foreign programs. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables whose values must not be stored. */
  readonly secrets?: readonly string[];
  /** The file that stores all output. */
  readonly outputPath: string;
  /** Created for this session and readable only by this user, with these executable files in it. */
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** The file in that folder to which the program's helper appends lines; earlier content is dropped. */
  readonly inbox: string;
}

export interface InteractiveListener {
  /** Something was printed, and the screen shows it. */
  printed(): void;
  /** A line was appended to the inbox. */
  told(line: string): void;
  /** The program sent a terminal notification with this text. */
  notified(text: string): void;
}

export interface Screen {
  /** The content of the terminal with its scrollback; wrapped lines are joined. */
  readonly lines: readonly string[];
  /** The terminal's width: programs wrap at it, and redraw when it changes. */
  readonly cols: number;
  /** The program uses bracketed paste, so that a line break in pasted text does not submit. */
  readonly pasteMode: boolean;
}

/** The processes below a program, and the processor time used so far. */
export interface ProcessActivity {
  readonly children: number;
  readonly cpuMs: number;
}

export interface InteractiveTerminal {
  /** Resolves when all its processes have ended and all output is on the screen. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  type(data: string): void;
  screen(): Screen;
  /** Null if it cannot be determined. */
  activity(): Promise<ProcessActivity | null>;
  /** TERM to all of its processes, KILL to the rest after this time. Resolves when none is left. */
  end(graceMs: number): Promise<void>;
  /** Its position: bytes printed, and bytes of its inbox already reported. */
  place(): ProgramPlace;
  /**
   * Stores a note for a core that takes the program over, replacing the previous note; resolves when it is on
   * disk. If it cannot be written, no note remains: an outdated note must not be found.
   */
  note(text: string): Promise<void>;
  /** Call once its exit is recorded, so that it need not be kept for another core. */
  taken(): void;
}

export interface ProgramPlace {
  readonly printed: number;
  readonly told: number;
}

/** Locations of a program's files, as in `InteractiveSpec`. */
export type ProgramFiles = Pick<InteractiveSpec, 'outputPath' | 'folder' | 'inbox'>;

/** A program of an earlier core that survived it; it may have exited since. */
export interface KeptProgram {
  /** The last stored note. */
  readonly note: string | null;
  /** Bytes printed so far. */
  readonly printed: number;
  /** The earlier core had requested its end. */
  readonly ending: boolean;
  /**
   * Takes the program over. Inbox lines are reported from byte `told` on (null: only new ones); resolves when
   * all existing ones were reported and drawn. `before` is its screen at that point of the output; null if
   * not requested.
   */
  take(
    listener: InteractiveListener,
    from: { readonly told: number | null; readonly printed: number | null },
  ): Promise<{ readonly terminal: InteractiveTerminal; readonly before: Screen | null }>;
  /** Ends it. Resolves when none of its processes is left. */
  end(): Promise<void>;
}

export interface InteractivePort {
  /**
   * Fails if there is no terminal process, or the program cannot be started. A program that an earlier core
   * left with this output is ended first.
   */
  open(spec: InteractiveSpec, listener: InteractiveListener): Promise<Result<InteractiveTerminal>>;
  /** The program that an earlier core left with this output; null if there is none. */
  find(files: ProgramFiles): Promise<KeptProgram | null>;
}
