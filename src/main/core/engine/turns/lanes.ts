import { appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import { laneFacts } from '@contract/run/features/feature-answers';
import type { ActivationState, RunState, TurnState } from '@contract/run/state';
import type { StepDecision } from '../../step/decision';
import type { DecisionInput } from '../base/decision-input';
import { withdrawUnsent } from '../gates/turn-gates';
import { afterBrokenTurn, sendAgain } from './interrupted-turns';
import { effectiveOutcome } from './outcome';
import { endedByHand, isNew, turnsOf } from './pending-turns';

/** The lane of a step that has one agent. */
const ONLY = '';

/** The state of each lane of an activation. A lane without a turn is free. */
export interface Standing {
  readonly busy: ReadonlySet<string>;
  /** A turn failed, and its gate or timer is open. */
  readonly waits: ReadonlySet<string>;
  /** Failed permanently, with the events that end the activation once the other lanes are idle. */
  readonly ended: ReadonlyMap<string, RunEvent[]>;
  /** The turn that failed before the operator resumed the run, if the lane's next turn replaces it. */
  readonly unanswered: ReadonlyMap<string, TurnState>;
}

const FREE: Standing = { busy: new Set(), waits: new Set(), ended: new Map(), unanswered: new Map() };

/**
 * Examines the last turn of each lane. Returns events instead if a failed turn needs some that leave the
 * activation running: a gate, a timer, a resend.
 */
export function standing(moment: DecisionInput, activation: ActivationState): Standing | RunEvent[] {
  if (activation.turnIds.length === 0) return FREE;
  const busy = new Set<string>();
  const waits = new Set<string>();
  const ended = new Map<string, RunEvent[]>();
  const unanswered = new Map<string, TurnState>();
  const alone = failsAlone(moment, activation);
  const { state } = moment;
  // Its turn does not come back, so its questions are withdrawn.
  const failAlone = (events: readonly RunEvent[], last: TurnState): RunEvent[] => [
    ...withdrawUnsent(state, last),
    laneFailed(state, activation, { lane: last.lane ?? ONLY, events }),
  ];
  for (const [lane, last] of lastTurns(moment, activation)) {
    const counts = isNew(activation, last);
    if (last.status === 'in_flight') busy.add(lane);
    else if (laneFacts(state, activation.id, lane).stopped) continue;
    else if (last.status === 'completed' || ownValue(activation.brokenLanes, lane) !== undefined) continue;
    else if (alone && endedByHand(activation, last)) continue;
    else if (!counts && alone) {
      // Its prompt was delivered with it, so it is resent unchanged.
      const again = sendAgain(moment, last, 'resend');
      if (again.length > 0) return ends(again, activation) ? failAlone(again, last) : again;
      waits.add(lane);
    } else if (!counts) unanswered.set(lane, last);
    // In steps with changing agents, an agent whose turn was stopped can get another.
    else if (alone && effectiveOutcome(last) === 'cancelled') continue;
    else {
      const events = afterBrokenTurn(moment, activation, last);
      if (events.length === 0) waits.add(lane);
      else if (alone && ends(events, activation)) return failAlone(events, last);
      else if (ends(events, activation)) ended.set(lane, events);
      else return events;
    }
  }
  return { busy, waits, ended, unanswered };
}

export const failsAlone = ({ plan }: DecisionInput, { stepId }: ActivationState): boolean =>
  plan.steps.get(stepId)?.module.laneFailure === 'lane';

/** Ends one lane instead of the step. */
export function laneFailed(
  state: RunState,
  activation: ActivationState,
  { lane, events }: { readonly lane: string; readonly events: readonly RunEvent[] },
): RunEventOf<'lane.failed'> {
  const end = events.find((event) => event.type === 'activation.finished');
  const error = end?.error ?? appError('agent.failed', 'its turn was cancelled');
  const resumes = laneFacts(state, activation.id, lane).resumes === true;
  return { type: 'lane.failed', activationId: activation.id, lane, error, resumes };
}

function lastTurns({ state }: DecisionInput, activation: ActivationState): Map<string, TurnState> {
  const last = new Map<string, TurnState>();
  for (const turn of turnsOf(state, activation)) last.set(turn.lane ?? ONLY, turn);
  return last;
}

export const ends = (events: readonly RunEvent[], activation: ActivationState): boolean =>
  events.some((event) => event.type === 'activation.finished' && event.activationId === activation.id);

export const atRest = ({ busy, waits }: Standing): boolean => busy.size === 0 && waits.size === 0;

/** Whether a decision must wait for its lane, or for all of them. */
export function mustWait(decision: StepDecision, { busy, waits, ended }: Standing): boolean {
  switch (decision.kind) {
    case 'turn': {
      const lane = decision.lane ?? ONLY;
      return busy.has(lane) || waits.has(lane);
    }
    case 'capture':
      return decision.lane === null ? busy.size > 0 : busy.has(decision.lane);
    case 'release':
      return busy.has(decision.lane);
    case 'tell':
    case 'scope':
    case 'timer':
    case 'stop':
    case 'expand':
      return false;
    case 'gate':
      // A named one waits independently of the rest.
      return decision.about === undefined && (busy.size > 0 || waits.size > 0 || ended.size > 0);
    default:
      return busy.size > 0 || waits.size > 0 || ended.size > 0;
  }
}

/** A lane that failed permanently gets no more decisions. */
export const isOver = (decision: StepDecision, { ended }: Standing): boolean =>
  (decision.kind === 'turn' || decision.kind === 'capture') && ended.has(decision.lane ?? ONLY);
