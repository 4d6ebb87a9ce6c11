import type { Db } from '../sql';

/**
 * One step forward of the schema. Once it was in a release it is never edited: a later change is the next number.
 * It runs inside a transaction with foreign keys not enforced; they are checked before the commit.
 */
export interface Migration {
  readonly version: number;
  readonly up: (db: Db) => void;
}
