import { features } from '@features/contract';
import type { Typed } from '../event-table';
import type { RunEvent } from '../events';
import type { RunState, TimerState, TurnState } from '../state';
import type { LaneFacts, ModelUse, Piece, Progress, TriedMerge } from './feature';

/** A feature's timer with a visible effect, which the operator is told in advance. */
export const featureBringsAbout = (state: RunState, timer: TimerState): boolean =>
  features.some((feature) => feature.bringsAbout(state, timer) === true);

/** A feature's timer that only checks something, or no longer applies. */
export const featureOnlyChecks = (state: RunState, timer: TimerState): boolean =>
  features.some((feature) => feature.bringsAbout(state, timer) === false);

/** What is known of a lane; nothing if no feature has a part in its activation. */
export function laneFacts(state: RunState, activationId: number, lane: string): LaneFacts {
  for (const feature of features) {
    const facts = feature.lane(state, activationId, lane);
    if (facts !== null) return facts;
  }
  return {};
}

/** What is known of the lane in which a session works for an activation. */
export function sessionFacts(state: RunState, activationId: number, sessionId: number): LaneFacts {
  const lanes = Object.entries(state.activations[activationId]?.lanes ?? {});
  const lane = lanes.find(([, id]) => id === sessionId)?.[0];
  return lane === undefined ? {} : laneFacts(state, activationId, lane);
}

/** How the feature of an activation is doing; null if it has none. */
export function featureProgress(state: RunState, activationId: number): Progress | null {
  for (const feature of features) {
    const progress = feature.progress(state, activationId);
    if (progress !== null) return progress;
  }
  return null;
}

/** The activations whose features only the operator can restart. Does not look at sessions. */
export const waitingFeatures = (state: RunState): number[] =>
  features.flatMap((feature) => feature.waiting(state));

/** Whether it accepts a hint from the operator when its run is resumed. */
export const takesHint = (state: RunState, activationId: number): boolean =>
  features.some((feature) => feature.takesHint(state, activationId));

/** An event with its feature's file paths moved to another folder; other events unchanged. */
export const movedByFeatures = <E extends Typed>(event: E, home: (path: string) => string): E =>
  features.reduce((moved, feature) => feature.moved(moved, home), event);

/** A feature's last attempt at a merge; null if there was none. */
export function triedMerge(state: RunState, activationId: number, mergeId: number): TriedMerge | null {
  for (const feature of features) {
    const tried = feature.triedMerge(state, activationId, mergeId);
    if (tried !== null) return tried;
  }
  return null;
}

/**
 * A run reduced for its first view: without parts that pages request later. Does not modify the given state.
 */
export function atFirstLook(state: RunState): RunState {
  const shown: Partial<RunState> = Object.assign({}, ...features.map((one) => one.atFirstLook(state)));
  return Object.keys(shown).length === 0 ? state : { ...state, ...shown };
}

/** Events of which the first view of a run reads only the last ones. */
export const histories = features.flatMap(({ history }) => history ?? []);

/** Steps that deliveries report on. */
export const announcedSteps = features.flatMap(({ announced }) => announced ?? []);

export const announcedStep = (type: string) => announcedSteps.find(({ step }) => step === type);

/** Model usage outside of turns in a feature's event; undefined if there is none. */
export function usedOutsideTurns(event: Typed): ModelUse | undefined {
  for (const feature of features) {
    const used = feature.usedBy(event);
    if (used !== undefined) return used;
  }
  return undefined;
}

/** The piece of work that a turn belongs to, unique in its run; null if there is none. */
export function pieceOf(state: RunState, turn: TurnState): string | null {
  for (const feature of features) {
    const key = feature.pieceOf(state, turn);
    if (key !== null) return pieceKey(turn.activationId, key);
  }
  return null;
}

/** What an event says about a piece of work, with a key unique in its run. */
export function pieceIn(state: RunState, event: RunEvent): Piece | null {
  if (!('activationId' in event) || event.activationId === null) return null;
  for (const feature of features) {
    const piece = feature.pieceIn(state, event);
    if (piece !== null) return { ...piece, key: pieceKey(event.activationId, piece.key) };
  }
  return null;
}

const pieceKey = (activationId: number, key: string): string => `${activationId}/${key}`;
