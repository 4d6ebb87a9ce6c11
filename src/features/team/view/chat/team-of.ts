import type { RunState } from '@contract/run/state';
import type { TeamState } from '../../contract/state';
import type { ThreadPlace } from '../place';

/** The shown team, in the window's state of its run. */
export interface ChatProps {
  readonly at: ThreadPlace & { readonly activationId: number };
  readonly state: RunState;
  readonly team: TeamState;
}

/** The team of an address: of its activation, else the first of the run; null if there is none yet. */
export function teamOf(state: RunState | null, at: Pick<ThreadPlace, 'activationId'>): TeamState | null {
  if (state === null) return null;
  const teams = Object.values(state.teams);
  return (at.activationId === null ? teams[0] : state.teams[at.activationId]) ?? null;
}
