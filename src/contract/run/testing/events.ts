import type { RunEvent, RunEventOf, StoredEvent } from '../events';
import { replay } from '../reduce';
import type { RunState } from '../state';

type Started = RunEventOf<'run.started'>;

/** The first event of a run of a workflow without steps, except for the given fields. */
export const runStarted = (fields: Partial<Started> = {}): Started => ({
  type: 'run.started',
  uid: 'U',
  name: 'run',
  projectId: 1,
  projectPath: '/project',
  sourceFile: null,
  definition: workflow([]),
  profiles: {},
  instruction: '',
  attachments: [],
  files: {},
  projectContext: null,
  artifactsDir: '/artifacts',
  workspaceMode: 'worktree',
  startedBy: 'test',
  references: { baseBranch: 'main', docsDir: 'docs/', inputs: {} },
  ...fields,
});

type Definition = Started['definition'];

/** A workflow with these steps; a step without a type or a configuration has some. */
export const workflow = (
  steps: readonly (Partial<Definition['steps'][number]> & { readonly id: string })[],
  fields: Partial<Definition> = {},
): Definition => ({
  name: 'w',
  workspace: 'worktree',
  max_parallel: 4,
  steps: steps.map((step) => ({ type: 't', config: {}, ...step })),
  cables: [],
  ...fields,
});

/** The events of run 1 as the store gives them, one after the other. */
export const storedEvents = (events: readonly RunEvent[], stepMs = 1): StoredEvent[] =>
  events.map((event, index) => ({ id: index + 1, runId: 1, seq: index + 1, at: index * stepMs, event }));

/** The state of a run after these events, of which the first starts it. */
export function stateAfter(events: readonly RunEvent[], stepMs = 1): RunState {
  const state = replay(storedEvents(events, stepMs));
  if (state === null) throw new Error('a run without events has no state');
  return state;
}
