import { loopModule } from '../loop/module';
import { teamModule } from '../team/module';
import type { FeatureModule } from './feature-module';

/** The registry of features: the engine knows them by this list. */
export const features: readonly FeatureModule[] = [teamModule, loopModule];
