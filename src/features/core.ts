import type { CoreFeature, FeatureModule } from '@main/core/engine/feature-module';
import type { StepRegistry } from '@main/core/step/module';
import { agentTask } from './agent-task/core/step';
import { approval } from './approval/core/step';
import { cancel } from './cancel/core/step';
import { claimExtractor } from './claims/core/step';
import { coding } from './coding/core/step';
import { command } from './command/core/step';
import { experiment } from './experiment/core/step';
import { iteration } from './iteration/core/step';
import { judge } from './judge/core/step';
import { loopModule } from './loop/core/module';
import { ralph } from './loop/core/step';
import { panel } from './panel/core/step';
import { agentReviewGate } from './review/core/agent-review-gate';
import { redTeam } from './review/core/red-team';
import { rlmModule } from './rlm/core/module';
import { rlm } from './rlm/core/step';
import { subworkflow } from './subworkflow/core/step';
import { teamModule } from './team/core/module';
import { team } from './team/core/step';
import { transform } from './transform/core/step';

/** The registry of features for the core: their steps and modules. */
const registered: readonly CoreFeature[] = [
  // In the order in which they are offered: the most used first.
  { steps: [agentTask] },
  { steps: [command] },
  { steps: [approval] },
  { steps: [coding] },
  { steps: [agentReviewGate, redTeam] },
  { steps: [team], module: teamModule },
  { steps: [ralph], module: loopModule },
  { steps: [rlm], module: rlmModule },
  { steps: [transform] },
  { steps: [claimExtractor] },
  { steps: [judge] },
  { steps: [panel] },
  { steps: [experiment] },
  { steps: [iteration] },
  { steps: [subworkflow] },
  { steps: [cancel] },
];

/** All kinds of steps. */
export const stepRegistry: StepRegistry = new Map(
  registered.flatMap(({ steps }) => steps).map((step) => [step.type, step]),
);

/** All feature modules. */
export const features: readonly FeatureModule[] = registered.flatMap(({ module }) => module ?? []);
