import { changeActivation, changeGate } from '@contract/run/change';
import type { Reducers } from '@contract/run/event-table';
import type { PlatformState } from '@contract/run/platform-state';
import type { GateEvent } from './events';

export const gateReducers: Reducers<PlatformState, GateEvent> = {
  'gate.opened'(state, { type: _, gateId: id, ...asked }, at) {
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
    if (asked.activationId !== null)
      changeActivation(state, asked.activationId, (a) => ({ gateIds: [...a.gateIds, id] }));
  },
  'gate.resolved'(state, { gateId, answer, by }, at) {
    changeGate(state, gateId, ({ kind }) => ({
      status: 'resolved',
      closedAt: at,
      answer,
      by,
      ...(kind === 'budget' || kind === 'budget_near' ? { spent: state.spend } : {}),
    }));
  },
  'gate.delivered'(state, { gateId }) {
    changeGate(state, gateId, () => ({ delivered: true }));
  },
  'gate.withdrawn'(state, { gateId, reason }, at) {
    changeGate(state, gateId, () => ({ status: 'withdrawn', closedAt: at, reason }));
  },
};
