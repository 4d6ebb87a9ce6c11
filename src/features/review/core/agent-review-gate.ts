import { agentRef } from '@main/core/step/agent/agent';
import { CHAIN_TEMPLATES, chainFiles } from '@main/core/step/agent/reprompts';
import { sessionUse } from '@main/core/step/agent/session-choice';
import { defineStep } from '@main/core/step/module';
import { turnUpdate } from '@main/core/step/update';
import { z } from 'zod';
import { decideReview, type ReviewKind, spentReview } from './review';
import { reviewInputs, reviewOutputs, reviewShape, validateReview } from './review-config';

/** AgentReviewGateConfig with the `re_prompts` of seed 000 section 8. */
const agentReviewGateConfigSchema = z.strictObject(reviewShape);
type AgentReviewGateConfig = z.infer<typeof agentReviewGateConfigSchema>;

const kind: ReviewKind = { fails: () => false, advises: false, findingsPort: null };

export const agentReviewGate = defineStep<AgentReviewGateConfig>({
  type: 'step.agent_review_gate',
  version: 1,
  title: 'Agent review',
  description: 'One agent reviews its input, with a pass for each re-prompt, then approves or sends it back.',
  config: agentReviewGateConfigSchema,
  templates: CHAIN_TEMPLATES,
  onInterrupt: null,
  ports: () => ({ inputs: reviewInputs, outputs: reviewOutputs }),
  agents: (config) => [agentRef(config)],
  sessions: sessionUse,
  files: chainFiles,
  validate: validateReview,
  decide: (view) => decideReview(view, kind),
  spent: (view, error) => spentReview(view, kind, error),
  observe: (view, turn) => [turnUpdate(view, turn)],
});
