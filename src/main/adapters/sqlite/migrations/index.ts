import { schemaMigration } from './0001-schema';
import type { Migration } from './migration';

/** In order, without a gap. */
export const MIGRATIONS: readonly Migration[] = [schemaMigration];
