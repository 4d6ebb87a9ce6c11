import { unreachable } from '../../result';
import type { RunEvent, RunEventOf } from '../events';
import type { Observation, RunState, SessionState } from '../state';
import { changeActivation, changeSession } from './change';

export function applySession(
  state: RunState,
  event: Extract<RunEvent, { type: `session.${string}` }>,
  at: number,
): void {
  const id = event.sessionId;
  switch (event.type) {
    case 'session.starting':
      state.last.session = Math.max(state.last.session, id);
      state.sessions[id] = newSession(state, event, at);
      enlist(state, event);
      return;
    case 'session.assigned':
      changeSession(state, id, (s) => ({ activationIds: [...s.activationIds, event.activationId] }));
      enlist(state, event);
      return;
    case 'session.resuming':
      changeSession(state, id, () => ({ status: 'resuming', since: at, error: null }));
      return;
    case 'session.ready':
      changeSession(state, id, (s) => ({
        status: 'ready',
        since: at,
        reason: null,
        providerSessionId: event.providerSessionId,
        agent: event.agent,
        cwd: event.cwd,
        capabilities: event.capabilities,
        notice: event.notice,
        error: null,
        failures: 0,
        reattachedAt: null,
        ...(event.fresh ? { freshAt: s.turnIds.length } : {}),
      }));
      return;
    case 'session.failed':
      changeSession(state, id, (s) => ({
        status: 'failed',
        since: at,
        error: event.error,
        failures: s.failures + 1,
        failedAtGate: state.last.gate,
      }));
      return;
    case 'session.parked':
      changeSession(state, id, () => ({ status: 'parked', since: at, reason: event.reason }));
      return;
    case 'session.lost':
      changeSession(state, id, () => ({ status: 'lost', since: at, reason: event.reason }));
      return;
    case 'session.reattached':
      changeSession(state, id, () => ({ reattachedAt: at }));
      return;
    case 'session.observed':
      changeSession(state, id, () => ({ observed: observation(event) }));
      return;
    case 'session.closed':
      changeSession(state, id, () => ({ status: 'closed', since: at, reason: null }));
      return;
    default:
      return unreachable(event);
  }
}

function newSession(state: RunState, event: RunEventOf<'session.starting'>, at: number): SessionState {
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
  };
}

function observation(event: RunEventOf<'session.observed'>): Observation | null {
  const { turnId, state, since, reason } = event;
  return state === 'working' ? null : { turnId, state, since, reason };
}

/** How the agent of a turn in flight was last seen to be; null: it was seen to work, or there is no turn. */
export function observedNow(state: RunState, { observed }: SessionState): Observation | null {
  return observed !== null && state.turns[observed.turnId]?.status === 'in_flight' ? observed : null;
}

function enlist(
  state: RunState,
  { activationId, sessionId, lane }: RunEventOf<'session.starting'> | RunEventOf<'session.assigned'>,
): void {
  changeActivation(state, activationId, (a) => ({
    sessionIds: [...a.sessionIds, sessionId],
    ...(lane === undefined ? {} : { lanes: { ...a.lanes, [lane]: sessionId } }),
  }));
}
