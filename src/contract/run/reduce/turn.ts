import { own } from '../../own';
import { unreachable } from '../../result';
import type { Usage } from '../../session/session';
import type { RunEvent } from '../events';
import type { RunState } from '../state';
import { changeActivation, changePrompt, changeSession, changeTurn } from './change';
import { turnResent } from './team';

export function applyTurn(
  state: RunState,
  event: Extract<RunEvent, { type: `turn.${string}` }>,
  at: number,
): void {
  const id = event.turnId;
  switch (event.type) {
    case 'turn.dispatched': {
      const { type: _, turnId: __, lane, label, promptId, carried, ...asked } = event;
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
          ...(lane === undefined || own(retriedLanes, lane) === undefined
            ? {}
            : { retriedLanes: { ...retriedLanes, [lane]: 0 } }),
        }));
      else changePrompt(state, promptId, () => ({ status: 'sent', turnId: id }));
      changeSession(state, event.sessionId, (s) => ({ turnIds: [...s.turnIds, id] }));
      if (event.resendOf !== null) turnResent(state, event);
      return;
    }
    case 'turn.cancel-requested':
      changeTurn(state, id, () => ({ cancelledBy: event.by }));
      return;
    case 'turn.finished': {
      const { type: _, turnId: __, outcome, changes = null, commands = [], ...end } = event;
      changeTurn(state, id, () => ({ ...end, changes, commands, status: outcome, finishedAt: at }));
      state.spend = spent(state.spend, event.usage);
      return;
    }
    case 'turn.interrupted':
      changeTurn(state, id, ({ startedAt }) => ({
        cutOffAfter: event.workedUntil ?? Math.max(startedAt, state.before),
        status: 'interrupted',
        response: event.partial,
        ...(event.toolCalls === undefined ? {} : { toolCalls: event.toolCalls }),
        stopReason: event.reason,
        finishedAt: at,
      }));
      return;
    default:
      return unreachable(event);
  }
}

function spent(spend: RunState['spend'], usage: Usage | null): RunState['spend'] {
  if (usage === null) return { ...spend, untold: spend.untold + 1 };
  const tokens = usage.total_tokens ?? (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  return { ...spend, tokens: spend.tokens + tokens, cost_usd: spend.cost_usd + (usage.cost_usd ?? 0) };
}
