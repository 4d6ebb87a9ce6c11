import type { PortSpec } from '@areas/workflows/contract/definition';
import { agentRef, validateAgent } from '@main/core/step/agent/agent';
import { SINGLE_CALL_OUTPUTS } from '@main/core/step/agent/single-call';
import { defineStep, type GraphContext, type ModuleProblem } from '@main/core/step/module';
import { problemAt } from '@main/core/step/problem-at';
import { turnUpdate } from '@main/core/step/update';
import { type JudgeConfig, judgeConfigSchema } from './config';
import { decideJudge } from './decide';

const inputs: readonly PortSpec[] = [
  { name: 'target_in', label: 'Target', kind: 'bundle', description: 'What is judged' },
  {
    name: 'comparison_in',
    label: 'Comparison',
    kind: 'bundle',
    description: 'What to compare the target with',
  },
  { name: 'signal_in', label: 'Signal', kind: 'signal' },
];

function validate(config: JudgeConfig, graph: GraphContext): ModuleProblem[] {
  const ids = config.criteria.map(({ id }) => id);
  return [
    ...validateAgent(config, graph),
    ...ids.flatMap((id, index) =>
      ids.indexOf(id) === index
        ? []
        : [problemAt(`criteria[${index}].id`, `two criteria have the id "${id}"`, 'give each its own id')],
    ),
    ...(config.pass_score !== undefined && config.pass_score > config.max_score
      ? [problemAt('pass_score', `no total is above ${config.max_score}`, 'lower it, or raise max_score')]
      : []),
    ...(config.target === undefined && graph.sessionsOf('target_in').length === 0
      ? [problemAt('target', 'there is nothing to judge', 'connect target_in, or set target to a reference')]
      : []),
  ];
}

/** Scores by weighted criteria. Muster computes the totals, and compares in both orders with names hidden. */
export const judge = defineStep<JudgeConfig>({
  type: 'step.judge',
  version: 1,
  title: 'Judge',
  description:
    'One agent scores its input by criteria, and Muster computes the totals. Several candidates are compared in both orders.',
  config: judgeConfigSchema,
  onInterrupt: null,
  templates: [
    { path: 'instruction', kind: 'text' },
    { path: 'target', kind: 'text' },
    { path: 'criteria[].description', kind: 'text' },
  ],
  declares: () => ['total', 'scores', 'reason', 'passed', 'winner', 'tie', 'candidates'],
  ports: () => ({ inputs, outputs: SINGLE_CALL_OUTPUTS }),
  agents: (config) => [agentRef(config)],
  sessions: () => ({ persist: false, continues: false, gives: false }),
  prompts: () => ['judge/score', 'judge/compare'],
  validate,
  decide: decideJudge,
  observe: (view, turn) => [turnUpdate(view, turn)],
});
