import type { RunEvent } from '@contract/run/events';
import type { PromptState, RunState, SessionState } from '@contract/run/state';

const waiting = (state: RunState): PromptState[] =>
  Object.values(state.prompts).filter((prompt) => prompt.status === 'queued');

/** A prompt of the operator's is in flight, or waits for its turn. */
export const operatorSpeaks = (state: RunState): boolean =>
  Object.values(state.prompts).some(
    (prompt) => prompt.status === 'queued' || state.turns[prompt.turnId ?? 0]?.status === 'in_flight',
  );

/**
 * What must happen next for the operator's own prompts: the oldest of each session is sent as soon as nothing is in
 * flight there, before the step's own next turn.
 */
export function sendPrompts(state: RunState): RunEvent[] {
  const seen = new Set<number>();
  for (const prompt of waiting(state)) {
    if (seen.has(prompt.sessionId)) continue;
    seen.add(prompt.sessionId);
    const session = state.sessions[prompt.sessionId];
    const events =
      session === undefined ? withdraw(prompt, 'its session is not there') : send(state, session, prompt);
    if (events.length > 0) return events;
  }
  return [];
}

function send(state: RunState, session: SessionState, prompt: PromptState): RunEvent[] {
  switch (session.status) {
    case 'starting':
    case 'resuming':
      return [];
    case 'parked':
    case 'lost':
    case 'closed':
      return [{ type: 'session.resuming', sessionId: session.id }];
    case 'failed':
      return withdraw(
        prompt,
        `its session could not be resumed: ${session.error?.message ?? 'reason unknown'}`,
      );
    case 'ready': {
      if (session.turnIds.some((id) => state.turns[id]?.status === 'in_flight')) return [];
      return [
        {
          type: 'turn.dispatched',
          turnId: state.last.turn + 1,
          sessionId: session.id,
          activationId: session.activationIds.at(-1) ?? 0,
          ordinal: session.turnIds.length,
          kind: 'operator',
          prompt: prompt.text,
          attachments: [...prompt.attachments],
          of: session.turnIds.length + 1,
          resendOf: null,
          promptId: prompt.id,
        },
      ];
    }
  }
}

const withdraw = (prompt: PromptState, reason: string): RunEvent[] => [
  { type: 'prompt.withdrawn', promptId: prompt.id, reason },
];

/** What was not sent yet, when the run ends or is cancelled. */
export const withdrawPrompts = (state: RunState, reason: string): RunEvent[] =>
  waiting(state).flatMap((prompt) => withdraw(prompt, reason));
