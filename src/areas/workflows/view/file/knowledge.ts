import type { ProcedureOutput } from '@contract/ipc';
import { workflowSchema } from '@renderer/client/files/workflow-schema';
import { useQuery } from '@renderer/client/hooks';
import { useMemo, useRef } from 'react';
import { isSchema, type Knowledge } from '../parts/yaml-editor/json-schema';

type Checked = ProcedureOutput<'workflow.check'>;

/** What the editor offers: schemas, agents, and the steps and inputs of the last valid text. */
export function useKnowledge(projectId: number, checked: Checked | null): Knowledge {
  const types = useQuery('step.types', {}).value;
  const agents = useQuery('agent.list', { projectId }).value;
  const workflow = useMemo(() => workflowSchema(), []);
  const readable = useRef(checked);
  if (checked?.definition != null) readable.current = checked;
  const known = readable.current;
  return useMemo(() => {
    const ports = Object.entries(known?.ports ?? {});
    const ends = (side: 'inputs' | 'outputs') =>
      ports.flatMap(([step, has]) => has[side].map(({ name }) => `${step}.${name}`));
    return {
      workflow,
      agents: (agents ?? []).map(({ profile }) => profile.id),
      types: (types ?? []).map(({ type, title, configSchema }) => ({
        type,
        title,
        config: isSchema(configSchema) ? configSchema : {},
      })),
      steps: known?.definition?.steps.map(({ id }) => id) ?? [],
      inputs: Object.keys(known?.definition?.inputs ?? {}),
      outputs: ends('outputs'),
      inlets: ends('inputs'),
    };
  }, [workflow, agents, types, known]);
}
