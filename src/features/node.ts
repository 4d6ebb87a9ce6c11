import type { Outside } from '@main/sdk/feature-services';
import type { FeaturePorts } from './contract';
import { loopPorts, openLoops } from './loop/node/services';
import { openQuestions } from './rlm/node/services';
import { openTeams } from './team/node/services';

/** The registry of features, as the core's process knows them: their services. */
export const featureServices = [openTeams, openLoops, openQuestions];

/** What does what features need done outside; one line for each that needs something. */
export const featurePorts = (outside: Outside): FeaturePorts => ({
  ...loopPorts(outside),
});
