import { requiredText } from '@contract/bounds';
import { lazyStrictObject } from '@contract/lazy-object';
import { agentShape } from '@main/core/step/agent/agent';
import { repromptSchema } from '@main/core/step/agent/reprompts';
import { sessionShape } from '@main/core/step/agent/session-choice';
import { z } from 'zod';

/** AgentTaskModuleConfig of seed 000 section 2.1, as amended by SPEC. */
export const agentTaskConfigSchema = lazyStrictObject(() => ({
  instruction: requiredText('write an instruction'),
  /** `template`: the prompt is only the expanded instruction, without context, history or inputs. */
  prompt: z.enum(['assembled', 'template']).optional(),
  attachments: z.array(z.string()).default([]),
  ...agentShape,
  re_prompts: z.array(repromptSchema).default([]),
  separate_outputs: z.boolean().default(false),
  named_outputs: z.array(requiredText()).default([]),
  ...sessionShape,
  /** Maximum number of Muster's prompts in one activation; reaching it fails the step. */
  max_iterations: z.number().int().positive().optional(),
}));
export type AgentTaskConfig = z.infer<typeof agentTaskConfigSchema>;
