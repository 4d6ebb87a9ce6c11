import type { Update } from '@areas/feed/contract/update';
import { lazyObject } from '@contract/lazy-object';
import { ownValue } from '@contract/own';
import { activationPlaceShape } from '@contract/run/activation/place';
import { turnsByLane } from '@contract/run/lane/lane-turns';
import { stepDefinition } from '@contract/run/scope/path';
import type { ActivationState, GateState, RunState, TurnState } from '@contract/run/state';
import { waitsForLimit } from '@contract/run/status';
import { z } from 'zod';
import { unverifiedStories } from './check';
import { watchSeenSchema } from './events';
import { type AttemptState, attemptLane, type LoopState, type LoopWatch, runnerOf } from './state';
import { LOOP_STEP } from './step-type';

/** A loop's current phase. */
const loopPhases = [
  /** Its working folder is being created. */
  'opening',
  'reading',
  'working',
  /** A watched loop, between two of its attempts. */
  'watching',
  /** An attempt has ended; its result is being examined. */
  'looking',
  'waiting',
  /** Its worker hit a provider's limit, and will be prompted again when that ends. */
  'limited',
  'cancelling',
  'complete',
  'failed',
  'stopped',
] as const;
export type LoopPhase = (typeof loopPhases)[number];

const handedSchema = lazyObject(() => ({ id: z.string(), title: z.string().nullable() }));

export const loopRowSchema = lazyObject(() => ({
  ...activationPlaceShape,
  phase: z.enum(loopPhases),
  since: z.number(),
  /** The step is still running. */
  live: z.boolean(),
  /** The run can be resumed where it ended. */
  resumable: z.boolean(),
  pauseRequested: z.boolean(),
  /** Someone else runs it; Muster only watches. */
  watched: z.boolean(),
  /** The observed runner. */
  runner: watchSeenSchema.nullable(),
  /** Relative to the project. */
  folder: z.string(),
  branch: z.string().nullable(),
  workerId: z.string().nullable(),
  worker: z.string(),
  /** 0 before the first. */
  iteration: z.number().int(),
  of: z.number().int(),
  retry: z.number().int(),
  /** The story of the newest attempt. */
  story: handedSchema.nullable(),
  passing: z.number().int(),
  skipped: z.number().int(),
  stories: z.number().int(),
  attempts: z.number().int(),
  results: z.object({
    completed: z.number().int(),
    blocked: z.number().int(),
    failed: z.number().int(),
    'no-op': z.number().int(),
  }),
  openGates: z.number().int(),
  startedAt: z.number(),
  finishedAt: z.number().nullable(),
  tokens: z.number(),
  costUsd: z.number(),
}));
export type LoopRow = z.infer<typeof loopRowSchema>;

/** Tokens and money; unreported amounts count as zero. */
interface Spent {
  readonly tokens: number;
  readonly costUsd: number;
}

/** The reported usage of some turns. */
function spentBy(turns: readonly Pick<TurnState, 'usage'>[]): Spent {
  let [tokens, costUsd] = [0, 0];
  for (const { usage } of turns) {
    tokens += usage?.total_tokens ?? (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
    costUsd += usage?.cost_usd ?? 0;
  }
  return { tokens, costUsd };
}

/** An attempt's usage: from its log for a watched loop, else from its turns. */
export function spentByAttempt(attempt: AttemptState, turns: readonly Pick<TurnState, 'usage'>[]): Spent {
  const codexUsage = attempt.after?.codex?.usage ?? null;
  return spentBy(turns.length === 0 && codexUsage !== null ? [{ usage: codexUsage }] : turns);
}

/**
 * The turns of each attempt by number, oldest first: a worker that was limited or interrupted has several.
 */
export function turnsByAttempt(state: RunState, loop: LoopState): ReadonlyMap<number, readonly TurnState[]> {
  const lanes = turnsByLane(state, state.activations[loop.activationId]);
  return new Map(loop.attempts.map(({ id }) => [id, lanes.get(attemptLane(id)) ?? []]));
}

/** The story of an attempt: by its evidence, before that the one given to the worker. */
export const storyOf = ({ judged, story }: AttemptState): { id: string; title: string | null } | null => {
  if (judged?.storyId != null) return { id: judged.storyId, title: judged.storyTitle };
  return judged === null && story !== null ? { id: story.id, title: story.title } : null;
};

/** The facts of an attempt's update (seed 004 section 7); null before its verdict. */
export function updateOfAttempt({ iteration, of, retry, judged }: AttemptState): Update | null {
  if (judged === null) return null;
  const { storyId, storyTitle, storySource, result, commit, summary } = judged;
  return {
    iteration,
    of,
    retry,
    storySource,
    result,
    commit,
    story: storyId === null ? null : { id: storyId, title: storyTitle },
    summary: [...summary].slice(0, 3),
  };
}

const configSchema = lazyObject(() => ({
  folder: z.string().catch('.').default('.'),
  iterations: z.number().catch(10).default(10),
  worker: z
    .object({ acp_profile_id: z.string().nullable().catch(null).default(null) })
    .catch({ acp_profile_id: null }),
}));

/**
 * The parts of the step's configuration that the window shows. Never throws, since the engine has validated
 * it.
 */
function configOf(state: RunState, stepId: string): z.infer<typeof configSchema> {
  const config = stepDefinition(state, stepId)?.config;
  const read = configSchema.safeParse(config ?? {});
  return read.success ? read.data : { folder: '.', iterations: 1, worker: { acp_profile_id: null } };
}

const openGatesOf = (state: RunState, activationId: number): GateState[] =>
  Object.values(state.gates).filter((gate) => gate.activationId === activationId && gate.status === 'open');

function spentInLogs({ attempts }: LoopState): Spent {
  const all = attempts.map((attempt) => spentByAttempt(attempt, []));
  return {
    tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
    costUsd: all.reduce((sum, { costUsd }) => sum + costUsd, 0),
  };
}

/** A loop's current phase, and since when. */
export function loopPhase(
  state: RunState,
  activation: ActivationState,
  loop: LoopState | undefined,
): { phase: LoopPhase; since: number } {
  const last = loop?.attempts.at(-1);
  if (activation.status === 'finished') {
    const since = activation.finishedAt ?? state.at;
    if (activation.outcome === 'succeeded') return { phase: 'complete', since };
    return { phase: activation.outcome === 'failed' ? 'failed' : 'stopped', since };
  }
  if (state.status === 'cancelling') return { phase: 'cancelling', since: state.at };
  const gates = openGatesOf(state, activation.id);
  const working = last !== undefined && last.judged === null;
  if (gates.length > 0)
    return { phase: 'waiting', since: Math.min(...gates.map(({ openedAt }) => openedAt)) };
  if (loop === undefined) return { phase: 'opening', since: activation.startedAt };
  if (activation.timerIds.some((id) => waitsForLimit(state, id)))
    return { phase: 'limited', since: last?.endedAt ?? last?.startedAt ?? state.at };
  if (working && last.end !== null) return { phase: 'looking', since: last.endedAt ?? last.startedAt };
  if (working) return { phase: 'working', since: last.startedAt };
  if (loop.watch !== null) return { phase: 'watching', since: last?.endedAt ?? loop.startedAt };
  return { phase: 'reading', since: loop.reading === null ? state.at : (last?.endedAt ?? loop.startedAt) };
}

const RESULTS = ['completed', 'blocked', 'failed', 'no-op'] as const;

/** The number of each result, retries separately. */
function resultCounts(attempts: readonly AttemptState[]): LoopRow['results'] {
  const counts = { completed: 0, blocked: 0, failed: 0, 'no-op': 0 };
  for (const { judged } of attempts) if (judged !== null) counts[judged.result] += 1;
  return counts;
}
export const resultNames = RESULTS;

type RunFacts = Pick<LoopRow, 'runId' | 'runUid' | 'runName' | 'projectName'>;

/** The loops of a run, one per activation of their step, newest last. */
export function loopRows(state: RunState, run: RunFacts): LoopRow[] {
  return Object.values(state.activations)
    .filter(({ stepId }) => stepDefinition(state, stepId)?.type === LOOP_STEP)
    .map((activation) => loopRow(state, activation, run));
}

function watchedBy(watch: LoopWatch): string {
  const runner = runnerOf(watch);
  if (runner !== null) return `process ${runner.pid}, ${runner.script.split('/').at(-1)}`;
  return watch.pid === null ? 'a ralph.sh' : `process ${watch.pid}`;
}

/** One loop as the list shows it. */
export function loopRow(state: RunState, activation: ActivationState, run: RunFacts): LoopRow {
  const loop = state.loops[activation.id];
  const step = stepDefinition(state, activation.stepId);
  const config = configOf(state, activation.stepId);
  const attempts = loop?.attempts ?? [];
  const last = attempts.at(-1);
  const stories = loop?.plan.state === 'read' ? loop.plan.stories : [];
  const skipped = loop?.skipped ?? [];
  const unverified = unverifiedStories(attempts);
  const workerId = config.worker.acp_profile_id ?? state.defaultProfile;
  const over = state.status === 'finished' && (state.outcome === 'failed' || state.outcome === 'cancelled');
  return {
    ...run,
    activationId: activation.id,
    stepId: activation.stepId,
    title: step?.title ?? activation.stepId,
    projectId: state.projectId,
    ...loopPhase(state, activation, loop),
    live: activation.status === 'running' && state.status === 'running',
    resumable:
      over && !state.binned && (activation.outcome === 'failed' || activation.outcome === 'cancelled'),
    pauseRequested: loop?.pauseRequested ?? false,
    watched: loop?.watch != null,
    runner: loop?.watch?.seen ?? null,
    folder: loop?.folder ?? config.folder,
    branch: loop?.branch ?? state.workspace?.branch ?? null,
    workerId,
    worker:
      loop?.watch != null
        ? watchedBy(loop.watch)
        : (ownValue(state.profiles, workerId ?? '')?.name ?? workerId ?? 'the default agent'),
    iteration: last?.iteration ?? 0,
    of: Math.max(loop?.of ?? 0, last?.of ?? 0, loop === undefined ? config.iterations : 0),
    retry: last?.retry ?? 0,
    story: last === undefined ? null : (storyOf(last) ?? last.story),
    passing: stories.filter(({ id, passes }) => passes && !unverified.includes(id)).length,
    skipped: stories.filter(({ id, passes }) => !passes && skipped.includes(id)).length,
    stories: stories.length,
    attempts: attempts.length,
    results: resultCounts(attempts),
    openGates: openGatesOf(state, activation.id).length,
    startedAt: activation.startedAt,
    finishedAt: activation.finishedAt,
    ...(loop?.watch == null
      ? spentBy(activation.turnIds.flatMap((id) => state.turns[id] ?? []))
      : spentInLogs(loop)),
  };
}
