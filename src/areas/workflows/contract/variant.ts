import { requiredText } from '@contract/bounds';
import { jsonSchema } from '@contract/ids';
import { lazyStrictObject } from '@contract/lazy-object';
import { z } from 'zod';
import type { StepDefinition } from './definition';

/** A way to run an experiment's target; a variant without overrides runs it unchanged. */
export const variantSchema = lazyStrictObject(() => ({
  name: z.string().trim().min(1).max(80),
  /** Replaces the target's instruction. Its re-prompts are kept (seed 000 section 7.2). */
  instruction_override: requiredText().optional(),
  /** Replaces whole keys of the target's configuration. */
  config_overrides: z.record(z.string(), jsonSchema).optional(),
}));
export type Variant = z.infer<typeof variantSchema>;

/** The target with a variant's overrides applied. */
export function variantStep(target: StepDefinition, variant: Variant): StepDefinition {
  const { instruction_override: instruction, config_overrides: overrides = {} } = variant;
  const config = { ...target.config, ...overrides };
  if (instruction === undefined) return { ...target, config };
  // Both together would be refused, and the override expresses the author's intent.
  const { instruction_file: _, ...rest } = config;
  return { ...target, config: { ...rest, instruction } };
}
