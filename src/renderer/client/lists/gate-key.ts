import type { GateRow } from '@contract/gate/procedures';

/** A gate's name over all runs, as it is in its address. */
export const gateKey = (row: Pick<GateRow, 'runId' | 'gateId'>): string => `${row.runId}/${row.gateId}`;
