import type { TranscriptItem, TranscriptLine } from '@areas/sessions/contract/session';
import type { RenamedTexts } from '@areas/workflows/contract/apply-edit';
import type { WorkflowEdit } from '@areas/workflows/contract/edit';
import type { ConfigEdit, MigrationChange } from '@areas/workflows/contract/migration';
import type { Problem } from '@contract/errors';
import type { Json } from '@contract/ids';
import type { Result } from '@contract/result';

/** A parsed text that maps a path (`steps[1].config.instruction`) to its line, counted from 1. */
export interface ParsedDocument {
  readonly value: unknown;
  /** Syntax errors, each with its line. */
  readonly problems: readonly Problem[];
  lineOf(path: string): number | null;
  /** Line and column (from 1) of the deepest existing part of a path. */
  startOf(path: string): { readonly line: number; readonly column: number } | null;
  /**
   * The position of an offset within the text at a path; null if it cannot be located in the written form.
   */
  placeOf(path: string, offset: number): { readonly line: number; readonly column: number } | null;
}

export interface DocumentReader {
  parse(text: string, file: string): ParsedDocument;
}

/** The changes that the configuration of a step of this type needs; empty if none. */
export type EditsOf = (type: string, config: unknown) => readonly ConfigEdit[];

export interface MigratedDocument {
  readonly text: string;
  readonly changes: readonly MigrationChange[];
}

/** Rewrites a workflow's text without touching anything else. */
export interface DocumentMigrator {
  migrate(text: string, editsOf: EditsOf): Result<MigratedDocument>;
}

/** A text after edits, and its content. */
export interface EditedDocument {
  readonly text: string;
  readonly value: Json;
}

/** Edits a workflow's text without touching anything else. */
export interface DocumentEditor {
  /**
   * Errors: `edit.no_place`, `edit.refused`, `edit.shared` if other places of the file would change too, and
   * `validation.yaml` if the text cannot be parsed.
   */
  edit(text: string, edits: readonly WorkflowEdit[], renamed?: RenamedTexts): Result<EditedDocument>;
}

/** Session logs: JSON Lines files in the run's artifacts folder, one per session. */
export interface TranscriptStore {
  append(
    run: { artifactsDir: string },
    line: { sessionId: number; turnId: number; items: readonly TranscriptItem[] },
  ): void;
  turn(run: { artifactsDir: string }, of: { sessionId: number; turnId: number }): TranscriptItem[];
  lines(run: { artifactsDir: string }, of: { sessionId: number; limit: number }): TranscriptLine[];
  /** Closes a run's open files. */
  release(artifactsDir: string): void;
}

export interface Ids {
  /** A ULID: globally unique, ordered by time. */
  ulid(): string;
}
