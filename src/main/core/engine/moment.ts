import type { RunState } from '@contract/run/state';
import type { Plan } from './plan';

export interface Moment {
  readonly plan: Plan;
  readonly state: RunState;
  readonly now: number;
}
