import { heldToReading } from '@areas/agents/contract/permission-capabilities';
import type { InterruptPolicy } from '@areas/workflows/contract/definition';
import { appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import { laneRole } from '@contract/run/lane/lane-role';
import type { ActivationState, CommandState, RunState, TurnState } from '@contract/run/state';
import { limitPurpose } from '@contract/run/status';
import type { DecisionInput } from '../base/decision-input';
import { endActivation } from '../base/finish';
import { findGate, interruptedCommandGate, interruptedTurnGate, limitGate } from '../gates/gates';
import { waitsInVain } from '../gates/limit';
import { askLogin, loginError } from '../gates/login';
import type { PlannedStep } from '../plan/plan';
import { dispatch } from './dispatch';
import { effectiveOutcome, restarts } from './outcome';
import { CONTINUE_PROMPT, lostTurns, ownPrompt } from './replay-context';

/**
 * A turn that kills its host every time must not be resent forever: after this many deaths the operator is
 * asked.
 */
const MOST_HOST_DEATHS = 3;
/** Precedes the text of a turn without any response, which the agent may never have received. */
const PERHAPS_NEW = 'If you did not get the prompt of that turn, this is it:';

export function afterBrokenTurn(
  moment: DecisionInput,
  activation: ActivationState,
  turn: TurnState,
): RunEvent[] {
  const { state, plan } = moment;
  switch (effectiveOutcome(turn)) {
    case 'cancelled':
      return endActivation(moment, activation, 'cancelled');
    case 'max_requests': {
      const error = appError(
        'step.max_iterations',
        'the agent stopped by itself: it had made too many requests in one turn',
      );
      return endActivation(moment, activation, error);
    }
    case 'failed':
    case 'refused':
      return endActivation(
        moment,
        activation,
        turn.error ?? appError('agent.failed', `the turn ended with ${turn.stopReason ?? turn.status}`),
      );
    case 'limit':
      return afterLimit(moment, activation, turn);
    case 'login':
      return afterLogin(moment, activation, turn);
    case 'interrupted':
      break;
    default:
      return [];
  }
  const step = plan.steps.get(activation.stepId);
  const policy = turnPolicy(state, step, turn);
  if (policy === 'retry') return sendAgain(moment, turn, 'resend');
  const cutOff = appError(
    turn.hostDied === true ? 'unavailable' : 'agent.crashed',
    `the turn was cut off: ${turn.stopReason ?? 'reason unknown'}`,
  );
  if (policy === 'fail') return endActivation(moment, activation, cutOff);
  const gate = findGate(state, 'interrupted_turn', { turnId: turn.id });
  if (gate === null)
    return [
      {
        ...interruptedTurnGate(
          turn,
          state.sessions[turn.sessionId],
          whoseTurn(state, turn, step?.title ?? activation.stepId),
        ),
        gateId: state.last.gate + 1,
      },
    ];
  if (gate.status === 'open') return [];
  if (gate.answer?.option === 'continue') return sendAgain(moment, turn, 'continue');
  if (gate.answer?.option === 'resend') return sendAgain(moment, turn, 'resend');
  return endActivation(moment, activation, cutOff);
}

/**
 * `ask` if the agent can change files, `retry` otherwise (SPEC "Run, event, store"), unless the step sets it.
 * A read-only profile counts only if the agent is held to it.
 */
export function turnPolicy(state: RunState, step: PlannedStep | undefined, turn: TurnState): InterruptPolicy {
  const policy = policyOf(state, step, turn);
  return policy === 'retry' && hostDeaths(state, turn) >= MOST_HOST_DEATHS ? 'ask' : policy;
}

/** How many times in a row the host died under a turn and those it replaces. */
function hostDeaths({ turns }: RunState, turn: TurnState): number {
  let count = 0;
  for (let one: TurnState | undefined = turn; one?.hostDied === true; one = turns[one.resendOf ?? 0])
    count += 1;
  return count;
}

function policyOf(state: RunState, step: PlannedStep | undefined, turn: TurnState): InterruptPolicy {
  if (restarts(turn)) return 'retry';
  const policy = step?.definition.on_interrupt ?? step?.module.onInterrupt;
  if (policy) return policy;
  const profile = ownValue(state.profiles, state.sessions[turn.sessionId]?.profileId ?? '');
  return profile !== undefined && heldToReading(profile) ? 'retry' : 'ask';
}

function afterLimit(moment: DecisionInput, activation: ActivationState, turn: TurnState): RunEvent[] {
  const { state } = moment;
  const purpose = limitPurpose(turn.id);
  const timer = activation.timerIds.map((id) => state.timers[id]).find((entry) => entry?.purpose === purpose);
  if (timer !== undefined) return timer.fired ? sendAgain(moment, turn, 'resend') : [];
  if (turn.limitResetsAt !== null && !waitsInVain(state, turn)) {
    const dueAt = turn.limitResetsAt;
    return [
      { type: 'timer.set', timerId: state.last.timer + 1, activationId: activation.id, dueAt, purpose },
    ];
  }
  const gate = findGate(state, 'provider_limit', { turnId: turn.id });
  if (gate === null) return [{ ...limitGate(state, turn), gateId: state.last.gate + 1 }];
  if (gate.status === 'open') return [];
  if (gate.answer?.option === 'resend') return sendAgain(moment, turn, 'resend');
  return endActivation(
    moment,
    activation,
    turn.error ?? appError('agent.limit', "the provider's limit is reached"),
  );
}

function afterLogin(moment: DecisionInput, activation: ActivationState, turn: TurnState): RunEvent[] {
  const { state } = moment;
  const error = loginError(turn);
  const session = state.sessions[turn.sessionId];
  if (session === undefined) return endActivation(moment, activation, error);
  const gate = findGate(state, 'login', { turnId: turn.id });
  if (gate === null) return askLogin(state, turn, session);
  if (gate.status === 'open') return [];
  if (gate.answer?.option === 'resend') return sendAgain(moment, turn, 'resend');
  return endActivation(moment, activation, error);
}

type Again = Pick<TurnState, 'prompt' | 'attachments' | 'messages'> & { readonly carried?: number };

/**
 * The prompt that continues an interrupted turn. If there was no response, the original prompt may never have
 * arrived, so its text is included.
 */
export function continued(state: RunState, turn: TurnState): Again {
  const { sessions, turns } = state;
  const session = sessions[turn.sessionId];
  const lost = session === undefined ? [] : lostTurns(state, session);
  // Its text and response are in the replayed conversation.
  if (lost.some(({ id }) => id === turn.id)) return { prompt: CONTINUE_PROMPT, attachments: [] };
  let first = turn;
  while (first.response === '') {
    const before = turns[first.resendOf ?? 0];
    if (before === undefined) break;
    first = before;
  }
  if (first.response !== '') return { prompt: CONTINUE_PROMPT, attachments: [] };
  const before = `${CONTINUE_PROMPT}\n\n${PERHAPS_NEW}\n\n`;
  return {
    prompt: `${before}${lost.length > 0 ? ownPrompt(first) : first.prompt}`,
    attachments: first.attachments,
  };
}

/** Resends an interrupted turn's prompt, or asks to continue it, in the same session. */
export function sendAgain(moment: DecisionInput, turn: TurnState, how: 'resend' | 'continue'): RunEvent[] {
  const { state } = moment;
  const activation = state.activations[turn.activationId];
  if (activation === undefined) return [];
  const session = state.sessions[turn.sessionId];
  if (session === undefined) return [];
  const again: Again = how === 'continue' ? continued(state, turn) : turn;
  const { prompt, attachments, messages, carried = 0 } = again;
  return dispatch(moment, session, {
    activation,
    ordinal: turn.ordinal,
    kind: how === 'continue' ? 'continue' : turn.kind,
    prompt,
    attachments,
    of: turn.of,
    resendOf: turn.id,
    ...(messages === undefined ? {} : { messages: [...messages] }),
    ...(carried === 0 ? {} : { carried }),
    ...(turn.lane === null ? {} : { lane: turn.lane }),
    ...(turn.label === null ? {} : { label: turn.label }),
  });
}

/** What follows an interrupted command: `again` to run it once more. */
export function afterInterruptedCommand(
  moment: DecisionInput,
  activation: ActivationState,
  command: CommandState,
): RunEvent[] | 'again' {
  const { state, plan } = moment;
  const step = plan.steps.get(activation.stepId);
  if (step?.module.repeatsCommands === true) return 'again';
  const policy = step?.definition.on_interrupt ?? step?.module.onInterrupt ?? 'ask';
  const gate = findGate(state, 'interrupted_command', { commandId: command.id });
  if (policy === 'retry' || gate?.answer?.option === 'resend') return 'again';
  if (policy === 'ask' && gate === null) {
    const opened = interruptedCommandGate(command, step?.title ?? activation.stepId);
    return [{ ...opened, gateId: state.last.gate + 1 }];
  }
  if (gate?.status === 'open') return [];
  return endActivation(
    moment,
    activation,
    appError('command.failed', 'the command was cut off when Muster ended'),
  );
}

/** The step, and with several agents the one whose turn it was. */
function whoseTurn(state: RunState, { lane, activationId }: TurnState, title: string): string {
  const stepId = state.activations[activationId]?.stepId;
  if (lane === null) return title;
  return `${title}, ${laneRole(state, stepId, lane)}`;
}
