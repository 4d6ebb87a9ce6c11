import type { PortSpec } from '@areas/workflows/contract/definition';
import { validateAgent } from '@main/core/step/agent/agent';
import { defineStep } from '@main/core/step/module';
import { problemAt } from '@main/core/step/problem-at';
import { type RalphConfig, ralphConfigSchema } from './config';
import { decideRalph, workerAgent } from './decide';
import { WORKER_TEXT } from './prompt';

const inputs: readonly PortSpec[] = [{ name: 'signal_in', label: 'Signal', kind: 'signal' }];
const outputs: readonly PortSpec[] = [
  { name: 'data_out', label: 'Results', kind: 'bundle', description: 'The result of each attempt' },
  { name: 'signal_out', label: 'Done', kind: 'signal', description: 'Sent when every story passes' },
  { name: 'receipt_out', label: 'Receipt', kind: 'receipt' },
];

const WATCHED_IN_BODY = problemAt(
  'watch',
  'a loop that another program runs cannot be watched from the body of a step: each item or pass would post its updates again',
  'move the step into the workflow itself, or use `muster loop watch`',
);

/** The sequential loop of seed 004: one worker and one update per attempt. */
export const ralph = defineStep<RalphConfig>({
  type: 'step.ralph',
  version: 1,
  title: 'Ralph loop',
  description: 'Works through the stories of a prd.json, with a fresh worker for each attempt.',
  config: ralphConfigSchema,
  templates: [
    { path: 'prompt', kind: 'text' },
    { path: 'branch', kind: 'text' },
  ],
  // An interrupted turn is judged by its results, and counts as a failure if there are none.
  worksOutside: true,
  onInterrupt: 'fail',
  laneFailure: 'lane',
  // A project's check is safe to repeat.
  repeatsCommands: true,
  ports: () => ({ inputs, outputs }),
  agents: (config) =>
    config.watch === null
      ? [workerAgent(config, null), ...(config.retry_profile === null ? [] : [workerAgent(config, null, 1)])]
      : [],
  sessions: () => ({ persist: false, continues: false, gives: false }),
  prompts: ({ prompt, watch }) => (prompt === null && watch === null ? [WORKER_TEXT] : []),
  validate: ({ worker, watch }, graph) => {
    if (watch === null) return validateAgent(worker, graph, 'worker.acp_profile_id');
    return graph.inBody ? [WATCHED_IN_BODY] : [];
  },
  decide: decideRalph,
  // Its updates follow from an attempt's examination, not from the end of a turn.
});
