import type { GateState } from '@contract/run/state';
import type { GateRow } from '../procedures';

/** The row of a gate of run 1, as the store would list it. */
export const gateRow = (gate: GateState, fields: Partial<GateRow> = {}): GateRow => ({
  ...gate,
  runId: 1,
  runName: 'run',
  gateId: gate.id,
  stepId: null,
  stepTitle: null,
  agent: null,
  snoozedUntil: null,
  ...fields,
});
