import { type WorkflowDefinition, workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { literalText } from '@areas/workflows/core/reference/text';
import type { ParsedInput } from '@contract/ipc';

const LONGEST_NAME = 80;

/** A workflow with one step, in which one agent carries out the prompt. */
export const taskDefinition = ({
  agent,
  prompt,
  workspace,
}: Pick<ParsedInput<'run.startTask'>, 'agent' | 'prompt' | 'workspace'>): WorkflowDefinition =>
  workflowDefinitionSchema.parse({
    name: nameOf(prompt),
    workspace,
    steps: [
      {
        id: 'task',
        type: 'step.agent_task',
        config: { acp_profile_id: agent, instruction: literalText(prompt) },
      },
    ],
  });

/** The first line of the prompt, cut at a word boundary. */
function nameOf(prompt: string): string {
  const line =
    prompt
      .trim()
      .split('\n', 1)[0]
      ?.replace(/^[#>*\-\s]+/, '')
      .trim() ?? '';
  if (line.length <= LONGEST_NAME) return line || 'New work';
  const cut = line.slice(0, LONGEST_NAME);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), LONGEST_NAME / 2)).trimEnd()}…`;
}
