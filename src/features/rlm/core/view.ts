import type { ActivationView } from '@main/core/step/module';
import type { RlmConfig } from './config';

export type View = ActivationView<RlmConfig>;
