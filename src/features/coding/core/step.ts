import { agentRef } from '@main/core/step/agent/agent';
import { REPROMPT_TEMPLATES, repromptFiles } from '@main/core/step/agent/reprompts';
import { defineStep } from '@main/core/step/module';
import { type CodingConfig, codingConfigSchema } from './config';
import { codingPorts } from './ports';
import { migrateRemoved, removedModes } from './removed';
import { decideCoding, observeCoding, spentCoding } from './run';
import { validateCoding } from './validate';

export const coding = defineStep<CodingConfig>({
  type: 'step.coding',
  version: 1,
  title: 'Coding',
  description: 'One or more agents work on code, each with re-prompts in its own session and worktree.',
  config: codingConfigSchema,
  templates: [
    { path: 'instruction', kind: 'text' },
    { path: 'handoff_instruction', kind: 'text' },
    { path: 'agents[].instruction_override', kind: 'text' },
    ...REPROMPT_TEMPLATES.map(({ path }) => ({ path: `agents[].${path}`, kind: 'text' as const })),
  ],
  onInterrupt: null,
  ports: codingPorts,
  agents: (config) =>
    config.agents.map((agent, index) => ({ ...agentRef(agent), path: `agents[${index}].acp_profile_id` })),
  sessions: ({ session_persist, session_style }) => ({
    persist: session_persist,
    continues: false,
    parks: session_style === 'park',
  }),
  files: ({ attachments, agents }) => [
    ...attachments.map((file, index) => ({ file, path: `attachments[${index}]` })),
    ...agents.flatMap((agent, at) =>
      agent.re_prompts.flatMap((entry, index) =>
        repromptFiles(entry).map((file, number) => ({
          file,
          path: `agents[${at}].re_prompts[${index}].attachments[${number}]`,
        })),
      ),
    ),
  ],
  refuse: removedModes,
  migrate: migrateRemoved,
  validate: validateCoding,
  decide: decideCoding,
  spent: spentCoding,
  observe: observeCoding,
});
