import type { RunState } from '@contract/run/state';
import type { Plan } from '../plan/plan';
import type { Schedule } from '../schedule/schedule';

export interface DecisionInput {
  readonly plan: Plan;
  readonly state: RunState;
  /** For this plan and this state. */
  readonly schedule: Schedule;
  readonly now: number;
  /** Nothing else is left to decide: an idle session of another step may be closed to free its place. */
  readonly makesRoom?: boolean;
}
