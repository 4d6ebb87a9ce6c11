import type { RunState } from '@contract/run/state';

/**
 * Where an event stands. The state may already hold later events of the same commit, so a projection takes from it
 * only what never changes: the definition, profiles, and which step or session a thing belongs to.
 */
export interface Fact {
  readonly id: number;
  readonly runId: number;
  readonly at: number;
  readonly state: RunState;
}
