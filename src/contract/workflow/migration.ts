import { z } from 'zod';
import type { Json } from '../ids';

/**
 * One change that brings a step's configuration, as it is in its file, to what this version knows. Small enough
 * that the writer of the file can leave everything else in it as it is.
 */
export type ConfigEdit =
  /** Gives a key its new value; where the key is not there it is added after the key `after`. */
  | { readonly kind: 'set'; readonly key: string; readonly value: Json; readonly after?: string }
  /** Takes a key out and keeps it as a comment that ends with `why`. */
  | { readonly kind: 'drop'; readonly key: string; readonly why: string }
  /** Adds texts to the end of the list at `path`, which is made where it is not there. */
  | {
      readonly kind: 'append';
      readonly path: readonly (string | number)[];
      readonly values: readonly string[];
    };

/** What was changed in a file, for its reader. */
export const migrationChangeSchema = z.lazy(() =>
  z.object({
    /** Path in the document: `steps[1].config.completion_mode`. */
    path: z.string(),
    /** Line in the file as it was, counted from 1. */
    line: z.number().int(),
    what: z.string(),
  }),
);
export type MigrationChange = z.infer<typeof migrationChangeSchema>;

/** A file as a migration would leave it, or has left it. */
export const workflowMigrationSchema = z.lazy(() =>
  z.object({
    text: z.string(),
    /** Unified, with three lines around each change; empty where there is nothing to migrate. */
    diff: z.string(),
    changes: z.array(migrationChangeSchema),
    /** Where the old file is kept, beside the new one; null where nothing was written. */
    backup: z.string().nullable(),
  }),
);
export type WorkflowMigration = z.infer<typeof workflowMigrationSchema>;
