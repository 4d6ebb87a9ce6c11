import { features } from '@features/contract';
import type { Typed } from './event-table';
import type { RunEvent } from './events';
import type { ModelUse, Piece, TriedMerge } from './feature';
import type { RunState, TimerState, TurnState } from './state';

/** A timer of a feature does something by itself, which the operator is told of in advance. */
export const featureBringsAbout = (state: RunState, timer: TimerState): boolean =>
  features.some((feature) => feature.bringsAbout(state, timer));

/** Its sessions may be parked while its step runs. */
export const parksMidStep = (state: RunState, activationId: number): boolean =>
  features.some((feature) => feature.parksMidStep(state, activationId));

/** It takes a text of the operator with which it continues when its run is resumed. */
export const takesHint = (state: RunState, activationId: number): boolean =>
  features.some((feature) => feature.takesHint(state, activationId));

/** An event of a feature with its files in another folder; any other event as it is. */
export const movedByFeatures = <E extends Typed>(event: E, home: (path: string) => string): E =>
  features.reduce((moved, feature) => feature.moved(moved, home), event);

/** A merge as a feature last tried it; null where none was. */
export function triedMerge(state: RunState, activationId: number, mergeId: number): TriedMerge | null {
  for (const feature of features) {
    const tried = feature.triedMerge(state, activationId, mergeId);
    if (tried !== null) return tried;
  }
  return null;
}

/** What a list says of a feature's activation while no turn is in flight; null where it continues by itself. */
export function featureStanding(state: RunState, activationId: number): string | null {
  for (const feature of features) {
    const words = feature.standing(state, activationId);
    if (words !== null) return words;
  }
  return null;
}

/** A run as a first look at it shows it: without what pages ask for later. The given state stays as it is. */
export function atFirstLook(state: RunState): RunState {
  const shown: Partial<RunState> = Object.assign({}, ...features.map((one) => one.atFirstLook(state)));
  return Object.keys(shown).length === 0 ? state : { ...state, ...shown };
}

/** Events of which a first look at a run reads the last ones only. */
export const histories = features.flatMap(({ history }) => history ?? []);

/** Steps that deliveries tell of. */
export const announcedSteps = features.flatMap(({ announced }) => announced ?? []);

export const announcedStep = (type: string) => announcedSteps.find(({ step }) => step === type);

/** What an event of a feature says that a model used outside of turns; undefined where it says nothing of it. */
export function usedOutsideTurns(event: Typed): ModelUse | undefined {
  for (const feature of features) {
    const used = feature.usedBy(event);
    if (used !== undefined) return used;
  }
  return undefined;
}

/** The piece of work that a turn belongs to, unique in its run; null where it belongs to none. */
export function pieceOf(state: RunState, turn: TurnState): string | null {
  for (const feature of features) {
    const key = feature.pieceOf(state, turn);
    if (key !== null) return pieceKey(turn.activationId, key);
  }
  return null;
}

/** What an event says of a piece of work, with a key that is unique in its run. */
export function pieceIn(state: RunState, event: RunEvent): Piece | null {
  if (!('activationId' in event) || event.activationId === null) return null;
  for (const feature of features) {
    const piece = feature.pieceIn(state, event);
    if (piece !== null) return { ...piece, key: pieceKey(event.activationId, piece.key) };
  }
  return null;
}

const pieceKey = (activationId: number, key: string): string => `${activationId}/${key}`;
