import type { GateAnswer } from '@areas/gates/contract/gate';
import { ownValue } from '@contract/own';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { RunState, TurnState } from '@contract/run/state';

/** Maximum requests of one turn that the operator is asked about, answered or not. */
export const MOST_ASKED_PER_TURN = 100;

/** Maximum requests of one turn that are answered, including by rules. */
export const MOST_REQUESTS_PER_TURN = 2_000;

/** Whether a turn has made too many requests: further ones are denied. */
export function isFlood(state: RunState, turn: TurnState, { ruled }: { readonly ruled: boolean }): boolean {
  const gateIds = state.activations[turn.activationId]?.gateIds ?? [];
  let count = 0;
  let all = 0;
  for (const id of gateIds) {
    const gate = state.gates[id];
    if (gate?.kind !== 'permission' || gate.turnId !== turn.id) continue;
    all += 1;
    if (gate.rule === undefined) count += 1;
  }
  return all >= MOST_REQUESTS_PER_TURN || (!ruled && count >= MOST_ASKED_PER_TURN);
}

const limitOf = (ruled: boolean): number => (ruled ? MOST_REQUESTS_PER_TURN : MOST_ASKED_PER_TURN);

export const floodAnswer = (ruled: boolean): GateAnswer => ({
  option: 'deny',
  reason: `This turn has asked for permission ${limitOf(ruled)} times. Further requests of the turn are denied: do the rest without asking, or end the turn.`,
});

/** Notifies the operator once per turn; the operator can end the turn. */
export function floodNotice(state: RunState, turn: TurnState, ruled: boolean): RunEvent[] {
  const warned = Object.values(state.gates).some(
    ({ kind, turnId }) => kind === 'permission_flood' && turnId === turn.id,
  );
  return warned ? [] : [noticeOf(state, turn, ruled)];
}

function noticeOf(state: RunState, turn: TurnState, ruled: boolean): RunEventOf<'gate.opened'> {
  const session = state.sessions[turn.sessionId];
  const name = ownValue(state.profiles, session?.profileId ?? '')?.name ?? 'An agent';
  return {
    type: 'gate.opened',
    gateId: state.last.gate + 1,
    kind: 'permission_flood',
    activationId: turn.activationId,
    turnId: turn.id,
    sessionId: turn.sessionId,
    commandId: null,
    title: `${name} asks for permission too often`,
    message: `It has asked ${limitOf(ruled)} times in one turn. Its further requests in this turn are denied without asking you.`,
    evidence: null,
    request: null,
    options: [
      {
        id: 'leave',
        label: 'Let it go on',
        effect: 'The turn goes on; what it asks from now on is denied. Earlier requests still wait for you.',
        tone: 'neutral',
      },
      {
        id: 'end_turn',
        label: 'End the turn',
        effect: 'The turn is cancelled, and its open requests are withdrawn.',
        tone: 'reject',
      },
    ],
    why: null,
  };
}
