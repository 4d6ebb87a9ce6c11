import { z } from 'zod';

export const agentConfigSchema = z.strictObject({
  model: z.string().optional(),
  mode: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});

/** A re-prompt is a string, or a text with files that go into that turn only; without a file it is saved as a string. */
export const repromptSchema = z.union([
  z.string(),
  z.strictObject({ text: z.string(), attachments: z.array(z.string()).default([]) }),
]);
export type Reprompt = z.infer<typeof repromptSchema>;

export const repromptText = (entry: Reprompt): string => (typeof entry === 'string' ? entry : entry.text);
export const repromptFiles = (entry: Reprompt): readonly string[] =>
  typeof entry === 'string' ? [] : entry.attachments;

/** AgentTaskModuleConfig of seed 000 section 2.1, with what SPEC settles about it. */
export const agentTaskConfigSchema = z.strictObject({
  instruction: z.string().min(1, 'an instruction is needed'),
  attachments: z.array(z.string()).default([]),
  acp_profile_id: z.string().nullable().default(null),
  agent_config: agentConfigSchema.nullable().default(null),
  re_prompts: z.array(repromptSchema).default([]),
  separate_outputs: z.boolean().default(false),
  named_outputs: z.array(z.string().min(1)).default([]),
  session_mode: z.enum(['new', 'continue']).default('new'),
  session_persist: z.boolean().default(false),
  /** A cap on Muster's prompts in one activation; reaching it fails the step and never counts as completion. */
  max_iterations: z.number().int().positive().optional(),
});
export type AgentTaskConfig = z.infer<typeof agentTaskConfigSchema>;
