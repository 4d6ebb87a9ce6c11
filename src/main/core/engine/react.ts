import { ownValue } from '@contract/own';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import { ownerOf, scopeOf } from '@contract/run/scope/path';
import type { RunState, TurnState } from '@contract/run/state';
import { features } from '@features/core';
import { TextFault, wholeOf } from '../ports/whole-texts';
import { viewActivation, wholeResponse } from './activation/view';
import { askedInTerminal } from './effects/agent-observations';
import { hostsFollow } from './gates/lost-hosts';
import { withdrawAsked } from './gates/turn-gates';
import { holdPrompt } from './gates/waiting-prompts';
import type { Plan } from './plan/plan';
import { effectiveOutcome } from './turns/outcome';

/**
 * Events that follow from the end or interruption of a turn, including its module's; committed together with
 * it.
 */
export function react(plan: Plan, state: RunState, event: RunEvent): readonly RunEvent[] {
  const events: RunEvent[] = [];
  for (const feature of features) events.push(...feature.react(state, event));
  events.push(...askedInTerminal(state, event), ...hostsFollow(state, event));
  if (event.type === 'turn.interrupted') return [...events, ...orNothing(() => observed(plan, state, event))];
  if (event.type === 'scope.ended') return [...events, ...orNothing(() => scopeObserved(plan, state, event))];
  if (event.type !== 'turn.finished') return events;
  return [
    ...events,
    ...withdrawAsked(state, event),
    ...holdPrompt(state, event),
    ...orNothing(() => observed(plan, state, event)),
  ];
}

/** An update about a text that cannot be read is left out: the step that needs the text fails, and says so. */
function orNothing(make: () => readonly RunEvent[]): readonly RunEvent[] {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof TextFault && cause.error.code === 'reference.unreadable') return [];
    throw cause;
  }
}

function scopeObserved(
  plan: Plan,
  state: RunState,
  { scope }: RunEventOf<'scope.ended'>,
): readonly RunEvent[] {
  const { activationId = 0, index = null } = ownValue(state.scopes, scope) ?? {};
  const owner = state.activations[activationId];
  const step = owner === undefined ? undefined : plan.steps.get(owner.stepId);
  if (owner === undefined || step === undefined) return [];
  return step.bound.observeScope(viewActivation(plan, state, owner), index);
}

function observed(
  plan: Plan,
  state: RunState,
  event: RunEventOf<'turn.finished' | 'turn.interrupted'>,
): readonly RunEvent[] {
  const turn = state.turns[event.turnId];
  const activation = turn === undefined ? undefined : state.activations[turn.activationId];
  const step = activation === undefined ? undefined : plan.steps.get(activation.stepId);
  if (turn === undefined || activation === undefined || step === undefined) return [];
  const ended = effectiveOutcome(turn);
  if (ended === 'in_flight') return [];
  // The operator's own prompt is not a turn of the step.
  if (turn.promptId !== null) return [];
  const reaction = step.bound.observe(viewActivation(plan, state, activation), {
    turnId: turn.id,
    ordinal: turn.ordinal,
    of: turn.of,
    completed: turn.status === 'completed',
    ended,
    retry: sentBefore(state, turn),
    response: wholeOf(plan.texts, turn.response),
    whole: wholeResponse({ plan, state }, turn),
    usage: turn.usage,
    commit: turn.commit,
    lane: turn.lane,
    errorText: turn.status === 'completed' ? null : troubleOf(turn),
  });
  const scope = scopeOf(activation.stepId);
  const quiet = scope !== null && plan.steps.get(ownerOf(scope))?.inner?.quiet === true;
  return quiet ? reaction.filter(({ type }) => type !== 'update.posted') : reaction;
}

const troubleOf = ({ status, error, stopReason }: TurnState): string =>
  status === 'interrupted' && stopReason !== null
    ? stopReason
    : (error?.message ?? `ended with ${stopReason ?? status}`);

/** How often a turn's prompt was sent before, according to the turns it replaces. */
function sentBefore({ turns }: RunState, { resendOf }: TurnState): number {
  let count = 0;
  for (let id = resendOf; id !== null && turns[id] !== undefined; id = turns[id]?.resendOf ?? null)
    count += 1;
  return count;
}
