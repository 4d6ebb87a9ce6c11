import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import { defineModule, type FeatureEffect, NO_EFFECT } from '@main/core/engine/feature-module';
import type { LoopEvent } from '../contract/events';
import type { AttemptState, LoopState } from '../contract/state';
import { endAttempts } from './attempts-at-end';
import { brokenLoop, type LoopCall, runLoop } from './effects';
import { verdictOf } from './update';

const call = <E extends LoopCall>(open: (loop: LoopState) => readonly E[]): FeatureEffect<E> => ({
  begin: runLoop,
  broken: (_, event, error) => brokenLoop(event, error),
  open: ({ loops }) => Object.values(loops).flatMap(open),
});

type PlanRequested = RunEventOf<'loop.plan-requested'>;
type AttemptStarted = RunEventOf<'loop.attempt-started'>;
type AttemptEnded = RunEventOf<'loop.attempt-ended'>;

/** The plan is being read. */
const planReads = ({
  activationId,
  reading,
  folder,
  wantedBranch: branch,
  of,
}: LoopState): PlanRequested[] =>
  reading?.status === 'requested'
    ? [{ type: 'loop.plan-requested', activationId, after: reading.after, folder, branch, of }]
    : [];

const lastUnjudged = ({ attempts }: LoopState): AttemptState[] =>
  attempts.slice(-1).filter(({ judged }) => judged === null);

/** The folder is being looked at before the attempt. */
const preparations = (loop: LoopState): AttemptStarted[] =>
  lastUnjudged(loop)
    .filter(({ before, refused, end }) => before === null && refused === null && end === null)
    .map(({ id: attemptId, iteration, of, retry, story, text }) => ({
      type: 'loop.attempt-started',
      activationId: loop.activationId,
      attemptId,
      iteration,
      of,
      retry,
      story,
      text,
    }));

/** The attempt's evidence is being examined. */
const examinations = (loop: LoopState): AttemptEnded[] =>
  lastUnjudged(loop).flatMap(({ id: attemptId, end }) =>
    end === null ? [] : [{ type: 'loop.attempt-ended', activationId: loop.activationId, attemptId, end }],
  );

/** The engine module of loops. */
export const loopModule = defineModule<LoopEvent>({
  effects: {
    'loop.plan-requested': call(planReads),
    'loop.plan-read': NO_EFFECT,
    'loop.plan-refused': NO_EFFECT,
    'loop.attempt-started': call(preparations),
    'loop.attempt-prepared': NO_EFFECT,
    'loop.attempt-ended': call(examinations),
    'loop.attempt-examined': NO_EFFECT,
    'loop.attempt-judged': NO_EFFECT,
    'loop.story-skipped': NO_EFFECT,
    'loop.watch-started': NO_EFFECT,
    'loop.watch-observed': NO_EFFECT,
    'loop.watch-noted': NO_EFFECT,
    'loop.watch-ended': NO_EFFECT,
    'loop.pause-requested': NO_EFFECT,
  },
  react: (state, event) => (event.type === 'loop.attempt-examined' ? judged(state, event) : []),
  resume: takeUp,
  atCancel: endAttempts,
});

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
