import type { RunEvent } from '@contract/run/events';
import { runRow } from '../../api/testing/run-row';

/** The first event of a run with one approval step. */
export const started: RunEvent = {
  type: 'run.started',
  uid: '01TEST',
  name: 'notes',
  projectId: 1,
  projectPath: '/p',
  sourceFile: '.muster/workflows/notes.yaml',
  definition: {
    name: 'notes',
    workspace: 'folder',
    max_parallel: 4,
    steps: [{ id: 'ok', type: 'step.approval', config: {} }],
    cables: [],
  },
  profiles: {},
  instruction: '',
  attachments: [],
  files: {},
  projectContext: null,
  artifactsDir: '/a',
  workspaceMode: 'folder',
  startedBy: 'test',
  references: { baseBranch: 'main', docsDir: 'docs/', inputs: {} },
};

export const working: RunEvent = {
  type: 'activation.started',
  activationId: 1,
  stepId: 'ok',
  attempt: 1,
  inputs: [],
};

export const gate: RunEvent = {
  type: 'gate.opened',
  gateId: 1,
  kind: 'approval',
  activationId: 1,
  turnId: null,
  sessionId: null,
  commandId: null,
  title: 'Fine?',
  message: 'Look at it.',
  evidence: 'One\nTwo',
  request: null,
  options: [
    { id: 'approve', label: 'Approve', effect: '', tone: 'approve' },
    { id: 'reject', label: 'Reject', effect: '', tone: 'reject' },
    { id: 'later', label: 'Later', effect: '', tone: 'neutral' },
  ],
  why: null,
};

export const answered: RunEvent = {
  type: 'gate.resolved',
  gateId: 1,
  answer: { option: 'approve' },
  by: 'test',
};

/** A frequent event that changes nothing. */
export const tick = (number: number): RunEvent => ({
  type: 'task.agent_task.reprompt_dispatched',
  module_id: 'ok',
  reprompt_index: number,
  reprompt_count: 1000,
});

export const finished = (outcome: 'succeeded' | 'failed' | 'rejected' | 'cancelled'): RunEvent[] => [
  {
    type: 'activation.finished',
    activationId: 1,
    outcome,
    outputs: {},
    signals: [],
    receipt: {},
    warnings: [],
    error: null,
  },
  { type: 'run.finished', outcome, reason: null },
];

/** A list row. */
export const row = runRow({ uid: '01TEST', startedAt: 1_700_000_000_000, at: 1_700_000_001_000 });
