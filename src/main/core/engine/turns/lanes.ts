import { appError } from '@contract/errors';
import { own } from '@contract/own';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { ActivationState, TurnState } from '@contract/run/state';
import { stoppedLanes } from '@contract/run/status';
import { features } from '@features/core';
import type { StepDecision } from '../../step/decision';
import { withdrawUnsent } from '../gates/asked-gates';
import type { DecisionInput } from '../moment';
import { turnsOf } from '../view';
import { afterBrokenTurn, sendAgain } from './interrupted-turns';
import { effectiveOutcome } from './outcome';
import { endedByHand, isNew } from './pending-turns';

/** The lane of a step that has one agent. */
const ONLY = '';

/** What each lane of an activation is at. A lane that has had no turn yet is free. */
export interface Standing {
  readonly busy: ReadonlySet<string>;
  /** A turn broke, and its gate or timer is open. */
  readonly waits: ReadonlySet<string>;
  /** Broken for good; the events that end the activation, once the other lanes have come to rest. */
  readonly ended: ReadonlyMap<string, RunEvent[]>;
  /** The turn that failed before the operator resumed the run, if the lane's next one is in for it. */
  readonly unanswered: ReadonlyMap<string, TurnState>;
}

const FREE: Standing = { busy: new Set(), waits: new Set(), ended: new Map(), unanswered: new Map() };

/**
 * Looks at the last turn of each lane. Gives events instead where a broken turn calls for some that leave the
 * activation running: a gate, a timer, the turn once more.
 */
export function standing(moment: DecisionInput, activation: ActivationState): Standing | RunEvent[] {
  if (activation.turnIds.length === 0) return FREE;
  const busy = new Set<string>();
  const waits = new Set<string>();
  const ended = new Map<string, RunEvent[]>();
  const unanswered = new Map<string, TurnState>();
  const alone = failsAlone(moment, activation);
  const { state } = moment;
  const left = stoppedLanes(state, activation.id);
  // Its turn does not come back: what it asked, no one asks any more.
  const failAlone = (events: readonly RunEvent[], last: TurnState): RunEvent[] => [
    ...withdrawUnsent(state, last),
    laneFailed(activation, last.lane ?? ONLY, events),
  ];
  for (const [lane, last] of lastTurns(moment, activation)) {
    const counts = isNew(activation, last);
    if (last.status === 'in_flight') busy.add(lane);
    else if (left.has(lane) || features.some((one) => one.isPastLane(state, activation.id, lane))) continue;
    else if (last.status === 'completed' || own(activation.brokenLanes, lane) !== undefined) continue;
    else if (alone && endedByHand(activation, last)) continue;
    else if (!counts && alone) {
      // What asked for it was delivered with it: it is sent once more as it was.
      const again = sendAgain(moment, last, 'resend');
      if (again.length > 0) return ends(again, activation) ? failAlone(again, last) : again;
      waits.add(lane);
    } else if (!counts) unanswered.set(lane, last);
    // Where agents come and go, one whose turn was stopped can be given another.
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

/** What would have ended the step ends one lane of it. */
export function laneFailed(
  activation: ActivationState,
  lane: string,
  events: readonly RunEvent[],
): RunEventOf<'lane.failed'> {
  const end = events.find((event) => event.type === 'activation.finished');
  const error = end?.error ?? appError('agent.failed', 'its turn was cancelled');
  return { type: 'lane.failed', activationId: activation.id, lane, error };
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
      // One that has a name waits beside what continues.
      return decision.about === undefined && (busy.size > 0 || waits.size > 0 || ended.size > 0);
    default:
      return busy.size > 0 || waits.size > 0 || ended.size > 0;
  }
}

/** Nothing more is done in a lane that broke for good. */
export const isOver = (decision: StepDecision, { ended }: Standing): boolean =>
  (decision.kind === 'turn' || decision.kind === 'capture') && ended.has(decision.lane ?? ONLY);
