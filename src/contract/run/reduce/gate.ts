import { unreachable } from '../../result';
import type { RunEvent } from '../events';
import type { RunState } from '../state';
import { changeActivation, changeGate } from './change';

export function applyGate(
  state: RunState,
  event: Extract<RunEvent, { type: `gate.${string}` }>,
  at: number,
): void {
  const id = event.gateId;
  switch (event.type) {
    case 'gate.opened': {
      const { type: _, gateId: __, ...asked } = event;
      state.last.gate = Math.max(state.last.gate, id);
      state.gates[id] = {
        ...asked,
        id,
        status: 'open',
        openedAt: at,
        closedAt: null,
        answer: null,
        by: null,
        delivered: false,
        reason: null,
      };
      if (event.activationId !== null) {
        changeActivation(state, event.activationId, (a) => ({ gateIds: [...a.gateIds, id] }));
      }
      return;
    }
    case 'gate.resolved':
      changeGate(state, id, ({ kind }) => ({
        ...{ status: 'resolved', closedAt: at, answer: event.answer, by: event.by },
        ...(kind === 'budget' ? { spent: state.spend } : {}),
      }));
      return;
    case 'gate.delivered':
      changeGate(state, id, () => ({ delivered: true }));
      return;
    case 'gate.withdrawn':
      changeGate(state, id, () => ({ status: 'withdrawn', closedAt: at, reason: event.reason }));
      return;
    default:
      return unreachable(event);
  }
}
