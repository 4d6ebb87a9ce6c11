import type { ProjectRow } from '@areas/agents/contract/procedures';
import type { AgentProfile } from '@areas/agents/contract/profile';
import type { SearchHit, SearchKind, UpdateRow } from '@areas/feed/contract/procedures';
import type { Update } from '@areas/feed/contract/update';
import type { GateRow } from '@areas/gates/contract/procedures';
import type { Host } from '@areas/hosts/contract/host';
import type { Spend, SpendQuery, SpendTotals } from '@areas/spend/contract/procedures';
import type { Result } from '@contract/result';
import type { StoredEvent } from '@contract/run/events';
import type { RunRow } from '@contract/run/procedures';
import type { RunStatus } from '@contract/run/state';
import type { EventLog } from '../ports';
import type { RuleReader, RuleWriter } from '../rules';
import type { DeliveryReader, DeliveryWriter } from './deliveries';
import type { TerminalReader, TerminalWriter } from './terminals';

export interface RunQuery {
  readonly before?: number;
  readonly limit: number;
  readonly status?: RunStatus;
  readonly search?: string;
  readonly binned: boolean;
  /** Only runs that have not ended, or that still ask something. */
  readonly unfinished?: boolean;
  /** Only runs that ended at this time or later. */
  readonly endedSince?: number;
}

export interface FeedQuery {
  readonly before?: number;
  /** The oldest ones after this one, instead of the newest; still ordered newest first. */
  readonly after?: number;
  readonly limit: number;
  readonly runId?: number;
  readonly stepId?: string;
  /** The profile's id. */
  readonly agent?: string;
  readonly result?: Update['result'];
  readonly search?: string;
}

export interface GateQuery {
  readonly status: 'open' | 'closed';
  readonly limit: number;
  readonly runId?: number | undefined;
  readonly after?: { readonly at: number; readonly event: number } | undefined;
}

export interface SearchQuery {
  readonly text: string;
  readonly before?: number | undefined;
  readonly limit: number;
  readonly kind?: SearchKind | undefined;
  readonly projectId?: number | undefined;
  readonly runId?: number | undefined;
}

/** Reads of the projections; each uses an index, none scans the events. */
export interface StoreReader extends RuleReader, TerminalReader, DeliveryReader {
  runs(query: RunQuery): { rows: RunRow[]; more: boolean };
  run(runId: number): RunRow | null;
  runByUid(uid: string): RunRow | null;
  /** The run whose uid ends with these characters, ignoring case. */
  runByUidEnd(end: string): RunRow | null;
  gates(query: GateQuery): GateRow[];
  gate(runId: number, gateId: number): GateRow | null;
  feed(query: FeedQuery): { rows: UpdateRow[]; more: boolean };
  /** Steps and agents that have updates, matched by their first letters; at most `limit` of each. */
  feedSources(limit: number): { steps: string[]; agents: string[] };
  /** How many updates are newer than this one, counted up to `most`. */
  unread(readTo: number, most: number): number;
  /** Updates of one run by event id, for publishing. */
  updates(ids: readonly number[]): UpdateRow[];
  search(query: SearchQuery): {
    hits: SearchHit[];
    more: boolean;
    indexedTo: number;
    /** Newest events that the index does not know yet. */
    behind: number;
  };
  /** At most `limit` events and about `bytes`, but at least one if a readable one follows. */
  events(query: { afterId: number; limit: number; bytes?: number; runId?: number }): StoredEvent[];
  /**
   * A run's events in order, omitting those of one type before the last `keep`; null if there are no more.
   * Omitted events are neither read nor parsed.
   */
  eventsWithoutHistory(
    runId: number,
    kept: { readonly event: string; readonly keep: number },
  ): Iterable<StoredEvent> | null;
  /** A run's events after `afterSeq` as stored in the database, including unreadable ones. */
  rawEvents(runId: number, afterSeq: number): Iterable<RawEvent>;
  lastEventId(): number;
  projects(): ProjectRow[];
  project(id: number): ProjectRow | null;
  /** Profiles saved by the operator. */
  profiles(): AgentProfile[];
  hosts(): Host[];
  setting(key: string): unknown;
  /** Total usage, including runs in the bin. */
  spend(query: SpendQuery): Spend;
  spendTotals(query: Pick<SpendQuery, 'from' | 'before' | 'projectId'>): SpendTotals;
  databaseBytes(): number;
  /** Unused part of these, left by deleted rows: it is filled before the file grows. */
  freeBytes(): number;
}

export interface RawEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  /** The text of its fields. */
  readonly body: string;
}

/** Writes other than run events. */
export interface StoreWriter extends RuleWriter, DeliveryWriter {
  addProject(path: string, name: string, at: number): ProjectRow;
  removeProject(id: number): void;
  saveProfile(profile: AgentProfile, at: number): void;
  removeProfile(id: string): void;
  addHost(host: Host): void;
  removeHost(name: string): void;
  setSetting(key: string, value: unknown): void;
  snooze(runId: number, gateId: number, until: number | null): void;
  /** Imports a whole history as a new run and returns its number. All or nothing. */
  importRun(events: readonly StoredEvent[], projectId: number): Result<number>;
  /**
   * Moves a run into or out of the bin without reading its events. Returns the written event; null if nothing
   * changed.
   */
  binUnread(runId: number, binned: boolean, at: number): StoredEvent | null;
  /** Ends an unreadable run without reading its events. Null if it had already ended. */
  endUnread(runId: number, at: number): StoredEvent | null;
  /** Permanently deletes a binned run's rows. */
  purgeRun(runId: number): void;
  setRunBytes(runId: number, bytes: number): void;
}

export interface StoreHealth {
  readonly state: 'ok' | 'failing';
  readonly since: number;
  readonly detail: string | null;
}

export interface Store extends StoreReader, StoreWriter, TerminalWriter {
  readonly log: EventLog;
  readonly path: string;
  /** What the operator must be told about the opening. */
  readonly notices: readonly { id: string; level: 'info' | 'warning' | 'error'; text: string }[];
  health(): StoreHealth;
  onHealth(listener: (health: StoreHealth) => void): () => void;
  /** Writes pending data, releases the lease and closes. */
  close(): void;
}
