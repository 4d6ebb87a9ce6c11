import { holdsUp } from '@areas/gates/contract/gate';
import { features } from '@features/contract';
import { featureProgress, laneFacts, sessionFacts, waitingFeatures } from './features/feature-answers';
import { keyOf, keyText } from './keys';
import type { RunRow } from './procedures';
import type {
  ActivationState,
  GateState,
  PromptState,
  RunState,
  RunStatus,
  SessionState,
  TimerState,
  TurnState,
} from './state';

/** What a run's status is found from: all of each, or at least what is still open. */
export interface StatusParts {
  readonly gates: readonly GateState[];
  readonly timers: readonly TimerState[];
  readonly sessions: readonly SessionState[];
  readonly activations: readonly ActivationState[];
}

const everything = ({ gates, timers, sessions, activations }: RunState): StatusParts => ({
  gates: Object.values(gates),
  timers: Object.values(timers),
  sessions: Object.values(sessions),
  activations: Object.values(activations),
});

/**
 * A run's status in lists. `waiting`: nothing works, and a gate is open, or a team is idle or awaits the
 * operator. `limited`: nothing works, and a provider's limit ends at a known time. A run that has not ended
 * counts as failed if its only open question is whether to continue a loop that failed twice
 * (`failedAndAsks`).
 */
export function runStatus(state: RunState, parts?: StatusParts): RunStatus {
  if (state.status === 'finished') return state.outcome ?? 'failed';
  if (state.status === 'cancelling') return 'cancelling';
  if (state.workspaceStatus === 'requested') return 'running';
  const { gates, timers, sessions, activations } = parts ?? everything(state);
  const open = gates.filter(holdsOpen);
  const asking = askingTurns(open);
  // The operator's own prompt works in the session of a step that may have ended.
  if (sessions.some((session) => isBusy(state, session, ({ id }) => asking.has(id)))) return 'running';
  if (timers.some((timer) => bringsRetry(state, timer))) return 'running';
  const isLimited = timers.some((timer) => endsLimit(state, timer));
  const rest = waitingFeatures(state);
  const held = new Set([...open.map(({ activationId }) => activationId), ...rest]);
  if (!isLimited && open.length === 0 && held.size === 0) return 'running';
  const works = activations.some(
    (one) =>
      one.status === 'running' &&
      (worksBeside(state, one) ||
        (!held.has(one.id) &&
          hasBegun(state, one) &&
          !waitsForSession(state, one) &&
          !waitsForItsProvider(state, one))),
  );
  if (works) return 'running';
  if (isLimited) return 'limited';
  const onlyAsks = rest.length === 0 && open.every(({ kind }) => kind === 'iteration_failed');
  return onlyAsks ? 'failed' : 'waiting';
}

/** For list rows: the run has failed and still asks. */
export const rowAsks = ({ status, finishedAt }: Pick<RunRow, 'status' | 'finishedAt'>): boolean =>
  status === 'failed' && finishedAt === null;

/** All work has failed, and all open questions ask whether to continue a loop that failed twice. */
export const failedAndAsks = (state: RunState): boolean =>
  state.status !== 'finished' && runStatus(state) === 'failed';

/**
 * Whether an activation has work in progress that needs no answer from the operator: another agent's turn, a
 * session being opened, a command, a capture. Work that waits at its own gate does not count.
 */
export function activationWorks(state: RunState, activation: ActivationState): boolean {
  return (
    worksBeside(state, activation) ||
    waitsForItsProvider(state, activation) ||
    activation.sessionIds.some((id) => isBusy(state, state.sessions[id], (turn) => isAsking(state, turn)))
  );
}

/** The activation waits for a session that another step still uses. */
export const waitsForSession = (state: RunState, { id, sessionIds }: ActivationState): boolean =>
  sessionIds.some((sessionId) => comesLater(state, state.sessions[sessionId], id));

/**
 * Whether an earlier activation with the same session still runs: activations that share a session run one
 * after the other.
 */
export function comesLater(
  { activations }: RunState,
  session: SessionState | undefined,
  activationId: number,
): boolean {
  const all = session?.activationIds ?? [];
  const before = all.slice(0, Math.max(0, all.indexOf(activationId)));
  return before.some((id) => activations[id]?.status === 'running');
}

/** Gates that only report a silent agent hold nothing up. */
const holdsOpen = ({ kind, status }: GateState): boolean => status === 'open' && holdsUp(kind);

/** Whether a feature is idle in an activation without having ended. Does not look at its sessions. */
export const hasComeToRest = (state: RunState, { id }: ActivationState): boolean =>
  featureProgress(state, id)?.is === 'rests';

/** Whether a session's agent may not write, regardless of its profile. */
export function mayOnlyRead(state: RunState, sessionId: number): boolean {
  const activationId = state.sessions[sessionId]?.activationIds.at(-1);
  return activationId !== undefined && sessionFacts(state, activationId, sessionId).reads === true;
}

const askingTurns = (open: readonly GateState[]): ReadonlySet<number> =>
  new Set(open.flatMap(({ turnId }) => turnId ?? []));

/** An activation that has requested nothing yet waits for a free slot of its agent. */
const hasBegun = (state: RunState, one: ActivationState): boolean =>
  [one.sessionIds, one.commandIds, one.gateIds, one.workspaceIds].some((ids) => ids.length > 0) ||
  features.some((feature) => feature.has(state, one.id));

/** A turn's questions belong to its activation. */
const isAsking = ({ activations, gates }: RunState, turn: TurnState): boolean =>
  (activations[turn.activationId]?.gateIds ?? [])
    .flatMap((id) => gates[id] ?? [])
    .some((gate) => gate.turnId === turn.id && holdsOpen(gate));

/** A session has one turn at a time, so its last turn decides. */
function isBusy(
  { turns }: RunState,
  session: SessionState | undefined,
  asks: (turn: TurnState) => boolean,
): boolean {
  if (session === undefined) return false;
  if (session.status === 'starting' || session.status === 'resuming') return true;
  const turn = turns[session.turnIds.at(-1) ?? 0];
  return turn?.status === 'in_flight' && (turn.cancelledBy !== null || !asks(turn));
}

/** An activation has work in progress that is no turn: a command, a folder, or a part of its feature. */
export function worksBeside(state: RunState, { id, commandIds, ...its }: ActivationState): boolean {
  return (
    state.commands[commandIds.at(-1) ?? 0]?.status === 'running' ||
    its.captureIds.some((one) => state.captures[one]?.status === 'running') ||
    its.workspaceIds.some((one) => state.workspaces[one]?.status === 'requested') ||
    featureProgress(state, id)?.is === 'works'
  );
}

/** One of its turns is resent when its provider's limit ends. */
const waitsForItsProvider = (state: RunState, { timerIds }: Pick<ActivationState, 'timerIds'>): boolean =>
  timerIds.some((id) => waitsForLimit(state, id));

/** When the earliest provider's limit that the run waits for ends; null if it waits for none. */
export function limitEnd(state: RunState): number | null {
  const ends = Object.values(state.timers)
    .filter((timer) => endsLimit(state, timer))
    .map(({ dueAt }) => dueAt);
  return ends.length === 0 ? null : Math.min(...ends);
}

const endsLimit = (state: RunState, timer: TimerState): boolean =>
  waitsForLimit(state, timer.id) || (isLimitTimer(timer) && bringsPrompt(state, timer));

/** When the run goes on by itself: at the end of a provider's limit, or with the next attempt of a step. */
export function resumesAt(state: RunState): number | null {
  const retries = Object.values(state.timers).filter((timer) => bringsRetry(state, timer));
  const ends = [limitEnd(state) ?? [], retries.map(({ dueAt }) => dueAt)].flat();
  return ends.length === 0 ? null : Math.min(...ends);
}

/** The timer resends a turn that hit its provider's limit; other timers only watch. */
export function waitsForLimit(state: RunState, timerId: number): boolean {
  const { turns } = state;
  const timer = state.timers[timerId];
  const turnId = timer === undefined ? null : limitedTurn(timer);
  if (timer === undefined || timer.fired || turnId === null) return false;
  if (turns[turnId]?.promptId != null) return bringsPrompt(state, timer);
  const lane = turns[turnId]?.lane ?? null;
  if (lane !== null && laneFacts(state, timer.activationId, lane).stopped) return false;
  return Object.values(turns).every(({ resendOf }) => resendOf !== turnId);
}

/** The timer retries a failed step. */
export const bringsRetry = ({ activations }: Pick<RunState, 'activations'>, timer: TimerState): boolean =>
  !timer.fired && activations[timer.activationId]?.retryTimer === timer.id;

/** The timer resends a prompt of the operator, possibly after its step has ended. */
export function bringsPrompt({ turns, prompts }: RunState, timer: TimerState): boolean {
  const turnId = limitedTurn(timer);
  if (timer.fired || turnId === null) return false;
  const prompt = prompts[turns[turnId]?.promptId ?? 0];
  return prompt?.status === 'sent' && prompt.turnId === turnId;
}

/** The prompt's turn hit a provider's limit whose end is known. */
export const waitsForItsLimit = (state: RunState, { turnId }: PromptState): boolean =>
  Object.values(state.timers).some((timer) => limitedTurn(timer) === turnId && bringsPrompt(state, timer));

/** The turn that a limit timer belongs to; null for other timers. */
function limitedTurn({ purpose }: Pick<TimerState, 'purpose'>): number | null {
  const key = keyOf(purpose);
  return key?.[0] === 'turn.limit' ? key[1] : null;
}

/** A timer that waits for the end of a provider's limit. */
export const isLimitTimer = (timer: Pick<TimerState, 'purpose'>): boolean => limitedTurn(timer) !== null;

/** The stored key of the timer for a turn that hit its provider's limit. */
export const limitPurpose = (turnId: number): string => keyText(['turn.limit', turnId]);
