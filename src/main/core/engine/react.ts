import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import { verdictOf } from '../loop/update';
import { askedInTerminal } from './observed';
import type { Plan } from './plan';
import { viewActivation } from './view';

/** What a step's module has to tell about a turn that has just ended; committed together with the end. */
export function react(plan: Plan, state: RunState, event: RunEvent): readonly RunEvent[] {
  if (event.type === 'loop.attempt-examined') return judged(state, event);
  const asked = askedInTerminal(state, event);
  if (event.type !== 'turn.finished') return asked;
  return [...asked, ...ended(plan, state, event)];
}

function ended(plan: Plan, state: RunState, event: RunEventOf<'turn.finished'>): readonly RunEvent[] {
  const turn = state.turns[event.turnId];
  const activation = turn === undefined ? undefined : state.activations[turn.activationId];
  const step = activation === undefined ? undefined : plan.steps.get(activation.stepId);
  if (turn === undefined || activation === undefined || step === undefined) return [];
  // The operator's own prompt is no turn that the step asked for.
  if (turn.promptId !== null) return [];
  return step.bound.observe(viewActivation(plan, state, activation), {
    turnId: turn.id,
    ordinal: turn.ordinal,
    of: turn.of,
    completed: turn.status === 'completed',
    response: turn.response,
    usage: turn.usage,
    commit: turn.commit,
    lane: turn.lane,
    errorText:
      turn.status === 'completed'
        ? null
        : (turn.error?.message ?? `ended with ${turn.stopReason ?? turn.status}`),
  });
}

/** An attempt of a loop has its verdict and its update from the moment at which it was looked at, exactly once. */
function judged(state: RunState, event: RunEventOf<'loop.attempt-examined'>): readonly RunEvent[] {
  const loop = state.loops[event.activationId];
  const attempt = loop?.attempts.find(({ id }) => id === event.attemptId);
  const stepId = state.activations[event.activationId]?.stepId;
  if (loop === undefined || attempt === undefined || stepId === undefined) return [];
  return verdictOf(loop, attempt, { stepId, trouble: event.error?.message ?? null });
}
