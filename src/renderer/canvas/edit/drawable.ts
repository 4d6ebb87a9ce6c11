import { type Json, stepIdSchema } from '@contract/ids';
import { isMap } from '@contract/workflow/change';
import {
  type Cable,
  cableSchema,
  type StepDefinition,
  stepDefinitionSchema,
} from '@contract/workflow/definition';

export interface Drawable {
  readonly steps: StepDefinition[];
  readonly cables: Cable[];
}

/** What of a file with errors can be drawn and so be mended here. Null where the text holds no keys at all. */
export function drawable(value: Json): Drawable | null {
  if (!isMap(value)) return null;
  const { steps, cables } = value;
  return {
    steps: (Array.isArray(steps) ? steps : []).flatMap((step): StepDefinition[] => {
      const whole = stepDefinitionSchema.safeParse(step);
      if (whole.success) return [whole.data];
      if (!isMap(step) || typeof step.type !== 'string') return [];
      const id = stepIdSchema.safeParse(step.id);
      const config = isMap(step.config) ? step.config : {};
      return id.success ? [{ id: id.data, type: step.type, config }] : [];
    }),
    cables: (Array.isArray(cables) ? cables : []).flatMap((cable) => {
      const whole = cableSchema.safeParse(cable);
      return whole.success ? [whole.data] : [];
    }),
  };
}
