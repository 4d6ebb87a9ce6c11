import type { RunRow } from '@contract/run/procedures';

/** A run's list row: a running one without gates or spending, but for the given fields. */
export const runRow = (fields: Partial<RunRow> = {}): RunRow => ({
  id: 1,
  uid: '01ABC',
  name: 'notes',
  workflowName: 'notes',
  instruction: '',
  agents: '',
  projectId: 1,
  projectName: 'p',
  status: 'running',
  outcome: null,
  reason: null,
  startedAt: 1,
  finishedAt: null,
  at: 1,
  steps: 1,
  stepsDone: 0,
  openGates: 0,
  now: null,
  tokens: 0,
  costUsd: 0,
  binnedAt: null,
  bytes: null,
  ...fields,
});
