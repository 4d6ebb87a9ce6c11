import type { Problem } from '@contract/errors';
import type { TranscriptItem, TranscriptLine } from '@contract/session/session';

/** A parsed text with a way from a path in it (`steps[1].config.instruction`) to its line, counted from 1. */
export interface ParsedDocument {
  readonly value: unknown;
  /** Syntax errors, each with its line. */
  readonly problems: readonly Problem[];
  lineOf(path: string): number | null;
}

export interface DocumentReader {
  parse(text: string, file: string): ParsedDocument;
}

/** Session logs: JSON Lines files in the run's artifacts folder, one for each session. */
export interface TranscriptStore {
  append(
    run: { artifactsDir: string },
    line: { sessionId: number; turnId: number; items: readonly TranscriptItem[] },
  ): void;
  turn(run: { artifactsDir: string }, of: { sessionId: number; turnId: number }): TranscriptItem[];
  lines(run: { artifactsDir: string }, of: { sessionId: number; limit: number }): TranscriptLine[];
  /** Lets go of the open files of a run. */
  release(artifactsDir: string): void;
}

export interface Ids {
  /** A ULID: unique everywhere, ordered by time. */
  ulid(): string;
}
