import type { Db } from '../sql';

/**
 * One step of the schema. Released migrations are never edited: a later change gets the next number. Runs
 * inside a transaction without enforced foreign keys, which are checked before the commit.
 */
export interface Migration {
  readonly version: number;
  readonly up: (db: Db) => void;
}
