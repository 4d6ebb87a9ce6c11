import type { FeatureModule } from '@main/core/engine/feature-module';
import { teamModule } from '@main/core/team/module';
import { loopModule } from './loop/core/module';

/** The registry of features: the engine knows them by this list. */
export const features: readonly FeatureModule[] = [teamModule, loopModule];
