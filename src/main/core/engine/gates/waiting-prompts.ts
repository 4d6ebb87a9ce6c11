import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { PromptState, RunState, TurnState } from '@contract/run/state';
import { limitPurpose } from '@contract/run/status';
import { findGate, limitGate, ofPrompt } from './gates';
import { waitsInVain } from './limit';
import { askLogin } from './login';

/**
 * The operator's own prompt hit a provider's limit, or an agent that is not logged in: it waits like a step's
 * turn. Committed with the end of its turn, so that an older abandoned prompt stays abandoned.
 */
export function holdPrompt(state: RunState, { turnId }: RunEventOf<'turn.finished'>): RunEvent[] {
  const turn = state.turns[turnId];
  if (turn === undefined || turn.promptId === null || turn.cancelledBy !== null) return [];
  if (state.status !== 'running') return [];
  const session = state.sessions[turn.sessionId];
  if (turn.status === 'limit') return [untilReset(state, turn)];
  if (turn.status !== 'login' || session === undefined) return [];
  const [gate, ...more] = askLogin(state, turn, session);
  return [ofPrompt(gate), ...more];
}

function untilReset(state: RunState, turn: TurnState): RunEvent {
  const { activationId, limitResetsAt: dueAt } = turn;
  if (dueAt !== null && !waitsInVain(state, turn)) {
    const timerId = state.last.timer + 1;
    return { type: 'timer.set', timerId, activationId, dueAt, purpose: limitPurpose(turn.id) };
  }
  return { ...ofPrompt(limitGate(state, turn)), gateId: state.last.gate + 1 };
}

/** Whether a held prompt must wait or is sent again now; null if it is not held, or was abandoned. */
export function heldUp(state: RunState, turn: TurnState): 'wait' | 'resend' | null {
  if (turn.status !== 'limit' && turn.status !== 'login') return null;
  const purpose = limitPurpose(turn.id);
  const timerIds = state.activations[turn.activationId]?.timerIds ?? [];
  const timer = timerIds.map((id) => state.timers[id]).find((one) => one?.purpose === purpose);
  if (timer !== undefined) return timer.fired ? 'resend' : 'wait';
  const kind = turn.status === 'limit' ? 'provider_limit' : 'login';
  const gate = findGate(state, kind, { turnId: turn.id });
  if (gate?.status === 'open') return 'wait';
  return gate?.answer?.option === 'resend' ? 'resend' : null;
}

/** It was not sent yet, or is due to be resent, by its timer or by the operator's answer. */
export function isToBeSent(state: RunState, prompt: PromptState): boolean {
  const turn = state.turns[prompt.turnId ?? 0];
  if (prompt.status !== 'sent' || turn === undefined) return prompt.status === 'queued';
  if (turn.status !== 'interrupted') return heldUp(state, turn) !== null;
  const answer = findGate(state, 'interrupted_turn', { turnId: turn.id })?.answer?.option;
  return answer === 'resend' || answer === 'continue';
}
