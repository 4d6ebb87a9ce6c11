import { whole } from '@contract/bounds';
import type { Json } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

/**
 * One change that migrates a step's configuration, as in its file, to this version. Small enough for the
 * file's writer to leave everything else unchanged.
 */
export type ConfigEdit =
  /** Sets a key's value; a missing key is added after the key `after`. */
  | { readonly kind: 'set'; readonly key: string; readonly value: Json; readonly after?: string }
  /** Removes a key and keeps it as a comment that ends with `why`. */
  | { readonly kind: 'drop'; readonly key: string; readonly why: string }
  /** Appends texts to the list at `path`, which is created if missing. */
  | {
      readonly kind: 'append';
      readonly path: readonly (string | number)[];
      readonly values: readonly string[];
    };

/** A change in a file, described for its reader. */
const migrationChangeSchema = lazyObject(() => ({
  /** Path in the document: `steps[1].config.completion_mode`. */
  path: z.string(),
  /** Line in the original file, counted from 1. */
  line: whole(),
  what: z.string(),
}));
export type MigrationChange = z.infer<typeof migrationChangeSchema>;

/** A file as a migration would change it, or has changed it. */
export const workflowMigrationSchema = lazyObject(() => ({
  text: z.string(),
  /** Unified diff with three lines of context; empty if there is nothing to migrate. */
  diff: z.string(),
  changes: z.array(migrationChangeSchema),
  /** Where the old file is kept, beside the new one; null if nothing was written. */
  backup: z.string().nullable(),
}));
export type WorkflowMigration = z.infer<typeof workflowMigrationSchema>;
