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
  /** What was handed to the worker. */
  readonly story: Pick<Story, 'id' | 'title'> | null;
  readonly text: string | null;
  readonly startedAt: number;
  readonly mark: string | null;
  /** The project's check that runs after it. */
  readonly verify?: string | undefined;
  readonly before: LoopBefore | null;
  readonly refused: AppError | null;
  readonly end: AttemptEnd | null;
  readonly endedAt: number | null;
  readonly after: LoopAfter | null;
  readonly judged: Judged | null;
}

/** The newest look at prd.json. */
export interface PlanReading {
  readonly after: number;
  readonly status: 'requested' | 'read' | 'refused';
  readonly error: AppError | null;
}

export interface LoopWatch {
  /** The process that was named when the watching began. */
  readonly pid: number | null;
  /** Who runs it, as it was last seen; null before the first look. */
  readonly seen: WatchSeen | null;
  /** Logs that was there when the watching began; null before they were looked at. */
  readonly past: readonly PastLog[] | null;
  /** As it was then. */
  readonly before: LoopBefore | null;
  /** Why the watching ended. */
  readonly ended: string | null;
}

/** One `step.ralph`: its plan as it was last seen, and its attempts in order. */
export interface LoopState {
  readonly activationId: number;
  readonly folder: string;
  /** What the step asks for; null: the plan's own. */
  readonly wantedBranch: string | null;
  readonly branch: string | null;
  /** The most iterations; more where the operator resumed at the limit. */
  readonly of: number;
  /** As it was configured. */
  readonly step: number;
  readonly reading: PlanReading | null;
  readonly plan: Plan;
  readonly attempts: readonly AttemptState[];
  readonly skipped: readonly string[];
  readonly pauseRequested: boolean;
  /** How many attempts there were when the operator last resumed the loop: their verdicts no longer stop it. */
  readonly resumedAfter: number;
  /** What they said then, for the worker of the next attempt. */
  readonly resumeText?: string;
  /** Set where someone else runs the loop and Muster only looks. */
  readonly watch: LoopWatch | null;
  readonly archived: readonly string[];
  readonly startedAt: number;
}

/** The process that runs a watched loop; null where none was taken. */
export const runnerOf = (watch: LoopWatch): WatchSeen['processes'][number] | null => {
  const { seen } = watch;
  return seen?.how === 'found' || seen?.how === 'named' ? (seen.processes[0] ?? null) : null;
};

/** The lane in which an attempt's worker has its session. */
export const attemptLane = (attemptId: number): string => `attempt-${attemptId}`;

/**
 * Stories that are still to be done, the next one first: by priority, then in the plan's order. `unverified` ones pass
 * in the plan, and the project's check has not confirmed it.
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
  // `sort` keeps the order of equals.
  return [...open].sort((one, other) => one.priority - other.priority);
}

/** `openStories` of a loop as it stands. */
export const openInLoop = ({ plan, skipped, attempts }: LoopState): Story[] =>
  openStories(plan, skipped, unverifiedStories(attempts));

/** Every story of the plan passes; of none nothing can be said. */
export const allPass = (plan: Plan): boolean =>
  plan.state === 'read' && plan.stories.length > 0 && plan.stories.every((story) => story.passes);

/** The stories of a plan that a later one has no more, as they were. */
export function lostStories(before: Plan | undefined, after: Plan | undefined): Story[] {
  if (before?.state !== 'read' || after?.state !== 'read') return [];
  const left = new Set(after.stories.map(({ id }) => id));
  return before.stories.filter(({ id }) => !left.has(id));
}

/** Stories that an attempt took out of the plan while they were open, and that are not in it now. */
export function missingStories({ attempts, plan: known }: LoopState, plan: Plan = known): string[] {
  const lost = attempts.flatMap(({ before, after }) => lostStories(before?.plan, after?.plan));
  const there = new Set(plan.state === 'read' ? plan.stories.map(({ id }) => id) : []);
  return [...new Set(lost.flatMap(({ id, passes }) => (passes || there.has(id) ? [] : [id])))];
}

/** Something of the loop is being looked at: its run waits with its end. */
export function looking({ attempts, reading }: LoopState): boolean {
  const last = attempts.at(-1);
  if (reading?.status === 'requested') return true;
  if (last === undefined || last.judged !== null) return false;
  return last.end !== null || (last.before === null && last.refused === null);
}
