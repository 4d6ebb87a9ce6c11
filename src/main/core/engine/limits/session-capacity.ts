import { ownValue } from '@contract/own';
import type { ActivationState, SessionState } from '@contract/run/state';
import { activationWorks } from '@contract/run/status';
import type { DecisionInput } from '../base/decision-input';

/** The sessions that use a profile's places, oldest first: live sessions of running steps. */
export function placesTaken(
  moment: Pick<DecisionInput, 'state' | 'schedule'>,
  profileId: string,
): SessionState[] {
  const ids = new Set(runningOf(moment).flatMap(({ sessionIds }) => sessionIds));
  return [...ids]
    .sort((a, b) => a - b)
    .flatMap((id) => moment.state.sessions[id] ?? [])
    .filter((session) => session.profileId === profileId && isLive(session));
}

export const isIdle = ({ state }: Pick<DecisionInput, 'state'>, { status, turnIds }: SessionState): boolean =>
  status === 'ready' && turnIds.every((id) => state.turns[id]?.status !== 'in_flight');

/**
 * Whether steps may be waiting for each other's places: a profile is at its limit. While a budget blocks all
 * prompts, no one could use a freed place.
 */
export function isCrowded({ state, schedule }: DecisionInput): boolean {
  if (state.last.session === 0) return false;
  const held = new Map<string, Set<number>>();
  for (const { sessionIds } of runningOf({ state, schedule })) {
    for (const id of sessionIds) {
      const session = state.sessions[id];
      if (session === undefined || !isLive(session)) continue;
      held.set(session.profileId, (held.get(session.profileId) ?? new Set()).add(id));
    }
  }
  const full = [...held].some(
    ([id, taken]) => taken.size >= (ownValue(state.profiles, id)?.max_sessions ?? Infinity),
  );
  return (
    full && Object.values(state.gates).every(({ kind, status }) => kind !== 'budget' || status !== 'open')
  );
}

/**
 * An idle session of another step that can be closed, if all sessions of the profile are idle: a step that
 * itself waits for a place would never free one. A session that cannot be resumed is closed only if nothing
 * in the run works; one with an open question stays.
 */
export function idleOfOthers(
  { state, schedule }: Pick<DecisionInput, 'state' | 'schedule'>,
  taken: readonly SessionState[],
): SessionState | undefined {
  const works = (one: ActivationState) => activationWorks(state, one) || hasTurn(state, one);
  const running = runningOf({ state, schedule });
  const working = new Set(running.filter(works).flatMap(({ sessionIds }) => sessionIds));
  if (taken.some((session) => working.has(session.id) || !isIdle({ state }, session))) return undefined;
  const waiting = new Set(
    Object.values(state.gates).flatMap(({ status, sessionId }) =>
      status === 'open' ? (sessionId ?? []) : [],
    ),
  );
  const free = taken.filter(({ id }) => !waiting.has(id));
  const resumable = free.find(({ capabilities }) => capabilities?.resume !== false);
  return resumable ?? (running.some(works) ? undefined : free[0]);
}

const isLive = ({ status }: SessionState): boolean =>
  status === 'ready' || status === 'starting' || status === 'resuming';

const runningOf = ({ state, schedule }: Pick<DecisionInput, 'state' | 'schedule'>): ActivationState[] =>
  [...schedule.running].flatMap((id) => state.activations[id] ?? []);

const hasTurn = ({ turns }: DecisionInput['state'], { turnIds }: ActivationState): boolean =>
  turnIds.some((id) => turns[id]?.status === 'in_flight');
