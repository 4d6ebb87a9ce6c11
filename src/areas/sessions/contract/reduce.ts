import { changeActivation, changeSession } from '@contract/run/change';
import type { OfType, Reducers } from '@contract/run/event-table';
import type { Observation, PlatformState, SessionState } from '@contract/run/platform-state';
import type { SessionEvent } from './events';

export const sessionReducers: Reducers<PlatformState, SessionEvent> = {
  'session.starting'(state, event, at) {
    state.last.session = Math.max(state.last.session, event.sessionId);
    state.sessions[event.sessionId] = newSession(state, event, at);
    enlist(state, event);
  },
  'session.assigned'(state, event) {
    const { sessionId, activationId } = event;
    changeSession(state, sessionId, (s) => ({ activationIds: [...s.activationIds, activationId] }));
    enlist(state, event);
  },
  'session.resuming'(state, { sessionId }, at) {
    changeSession(state, sessionId, () => ({ status: 'resuming', since: at, error: null }));
  },
  'session.ready'(state, event, at) {
    const { providerSessionId, agent, cwd, capabilities, notice, fresh } = event;
    changeSession(state, event.sessionId, (s) => ({
      status: 'ready',
      since: at,
      reason: null,
      error: null,
      failures: 0,
      reattachedAt: null,
      providerSessionId,
      agent,
      cwd,
      capabilities,
      notice,
      ...(fresh ? { freshAt: s.turnIds.length } : {}),
    }));
  },
  'session.failed'(state, { sessionId, error }, at) {
    const failedAtGate = state.last.gate;
    changeSession(state, sessionId, (s) => ({
      status: 'failed',
      since: at,
      error,
      failures: s.failures + 1,
      failedAtGate,
    }));
  },
  'session.parked'(state, { sessionId, reason }, at) {
    changeSession(state, sessionId, () => ({ status: 'parked', since: at, reason }));
  },
  'session.lost'(state, { sessionId, reason }, at) {
    changeSession(state, sessionId, () => ({ status: 'lost', since: at, reason }));
  },
  'session.reattached'(state, { sessionId }, at) {
    changeSession(state, sessionId, () => ({ reattachedAt: at }));
  },
  'session.observed'(state, event) {
    changeSession(state, event.sessionId, () => ({ observed: observation(event) }));
  },
  'session.closed'(state, { sessionId }, at) {
    changeSession(state, sessionId, () => ({ status: 'closed', since: at, reason: null }));
  },
};

function newSession(
  state: PlatformState,
  event: OfType<SessionEvent, 'session.starting'>,
  at: number,
): SessionState {
  return {
    id: event.sessionId,
    key: `${state.uid}/s${event.sessionId}`,
    profileId: event.profileId,
    model: event.model,
    mode: event.mode,
    env: event.env,
    status: 'starting',
    since: at,
    reason: null,
    providerSessionId: null,
    agent: null,
    cwd: null,
    workspaceId: event.workspaceId ?? null,
    capabilities: null,
    notice: null,
    activationIds: [event.activationId],
    turnIds: [],
    error: null,
    failures: 0,
    failedAtGate: 0,
    reattachedAt: null,
    observed: null,
    freshAt: 0,
    ...(event.opening === undefined ? {} : { opening: event.opening }),
    ...(event.insteadOf === undefined ? {} : { insteadOf: event.insteadOf }),
  };
}

function observation(event: OfType<SessionEvent, 'session.observed'>): Observation | null {
  const { turnId, state, since, reason } = event;
  return state === 'working' ? null : { turnId, state, since, reason };
}

/** The last observed state of the agent in a turn in flight; null: working, or no turn. */
export function observedNow(state: PlatformState, { observed }: SessionState): Observation | null {
  return observed !== null && state.turns[observed.turnId]?.status === 'in_flight' ? observed : null;
}

function enlist(
  state: PlatformState,
  {
    activationId,
    sessionId,
    lane,
  }: OfType<SessionEvent, 'session.starting'> | OfType<SessionEvent, 'session.assigned'>,
): void {
  changeActivation(state, activationId, (a) => ({
    sessionIds: [...a.sessionIds, sessionId],
    ...(lane === undefined ? {} : { lanes: { ...a.lanes, [lane]: sessionId } }),
  }));
}
