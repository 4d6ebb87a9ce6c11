import { defineStep } from '../../core/step/module';
import { agentTaskConfigSchema, repromptFiles } from './config';
import { agentTaskPorts } from './ports';
import { agentOf, decideAgentTask, observeAgentTask } from './run';
import { validateAgentTask } from './validate';

export const agentTask = defineStep({
  type: 'step.agent_task',
  version: 1,
  title: 'Agent task',
  description: 'One agent answers an instruction, then each re-prompt, in the same session.',
  config: agentTaskConfigSchema,
  onInterrupt: null,
  ports: agentTaskPorts,
  agents: (config) => [agentOf(config)],
  sessions: (config) => ({ persist: config.session_persist, continues: config.session_mode === 'continue' }),
  files: (config) => [
    ...config.attachments.map((file, index) => ({ file, path: `attachments[${index}]` })),
    ...config.re_prompts.flatMap((entry, index) =>
      repromptFiles(entry).map((file, at) => ({ file, path: `re_prompts[${index}].attachments[${at}]` })),
    ),
  ],
  validate: validateAgentTask,
  decide: decideAgentTask,
  observe: observeAgentTask,
});
