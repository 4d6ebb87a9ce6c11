import { type WorkflowDefinition, workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { literalText } from '@areas/workflows/core/reference/text';
import type { ParsedInput } from '@contract/ipc';
import { firstWords } from '@contract/run/lifecycle/run-name';

/** A workflow with one step, in which one agent carries out the prompt. */
export const taskDefinition = ({
  agent,
  prompt,
  workspace,
}: Pick<ParsedInput<'run.startTask'>, 'agent' | 'prompt' | 'workspace'>): WorkflowDefinition =>
  workflowDefinitionSchema.parse({
    name: firstWords(prompt) ?? 'New work',
    workspace,
    steps: [
      {
        id: 'task',
        type: 'step.agent_task',
        config: { acp_profile_id: agent, instruction: literalText(prompt) },
      },
    ],
  });
