import type { RunEventOf } from '@contract/run/events';

/** The start of a run. */
export const started = (uid: string): RunEventOf<'run.started'> => ({
  type: 'run.started',
  uid,
  name: 'sample',
  projectId: 1,
  projectPath: '/projects/sample',
  sourceFile: null,
  definition: {
    name: 'sample',
    workspace: 'folder',
    max_parallel: 4,
    steps: [{ id: 'write', type: 'step.agent_task', title: 'Write', config: {} }],
    cables: [],
  },
  profiles: {},
  instruction: '',
  attachments: [],
  files: {},
  projectContext: null,
  artifactsDir: '/artifacts/sample',
  workspaceMode: 'folder',
  startedBy: 'operator',
  references: { baseBranch: 'main', docsDir: 'docs/', inputs: {} },
});
