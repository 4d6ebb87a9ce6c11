import { groupsOf } from '@areas/gates/contract/cause';
import type { GateRow } from '@areas/gates/contract/procedures';
import type { ListRow } from '@renderer/ui/lists/list';
import { isSnoozed } from '../contract/count';
import { type Filter, fitting, gateItem, type Item, runOf, sinceOf } from './parts/items';

export type InboxRow =
  | (ListRow & { readonly heading: true; readonly text: string; readonly count: number })
  | (ListRow & { readonly heading?: false; readonly item: Item });

const ROW = 52;
const HEADING = 30;

const rowOf = (item: Item): InboxRow => ({ key: item.key, height: ROW, item });
const gateRow = (gate: GateRow): InboxRow => rowOf(gateItem(gate));
const heading = (key: string, text: string, count: number): InboxRow => ({
  key,
  height: HEADING,
  heading: true,
  text,
  count,
});

const SECTIONS = [
  ['reply', 'Reply'],
  ['failed', 'Failed'],
  ['pull', 'Pull requests'],
  ['wait', 'Waiting by itself'],
] as const;

interface Shape extends Filter {
  readonly byRun: boolean;
}

interface Listed {
  readonly rows: readonly InboxRow[];
  /** The keys of the items among them. */
  readonly keys: readonly string[];
  /** Everything that waits, including items that a search hides. */
  readonly all: ReadonlySet<string>;
}

let last: {
  readonly items: readonly Item[];
  /** A snoozed gate moves by itself. */
  readonly timed: boolean;
  readonly as: string;
  readonly listed: Listed;
} | null = null;

/** The rows of the open items. Kept, because the list is drawn again each time that it is opened. */
export function listedItems(items: readonly Item[], shape: Shape, now: number): Listed {
  const timed = last?.items === items ? last.timed : items.some(isTimed);
  const as = JSON.stringify([shape.search, shape.project, shape.byRun, timed ? now : null]);
  if (last?.items === items && last.as === as) return last.listed;
  const left = fitting(items, shape);
  const rows = shape.byRun ? rowsByRun(left, now) : attentionRows(left, now);
  const listed = { rows, keys: keysOf(rows), all: new Set(items.map(({ key }) => key)) };
  last = { items, timed, as, listed };
  return listed;
}

const isTimed = (item: Item): boolean => item.kind === 'gate' && item.gate.snoozedUntil !== null;

export const keysOf = (rows: readonly InboxRow[]): string[] =>
  rows.filter((row) => !row.heading).map((row) => row.key);

/** Open items grouped by the needed action, then snoozed ones and those that continue by themselves. */
export function attentionRows(items: readonly Item[], now: number): InboxRow[] {
  const gates = items.flatMap((item) => (item.kind === 'gate' ? [item.gate] : []));
  const [decide = [], snoozed = []] = [false, true].map((is) =>
    gates.filter((one) => isSnoozed(one, now) === is),
  );
  const others = SECTIONS.flatMap(([kind, text]): InboxRow[] => {
    const of = items.filter((item) => item.kind === kind);
    return of.length === 0 ? [] : [heading(kind, text, of.length), ...of.map(rowOf)];
  });
  // A single group needs no heading.
  const first = others.length > 0 && decide.length > 0 ? [heading('decide', 'Decide', decide.length)] : [];
  return [...first, ...apart(decide), ...others, ...snoozedRows(snoozed)];
}

/** Snoozed gates, the one that returns first on top. */
function snoozedRows(gates: readonly GateRow[]): InboxRow[] {
  if (gates.length === 0) return [];
  const sorted = [...gates].sort((a, b) => (a.snoozedUntil ?? 0) - (b.snoozedUntil ?? 0));
  return [heading('snoozed', 'Snoozed', gates.length), ...sorted.map(gateRow)];
}

/**
 * Items that need the operator, under the name of their run, the run that has waited longest first; the rest
 * below.
 */
export function rowsByRun(items: readonly Item[], now: number): InboxRow[] {
  const later = (item: Item) => item.kind === 'wait' || (item.kind === 'gate' && isSnoozed(item.gate, now));
  const runs = new Map<number, [Item, ...Item[]]>();
  for (const item of items.filter((one) => !later(one)).sort((a, b) => sinceOf(a) - sinceOf(b))) {
    const { runId } = runOf(item);
    const known = runs.get(runId);
    if (known) known.push(item);
    else runs.set(runId, [item]);
  }
  const grouped = [...runs].flatMap(([runId, of]): InboxRow[] => [
    heading(`run ${runId}`, runOf(of[0]).runName, of.length),
    ...of.map(rowOf),
  ]);
  return [...grouped, ...attentionRows(items.filter(later), now)];
}

/**
 * Maximum number of requests of one agent among the others; the rest follow below, so that they hide nothing.
 */
const MOST_OF_ONE = 5;

/**
 * The open gates in order, then equal questions, each kind under its heading. Many requests of one agent, and
 * large groups, follow below the others.
 */
function apart(waiting: readonly GateRow[]): InboxRow[] {
  const groups = groupsOf(waiting);
  const small = groups.filter((group) => group.length <= MOST_OF_ONE);
  const counts = new Map<string, number>();
  const bulks = new Map<string, GateRow[]>();
  // Rows after a heading belong to it: single questions come first.
  const alike = small.filter((group) => group.length > 1).flatMap(alikeRows);
  const first = small.flatMap((group): InboxRow[] => {
    const [gate] = group;
    if (group.length > 1) return [];
    const source = `${gate.runId}/${gate.sessionId}/${gate.kind}`;
    const count = (counts.get(source) ?? 0) + 1;
    counts.set(source, count);
    if (gate.kind !== 'permission' || count <= MOST_OF_ONE) return [gateRow(gate)];
    const bulk = bulks.get(source);
    if (bulk) bulk.push(gate);
    else bulks.set(source, [gate]);
    return [];
  });
  const large = groups.filter((group) => group.length > MOST_OF_ONE).flatMap(alikeRows);
  return [...first, ...alike, ...large, ...[...bulks].flatMap(([source, gates]) => bulkRows(source, gates))];
}

/** Questions with the same cause: they can be answered together. */
const alikeRows = (gates: readonly [GateRow, ...GateRow[]]): InboxRow[] => [
  heading(`alike ${gates[0].cause ?? ''}`, 'Same question', gates.length),
  ...gates.map(gateRow),
];

const bulkRows = (cause: string, gates: readonly GateRow[]): InboxRow[] => [
  heading(
    `more ${cause}`,
    `More of ${gates[0]?.agent ?? 'an agent'} in ${gates[0]?.runName ?? ''}`,
    gates.length,
  ),
  ...gates.map(gateRow),
];

export const closedRows = (gates: readonly GateRow[]): InboxRow[] => gates.map(gateRow);

/** The selection after the selected row is gone: the row after it, otherwise the one before it. */
export function afterwards(before: readonly string[], gone: string, now: readonly string[]): string | null {
  const at = before.indexOf(gone);
  const left = new Set(now);
  const following = [...before.slice(at + 1), ...before.slice(0, Math.max(0, at)).reverse()];
  return following.find((key) => left.has(key)) ?? now[0] ?? null;
}

interface Shown {
  /** The selected gate. */
  readonly key: string | null;
  /** The listed gates while it was still open. */
  readonly before: readonly string[];
  /** The listed gates, and all open ones: a search lists fewer. */
  readonly waiting: readonly string[];
  readonly all: ReadonlySet<string>;
  /** It was answered in this window. */
  readonly own: boolean;
  /** It is in the list of closed gates. */
  readonly isClosed: boolean;
  /** It was closed so recently that its result is still shown. */
  readonly lately: boolean;
}

/**
 * The selection after a gate closed. One answered here is replaced by the next one. One that ended by itself,
 * or was answered elsewhere, stays for a while: a key meant for it must not hit another. The same applies if
 * its end is unknown: it may be open beyond the loaded gates.
 */
export function afterShown({ key, before, waiting, all, own, isClosed, lately }: Shown): {
  /** The gate that replaces it; undefined if none does. */
  readonly next: string | null | undefined;
  readonly stays: boolean;
} {
  const gone = key !== null && !all.has(key) && before.includes(key);
  if (!gone) return { next: undefined, stays: false };
  if (!own && (lately || !isClosed)) return { next: undefined, stays: true };
  return { next: afterwards(before, key, waiting), stays: false };
}

export interface Address {
  /** The address names a gate. */
  readonly named: boolean;
  /** Its key, if its run is known. */
  readonly key: string | null;
  /** There is no such run. */
  readonly unknown: boolean;
}

interface Lists {
  /** The gate that replaces one that was answered while shown; undefined if none was. */
  readonly next: string | null | undefined;
  /** The selected gate no longer waits as far as is known, and none replaces it. */
  readonly stays: boolean;
  /** The selected gate if the address names none. It stays, even if others come before it later. */
  readonly kept: string | null;
  /** The listed gates, and all open ones: a search lists fewer. */
  readonly waiting: readonly string[];
  readonly all: ReadonlySet<string>;
  readonly isClosed: boolean;
  /** Both lists are loaded. */
  readonly read: boolean;
}

type Selection =
  | { readonly what: 'gate'; readonly key: string | null }
  | { readonly what: 'missing' | 'reading' };

/** The gate in the address and never another one; without such an address the first open one. */
export function selectionOf(address: Address, lists: Lists): Selection {
  const { named, key, unknown } = address;
  const { next, stays, kept, waiting, all, isClosed, read } = lists;
  if (next !== undefined) return { what: 'gate', key: next };
  if (!named && stays && !isClosed) return { what: read ? 'missing' : 'reading' };
  if (!named) {
    const there = kept !== null && (all.has(kept) || isClosed);
    return { what: 'gate', key: there ? kept : (waiting[0] ?? null) };
  }
  if (key !== null && (all.has(key) || isClosed)) return { what: 'gate', key };
  return { what: unknown || (read && key !== null) ? 'missing' : 'reading' };
}
