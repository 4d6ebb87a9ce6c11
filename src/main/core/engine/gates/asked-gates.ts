import type { GateKind } from '@contract/gate/gate';
import { own } from '@contract/own';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { ActivationState, GateState, RunState, TurnState } from '@contract/run/state';
import { stoppedLanes } from '@contract/run/status';
import { isToBeSent } from '../turns/held-prompts';

/** The turns that were cut off and that this one is in for, the newest first. */
function cutOffBefore({ turns }: RunState, turn: TurnState): number[] {
  const before: number[] = [];
  let at = turns[turn.resendOf ?? 0];
  while (at?.status === 'interrupted') {
    before.push(at.id);
    at = turns[at.resendOf ?? 0];
  }
  return before;
}

/** The gates of these turns, by way of their activation: a run may have very many gates. */
function gatesOf(state: RunState, activationId: number, turnIds: readonly number[]): GateState[] {
  const gates = (state.activations[activationId]?.gateIds ?? []).flatMap((id) => state.gates[id] ?? []);
  return gates.filter(({ turnId }) => turnIds.includes(turnId ?? 0));
}

const askedIn = (...of: Parameters<typeof gatesOf>): GateState[] =>
  gatesOf(...of).filter(({ kind }) => kind === 'permission');

/** At these a worker stands still until the operator has spoken. */
const HOLDING: ReadonlySet<GateKind> = new Set(['permission', 'terminal_question', 'interrupted_turn']);

/**
 * Whether the agent of a turn waits for the operator, and the gate at which it last did. A gate that a rule answers at
 * once holds nothing up.
 */
export function waitsForOperator(
  state: RunState,
  turn: TurnState,
): { readonly now: boolean; readonly lastGate: number | null } {
  const gates = gatesOf(state, turn.activationId, [turn.id, ...cutOffBefore(state, turn)]);
  const held = gates.filter(({ kind }) => HOLDING.has(kind));
  // A question at its terminal that the operator has put aside is there still.
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
 * What was asked in the turns that this one is in for, and whose answer has not reached the agent. Only a turn that
 * was cut off leaves its questions to another one: after any other end no one is there who still asks.
 */
export function earlierGates(state: RunState, turn: TurnState): GateState[] {
  const cut = cutOffBefore(state, turn);
  if (cut.length === 0) return [];
  return askedIn(state, turn.activationId, cut).filter(
    ({ delivered, status }) => !delivered && status !== 'withdrawn',
  );
}

/** A turn has ended: what it asked, or what was asked in the turns before that it was in for, is asked no more. */
export function withdrawAsked(state: RunState, { turnId }: RunEventOf<'turn.finished'>): RunEvent[] {
  const turn = state.turns[turnId];
  return turn === undefined ? [] : takeBack(state, turn, 'The turn that asked has ended.');
}

/** A turn that was cut off is not sent again: what it asked, no one asks any more. */
export const withdrawUnsent = (state: RunState, turn: TurnState): RunEvent[] =>
  takeBack(state, turn, 'The prompt that it was about is not sent again.');

function takeBack(state: RunState, turn: TurnState, reason: string): RunEvent[] {
  const asked = askedIn(state, turn.activationId, [turn.id, ...cutOffBefore(state, turn)]);
  return asked.flatMap(({ id: gateId, status }): RunEvent[] =>
    status === 'open' ? [{ type: 'gate.withdrawn', gateId, reason }] : [],
  );
}

/** What is asked about a turn that was cut off, or about a program that did not start. */
const TO_GO_ON: ReadonlySet<GateState['kind']> = new Set([
  'interrupted_turn',
  'provider_limit',
  'login',
  'permission',
]);

/** A member of a team that has stopped does not continue: what was asked so that it could is asked no more. */
export function withdrawLeft(state: RunState, activation: ActivationState): RunEvent[] {
  const left = stoppedLanes(state, activation.id);
  if (left.size === 0) return [];
  const sessions = new Set([...left].flatMap((lane) => own(activation.lanes, lane) ?? []));
  return activation.gateIds.flatMap((id): RunEvent[] => {
    const gate = state.gates[id];
    if (gate?.status !== 'open' || !TO_GO_ON.has(gate.kind) || !sessions.has(gate.sessionId ?? 0)) return [];
    const turn = state.turns[gate.turnId ?? 0];
    // What the operator said to it is theirs, and a turn in flight withdraws by its end what it asks.
    if (turn !== undefined && (turn.promptId !== null || turn.status === 'in_flight')) return [];
    const said = Object.values(state.prompts).filter(({ sessionId }) => sessionId === gate.sessionId);
    if (turn === undefined && said.some((prompt) => isToBeSent(state, prompt))) return [];
    return [{ type: 'gate.withdrawn', gateId: id, reason: 'Its member has stopped.' }];
  });
}
