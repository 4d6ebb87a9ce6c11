import { runsMigration } from './0001-runs';
import type { Migration } from './migration';

/** In order, without a gap. */
export const MIGRATIONS: readonly Migration[] = [runsMigration];
