import type { GateState } from '@contract/run/state';
import type { GateOption } from '../../contract/gate';
import type { GateRow } from '../../contract/procedures';

/** What a gate shows, both in the inbox and in its run. */
export type GateFace = Pick<
  GateRow,
  | 'runId'
  | 'gateId'
  | 'sessionId'
  | 'asker'
  | 'kind'
  | 'status'
  | 'title'
  | 'message'
  | 'evidence'
  | 'evidence_parts'
  | 'changes'
  | 'request'
  | 'options'
  | 'why'
  | 'openedAt'
  | 'closedAt'
  | 'answer'
  | 'by'
> & { readonly withdrawn: string | null; readonly delivered: boolean | null };

export const faceOfRow = (row: GateRow): GateFace => ({ ...row, withdrawn: null, delivered: null });

export function faceOfState(runId: number, gate: GateState): GateFace {
  const { id, reason, delivered, ...rest } = gate;
  return { ...rest, runId, gateId: id, withdrawn: reason, delivered };
}

/** Approve first, reject last and separate. */
export function inOrder(options: readonly GateOption[]): GateOption[] {
  const rank = { approve: 0, neutral: 1, reject: 2 };
  return [...options].sort((a, b) => rank[a.tone] - rank[b.tone]);
}
