import type { FeatureModule } from '@main/core/engine/feature-module';
import { loopModule } from './loop/core/module';
import { teamModule } from './team/core/module';

/** The registry of features: the engine knows them by this list. */
export const features: readonly FeatureModule[] = [teamModule, loopModule];
