import { appError } from '@contract/errors';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import { defineModule, type FeatureEffect, NO_EFFECT } from '@main/core/engine/feature-module';
import type { LoopEvent } from '../contract/events';
import { attemptLane, type LoopState, looking } from '../contract/state';
import { endAttempts, isPastAttempt } from './attempts-at-end';
import { brokenLoop, type LoopCall, runLoop } from './effects';
import { verdictOf } from './update';

const call: FeatureEffect<LoopCall> = {
  begin: runLoop,
  broken: (_, event, error) => brokenLoop(event, error),
};

/** The engine module of loops. */
export const loopModule = defineModule<LoopEvent>({
  effects: {
    'loop.plan-requested': call,
    'loop.plan-read': NO_EFFECT,
    'loop.plan-refused': NO_EFFECT,
    'loop.attempt-started': call,
    'loop.attempt-prepared': NO_EFFECT,
    'loop.attempt-refused': NO_EFFECT,
    'loop.attempt-ended': call,
    'loop.attempt-examined': NO_EFFECT,
    'loop.attempt-judged': NO_EFFECT,
    'loop.story-skipped': NO_EFFECT,
    'loop.watch-started': NO_EFFECT,
    'loop.watch-observed': NO_EFFECT,
    'loop.watch-noted': NO_EFFECT,
    'loop.watch-ended': NO_EFFECT,
    'loop.pause-requested': NO_EFFECT,
  },
  recover: ({ loops }) => Object.values(loops).flatMap(lookAgain),
  inFlight: ({ loops }) => Object.values(loops).some(looking),
  react: (state, event) => (event.type === 'loop.attempt-examined' ? judged(state, event) : []),
  resume: takeUp,
  atCancel: endAttempts,
  *truncate(state, when) {
    for (const { activationId } of Object.values(state.loops)) yield* truncate(state, activationId, when);
  },
  isPastLane: isPastAttempt,
});

/** Interrupted examinations are repeated. */
function lookAgain({
  activationId,
  reading,
  folder,
  wantedBranch: branch,
  of,
  attempts,
}: LoopState): RunEvent[] {
  const events: RunEvent[] =
    reading?.status === 'requested'
      ? [{ type: 'loop.plan-requested', activationId, after: reading.after, folder, branch, of }]
      : [];
  const last = attempts.at(-1);
  if (last === undefined || last.judged !== null) return events;
  const { id: attemptId, end, before, refused, iteration, retry, story, text } = last;
  if (end !== null) return [...events, { type: 'loop.attempt-ended', activationId, attemptId, end }];
  if (before !== null || refused !== null) return events;
  const again = { activationId, attemptId, iteration, of: last.of, retry, story, text };
  return [...events, { type: 'loop.attempt-started', ...again }];
}

/** An attempt gets its verdict and update when it is examined, exactly once. */
function judged(state: RunState, event: RunEventOf<'loop.attempt-examined'>): readonly RunEvent[] {
  const loop = state.loops[event.activationId];
  const attempt = loop?.attempts.find(({ id }) => id === event.attemptId);
  const stepId = state.activations[event.activationId]?.stepId;
  if (loop === undefined || attempt === undefined || stepId === undefined) return [];
  return verdictOf(loop, attempt, { stepId, trouble: event.error?.message ?? null });
}

/** The operator continues a loop that ended after a second failure: one loop at a time. */
function takeUp(state: RunState): RunEvent[] {
  for (const { activationId } of Object.values(state.loops)) {
    const activation = state.activations[activationId];
    if (activation?.status !== 'finished' || activation.outcome !== 'failed') continue;
    const gates = activation.gateIds.slice(activation.resumedAtGate).map((id) => state.gates[id]);
    const answer = gates.find(
      (gate) => gate?.kind === 'iteration_failed' && gate.answer?.option === 'resume',
    )?.answer;
    if (answer == null) continue;
    const text = (answer.text ?? answer.reason ?? '').trim();
    const more = text === '' ? {} : { text };
    return [{ type: 'run.resumed', by: 'operator', activationIds: [activationId], ...more }];
  }
  return [];
}

/** An attempt without a verdict gets one from what is known; a pending read of the plan is not waited for. */
function* truncate(state: RunState, activationId: number, when: string): Iterable<readonly RunEvent[]> {
  const loop = state.loops[activationId];
  const error = appError('cancelled', when);
  if (loop?.reading?.status === 'requested')
    yield [{ type: 'loop.plan-refused', activationId, after: loop.reading.after, error }];
  const last = loop?.attempts.at(-1);
  const activation = state.activations[activationId];
  if (loop === undefined || last === undefined || last.judged !== null || activation === undefined) return;
  const attemptId = last.id;
  if (last.end === null) {
    const turnId =
      activation.turnIds.findLast((id) => state.turns[id]?.lane === attemptLane(attemptId)) ?? null;
    const how = loop.watch === null ? ('interrupted' as const) : ('unknown' as const);
    yield [{ type: 'loop.attempt-ended', activationId, attemptId, end: { how, turnId, error: null } }];
  }
  yield [{ type: 'loop.attempt-examined', activationId, attemptId, after: null, error }];
  const now = state.loops[activationId];
  const attempt = now?.attempts.find(({ id }) => id === attemptId);
  if (now === undefined || attempt === undefined) return;
  yield verdictOf(now, attempt, { stepId: activation.stepId, trouble: when });
}
