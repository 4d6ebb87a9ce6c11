import type { Problem } from '@contract/errors';
import type { Json } from '@contract/ids';
import type { Result } from '@contract/result';
import type { TranscriptItem, TranscriptLine } from '@contract/session/session';
import type { RenamedTexts } from '@contract/workflow/apply-edit';
import type { WorkflowEdit } from '@contract/workflow/edit';
import type { ConfigEdit, MigrationChange } from '@contract/workflow/migration';

/** A parsed text with a way from a path in it (`steps[1].config.instruction`) to its line, counted from 1. */
export interface ParsedDocument {
  readonly value: unknown;
  /** Syntax errors, each with its line. */
  readonly problems: readonly Problem[];
  lineOf(path: string): number | null;
  /** The line and column, counted from 1, at which the deepest part of a path that is there begins. */
  startOf(path: string): { readonly line: number; readonly column: number } | null;
  /** The place of an offset in the text at a path; null where the text is written so differently that it is not found. */
  placeOf(path: string, offset: number): { readonly line: number; readonly column: number } | null;
}

export interface DocumentReader {
  parse(text: string, file: string): ParsedDocument;
}

/** What is to change in the configuration of a step of this type; nothing where nothing is. */
export type EditsOf = (type: string, config: unknown) => readonly ConfigEdit[];

export interface MigratedDocument {
  readonly text: string;
  readonly changes: readonly MigrationChange[];
}

/** Rewrites a workflow's text and leaves alone all that it is not asked to change. */
export interface DocumentMigrator {
  migrate(text: string, editsOf: EditsOf): Result<MigratedDocument>;
}

/** A text after edits, and what it says. */
export interface EditedDocument {
  readonly text: string;
  readonly value: Json;
}

/** Makes edits in a workflow's text and leaves alone all that they do not touch. */
export interface DocumentEditor {
  /**
   * Errors: `edit.no_place`, `edit.refused`, `edit.shared` where other places of the file would change too, and
   * `validation.yaml` where the text cannot be read.
   */
  edit(text: string, edits: readonly WorkflowEdit[], renamed?: RenamedTexts): Result<EditedDocument>;
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
