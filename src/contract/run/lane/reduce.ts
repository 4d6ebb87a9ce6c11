import { ownValue } from '../../own';
import { changeActivation, changeSession } from '../change';
import type { Reducers } from '../event-table';
import type { ActivationState, PlatformState, SessionState } from '../platform-state';
import { forgetRunFolder, forgetWorkspace, startNewConversation } from '../start-again';
import type { LaneAgent, LaneEvent } from './events';

export const laneReducers: Reducers<PlatformState, LaneEvent> = {
  'lane.failed'(state, { activationId, lane, error, resumes }) {
    changeActivation(state, activationId, (a) => ({
      brokenLanes: { ...a.brokenLanes, [lane]: { error, resumes } },
    }));
  },
  /** The failed cause, a program or a folder, is tried again. */
  'lane.restored'(state, { activationId, lane, agent }, at) {
    changeActivation(state, activationId, (a) => ({
      ...restored(a, lane),
      restoredLanes: { ...a.restoredLanes, [lane]: a.turnIds.length },
    }));
    const { lanes = {}, workspaceIds = [] } = state.activations[activationId] ?? {};
    const sessionId = ownValue(lanes, lane) ?? 0;
    startNewConversation(state, sessionId, at);
    if (agent !== undefined) changeSession(state, sessionId, (session) => replaced(session, agent, at));
    forgetRunFolder(state);
    for (const id of workspaceIds) if (state.workspaces[id]?.lane === lane) forgetWorkspace(state, id);
  },
};

/** Another agent starts a new conversation and is told the earlier one in its first turn. */
function replaced(session: SessionState, agent: LaneAgent, at: number): Partial<SessionState> {
  const next = { ...agent, status: 'lost', since: at, reason: null, error: null, failures: 0 } as const;
  if (agent.profileId === session.profileId) return next;
  const unknown = { providerSessionId: null, agent: null, capabilities: null, notice: null } as const;
  return { ...next, ...unknown, agentFrom: session.turnIds.length };
}

type Lanes = Pick<ActivationState, 'brokenLanes' | 'retriedLanes'>;

function restored({ brokenLanes, retriedLanes }: Lanes, lane: string): Lanes {
  const { [lane]: _, ...others } = brokenLanes;
  return {
    brokenLanes: others,
    retriedLanes: { ...retriedLanes, [lane]: (ownValue(retriedLanes, lane) ?? 0) + 1 },
  };
}

/** When the operator resumes a run, these failed lanes are tried again by themselves. */
export function lanesResumed(activation: ActivationState): Lanes {
  let lanes: Lanes = activation;
  for (const [lane, { resumes }] of Object.entries(activation.brokenLanes))
    if (resumes) lanes = restored(lanes, lane);
  return { brokenLanes: lanes.brokenLanes, retriedLanes: lanes.retriedLanes };
}
