import type { AppError } from '@contract/errors';
import type { OfType } from '@contract/run/event-table';
import { unverifiedStories } from './check';
import type { AttemptEnd, LoopAfter, LoopBefore, LoopEvent, PastLog, Plan, Story, WatchSeen } from './events';

type Judged = Omit<OfType<LoopEvent, 'loop.attempt-judged'>, 'type' | 'activationId' | 'attemptId'>;

export interface AttemptState {
  /** Counts from 1 within the activation. */
  readonly id: number;
  readonly iteration: number;
  readonly of: number;
  readonly retry: number;
  /** The story given to the worker. */
  readonly story: Pick<Story, 'id' | 'title'> | null;
  readonly text: string | null;
  readonly startedAt: number;
  readonly mark: string | null;
  /** The project's check that runs afterwards. */
  readonly verify?: string | undefined;
  readonly before: LoopBefore | null;
  readonly refused: AppError | null;
  readonly end: AttemptEnd | null;
  readonly endedAt: number | null;
  readonly after: LoopAfter | null;
  readonly judged: Judged | null;
}

/** The newest state of prd.json. */
interface PlanReading {
  readonly after: number;
  readonly status: 'requested' | 'read' | 'refused';
  readonly error: AppError | null;
}

export interface LoopWatch {
  /** The process named when the watching began. */
  readonly pid: number | null;
  /** The last observed runner; null before the first look. */
  readonly seen: WatchSeen | null;
  /** Logs that existed when the watching began; null before they were examined. */
  readonly past: readonly PastLog[] | null;
  /** The state at that time. */
  readonly before: LoopBefore | null;
  /** Why the watching ended. */
  readonly ended: string | null;
}

/** One `step.ralph`: the last state of its plan, and its attempts in order. */
export interface LoopState {
  readonly activationId: number;
  readonly folder: string;
  /** The branch requested by the step; null: the plan's own. */
  readonly wantedBranch: string | null;
  readonly branch: string | null;
  /** Maximum iterations; raised if the operator resumed at the limit. */
  readonly of: number;
  /** The configured maximum. */
  readonly step: number;
  readonly reading: PlanReading | null;
  readonly plan: Plan;
  readonly attempts: readonly AttemptState[];
  readonly skipped: readonly string[];
  readonly pauseRequested: boolean;
  /** Number of attempts when the operator last resumed the loop: earlier verdicts no longer stop it. */
  readonly resumedAfter: number;
  /** The operator's text at that time, for the next worker. */
  readonly resumeText?: string;
  /** Set if someone else runs the loop and Muster only watches. */
  readonly watch: LoopWatch | null;
  readonly archived: readonly string[];
  readonly startedAt: number;
}

/** The process that runs a watched loop; null if undetermined. */
export const runnerOf = (watch: LoopWatch): WatchSeen['processes'][number] | null => {
  const { seen } = watch;
  return seen?.how === 'found' || seen?.how === 'named' ? (seen.processes[0] ?? null) : null;
};

/** The lane of an attempt's worker. */
export const attemptLane = (attemptId: number): string => `attempt-${attemptId}`;

/** The attempt whose worker has this lane. */
export const attemptIn = ({ attempts }: LoopState, lane: string): AttemptState | undefined =>
  attempts[Number(/^attempt-(\d+)$/.exec(lane)?.[1]) - 1];

/**
 * Open stories, next one first: by priority, then in plan order. `unverified` ones pass in the plan, but the
 * project's check has not confirmed it.
 */
export function openStories(
  plan: Plan,
  skipped: readonly string[],
  unverified: readonly string[] = [],
): Story[] {
  if (plan.state !== 'read') return [];
  const open = plan.stories.filter(
    ({ id, passes }) => (!passes || unverified.includes(id)) && !skipped.includes(id),
  );
  // `sort` is stable.
  return [...open].sort((one, other) => one.priority - other.priority);
}

/** `openStories` for a loop's current state. */
export const openInLoop = ({ plan, skipped, attempts }: LoopState): Story[] =>
  openStories(plan, skipped, unverifiedStories(attempts));

/** Every story of the plan passes; false for an empty plan. */
export const allPass = (plan: Plan): boolean =>
  plan.state === 'read' && plan.stories.length > 0 && plan.stories.every((story) => story.passes);

/** The stories of a plan that a later one lacks. */
export function lostStories(before: Plan | undefined, after: Plan | undefined): Story[] {
  if (before?.state !== 'read' || after?.state !== 'read') return [];
  const left = new Set(after.stories.map(({ id }) => id));
  return before.stories.filter(({ id }) => !left.has(id));
}

/** Stories that an attempt removed from the plan while they were open, and that are still missing. */
export function missingStories({ attempts, plan: known }: LoopState, plan: Plan = known): string[] {
  const lost = attempts.flatMap(({ before, after }) => lostStories(before?.plan, after?.plan));
  const there = new Set(plan.state === 'read' ? plan.stories.map(({ id }) => id) : []);
  return [...new Set(lost.flatMap(({ id, passes }) => (passes || there.has(id) ? [] : [id])))];
}

/** A file or repository of the loop is being examined: the run must not end before that is done. */
export function looking({ attempts, reading }: LoopState): boolean {
  const last = attempts.at(-1);
  if (reading?.status === 'requested') return true;
  if (last === undefined || last.judged !== null) return false;
  return last.end !== null || (last.before === null && last.refused === null);
}
