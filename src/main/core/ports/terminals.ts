import type { OutputLength } from '@contract/terminal/host';

/** Something that happened to a terminal's output, for the store. */
export type TerminalChange =
  | {
      readonly kind: 'opened';
      readonly outputPath: string;
      /** The run's uid, and the terminal's name in it. */
      readonly uid: string;
      readonly name: string;
      readonly at: number;
    }
  /** It had these lengths at these times, the earliest first. */
  | { readonly kind: 'lengths'; readonly outputPath: string; readonly lengths: readonly OutputLength[] }
  /** What was printed before this place is not kept any more. */
  | { readonly kind: 'evicted'; readonly outputPath: string; readonly before: number }
  | { readonly kind: 'closed'; readonly outputPath: string; readonly at: number };

export interface TerminalRecord {
  readonly runId: number;
  readonly name: string;
  readonly outputPath: string;
  readonly openedAt: number;
  readonly closedAt: number | null;
  /** The end of its output, and the first place of it that is kept. */
  readonly bytes: number;
  readonly evicted: number;
}

export interface RecentTerminals {
  readonly limit: number;
  readonly projectId?: number | undefined;
  readonly runId?: number | undefined;
}

export interface TerminalReader {
  /** The terminals of a run, the oldest first. */
  terminalsOf(runId: number): TerminalRecord[];
  /** The newest of all runs that are not in the bin, or of one project or run. */
  recentTerminals(query: RecentTerminals): (TerminalRecord & { readonly runName: string })[];
  /** How long a terminal's output was at a time; null where it was not there yet. */
  terminalLengthAt(runId: number, name: string, at: number): number | null;
  /** Bytes that all terminals keep on disk. */
  terminalBytes(): number;
  /** What may be dropped, first what is to go first: of runs in the bin, then of finished ones, the oldest first. */
  droppableTerminals(limit: number): TerminalRecord[];
}

export interface TerminalWriter {
  /** Kept in memory for at most a second, and then written with anything else is committed. */
  noteTerminal(change: TerminalChange): void;
  /** Terminals that are still open in the database were closed by the end of an earlier core. */
  closeTerminals(): void;
}
