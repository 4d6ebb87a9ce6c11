import type { PortSpec } from '@areas/workflows/contract/definition';
import { agentRef } from '@main/core/step/agent/agent';
import { CHAIN_TEMPLATES, chainFiles } from '@main/core/step/agent/reprompts';
import { sessionUse } from '@main/core/step/agent/session-choice';
import type { Finding } from '@main/core/step/decision-tail';
import { defineStep } from '@main/core/step/module';
import { turnUpdate } from '@main/core/step/update';
import { z } from 'zod';
import { decideReview, type ReviewKind, spentReview } from './review';
import { reviewInputs, reviewOutputs, reviewShape, validateReview } from './review-config';

/** RedTeamModuleConfig with the `re_prompts` of seed 000 section 8. */
const redTeamConfigSchema = z.strictObject({
  ...reviewShape,
  /**
   * The severity from which findings mean revise if the agent gave no decision; with `none` such a review
   * approves.
   */
  fail_on: z.enum(['critical', 'high', 'any', 'none']).default('high'),
});
type RedTeamConfig = z.infer<typeof redTeamConfigSchema>;

const outputs: readonly PortSpec[] = [
  ...reviewOutputs,
  { name: 'findings_out', label: 'Findings', kind: 'bundle', description: 'The findings, as a list' },
];

/**
 * A finding without severity counts only for `any`: the agent or the operator must decide how severe it is.
 */
function fails(failOn: RedTeamConfig['fail_on'], findings: readonly Finding[]): boolean {
  switch (failOn) {
    case 'none':
      return false;
    case 'any':
      return findings.length > 0;
    case 'critical':
      return findings.some(({ severity }) => severity === 'critical');
    case 'high':
      return findings.some(({ severity }) => severity === 'critical' || severity === 'high');
  }
}

const kindOf = ({ fail_on }: RedTeamConfig): ReviewKind => ({
  fails: (findings) => fails(fail_on, findings),
  advises: fail_on === 'none',
  findingsPort: 'findings_out',
});

export const redTeam = defineStep<RedTeamConfig>({
  type: 'step.red_team',
  version: 1,
  title: 'Red team',
  description: 'One agent attacks its input, with a pass for each re-prompt, and lists what it found.',
  config: redTeamConfigSchema,
  templates: CHAIN_TEMPLATES,
  onInterrupt: null,
  ports: () => ({ inputs: reviewInputs, outputs }),
  agents: (config) => [agentRef(config)],
  sessions: sessionUse,
  files: chainFiles,
  validate: validateReview,
  decide: (view) => decideReview(view, kindOf(view.config)),
  spent: (view, error) => spentReview(view, kindOf(view.config), error),
  observe: (view, turn) => [turnUpdate(view, turn)],
});
