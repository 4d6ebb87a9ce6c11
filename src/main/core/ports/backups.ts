import type { BackupRow } from '@areas/backups/contract/procedures';
import type { Result } from '@contract/result';

/** What a backup contains, and where it is written. */
export interface BackupOrder {
  /** A new file, or a new folder if it contains artifacts. */
  readonly target: string;
  /** The folder of the runs' files to copy as well; null for the database alone. */
  readonly artifacts: string | null;
}

/** Backups of the open database. They are made in a thread of their own. */
export interface Backups {
  /** The folder for backups that were given no other place. */
  readonly folder: string;
  /** Newest first: those of the folder, and those made before a migration. */
  list(): readonly BackupRow[];
  make(order: BackupOrder): Promise<Result<BackupRow>>;
  remove(path: string): void;
  /** Free bytes on the disk of the folder. */
  freeBytes(): number;
  /** Ends an unfinished backup, whose file is removed by the next one. */
  close(): void;
}
