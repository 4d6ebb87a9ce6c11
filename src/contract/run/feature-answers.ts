import { features } from '@features/contract';
import type { RunState, TimerState } from './state';

/** A timer of a feature does something by itself, which the operator is told of in advance. */
export const featureBringsAbout = (state: RunState, timer: TimerState): boolean =>
  features.some((feature) => feature.bringsAbout(state, timer));

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
