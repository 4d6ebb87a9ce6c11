import { z } from 'zod';
import { jsonSchema } from '../ids';
import type { StepDefinition } from './definition';

/** A way to run the target of an experiment; one without overrides runs it as it is. */
export const variantSchema = z.lazy(() =>
  z.strictObject({
    name: z.string().trim().min(1).max(80),
    /** Replaces the target's instruction. Its re-prompts stay (seed 000 section 7.2). */
    instruction_override: z.string().min(1).optional(),
    /** Replaces keys of the target's configuration, each whole. */
    config_overrides: z.record(z.string(), jsonSchema).optional(),
  }),
);
export type Variant = z.infer<typeof variantSchema>;

/** The target as a variant runs it. */
export function variantStep(target: StepDefinition, variant: Variant): StepDefinition {
  const { instruction_override: instruction, config_overrides: overrides = {} } = variant;
  const config = { ...target.config, ...overrides };
  if (instruction === undefined) return { ...target, config };
  // Both together would be refused, and the override is what the author wants.
  const { instruction_file: _, ...rest } = config;
  return { ...target, config: { ...rest, instruction } };
}
