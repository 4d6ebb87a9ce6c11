import type { SharedRecord } from '@areas/server/contract/records';
import type { RunEvent } from '@contract/run/events';

/** A place in a shared log. A later place is greater, by `era`, then `xid`, then `id`. */
export interface Position {
  /** Counts the clusters in which the log was written: each numbers its transactions by itself. */
  readonly era: number;
  /** The number of the transaction: up to 64 bits, in decimal. */
  readonly xid: string;
  readonly id: number;
}

/** How far a read model follows which log. */
export interface Followed {
  readonly log: string;
  readonly position: Position;
}

/** An entry of a shared log, in its order. A `purged` event is empty, but keeps its number. */
export type SharedEntry =
  | {
      readonly kind: 'event';
      readonly runId: number;
      readonly seq: number;
      readonly at: number;
      readonly event: RunEvent;
    }
  | { readonly kind: 'record'; readonly record: SharedRecord; readonly version: number }
  | { readonly kind: 'purge'; readonly runId: number }
  | { readonly kind: 'purged' };
