import { features } from '@features/contract';
import type { Typed } from './event-table';
import type { TriedMerge } from './feature';
import type { RunState, TimerState } from './state';

/** A timer of a feature does something by itself, which the operator is told of in advance. */
export const featureBringsAbout = (state: RunState, timer: TimerState): boolean =>
  features.some((feature) => feature.bringsAbout(state, timer));

/** Its sessions may be parked while its step runs. */
export const parksMidStep = (state: RunState, activationId: number): boolean =>
  features.some((feature) => feature.parksMidStep(state, activationId));

/** It takes a text of the operator with which it goes on when its run is resumed. */
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

/** What a list says of a feature's activation while no turn is in flight; null where it goes on by itself. */
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
