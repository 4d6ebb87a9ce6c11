import { groupsOf } from '@contract/gate/cause';
import type { GateRow } from '@contract/gate/procedures';
import { gateKey } from '../../client/gate-key';
import type { ListRow } from '../../ui/list';

export type InboxRow =
  | (ListRow & { readonly heading: true; readonly text: string; readonly count: number })
  | (ListRow & { readonly heading?: false; readonly gate: GateRow });

const ROW = 52;
const HEADING = 30;

const rowOf = (gate: GateRow): InboxRow => ({ key: gateKey(gate), height: ROW, gate });

export const isSnoozed = (gate: GateRow, now: number): boolean => (gate.snoozedUntil ?? 0) > now;

/** What waits now, then what was put off, the one that comes back first on top. */
export function waitingRows(gates: readonly GateRow[], now: number): InboxRow[] {
  const waiting = gates.filter((gate) => !isSnoozed(gate, now));
  const snoozed = gates
    .filter((gate) => isSnoozed(gate, now))
    .sort((a, b) => (a.snoozedUntil ?? 0) - (b.snoozedUntil ?? 0));
  const rows = apart(waiting);
  if (snoozed.length === 0) return rows;
  const heading: InboxRow = {
    key: 'snoozed',
    height: HEADING,
    heading: true,
    text: 'Snoozed',
    count: snoozed.length,
  };
  return [...rows, heading, ...snoozed.map(rowOf)];
}

/** So many requests of one agent stand among the others; the rest follow below, so that they hide nothing. */
const MOST_OF_ONE = 5;

/**
 * The waiting gates in their order, equal questions under one heading. The bulk of an agent that asks and asks, and large
 * groups, follow below the others.
 */
function apart(waiting: readonly GateRow[]): InboxRow[] {
  const groups = groupsOf(waiting);
  const small = groups.filter((group) => group.length <= MOST_OF_ONE);
  const counts = new Map<string, number>();
  const bulks = new Map<string, GateRow[]>();
  const first = small.flatMap((group): InboxRow[] => {
    const [gate] = group;
    if (group.length > 1) return alikeRows(group);
    const source = `${gate.runId}/${gate.sessionId}/${gate.kind}`;
    const count = (counts.get(source) ?? 0) + 1;
    counts.set(source, count);
    if (gate.kind !== 'permission' || count <= MOST_OF_ONE) return [rowOf(gate)];
    bulks.set(source, [...(bulks.get(source) ?? []), gate]);
    return [];
  });
  const large = groups.filter((group) => group.length > MOST_OF_ONE).flatMap(alikeRows);
  return [...first, ...large, ...[...bulks].flatMap(([source, gates]) => bulkRows(source, gates))];
}

/** Questions of one cause: they can be answered alike. */
const alikeRows = (gates: readonly [GateRow, ...GateRow[]]): InboxRow[] => [
  {
    key: `alike ${gates[0].cause ?? ''}`,
    height: HEADING,
    heading: true,
    text: 'Same question',
    count: gates.length,
  },
  ...gates.map(rowOf),
];

const bulkRows = (cause: string, gates: readonly GateRow[]): InboxRow[] => [
  {
    key: `more ${cause}`,
    height: HEADING,
    heading: true,
    text: `More of ${gates[0]?.agent ?? 'an agent'} in ${gates[0]?.runName ?? ''}`,
    count: gates.length,
  },
  ...gates.map(rowOf),
];

export const closedRows = (gates: readonly GateRow[]): InboxRow[] => gates.map(rowOf);

/** Where the list goes on when the selected row is gone: what stands in its place now, else what is last. */
export function afterwards(before: readonly string[], gone: string, now: readonly string[]): string | null {
  const at = before.indexOf(gone);
  const left = new Set(now);
  const following = [...before.slice(at + 1), ...before.slice(0, Math.max(0, at)).reverse()];
  return following.find((key) => left.has(key)) ?? now[0] ?? null;
}

interface Shown {
  /** The gate that is looked at. */
  readonly key: string | null;
  /** What waited when it still did. */
  readonly before: readonly string[];
  readonly waiting: readonly string[];
  /** It was answered in this window. */
  readonly own: boolean;
  /** It is in the list of those that are closed. */
  readonly isClosed: boolean;
  /** It was closed so short a time ago that its end is still to be seen. */
  readonly lately: boolean;
}

/** Long enough to see what became of it. */
export const STAYS_MS = 30_000;

/**
 * What comes of a gate that was looked at and waits no more. One that was answered here makes room for the next one. One
 * that ended by itself, or was answered elsewhere, stays in sight for a while: the key that was meant for it must not hit
 * another. So does one of which no end is known: it may wait beyond what was read.
 */
export function afterShown({ key, before, waiting, own, isClosed, lately }: Shown): {
  /** The gate that takes its place; undefined where none does. */
  readonly next: string | null | undefined;
  readonly stays: boolean;
} {
  const gone = key !== null && !waiting.includes(key) && before.includes(key);
  if (!gone) return { next: undefined, stays: false };
  if (!own && (lately || !isClosed)) return { next: undefined, stays: true };
  return { next: afterwards(before, key, waiting), stays: false };
}

export interface Address {
  /** The address names a gate. */
  readonly named: boolean;
  /** Its key, where its run is known. */
  readonly key: string | null;
  /** There is no such run. */
  readonly unknown: boolean;
}

interface Lists {
  /** The gate that takes the place of one that was answered while it was shown; undefined where none was. */
  readonly next: string | null | undefined;
  /** The one that is looked at waits no more as far as is known, and none takes its place. */
  readonly stays: boolean;
  /** Where the address names none: the one that is looked at. It stays, whatever comes before it later. */
  readonly kept: string | null;
  readonly waiting: readonly string[];
  readonly isClosed: boolean;
  /** Both lists have been read. */
  readonly read: boolean;
}

export type Selection =
  | { readonly what: 'gate'; readonly key: string | null }
  | { readonly what: 'missing' | 'reading' };

/** The gate that an address names and never another one; without such an address the first that waited. */
export function selectionOf(address: Address, lists: Lists): Selection {
  const { named, key, unknown } = address;
  const { next, stays, kept, waiting, isClosed, read } = lists;
  if (next !== undefined) return { what: 'gate', key: next };
  if (!named && stays && !isClosed) return { what: read ? 'missing' : 'reading' };
  if (!named) {
    const there = kept !== null && (waiting.includes(kept) || isClosed);
    return { what: 'gate', key: there ? kept : (waiting[0] ?? null) };
  }
  if (key !== null && (waiting.includes(key) || isClosed)) return { what: 'gate', key };
  return { what: unknown || (read && key !== null) ? 'missing' : 'reading' };
}
