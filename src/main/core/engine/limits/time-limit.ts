import { holdsUp } from '@areas/gates/contract/gate';
import { storedTime } from '@contract/bounds';
import { appError } from '@contract/errors';
import type { RunEvent } from '@contract/run/events';
import { keyOf, keyText } from '@contract/run/keys';
import type { ActivationState, GateState, RunState, TurnState } from '@contract/run/state';
import { MINUTE_MS } from '@contract/time-units';
import type { DecisionInput } from '../base/decision-input';
import { stopActivation } from '../base/stop';
import { covered, type Span, without, workSpans } from './work-time';

/**
 * Sets the timers of steps with `timeout_minutes`, and stops steps whose time is up. Time in which a step
 * only waits for the operator or a provider's limit does not count: a timer that fires early is set again.
 */
export function keepTimeLimits(moment: DecisionInput): readonly RunEvent[] {
  const { state, plan, schedule } = moment;
  for (const id of schedule.limited) {
    const activation = state.activations[id];
    const minutes = plan.steps.get(activation?.stepId ?? '')?.definition.timeout_minutes;
    if (activation === undefined || minutes === undefined) continue;
    const events = keepLimit(moment, activation, minutes);
    if (events.length > 0) return events;
  }
  return [];
}

function keepLimit({ state, now }: DecisionInput, activation: ActivationState, minutes: number): RunEvent[] {
  if (activation.stopping !== undefined) return [];
  const timers = activation.timerIds.flatMap((id) => {
    const timer = state.timers[id];
    return timer !== undefined && keyOf(timer.purpose)?.[0] === 'step.time-limit' ? [timer] : [];
  });
  if (timers.some(({ fired }) => !fired)) return [];
  const parts = partsOf(state, activation);
  const remainingMs = minutes * MINUTE_MS - (now - since(activation) - waitedMs(parts, now));
  if (remainingMs <= 0) {
    const error = appError('step.timeout', `the step ran longer than its time limit of ${minutes} min`, {
      mend: 'raise timeout_minutes, or resume the run: the step then has its whole time again',
    });
    return stopActivation(state, activation, { error, reason: "The step's time is over." });
  }
  if (onlyWaits(parts)) return [];
  return [
    {
      type: 'timer.set',
      timerId: state.last.timer + 1,
      activationId: activation.id,
      dueAt: storedTime(now + remainingMs),
      purpose: keyText(['step.time-limit', timers.length + 1]),
    },
  ];
}

const since = ({ startedAt, resumedAt = startedAt }: ActivationState): number => resumedAt;

interface Parts {
  readonly since: number;
  readonly gates: readonly GateState[];
  readonly turns: readonly TurnState[];
  readonly state: RunState;
  readonly activation: ActivationState;
}

function partsOf(state: RunState, activation: ActivationState): Parts {
  const { gateIds, turnIds } = activation;
  return {
    since: since(activation),
    gates: gateIds.flatMap((id) => state.gates[id] ?? []).filter(({ kind }) => holdsUp(kind)),
    turns: turnIds.flatMap((id) => state.turns[id] ?? []),
    state,
    activation,
  };
}

/** Time spent only waiting: a gate was open or a provider's limit was active, and nothing worked. */
function waitedMs({ since, gates, turns, state, activation }: Parts, now: number): number {
  const after = ([from, to]: Span): Span => [Math.max(from, since), to];
  const waits = [
    ...gates.map(({ openedAt, closedAt }): Span => [openedAt, closedAt ?? now]),
    ...turns.flatMap((turn): Span[] =>
      turn.status === 'limit' && turn.finishedAt !== null
        ? [[turn.finishedAt, sentAgainAt(turns, turn) ?? now]]
        : [],
    ),
  ].map(after);
  if (waits.length === 0) return 0;
  const commands = activation.commandIds.flatMap((id) => state.commands[id] ?? []);
  const worked = workSpans({ turns, commands }, gates, now).toSorted((one, other) => one[0] - other[0]);
  return covered(waits.flatMap((span) => without(span, worked)));
}

const sentAgainAt = (turns: readonly TurnState[], { id }: TurnState): number | undefined =>
  turns.find(({ resendOf }) => resendOf === id)?.startedAt;

/** A timer is useless until the operator has answered, or the provider's limit ends. */
function onlyWaits({ gates, turns, state, activation }: Parts): boolean {
  const open = gates.filter(({ status }) => status === 'open');
  const limited = turns.some((turn) => turn.status === 'limit' && sentAgainAt(turns, turn) === undefined);
  if (open.length === 0 && !limited) return false;
  const asking = new Set(open.map(({ turnId }) => turnId));
  return (
    turns.every(({ id, status }) => status !== 'in_flight' || asking.has(id)) &&
    activation.commandIds.every((id) => state.commands[id]?.status !== 'running')
  );
}
