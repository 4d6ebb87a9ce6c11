import type { PortSpec } from '@areas/workflows/contract/definition';
import { requiredText } from '@contract/bounds';
import { agentShape, validateAgent } from '@main/core/step/agent/agent';
import { type ChainConfig, chainLength } from '@main/core/step/agent/chain';
import { repromptSchema, validateCap, validateReprompts } from '@main/core/step/agent/reprompts';
import { sessionShape, validateSession } from '@main/core/step/agent/session-choice';
import type { GraphContext, ModuleProblem } from '@main/core/step/module';
import { z } from 'zod';

/** Configuration of a step in which one agent reviews others' work (seed 000 section 8). */
export const reviewShape = {
  instruction: requiredText('write an instruction: what to review, and for what?'),
  /** `template`: the prompt is only the expanded instruction, without context, history or inputs. */
  prompt: z.enum(['assembled', 'template']).optional(),
  attachments: z.array(z.string()).default([]),
  ...agentShape,
  re_prompts: z.array(repromptSchema).default([]),
  ...sessionShape,
  /** How often a revise may lead back over `revise_out` before it ends the run. */
  max_attempts: z.number().int().min(1).max(10).default(3),
  /**
   * Maximum number of Muster's prompts in one activation, including reminders; reaching it fails the step.
   */
  max_iterations: z.number().int().positive().optional(),
};
export interface ReviewConfig extends ChainConfig {
  readonly max_attempts: number;
}

export const reviewInputs: readonly PortSpec[] = [
  { name: 'data_in', label: 'Data', kind: 'bundle', description: 'What is reviewed' },
  { name: 'context_in', label: 'Context', kind: 'bundle' },
  { name: 'instruction_in', label: 'Instruction', kind: 'bundle' },
  { name: 'signal_in', label: 'Signal', kind: 'signal' },
];

export const reviewOutputs: readonly PortSpec[] = [
  {
    name: 'approved_out',
    label: 'Approved',
    kind: 'bundle',
    description: 'What was reviewed, as it came in',
    passes: 'data_in',
  },
  {
    name: 'revise_out',
    label: 'Revise',
    kind: 'bundle',
    description: 'The findings; may lead back',
    leadsBack: true,
  },
  { name: 'data_out', label: 'Review', kind: 'bundle', description: 'All responses, decision and findings' },
  { name: 'signal_out', label: 'Done', kind: 'signal', description: 'Sent once, when it is approved' },
  { name: 'receipt_out', label: 'Receipt', kind: 'receipt' },
];

export function validateReview(config: ReviewConfig, graph: GraphContext): ModuleProblem[] {
  return [
    ...validateReprompts(config.re_prompts),
    ...validateCap(config.max_iterations, chainLength(config)),
    ...validateAgent(config, graph),
    ...validateSession(config, graph),
  ];
}
