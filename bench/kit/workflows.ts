import { type WorkflowDefinition, workflowDefinitionSchema } from '@areas/workflows/contract/definition';

const noOp = (id: string) => ({
  id,
  type: 'step.command',
  on_interrupt: 'retry' as const,
  config: { script: ':', terminal: false },
});

/** `count` steps, each after the previous one. */
export function chain(count: number): WorkflowDefinition {
  const ids = Array.from({ length: count }, (_, index) => `s${index + 1}`);
  return workflowDefinitionSchema.parse({
    name: `chain of ${count}`,
    workspace: 'folder',
    steps: ids.map(noOp),
    cables: ids.slice(1).map((id, index) => ({ from: `s${index + 1}.data_out`, to: `${id}.data_in` })),
  });
}

/** One step, followed by `count` parallel ones. */
export function fan(count: number): WorkflowDefinition {
  const ids = Array.from({ length: count }, (_, index) => `s${index + 1}`);
  return workflowDefinitionSchema.parse({
    name: `fan-out of ${count}`,
    workspace: 'folder',
    max_parallel: Math.min(count, 256),
    steps: ['first', ...ids].map(noOp),
    cables: ids.map((id) => ({ from: 'first.data_out', to: `${id}.data_in` })),
  });
}

/** The chain with a condition on every step except the first. */
export function conditionalChain(count: number): WorkflowDefinition {
  const plain = chain(count);
  const steps = plain.steps.map((step, index) =>
    index === 0 ? step : { ...step, when: `$s${index}.output == 'done' && $s${index}.status == 'succeeded'` },
  );
  return { ...plain, name: 'chain with conditions', steps };
}

/** A step with a body of one no-op step. */
const withBody = (name: string, type: string, config: object): WorkflowDefinition =>
  workflowDefinitionSchema.parse({
    name,
    workspace: 'folder',
    steps: [{ id: 'all', type, config: { ...config, body: { steps: [noOp('do')] } } }],
  });

export const items = (count: number): WorkflowDefinition =>
  withBody(`${count} items`, 'step.workflow', {
    for_each: { items: Array.from({ length: count }, (_, at) => at) },
  });

/** A loop that no pass ends. */
export const passes = (count: number): WorkflowDefinition =>
  withBody(`${count} passes`, 'step.loop', { until: 'NEVER', max_iterations: count });

/** Commands with a reference to the previous step, every other one with a condition. */
export function languageText(count: number): string {
  const steps = Array.from({ length: count }, (_, index) => {
    const before = `s${index - 1}`;
    const when =
      index % 2 === 0 ? '' : ` when: "$${before}.output != 'x' && $${before}.status == 'succeeded'",`;
    const script = index === 0 ? ':' : `echo "$${before}.output"`;
    return `\n  - { id: s${index}, type: step.command,${when} config: { script: '${script}' } }`;
  });
  const cables = Array.from(
    { length: count - 1 },
    (_, index) => `\n  - { from: s${index}.data_out, to: s${index + 1}.data_in }`,
  );
  return `name: language\nsteps:${steps.join('')}\ncables:${cables.join('')}\n`;
}
