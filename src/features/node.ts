import type { Outside } from '@main/sdk/feature-services';
import type { FeaturePorts } from './contract';
import { loopPorts, openLoops } from './loop/node/services';
import { openQuestions } from './rlm/node/services';
import { openTeams } from './team/node/services';

/** The registry of features for the core's process: their services. */
export const featureServices = [openTeams, openLoops, openQuestions];

/** The services that features need from outside of the core; one line for each feature that needs some. */
export const featurePorts = (outside: Outside): FeaturePorts => ({
  ...loopPorts(outside),
});
