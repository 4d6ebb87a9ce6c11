import { ownValue } from '../../own';
import { changeActivation, changePrompt, changeSession, changeTurn } from '../change';
import type { OfType, Reducers } from '../event-table';
import type { PlatformState } from '../platform-state';
import { spent } from '../spend';
import type { TurnEvent } from './events';

export const turnReducers: Reducers<PlatformState, TurnEvent> = {
  'turn.dispatched': dispatched,
  'turn.cancel-requested'(state, { turnId, by, again }) {
    changeTurn(state, turnId, () => ({
      cancelledBy: by,
      ...(again === undefined ? {} : { restarts: again }),
    }));
  },
  'turn.finished'(state, event, at) {
    const { type: _, turnId, outcome, changes = null, commands = [], ...end } = event;
    changeTurn(state, turnId, () => ({ ...end, changes, commands, status: outcome, finishedAt: at }));
    state.spend = spent(state.spend, event.usage);
  },
  'turn.interrupted'(state, event, at) {
    changeTurn(state, event.turnId, ({ startedAt }) => ({
      cutOffAfter: event.workedUntil ?? Math.max(startedAt, state.before),
      status: 'interrupted',
      response: event.partial,
      ...(event.toolCalls === undefined ? {} : { toolCalls: event.toolCalls }),
      ...(event.hostDied === undefined ? {} : { hostDied: event.hostDied }),
      stopReason: event.reason,
      finishedAt: at,
    }));
  },
};

function dispatched(state: PlatformState, event: OfType<TurnEvent, 'turn.dispatched'>, at: number): void {
  const { type: _, turnId: id, lane, label, promptId, carried, ...asked } = event;
  state.last.turn = Math.max(state.last.turn, id);
  state.turns[id] = {
    ...asked,
    id,
    lane: lane ?? null,
    label: label ?? null,
    promptId: promptId ?? null,
    carried: carried ?? 0,
    cancelledBy: null,
    changes: null,
    commands: [],
    status: 'in_flight',
    stopReason: null,
    response: '',
    usage: null,
    commit: null,
    error: null,
    limitResetsAt: null,
    startedAt: at,
    finishedAt: null,
  };
  // The operator's own prompts are no part of what the step asks for.
  if (promptId === undefined)
    changeActivation(state, event.activationId, ({ turnIds, retriedLanes }) => ({
      turnIds: [...turnIds, id],
      ...(lane === undefined || ownValue(retriedLanes, lane) === undefined
        ? {}
        : { retriedLanes: { ...retriedLanes, [lane]: 0 } }),
    }));
  else changePrompt(state, promptId, () => ({ status: 'sent', turnId: id }));
  changeSession(state, event.sessionId, (s) => ({ turnIds: [...s.turnIds, id] }));
}
