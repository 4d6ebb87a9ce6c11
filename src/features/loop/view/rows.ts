import type { ActivationState, GateState, RunState, TurnState } from '@contract/run/state';
import type { ListRow } from '@renderer/ui/lists/list';
import type { StackRow } from '@renderer/ui/lists/stack';
import { unverifiedStories } from '../contract/check';
import { type Cost, type StoryCost, storyCosts } from '../contract/costs';
import type { Story } from '../contract/events';
import { loopKey } from '../contract/keys';
import type { AttemptState, LoopState } from '../contract/state';
import { type LoopRow, storyOf, turnsByAttempt } from '../contract/summary';

export type LoopListRow = ListRow &
  ({ readonly kind: 'heading'; readonly text: string } | { readonly kind: 'loop'; readonly loop: LoopRow });

export const keyOfLoop = ({ runId, activationId }: Pick<LoopRow, 'runId' | 'activationId'>): string =>
  `${runId}/${activationId}`;

/** Still relevant: it is running, or has ended with a question. */
const isActive = ({ live, openGates, phase }: LoopRow): boolean =>
  live || openGates > 0 || phase === 'cancelling';

/** Loops newest first, ended ones at the bottom. */
export function loopListRows(loops: readonly LoopRow[], search: string): LoopListRow[] {
  const wanted = search.trim().toLowerCase();
  const found = loops.filter(({ title, runName, projectName, folder, branch, worker }) =>
    [title, runName, projectName, folder, branch ?? '', worker].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  );
  const rows = (of: readonly LoopRow[]): LoopListRow[] =>
    of.map((loop) => ({ key: keyOfLoop(loop), height: 52, kind: 'loop', loop }));
  const ended = found.filter((loop) => !isActive(loop));
  const heading: LoopListRow = { key: 'ended', height: 28, heading: true, kind: 'heading', text: 'Ended' };
  return [...rows(found.filter(isActive)), ...(ended.length > 0 ? [heading] : []), ...rows(ended)];
}

/** The loop of an address: of its activation, else the first of its run. */
export const loopAt = (
  loops: readonly LoopRow[],
  at: { readonly runId: number; readonly activationId: number | null } | null,
): LoopRow | null =>
  loops.find(
    (loop) => loop.runId === at?.runId && (at.activationId === null || loop.activationId === at.activationId),
  ) ?? null;

export type StoryState = 'open' | 'working' | 'passed' | 'skipped' | 'failed' | 'blocked';

export interface StoryRow extends ListRow, Cost {
  readonly story: Story;
  readonly state: StoryState;
  /** The iteration in which it passed; null if it passed without one, or does not pass. */
  readonly passedAt: number | null;
  /** When the current attempt at it began. */
  readonly since: number | null;
  readonly attempts: readonly number[];
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const aboutOf = (attempt: AttemptState): string | null => (storyOf(attempt) ?? attempt.story)?.id ?? null;

const passes = (plan: LoopState['plan'] | undefined, id: string): boolean | null =>
  plan?.state === 'read' ? (plan.stories.find((story) => story.id === id)?.passes ?? null) : null;

/** The plan's stories in working order, with each one's cost so far. */
export function storyRows(state: RunState, loop: LoopState): StoryRow[] {
  if (loop.plan.state !== 'read') return [];
  const byStory = groupBy(loop.attempts, aboutOf);
  const costs = new Map(storyCosts(state, loop).map((cost) => [cost.storyId, cost]));
  const unverified = unverifiedStories(loop.attempts);
  const live = state.activations[loop.activationId]?.status === 'running';
  return [...loop.plan.stories]
    .sort((one, other) => one.priority - other.priority)
    .map((story) => {
      const attempts = byStory.get(story.id) ?? [];
      const last = attempts.at(-1);
      const working = live && last !== undefined && last.judged === null;
      const passing = story.passes && !unverified.includes(story.id);
      const flip = passing ? loop.attempts.findLast((attempt) => flipped(attempt, story.id)) : undefined;
      return {
        key: story.id,
        height: 52,
        story,
        attempts: attempts.map(({ id }) => id),
        state: stateOf({ passing, working, last, skipped: loop.skipped.includes(story.id) }),
        passedAt: flip?.iteration ?? null,
        since: working ? last.startedAt : null,
        ...costOf(costs.get(story.id)),
      };
    });
}

const flipped = ({ before, after }: AttemptState, id: string): boolean =>
  passes(before?.plan, id) === false && passes(after?.plan, id) === true;

const costOf = (cost: StoryCost | undefined): Cost => ({
  ms: cost?.ms ?? 0,
  tokens: cost?.tokens ?? null,
  costUsd: cost?.costUsd ?? null,
});

function stateOf(of: {
  readonly passing: boolean;
  readonly working: boolean;
  readonly skipped: boolean;
  readonly last: AttemptState | undefined;
}): StoryState {
  if (of.passing) return 'passed';
  if (of.working) return 'working';
  if (of.skipped) return 'skipped';
  const result = of.last?.judged?.result;
  return result === 'failed' || result === 'blocked' ? result : 'open';
}

export type TimelineRow = StackRow &
  (
    | { readonly kind: 'plan' }
    | {
        readonly kind: 'attempt';
        readonly attempt: AttemptState;
        readonly turns: readonly TurnState[];
        /** Questions asked during its turns. */
        readonly gates: readonly GateState[];
      }
    | { readonly kind: 'gate'; readonly gate: GateState }
    | { readonly kind: 'end'; readonly activation: ActivationState }
  );

/** The timeline: the plan, the attempts with their questions, the questions in between, the end. */
export function timelineRows(state: RunState, loop: LoopState): TimelineRow[] {
  const turns = turnsByAttempt(state, loop);
  const ofTurn = new Map([...turns].flatMap(([id, list]) => list.map((turn) => [turn.id, id] as const)));
  const gates = Object.values(state.gates).filter(({ activationId }) => activationId === loop.activationId);
  const inside = groupBy(gates, ({ turnId }) => ofTurn.get(turnId ?? 0) ?? null);
  const attempts = loop.attempts.map(
    (attempt): Timed => ({
      at: attempt.startedAt,
      row: {
        key: `attempt/${attempt.id}`,
        guess: 64,
        kind: 'attempt',
        attempt,
        turns: turns.get(attempt.id) ?? [],
        gates: inside.get(attempt.id) ?? [],
      },
    }),
  );
  const gateRows = (inside.get(null) ?? []).map(
    (gate): Timed => ({ at: gate.openedAt, row: { key: `gate/${gate.id}`, guess: 180, kind: 'gate', gate } }),
  );
  const activation = state.activations[loop.activationId];
  const ended = activation?.status === 'finished';
  const middle = [...attempts, ...gateRows];
  // An attempt and the question before it can have the same time.
  middle.sort((one, other) => one.at - other.at || orderOf(one.row) - orderOf(other.row));
  return [
    { key: 'plan', guess: 44, kind: 'plan' },
    ...middle.map(({ row }) => row),
    ...(ended ? [{ key: 'end', guess: 60, kind: 'end', activation } as const] : []),
  ];
}

interface Timed {
  readonly at: number;
  readonly row: TimelineRow;
}

/** A question about an attempt comes after it. */
function orderOf(row: TimelineRow): number {
  if (row.kind === 'attempt') return row.attempt.id;
  if (row.kind !== 'gate') return 0;
  const key = loopKey.read(row.gate.about ?? '');
  return key === null ? 0 : key[1] + 0.5;
}

/** Rows that keys can move to. */
export const isStop = ({ kind }: TimelineRow): boolean => kind === 'attempt' || kind === 'gate';

/** Expanded by default: the running one, else the last. */
export const openByItself = (loop: LoopState): string | null => {
  const last = loop.attempts.at(-1);
  return last === undefined ? null : `attempt/${last.id}`;
};
