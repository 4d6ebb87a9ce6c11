import { z } from 'zod';
import { agentRef } from '../../core/step/agent';
import { defineStep } from '../../core/step/module';
import { CHAIN_TEMPLATES, chainFiles } from '../../core/step/reprompts';
import { decideReview, type ReviewKind, spentReview } from '../../core/step/review';
import { reviewInputs, reviewOutputs, reviewShape, validateReview } from '../../core/step/review-config';
import { sessionUse } from '../../core/step/session-choice';
import { turnUpdate } from '../../core/step/update';

/** AgentReviewGateConfig with the `re_prompts` of seed 000 section 8. */
const agentReviewGateConfigSchema = z.strictObject(reviewShape);
type AgentReviewGateConfig = z.infer<typeof agentReviewGateConfigSchema>;

const kind: ReviewKind = { fails: () => false, advises: false, findingsPort: null };

export const agentReviewGate = defineStep<AgentReviewGateConfig>({
  type: 'step.agent_review_gate',
  version: 1,
  title: 'Agent review',
  description:
    'One agent reviews what came in, in as many passes as it has re-prompts, then approves or sends back.',
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
