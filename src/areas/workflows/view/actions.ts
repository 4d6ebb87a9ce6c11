import type { ActionSpecs } from '@renderer/client/actions';
import { canvasActions } from './parts/canvas/actions';

export const workflowsActions = {
  ...canvasActions,
  'workflow.run': { title: 'Run the workflow', keys: 'mod+Enter', group: 'Workflow', inText: true },
  'workflow.write': { title: 'Write the instruction', keys: 'i', group: 'Workflow' },
  'workflow.attach': { title: 'Attach files', keys: 'f', group: 'Workflow' },
  'workflow.edit': { title: 'Open the workflow in the editor', keys: 'e', group: 'Workflow' },
  'workflow.save': { title: 'Save the file', keys: 'mod+s', group: 'Workflow', inText: true },
  'workflow.discard': { title: 'Discard changes to the file', group: 'Workflow' },
  'workflow.settings': { title: 'Show the settings of the workflow', keys: 's', group: 'Workflow' },
  'workflow.text': { title: 'Show the canvas, the list or the file', keys: 't', group: 'Workflow' },
  'workflow.migrate': { title: 'Show what migrating the file changes', keys: 'm', group: 'Workflow' },
  'workflow.migration.apply': { title: 'Migrate the file', keys: 'a', group: 'Workflow' },
  'workflow.migration.leave': { title: 'Keep the file unchanged', keys: 'x', group: 'Workflow' },
  'workflow.duplicate': { title: 'Duplicate the workflow', group: 'Workflow' },
  'workflow.delete': { title: 'Delete the workflow', group: 'Workflow' },
  'workflow.copy': { title: 'Copy the address of the workflow', keys: 'y', group: 'Workflow' },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof workflowsActions, true> {}
}
