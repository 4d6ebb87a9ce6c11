import type { GateKind } from '@areas/gates/contract/gate';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import { sessionFacts } from '@contract/run/features/feature-answers';
import type { ActivationState, GateState, RunState, TurnState } from '@contract/run/state';
import { isToBeSent } from './waiting-prompts';

/** The interrupted turns that this one replaces, newest first. */
function cutOffBefore({ turns }: RunState, turn: TurnState): number[] {
  const before: number[] = [];
  let at = turns[turn.resendOf ?? 0];
  while (at?.status === 'interrupted') {
    before.push(at.id);
    at = turns[at.resendOf ?? 0];
  }
  return before;
}

/** The gates of these turns, looked up through their activation: a run may have very many gates. */
function gatesOf(state: RunState, activationId: number, turnIds: readonly number[]): GateState[] {
  const gates = (state.activations[activationId]?.gateIds ?? []).flatMap((id) => state.gates[id] ?? []);
  return gates.filter(({ turnId }) => turnIds.includes(turnId ?? 0));
}

const gatesInTurns = (...of: Parameters<typeof gatesOf>): GateState[] =>
  gatesOf(...of).filter(({ kind }) => kind === 'permission');

/** An agent stops at these until the operator answers. */
const HOLDING: ReadonlySet<GateKind> = new Set(['permission', 'terminal_question', 'interrupted_turn']);

/**
 * Whether a turn's agent is waiting for the operator, and its last gate. A gate that a rule answers at once
 * does not count.
 */
export function waitsForOperator(
  state: RunState,
  turn: TurnState,
): { readonly now: boolean; readonly lastGate: number | null } {
  const gates = gatesOf(state, turn.activationId, [turn.id, ...cutOffBefore(state, turn)]);
  const held = gates.filter(({ kind }) => HOLDING.has(kind));
  // A dismissed question in its terminal is still there.
  const observed = state.sessions[turn.sessionId]?.observed ?? null;
  const seen = observed?.turnId === turn.id && observed.state === 'waits';
  let last: GateState | null = null;
  for (const gate of held) {
    if (gate.closedAt === null || gate.closedAt <= gate.openedAt) continue;
    if (gate.closedAt >= (last?.closedAt ?? 0)) last = gate;
  }
  return { now: seen || held.some(({ status }) => status === 'open'), lastGate: last?.id ?? null };
}

/**
 * Unanswered questions of the turns that this one replaces. Only an interrupted turn passes its questions on:
 * after any other end there is no agent left to ask them.
 */
export function earlierGates(state: RunState, turn: TurnState): GateState[] {
  const cut = cutOffBefore(state, turn);
  if (cut.length === 0) return [];
  return gatesInTurns(state, turn.activationId, cut).filter(
    ({ delivered, status }) => !delivered && status !== 'withdrawn',
  );
}

/** A turn has ended: its questions, and those of the turns it replaces, are withdrawn. */
export function withdrawAsked(state: RunState, { turnId }: RunEventOf<'turn.finished'>): RunEvent[] {
  const turn = state.turns[turnId];
  return turn === undefined ? [] : takeBack(state, turn, 'The turn that asked has ended.');
}

/** An interrupted turn is not resent: its questions are withdrawn. */
export const withdrawUnsent = (state: RunState, turn: TurnState): RunEvent[] =>
  takeBack(state, turn, 'The prompt that it was about is not sent again.');

function takeBack(state: RunState, turn: TurnState, reason: string): RunEvent[] {
  const gates = gatesInTurns(state, turn.activationId, [turn.id, ...cutOffBefore(state, turn)]);
  return gates.flatMap(({ id: gateId, status }): RunEvent[] =>
    status === 'open' ? [{ type: 'gate.withdrawn', gateId, reason }] : [],
  );
}

/** Questions about an interrupted turn, or about a program that did not start. */
const TO_GO_ON: ReadonlySet<GateState['kind']> = new Set([
  'interrupted_turn',
  'provider_limit',
  'login',
  'permission',
]);

/** An agent that has stopped does not continue, so questions about continuing it are withdrawn. */
export function withdrawLeft(state: RunState, activation: ActivationState): RunEvent[] {
  return activation.gateIds.flatMap((id): RunEvent[] => {
    const gate = state.gates[id];
    if (gate?.status !== 'open' || !TO_GO_ON.has(gate.kind) || gate.sessionId === null) return [];
    if (!sessionFacts(state, activation.id, gate.sessionId).stopped) return [];
    const turn = state.turns[gate.turnId ?? 0];
    // The operator's own prompts stay, and a turn in flight withdraws its questions when it ends.
    if (turn !== undefined && (turn.promptId !== null || turn.status === 'in_flight')) return [];
    const prompts = Object.values(state.prompts).filter(({ sessionId }) => sessionId === gate.sessionId);
    if (turn === undefined && prompts.some((prompt) => isToBeSent(state, prompt))) return [];
    return [{ type: 'gate.withdrawn', gateId: id, reason: 'Its agent has stopped.' }];
  });
}
