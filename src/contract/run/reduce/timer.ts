import { unreachable } from '../../result';
import type { RunEvent } from '../events';
import type { RunState } from '../state';
import { changeActivation } from './change';

export function applyTimer(state: RunState, event: Extract<RunEvent, { type: `timer.${string}` }>): void {
  switch (event.type) {
    case 'timer.set': {
      const { type: _, timerId: id, watches = null, ...timer } = event;
      state.last.timer = Math.max(state.last.timer, id);
      state.timers[id] = { ...timer, id, watches, fired: false, heardAt: null };
      changeActivation(state, event.activationId, (a) => ({ timerIds: [...a.timerIds, id] }));
      return;
    }
    case 'timer.fired': {
      const timer = state.timers[event.timerId];
      if (timer) state.timers[timer.id] = { ...timer, fired: true, heardAt: event.heardAt ?? null };
      return;
    }
    default:
      return unreachable(event);
  }
}
