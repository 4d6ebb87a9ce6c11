import type { GateRow } from '@areas/gates/contract/procedures';

/** A gate's key across all runs, as in its address. */
export const gateKey = (row: Pick<GateRow, 'runId' | 'gateId'>): string => `${row.runId}/${row.gateId}`;
