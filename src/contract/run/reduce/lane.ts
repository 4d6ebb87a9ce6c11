import type { RunEvent } from '../events';
import type { RunState } from '../state';
import { changeActivation } from './change';
import { memberFailed, memberRestored } from './team';

export type LaneEvent = Extract<RunEvent, { type: `lane.${string}` }>;

export function applyLane(state: RunState, event: LaneEvent, at: number): void {
  const { activationId, lane } = event;
  if (event.type === 'lane.failed') {
    changeActivation(state, activationId, (a) => ({
      brokenLanes: { ...a.brokenLanes, [lane]: event.error },
    }));
    memberFailed(state, event, at);
    return;
  }
  changeActivation(state, activationId, (a) => {
    const { [lane]: _, ...others } = a.brokenLanes;
    return { brokenLanes: others, restoredLanes: { ...a.restoredLanes, [lane]: a.turnIds.length } };
  });
  memberRestored(state, event);
}
