import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { PromptState, RunState, SessionState, TurnState } from '@contract/run/state';
import type { DecisionInput } from '../base/decision-input';
import { findGate, interruptedPromptGate, ofPrompt } from '../gates/gates';
import { withdrawUnsent } from '../gates/turn-gates';
import { heldUp, isToBeSent } from '../gates/waiting-prompts';
import { continued, turnPolicy } from './interrupted-turns';
import { effectiveOutcome } from './outcome';
import { needLogin, resume } from './readiness';
import { carry } from './replay-context';

const waiting = (state: RunState): PromptState[] =>
  Object.values(state.prompts).filter((prompt) => prompt.status === 'queued');

/** A prompt of the operator's is in flight, queued, or was interrupted and may be resent. */
export const operatorSpeaks = (moment: DecisionInput): boolean =>
  Object.values(moment.state.prompts).some((prompt) => {
    if (prompt.status === 'queued') return true;
    const turn = moment.state.turns[prompt.turnId ?? 0];
    return turn?.status === 'in_flight' || cutOff(moment, prompt) !== null;
  });

/**
 * Next events for the operator's own prompts: the oldest of each session is sent as soon as nothing is in
 * flight there, before the step's next turn. A prompt interrupted by a crash is handled like a step's turn.
 */
export function sendPrompts(moment: DecisionInput): RunEvent[] {
  const { state } = moment;
  const seen = new Set<number>();
  for (const prompt of Object.values(state.prompts)) {
    const cut = cutOff(moment, prompt);
    if (cut !== null && 'type' in cut) return [cut];
    // The next prompt would fail in the same way.
    if (cut?.how === 'wait' && cut.turn.status !== 'interrupted') seen.add(prompt.sessionId);
    const left = cut === null ? unasked(state, prompt) : [];
    if (left.length > 0) return left;
    const turn = cut === null || cut.how === 'wait' ? null : next(state, prompt, cut);
    const sends = turn ?? (prompt.status === 'queued' ? next(state, prompt, null) : null);
    if (sends === null || seen.has(prompt.sessionId)) continue;
    seen.add(prompt.sessionId);
    const session = state.sessions[prompt.sessionId];
    const events =
      session === undefined ? withdraw(prompt, 'its session is not there') : send(moment, session, sends);
    if (events.length > 0) return events;
  }
  return [];
}

interface Cut {
  readonly turn: TurnState;
  readonly how: 'wait' | 'resend' | 'continue';
}

/**
 * How to continue a prompt whose turn was interrupted: a gate to open, an answer to wait for, or a resend;
 * null if there is nothing more to do. The replacing turn takes its place, so that it is sent only once.
 */
function cutOff({ state, plan }: DecisionInput, prompt: PromptState): Cut | RunEventOf<'gate.opened'> | null {
  const turn = state.turns[prompt.turnId ?? 0];
  if (prompt.status !== 'sent' || turn === undefined) return null;
  const held = heldUp(state, turn);
  if (held !== null) return { turn, how: held };
  if (effectiveOutcome(turn) !== 'interrupted') return null;
  const step = plan.steps.get(state.activations[turn.activationId]?.stepId ?? '');
  const policy = turnPolicy(state, step, turn);
  if (policy === 'retry') return { turn, how: 'resend' };
  const gate = findGate(state, 'interrupted_turn', { turnId: turn.id });
  if (policy === 'ask' && gate === null) {
    // A later prompt has already continued from there.
    const { turnIds = [] } = state.sessions[turn.sessionId] ?? {};
    const hasPrompt = waiting(state).some(({ sessionId }) => sessionId === turn.sessionId);
    if (hasPrompt || turnIds.at(-1) !== turn.id) return null;
    const title = step?.title ?? state.activations[turn.activationId]?.stepId ?? state.name;
    return {
      ...interruptedPromptGate(turn, state.sessions[turn.sessionId], title),
      gateId: state.last.gate + 1,
    };
  }
  if (gate?.status === 'open') return { turn, how: 'wait' };
  const answer = gate?.answer?.option;
  return answer === 'resend' || answer === 'continue' ? { turn, how: answer } : null;
}

/** Questions of an interrupted turn that will not continue. */
function unasked(state: RunState, { status, turnId }: PromptState): RunEvent[] {
  const turn = state.turns[turnId ?? 0];
  return status === 'sent' && turn?.status === 'interrupted' ? withdrawUnsent(state, turn) : [];
}

type Next = Pick<TurnState, 'prompt' | 'attachments' | 'resendOf' | 'ordinal' | 'of'> & {
  readonly promptOf: PromptState;
  readonly carried: number;
};

function next(state: RunState, promptOf: PromptState, cut: Cut | null): Next {
  if (cut === null) {
    const { text, attachments, sessionId } = promptOf;
    const ordinal = state.sessions[sessionId]?.turnIds.length ?? 0;
    return { promptOf, prompt: text, attachments, resendOf: null, ordinal, of: ordinal + 1, carried: 0 };
  }
  const { turn, how } = cut;
  const { prompt, attachments, carried = 0 } = how === 'continue' ? continued(state, turn) : turn;
  // Takes the place of the turn that it replaces.
  return { promptOf, prompt, attachments, carried, resendOf: turn.id, ordinal: turn.ordinal, of: turn.of };
}

function send(moment: DecisionInput, session: SessionState, { promptOf, ...turn }: Next): RunEvent[] {
  const { state } = moment;
  switch (session.status) {
    case 'starting':
    case 'resuming':
      return [];
    case 'parked':
    case 'lost':
    case 'closed':
      return resume(moment, session);
    case 'failed':
      return (
        askedToLogIn(moment, session) ??
        withdraw(promptOf, `its session could not be resumed: ${session.error?.message ?? 'reason unknown'}`)
      );
    case 'ready': {
      if (session.turnIds.some((id) => state.turns[id]?.status === 'in_flight')) return [];
      const { carried = 0, ...said } = carry(state, session, {
        prompt: turn.prompt,
        attachments: [...turn.attachments],
        resendOf: turn.resendOf,
        carried: turn.carried,
      });
      return [
        {
          type: 'turn.dispatched',
          turnId: state.last.turn + 1,
          sessionId: session.id,
          activationId: session.activationIds.at(-1) ?? 0,
          ordinal: turn.ordinal,
          kind: 'operator',
          ...said,
          of: turn.of,
          ...(carried === 0 ? {} : { carried }),
          promptId: promptOf.id,
        },
      ];
    }
  }
}

function askedToLogIn(moment: DecisionInput, session: SessionState): RunEvent[] | null {
  const { state } = moment;
  const events = needLogin(moment, session, session.activationIds.at(-1) ?? 0);
  const step = session.activationIds.some((id) => state.activations[id]?.status === 'running');
  // The question also covers a step that waits there.
  return step || events === null
    ? events
    : events.map((event) => (event.type === 'gate.opened' ? ofPrompt(event) : event));
}

const withdraw = (prompt: PromptState, reason: string): RunEvent[] => [
  { type: 'prompt.withdrawn', promptId: prompt.id, reason },
];

/** Withdraws prompts that were not sent or resent when the run ends or is cancelled. */
export const withdrawPrompts = (state: RunState, reason: string): RunEvent[] =>
  Object.values(state.prompts).flatMap((prompt) =>
    isToBeSent(state, prompt) ? withdraw(prompt, reason) : [],
  );
