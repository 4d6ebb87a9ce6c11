import type { EventIn } from '@contract/run/event-table';
import type { Slice } from '@contract/run/features/feature';
import { approvalKeys, approvalTimerWords } from './approval/contract/keys';
import { claimsPromptSet } from './claims/contract/prompts';
import { iterationKeys } from './iteration/contract/keys';
import { judgePromptSet } from './judge/contract/prompts';
import { loopFeature } from './loop/contract/feature';
import { loopKeys, loopTimerWords } from './loop/contract/keys';
import type { Loops } from './loop/contract/ports';
import { loopPromptSet } from './loop/contract/prompts';
import type { LoopState } from './loop/contract/state';
import { panelPromptSet } from './panel/contract/prompts';
import { rlmFeature } from './rlm/contract/feature';
import { rlmPromptSet } from './rlm/contract/prompts';
import type { RlmState } from './rlm/contract/state';
import { teamFeature } from './team/contract/feature';
import { teamKeys, teamTimerWords } from './team/contract/keys';
import { teamPromptSet } from './team/contract/prompts';
import type { TeamState } from './team/contract/state';
import { transformPromptSet } from './transform/contract/prompts';

/** The registry of features for all processes. */
export const features = [teamFeature, loopFeature, rlmFeature] as const;

export const featureEvents = [...teamFeature.events, ...loopFeature.events, ...rlmFeature.events] as const;
export type FeatureEvent = EventIn<typeof featureEvents>;

/** Events with a message in `text`, which search finds. */
export const messageEvents = ['team.message'] as const satisfies readonly FeatureEvent['type'][];

/** The features' state of a run, by activation. */
export interface FeatureSlices {
  teams: Slice<TeamState>;
  loops: Slice<LoopState>;
  rlm: Slice<RlmState>;
}

export const emptySlices = (): FeatureSlices => ({ teams: {}, loops: {}, rlm: {} });

/** Kinds of durable keys. Stored sentences of different kinds must differ: `keys.test.ts`. */
export const featureKeys = { ...teamKeys, ...loopKeys, ...approvalKeys, ...iterationKeys };
export const featureTimerWords = { ...teamTimerWords, ...loopTimerWords, ...approvalTimerWords };

/** Texts that features send to agents. */
export const featurePromptSets = [
  teamPromptSet,
  loopPromptSet,
  rlmPromptSet,
  transformPromptSet,
  claimsPromptSet,
  judgePromptSet,
  panelPromptSet,
] as const;

/** Services outside of the core that features' effects need. */
export interface FeaturePorts {
  readonly loops: Loops;
}
