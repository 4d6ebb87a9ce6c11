import { requiredText } from '@contract/bounds';
import { lazyStrictObject } from '@contract/lazy-object';
import { agentShape } from '@main/core/step/agent/agent';
import type { ActivationView } from '@main/core/step/module';
import { z } from 'zod';

const criterionSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,39}$/, 'the id of a criterion has lowercase letters, digits and _ only'),
  description: requiredText('describe the criterion: what earns a high score?'),
  weight: z.number().positive().max(1_000).default(1),
});

export const judgeConfigSchema = lazyStrictObject(() => ({
  instruction: z.string().optional(),
  /** The text to judge; default: the input on `target_in`. */
  target: requiredText().optional(),
  criteria: z.array(criterionSchema).min(1).max(20),
  /** The highest score; the lowest is 0. */
  max_score: z.number().int().min(1).max(100).default(10),
  /** With one candidate: the total from which it passes. */
  pass_score: z.number().min(0).optional(),
  ...agentShape,
}));
export type JudgeConfig = z.infer<typeof judgeConfigSchema>;
export type View = ActivationView<JudgeConfig>;

/** More candidates would make a prompt that no model judges fairly. */
export const MOST_CANDIDATES = 20;
