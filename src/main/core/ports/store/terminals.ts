/** A change of a terminal's output, for the store. */
export type TerminalChange =
  | {
      readonly kind: 'opened';
      readonly outputPath: string;
      /** The run's uid, and the terminal's name in it. */
      readonly uid: string;
      readonly name: string;
      readonly at: number;
    }
  /** The end of its output. */
  | { readonly kind: 'printed'; readonly outputPath: string; readonly bytes: number }
  /** Output before this offset was dropped. */
  | { readonly kind: 'evicted'; readonly outputPath: string; readonly before: number }
  | { readonly kind: 'closed'; readonly outputPath: string; readonly at: number };

export interface TerminalRecord {
  readonly runId: number;
  readonly name: string;
  readonly outputPath: string;
  readonly openedAt: number;
  /** The end of its output, and the offset from which it is kept. */
  readonly bytes: number;
  readonly evicted: number;
}

export interface RecentTerminals {
  readonly limit: number;
  readonly projectId?: number | undefined;
  readonly runId?: number | undefined;
}

export interface TerminalReader {
  /** The newest terminals, of all runs outside the bin, or of one project or run. */
  recentTerminals(query: RecentTerminals): (TerminalRecord & { readonly runName: string })[];
  /** Total bytes of all terminals on disk. */
  terminalBytes(): number;
  /**
   * Terminals whose output may be dropped, in that order: of runs in the bin, then of finished ones, oldest
   * first.
   */
  droppableTerminals(limit: number): TerminalRecord[];
}

export interface TerminalWriter {
  /** Kept in memory for at most a second, or until something else is committed. */
  noteTerminal(change: TerminalChange): void;
  /** Marks terminals as closed that are still open in the database, because an earlier core ended. */
  closeTerminals(at: number): void;
}
