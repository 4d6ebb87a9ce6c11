import { minutesSchema, requiredText } from '@contract/bounds';
import { lazyStrictObject } from '@contract/lazy-object';
import { agentShape } from '@main/core/step/agent/agent';
import type { ActivationView } from '@main/core/step/module';
import { z } from 'zod';

const decisionSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,39}$/, 'the id of a decision has lowercase letters, digits, - and _ only'),
  label: requiredText().max(60),
});

const attempts = z.number().int().min(1).max(10).default(3);

export const approvalConfigSchema = lazyStrictObject(() => ({
  message: requiredText('write a message: what should the operator decide?'),
  /** The operator's text becomes the output, in place of the input. */
  capture_response: z.boolean().default(false),
  /** How often a reject may lead back over `revise_out` before it ends the run. */
  max_attempts: attempts,
  /** An agent that reworks after a reject, before the operator is asked again. */
  on_reject: z
    .strictObject({
      prompt: requiredText('write a prompt: what should the agent do with the reason?'),
      ...agentShape,
      /**
       * What is approved after a rework. `input`: what came in, which the agent mended in place. `answer`: the
       * agent's answer.
       */
      output: z.enum(['input', 'answer']).default('input'),
      /** Maximum number of reworks; the next reject ends the run. */
      max_attempts: attempts,
    })
    .optional(),
  /** The operator's choices, in place of approve and reject; with each of them the run continues. */
  decisions: z.array(decisionSchema).min(2).max(12).optional(),
  /** After this time an update reports that the question is still open. */
  reminder_minutes: minutesSchema.optional(),
  /** After this time the question gets this answer by itself. */
  expires: z
    .strictObject({
      minutes: minutesSchema,
      /** `approve`, `reject`, `fail`, or the id of a decision. */
      outcome: requiredText(),
    })
    .optional(),
}));
export type ApprovalConfig = z.infer<typeof approvalConfigSchema>;
export type View = ActivationView<ApprovalConfig>;
