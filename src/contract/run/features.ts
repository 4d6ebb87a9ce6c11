import { loopFeature } from '../loop/feature';
import { loopKeys, loopTimerWords } from '../loop/keys';
import type { LoopState } from '../loop/state';
import { teamFeature } from '../team/feature';
import { teamKeys, teamTimerWords } from '../team/keys';
import type { TeamState } from '../team/state';
import type { Slice } from './feature';

/** The registry of features. No other file of this folder may name one. */
export const features = [teamFeature, loopFeature] as const;

export const featureEvents = [...teamFeature.events, ...loopFeature.events] as const;

/** What features keep of a run, by the activation of their step. */
export interface FeatureSlices {
  teams: Slice<TeamState>;
  loops: Slice<LoopState>;
}

export const emptySlices = (): FeatureSlices => ({ teams: {}, loops: {} });

/** Kinds of durable keys. Stored sentences of different kinds must differ: `keys.test.ts`. */
export const featureKeys = { ...teamKeys, ...loopKeys };
export const featureTimerWords = { ...teamTimerWords, ...loopTimerWords };
