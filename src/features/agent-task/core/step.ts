import { agentRef } from '@main/core/step/agent/agent';
import { CHAIN_TEMPLATES, chainFiles } from '@main/core/step/agent/reprompts';
import { sessionUse } from '@main/core/step/agent/session-choice';
import { defineStep } from '@main/core/step/module';
import { type AgentTaskConfig, agentTaskConfigSchema } from './config';
import { agentTaskPorts } from './ports';
import { decideAgentTask, observeAgentTask, spentTask } from './run';
import { validateAgentTask } from './validate';

export const agentTask = defineStep<AgentTaskConfig>({
  type: 'step.agent_task',
  version: 1,
  title: 'Agent task',
  description: 'One agent answers an instruction, then each re-prompt, in the same session.',
  config: agentTaskConfigSchema,
  onInterrupt: null,
  templates: CHAIN_TEMPLATES,
  takesFormat: true,
  ports: agentTaskPorts,
  agents: (config) => [agentRef(config)],
  notOnHost: ({ attachments, ...texts }) =>
    attachments.length > 0
      ? 'attachments cannot be there yet'
      : JSON.stringify(texts).includes('ARTIFACTS_DIR')
        ? 'the folder of $ARTIFACTS_DIR is not there yet'
        : null,
  sessions: sessionUse,
  files: chainFiles,
  validate: validateAgentTask,
  decide: decideAgentTask,
  spent: spentTask,
  observe: observeAgentTask,
});
