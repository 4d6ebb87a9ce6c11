import type { RunState } from '@contract/run/state';
import type { Plan } from './plan/plan';
import type { Schedule } from './schedule/schedule';

export interface DecisionInput {
  readonly plan: Plan;
  readonly state: RunState;
  /** Of this plan and this state. */
  readonly schedule: Schedule;
  readonly now: number;
  /** Nothing else is left to decide: who needs a place may have that of another step, which stands idle. */
  readonly makesRoom?: boolean;
}
