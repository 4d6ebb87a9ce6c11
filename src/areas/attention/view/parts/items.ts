import type { PullItem } from '@areas/forges/contract/pull';
import type { GateRow } from '@areas/gates/contract/procedures';
import { gateKey } from '@renderer/client/lists/gate-key';
import { hashOf } from '@renderer/client/route';
import { attentionCount } from '../../contract/count';
import type { BesidesDecisions, Failure, Reply, Wait } from '../../contract/procedures';

/** One item of the attention list. `key` is in its address. */
export type Item =
  | { readonly kind: 'gate'; readonly key: string; readonly gate: GateRow }
  | { readonly kind: 'reply'; readonly key: string; readonly reply: Reply }
  | { readonly kind: 'failed'; readonly key: string; readonly failure: Failure }
  | { readonly kind: 'pull'; readonly key: string; readonly pull: PullItem }
  | { readonly kind: 'wait'; readonly key: string; readonly wait: Wait };

const keyOf = (...parts: (string | number)[]): string => parts.map(encodeURIComponent).join('/');

export const gateItem = (gate: GateRow): Item => ({ kind: 'gate', key: gateKey(gate), gate });

const replyItem = (reply: Reply): Item => {
  const { runId, activationId, member, round } = reply;
  const names = member === null ? [] : [member, round];
  return { kind: 'reply', key: keyOf('reply', runId, activationId, ...names), reply };
};

const failedItem = (failure: Failure): Item => ({
  kind: 'failed',
  key: keyOf('failed', failure.runId, failure.at),
  failure,
});

const pullItem = (pull: PullItem): Item => ({
  kind: 'pull',
  key: keyOf('pull', pull.runId, pull.key),
  pull,
});

export const hashOfPull = (pull: PullItem): string => hashOfItem(pullItem(pull).key);

const waitItem = (wait: Wait): Item => ({
  kind: 'wait',
  key: keyOf('wait', wait.runId, wait.at, wait.what),
  wait,
});

/** The items other than gates, in the order of its sections. */
export const itemsBesides = ({ replies, failures, pulls, waits }: BesidesDecisions): Item[] => [
  ...[...replies].sort((a, b) => a.since - b.since).map(replyItem),
  ...failures.map(failedItem),
  ...pulls.map(pullItem),
  ...waits.map(waitItem),
];

const KINDS = new Set(['reply', 'failed', 'pull', 'wait']);

/** The item in an address of the inbox; null if it names none, or a gate. */
export function keyOfPath([place, kind = '', ...rest]: readonly string[]): string | null {
  return place === 'inbox' && KINDS.has(kind) && rest.length > 0 ? keyOf(kind, ...rest) : null;
}

export const hashOfItem = (key: string): string => {
  const isBeside = KINDS.has(key.split('/', 1)[0] ?? '');
  return isBeside ? hashOf('inbox', ...key.split('/').map(decodeURIComponent)) : `#/gate/${key}`;
};

interface ItemRun {
  readonly runId: number;
  readonly runName: string;
  readonly projectName?: string | null | undefined;
}

export const runOf = (item: Item): ItemRun => {
  switch (item.kind) {
    case 'gate':
      return item.gate;
    case 'reply':
      return item.reply;
    case 'failed':
      return item.failure;
    case 'pull':
      return item.pull;
    case 'wait':
      return item.wait;
  }
};

const projectOf = (item: Item): string | null => runOf(item).projectName ?? null;

/** When its waiting began, or when it will happen. */
export function sinceOf(item: Item): number {
  if (item.kind === 'gate') return item.gate.openedAt;
  if (item.kind === 'reply') return item.reply.since;
  return (item.kind === 'failed' ? item.failure : item.kind === 'pull' ? item.pull : item.wait).at;
}

/** The searchable words of an item. */
function wordsOf(item: Item): string {
  const { runName, projectName } = runOf(item);
  const itemWords =
    item.kind === 'gate'
      ? [item.gate.title, item.gate.message, item.gate.agent, item.gate.asker?.name, item.gate.stepTitle]
      : item.kind === 'reply'
        ? [item.reply.member, item.reply.lastWords]
        : item.kind === 'failed'
          ? [item.failure.reason]
          : item.kind === 'pull'
            ? [item.pull.what, item.pull.title, `#${item.pull.number ?? ''}`]
            : [item.wait.what];
  return [runName, projectName, ...itemWords].filter(Boolean).join('\n').toLowerCase();
}

export interface Filter {
  readonly search: string;
  /** Null: all projects. */
  readonly project: string | null;
}

const fits = (item: Item, words: readonly string[]): boolean => {
  const text = wordsOf(item);
  return words.every((word) => text.includes(word));
};

/** The items that match a filter. */
export function fitting(items: readonly Item[], { search, project }: Filter): readonly Item[] {
  const words = search.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const here = project === null ? items : items.filter((item) => projectOf(item) === project);
  return words.length === 0 ? here : here.filter((item) => fits(item, words));
}

/** The projects of the listed items, by name. */
export function projectsOf(items: readonly Item[]): string[] {
  const names = new Set<string>();
  for (const item of items) {
    const name = projectOf(item);
    if (name !== null) names.add(name);
  }
  return [...names].sort((a, b) => a.localeCompare(b));
}

interface Counted {
  /** Without the gates that may return from a snooze. */
  readonly always: number;
  readonly snoozed: GateRow[];
}

/** Cached, because the same list is counted at each tick of the clock and by each of its readers. */
const counted = new WeakMap<readonly Item[], Counted>();

function countedOf(items: readonly Item[]): Counted {
  const known = counted.get(items);
  if (known) return known;
  const of = (kind: Item['kind']) => items.filter((item) => item.kind === kind);
  const gates = items.flatMap((item) => (item.kind === 'gate' ? [item.gate] : []));
  const snoozed = gates.filter(({ snoozedUntil }) => snoozedUntil !== null);
  const waiting = gates.filter(({ snoozedUntil }) => snoozedUntil === null);
  const others = { replies: of('reply'), failures: of('failed'), pulls: of('pull') };
  const made = { always: attentionCount(waiting, others, 0), snoozed };
  counted.set(items, made);
  return made;
}

/** How many of these items need the operator. */
export function countOf(items: readonly Item[], now: number): number {
  const { always, snoozed } = countedOf(items);
  return always + attentionCount(snoozed, { replies: [], failures: [], pulls: [] }, now);
}
