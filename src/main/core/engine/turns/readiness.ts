import { capabilitiesOf } from '@areas/agents/contract/agent-kinds';
import { heldToReading } from '@areas/agents/contract/permission-capabilities';
import { appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import type { ActivationState, RunState, SessionState } from '@contract/run/state';
import { comesLater } from '@contract/run/status';
import type { TurnDecision } from '../../step/decision';
import type { DecisionInput } from '../base/decision-input';
import { endActivation } from '../base/finish';
import { placeFor } from '../folders/workspace';
import { loginGate } from '../gates/gates';
import { idleOfOthers, isIdle, placesTaken } from '../limits/session-capacity';
import { waitsForLogin } from './outcome';

/** Null if the run's working folder exists, else what must happen first. */
export function needWorkspace(moment: DecisionInput, activation: ActivationState): RunEvent[] | null {
  const { state } = moment;
  switch (state.workspaceStatus) {
    case 'ready':
      return null;
    case 'none':
      return [{ type: 'run.workspace-requested' }];
    case 'requested':
      return [];
    case 'failed':
      return endActivation(
        moment,
        activation,
        state.workspaceError ?? appError('workspace.failed', 'no working folder'),
      );
  }
}

/** The session of an activation, or of one lane of it; none yet if it still has to be opened. */
export function sessionOf(
  state: RunState,
  activation: ActivationState,
  lane: string | undefined,
): SessionState | undefined {
  const id = lane === undefined ? activation.sessionIds.at(-1) : ownValue(activation.lanes, lane);
  return id === undefined ? undefined : state.sessions[id];
}

export function takeSession(
  moment: DecisionInput,
  activation: ActivationState,
  decision: TurnDecision,
): RunEvent[] {
  const { state } = moment;
  const lane = decision.lane === undefined ? {} : { lane: decision.lane };
  if (decision.session.kind === 'continue') {
    const { key } = decision.session;
    const found = Object.values(state.sessions).find(
      (session) => session.key === key || (key !== null && session.insteadOf === key),
    );
    const before = key === null ? undefined : ownValue(state.again?.sessions, key);
    if (found === undefined && key !== null && before !== undefined)
      return startSession(moment, activation, { decision, profileId: before, insteadOf: key });
    if (found === undefined) {
      const why =
        key === null
          ? 'the input does not come from a session that can be continued'
          : `there is no session ${key} in this run to continue`;
      return endActivation(moment, activation, appError('validation.session_continue', why));
    }
    const { profileId: wanted } = decision.agent;
    if (wanted !== null && wanted !== found.profileId) {
      const why = `the step names "${wanted}", but the session ${found.key} is one of "${found.profileId}"`;
      return endActivation(moment, activation, appError('validation.session_continue', why));
    }
    return [{ type: 'session.assigned', sessionId: found.id, activationId: activation.id, ...lane }];
  }
  const profileId = decision.agent.profileId ?? moment.plan.defaultProfile;
  return startSession(moment, activation, { decision, profileId });
}

interface Starting {
  readonly decision: TurnDecision;
  readonly profileId: string | null;
  /** The session of an earlier run that it would have continued. */
  readonly insteadOf?: string;
}

function startSession(
  moment: DecisionInput,
  activation: ActivationState,
  { decision, profileId, insteadOf }: Starting,
): RunEvent[] {
  const { state } = moment;
  const lane = decision.lane === undefined ? {} : { lane: decision.lane };
  const profile = profileId === null ? undefined : ownValue(state.profiles, profileId);
  if (profile === undefined) {
    const error = appError(
      'validation.profile_unknown',
      `there is no agent profile "${profileId ?? ''}" in this run`,
    );
    return endActivation(moment, activation, error);
  }
  const room = needRoom(moment, activation, profile);
  if (room !== null) return room;
  const changesFiles = capabilitiesOf(profile).changesFiles && !heldToReading(profile);
  const place = placeFor(moment, activation, { ...decision, changesFiles });
  if (Array.isArray(place)) return place;
  return [
    {
      type: 'session.starting',
      sessionId: state.last.session + 1,
      activationId: activation.id,
      profileId: profile.id,
      model: decision.agent.model ?? profile.model ?? null,
      mode: decision.agent.mode ?? profile.mode ?? null,
      env: { ...decision.agent.env },
      ...lane,
      ...(place.workspaceId === null ? {} : { workspaceId: place.workspaceId }),
      ...(decision.opening === undefined ? {} : { opening: decision.opening }),
      ...(insteadOf === undefined ? {} : { insteadOf }),
    },
  ];
}

/**
 * Null if the profile may have one more session. At its limit an idle session of the same step is closed;
 * otherwise the request waits until another step ends or gives up its place (`makesRoom`).
 */
function needRoom(
  moment: DecisionInput,
  activation: ActivationState,
  profile: { readonly id: string; readonly max_sessions: number },
): RunEvent[] | null {
  const taken = placesTaken(moment, profile.id);
  if (taken.length < profile.max_sessions) return null;
  const free = taken.filter(
    (session) => activation.sessionIds.includes(session.id) && isIdle(moment, session),
  );
  // A session that cannot be resumed is closed only if the step would otherwise wait forever.
  const resumable = free.find(({ capabilities }) => capabilities?.resume !== false) ?? free[0];
  const idle = resumable ?? (moment.makesRoom === true ? idleOfOthers(moment, taken) : undefined);
  const whose = resumable === undefined ? 'another step' : 'another agent of the step';
  const reason = `${whose} needs one of the ${profile.max_sessions} places of ${profile.id}`;
  return idle === undefined ? [] : [{ type: 'session.parked', sessionId: idle.id, reason }];
}

/** Resumes a session as soon as its profile has room. */
export function resume(moment: DecisionInput, session: SessionState): RunEvent[] {
  const { state } = moment;
  const profile = ownValue(state.profiles, session.profileId);
  const works = session.activationIds.flatMap((id) => state.activations[id] ?? []);
  const activation = works.findLast(({ status }) => status === 'running');
  // In an ended step only the operator prompts.
  const room =
    profile === undefined || activation === undefined ? null : needRoom(moment, activation, profile);
  return room ?? [{ type: 'session.resuming', sessionId: session.id }];
}

/** Null if the session can take a turn, else what must happen first. */
export function needReady(
  moment: DecisionInput,
  activation: ActivationState,
  session: SessionState,
): RunEvent[] | null {
  const { state } = moment;
  if (comesLater(state, session, activation.id)) return [];
  switch (session.status) {
    case 'ready': {
      const busy = session.turnIds.some((id) => state.turns[id]?.status === 'in_flight');
      return busy ? [] : null;
    }
    case 'starting':
    case 'resuming':
      return [];
    case 'parked':
    case 'lost':
    case 'closed':
      return resume(moment, session);
    case 'failed': {
      const error = session.error ?? appError('agent.start_failed', 'the agent did not start');
      return needLogin(moment, session, activation.id) ?? endActivation(moment, activation, error);
    }
  }
}

/** Events for a login missing at the start; null if that was not the cause, or the operator declined. */
export function needLogin(
  moment: DecisionInput,
  session: SessionState,
  activationId: number,
): RunEvent[] | null {
  const { state } = moment;
  if (session.error === null || !waitsForLogin(session.error)) return null;
  const openLogin = Object.values(state.gates).findLast(
    // A gate about a turn, or from before this start, does not count.
    ({ id, kind, sessionId, turnId, status }) =>
      kind === 'login' &&
      sessionId === session.id &&
      turnId === null &&
      id > session.failedAtGate &&
      status !== 'withdrawn',
  );
  if (openLogin === undefined)
    return [{ ...loginGate({ state, session }, activationId, session.error), gateId: state.last.gate + 1 }];
  if (openLogin.status === 'open') return [];
  return openLogin.answer?.option === 'resend' ? resume(moment, session) : null;
}
