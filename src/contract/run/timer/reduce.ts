import { changeActivation } from '../change';
import type { Reducers } from '../event-table';
import type { PlatformState } from '../platform-state';
import type { TimerEvent } from './events';

export const timerReducers: Reducers<PlatformState, TimerEvent> = {
  'timer.set'(state, { type: _, timerId: id, watches = null, ...timer }) {
    state.last.timer = Math.max(state.last.timer, id);
    state.timers[id] = { ...timer, id, watches, fired: false, heardAt: null };
    changeActivation(state, timer.activationId, (a) => ({ timerIds: [...a.timerIds, id] }));
  },
  'timer.fired'(state, { timerId, heardAt = null }) {
    const timer = state.timers[timerId];
    if (timer) state.timers[timer.id] = { ...timer, fired: true, heardAt };
  },
};
