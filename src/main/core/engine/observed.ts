import type { GateOption } from '@contract/gate/gate';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { GateState, RunState } from '@contract/run/state';
import type { Seen } from '../ports/ports';
import type { EffectParts } from './effect-parts';
import type { LiveRun } from './live-run';

const END_TURN = 'end_turn';
const OPTIONS: readonly GateOption[] = [
  {
    id: 'leave',
    label: 'I answer in its terminal',
    effect: 'This leaves the inbox, and the agent waits on until you answer there.',
    tone: 'neutral',
  },
  { id: END_TURN, label: 'End the turn', effect: 'The turn is cancelled, unanswered.', tone: 'reject' },
];

interface Observed {
  readonly sessionId: number;
  readonly turnId: number;
  readonly seen: Seen;
}

/**
 * An agent was looked at. What is otherwise than before is told, and a question that only the operator can answer in the
 * agent's terminal waits in the inbox until the agent goes on.
 */
export async function observe(parts: EffectParts, run: LiveRun, observed: Observed): Promise<void> {
  const { sessionId, turnId, seen } = observed;
  // One that waits for the operator is not silent.
  if (seen.state === 'working' || seen.state === 'waits') run.heard.set(turnId, parts.clock.now());
  const changes = (): RunEvent[] => (isNews(run.state, observed) ? news(run.state, observed) : []);
  if (isNews(run.state, { sessionId, turnId, seen })) await parts.engine.report(run, changes);
}

function isNews(state: RunState, { sessionId, turnId, seen }: Observed): boolean {
  if (state.status !== 'running' || state.turns[turnId]?.status !== 'in_flight') return false;
  const before = state.sessions[sessionId]?.observed ?? null;
  return (before?.turnId === turnId ? before.state : 'working') !== seen.state;
}

function news(state: RunState, observed: Observed): RunEvent[] {
  const { sessionId, turnId, seen } = observed;
  const { since, reason } = seen;
  const told: RunEvent = { type: 'session.observed', sessionId, turnId, state: seen.state, since, reason };
  if (seen.state !== 'waits') return [told, ...takenBack(state, turnId, 'The agent has gone on.')];
  return openQuestions(state, turnId).length > 0 ? [told] : [told, question(state, observed)];
}

/** What an answer at such a gate, or the end of its turn, brings with it; committed together with that. */
export function askedInTerminal(state: RunState, event: RunEvent): readonly RunEvent[] {
  if (event.type === 'turn.finished' || event.type === 'turn.interrupted')
    return takenBack(state, event.turnId, 'The turn has ended.');
  if (event.type !== 'gate.resolved' || event.answer.option !== END_TURN) return [];
  const gate = state.gates[event.gateId];
  const turn = state.turns[gate?.turnId ?? 0];
  if (gate?.kind !== 'terminal_question' || turn?.status !== 'in_flight' || turn.cancelledBy !== null)
    return [];
  return [{ type: 'turn.cancel-requested', turnId: turn.id, by: event.by }];
}

/** By way of their activation: a run may have very many gates. */
function openQuestions(state: RunState, turnId: number): GateState[] {
  const gateIds = state.activations[state.turns[turnId]?.activationId ?? 0]?.gateIds ?? [];
  return gateIds
    .flatMap((id) => state.gates[id] ?? [])
    .filter((gate) => gate.kind === 'terminal_question' && gate.turnId === turnId && gate.status === 'open');
}

const takenBack = (state: RunState, turnId: number, reason: string): RunEvent[] =>
  openQuestions(state, turnId).map(({ id }) => ({ type: 'gate.withdrawn', gateId: id, reason }));

function question(state: RunState, { sessionId, turnId, seen }: Observed): RunEventOf<'gate.opened'> {
  const profileId = state.sessions[sessionId]?.profileId ?? '';
  const name = state.profiles[profileId]?.name ?? profileId;
  return {
    ...{ type: 'gate.opened', gateId: state.last.gate + 1, kind: 'terminal_question' },
    ...{ activationId: state.turns[turnId]?.activationId ?? null, turnId, sessionId, commandId: null },
    title: `${name} waits for an answer in its terminal`,
    message: 'Answer it in its terminal. This is taken back once the agent goes on.',
    evidence: seen.screen ?? seen.reason,
    ...{ request: null, options: [...OPTIONS], why: null },
  };
}
