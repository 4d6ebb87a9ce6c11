import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

/** Why a backup was made: once a day, on request, or before a migration. */
const backupKindSchema = z.enum(['automatic', 'manual', 'migration']);

const backupRowSchema = lazyObject(() => ({
  path: z.string(),
  kind: backupKindSchema,
  at: z.number(),
  /** Of the whole backup, artifacts included. */
  bytes: z.number(),
  /** The schema version of its database; null if the file cannot be read. */
  version: z.number().int().nullable(),
  artifacts: z.boolean(),
}));
export type BackupRow = z.infer<typeof backupRowSchema>;

export const backupProcedures = {
  'backup.list': {
    input: z.object({}),
    output: lazyObject(() => ({ folder: z.string(), rows: z.array(backupRowSchema) })),
  },
  /** Backs up the database while it is in use. Never overwrites a file. */
  'backup.make': {
    input: lazyObject(() => ({
      /** Null for a new name in the folder of backups. */
      path: z.string().min(1).nullable().default(null),
      artifacts: z.boolean().default(false),
    })),
    output: backupRowSchema,
  },
} as const;
