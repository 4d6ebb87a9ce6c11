import { type WorkflowDefinition, workflowDefinitionSchema } from '@contract/workflow/definition';

const noOp = (id: string) => ({
  id,
  type: 'step.command',
  on_interrupt: 'retry' as const,
  config: { script: ':', terminal: false },
});

/** `count` steps, each after the one before. */
export function chain(count: number): WorkflowDefinition {
  const ids = Array.from({ length: count }, (_, index) => `s${index + 1}`);
  return workflowDefinitionSchema.parse({
    name: `chain of ${count}`,
    workspace: 'folder',
    steps: ids.map(noOp),
    cables: ids.slice(1).map((id, index) => ({ from: `s${index + 1}.data_out`, to: `${id}.data_in` })),
  });
}

/** One step and then `count` at once. */
export function fan(count: number): WorkflowDefinition {
  const ids = Array.from({ length: count }, (_, index) => `s${index + 1}`);
  return workflowDefinitionSchema.parse({
    name: `fan-out of ${count}`,
    workspace: 'folder',
    max_parallel: count,
    steps: ['first', ...ids].map(noOp),
    cables: ids.map((id) => ({ from: 'first.data_out', to: `${id}.data_in` })),
  });
}
