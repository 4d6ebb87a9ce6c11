import type { RunState } from '@contract/run/state';

/**
 * The context of an event. The state may already include later events of the same commit, so a projection
 * reads only what never changes: the definition, profiles, and which step or session something belongs to.
 */
export interface Fact {
  readonly id: number;
  readonly runId: number;
  readonly at: number;
  readonly state: RunState;
}
