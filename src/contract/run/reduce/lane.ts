import { own } from '../../own';
import type { RunEvent, RunEventOf } from '../events';
import type { ActivationState, RunState } from '../state';
import { forgetRunFolder, forgetWorkspace, startAnew } from './again';
import { changeActivation } from './change';
import { LEAD_LANE, memberFailed, memberRestored } from './team';

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
  laneRestored(state, event, at);
  memberRestored(state, event);
}

/** What kept it from starting, a program or a folder, is tried anew. */
function laneRestored(
  state: RunState,
  { activationId, lane }: RunEventOf<'lane.restored'>,
  at: number,
): void {
  changeActivation(state, activationId, (a) => ({
    ...takenUpAgain(a, lane),
    restoredLanes: { ...a.restoredLanes, [lane]: a.turnIds.length },
  }));
  const { lanes = {}, workspaceIds = [] } = state.activations[activationId] ?? {};
  startAnew(state, own(lanes, lane) ?? 0, at);
  forgetRunFolder(state);
  for (const id of workspaceIds) if (state.workspaces[id]?.lane === lane) forgetWorkspace(state, id);
}

function takenUpAgain(
  { brokenLanes, retriedLanes }: ActivationState,
  lane: string,
): Pick<ActivationState, 'brokenLanes' | 'retriedLanes'> {
  const { [lane]: _, ...others } = brokenLanes;
  return {
    brokenLanes: others,
    retriedLanes: { ...retriedLanes, [lane]: (own(retriedLanes, lane) ?? 0) + 1 },
  };
}

/** The run is taken up again: a lead that had failed tries again; of members that had, the operator is asked. */
export const leadResumed = (
  activation: ActivationState,
): Pick<ActivationState, 'brokenLanes' | 'retriedLanes'> =>
  activation.brokenLanes[LEAD_LANE] === undefined ? activation : takenUpAgain(activation, LEAD_LANE);
