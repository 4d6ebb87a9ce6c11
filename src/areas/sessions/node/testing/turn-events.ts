import type { RunEvent } from '@contract/run/events';

/** The events of sessions and turns as the engine commits them, with plain values. */
export const starting = (sessionId: number, more: { readonly workspaceId?: number } = {}): RunEvent => ({
  type: 'session.starting',
  sessionId,
  activationId: 1,
  profileId: 'w',
  model: null,
  mode: null,
  env: {},
  ...more,
});
export const turn = (turnId: number, sessionId = 1): RunEvent => ({
  type: 'turn.dispatched',
  turnId,
  sessionId,
  activationId: 1,
  ordinal: 0,
  kind: 'primary',
  prompt: 'p',
  attachments: [],
  of: 1,
  resendOf: null,
});
export const ended = (turnId: number) => ({
  type: 'turn.finished',
  turnId,
  outcome: 'completed',
  stopReason: 'end_turn',
  response: 'ok',
  usage: null,
  commit: null,
  error: null,
  limitResetsAt: null,
});
export const cut = (turnId: number) => ({ type: 'turn.interrupted', turnId, reason: 'crash', partial: '' });
