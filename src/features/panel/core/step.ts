import type { PortSpec } from '@areas/workflows/contract/definition';
import { agentRef, validateAgent } from '@main/core/step/agent/agent';
import { defineStep, type GraphContext, type ModuleProblem } from '@main/core/step/module';
import { problemAt } from '@main/core/step/problem-at';
import { turnUpdate } from '@main/core/step/update';
import { type PanelConfig, panelConfigSchema } from './config';
import { decidePanel } from './decide';
import { MODERATOR } from './transcript';

const inputs: readonly PortSpec[] = [
  { name: 'data_in', label: 'Data', kind: 'bundle' },
  { name: 'context_in', label: 'Context', kind: 'bundle' },
  { name: 'signal_in', label: 'Signal', kind: 'signal' },
];
const outputs: readonly PortSpec[] = [
  {
    name: 'data_out',
    label: 'Conclusion',
    kind: 'bundle',
    description: 'The moderator’s conclusion, or the transcript without a moderator',
  },
  { name: 'transcript_out', label: 'Transcript', kind: 'bundle' },
  { name: 'signal_out', label: 'Done', kind: 'signal' },
  { name: 'receipt_out', label: 'Receipt', kind: 'receipt' },
];

function validate(config: PanelConfig, graph: GraphContext): ModuleProblem[] {
  const { participants, moderator } = config;
  const names = participants.map(({ name }) => name.toLowerCase());
  return [
    ...participants.flatMap((one, index) =>
      validateAgent(one, graph, `participants[${index}].acp_profile_id`),
    ),
    ...(moderator === undefined ? [] : validateAgent(moderator, graph, 'moderator.acp_profile_id')),
    ...names.flatMap((name, index): ModuleProblem[] => {
      const taken = name === MODERATOR ? 'the moderator has this name' : 'two participants have this name';
      if (name !== MODERATOR && names.indexOf(name) === index) return [];
      return [problemAt(`participants[${index}].name`, taken, 'give it another name')];
    }),
    ...(graph.hasFormat && moderator === undefined
      ? [
          {
            code: 'validation.output_format' as const,
            severity: 'error' as const,
            path: 'moderator',
            message: 'without a moderator, the output is the transcript, which cannot have an output_format',
            mend: 'add a moderator',
          },
        ]
      : []),
  ];
}

/** Several agents discuss a topic (seed 000 section 8: rounds replace re-prompts). */
export const panel = defineStep<PanelConfig>({
  type: 'step.panel',
  version: 1,
  title: 'Panel',
  description:
    'Several agents discuss a topic in rounds, each in its own session, and a moderator concludes.',
  config: panelConfigSchema,
  onInterrupt: null,
  templates: [
    { path: 'topic', kind: 'text' },
    { path: 'participants[].role', kind: 'text' },
    { path: 'moderator.instruction', kind: 'text' },
  ],
  takesFormat: true,
  ports: () => ({ inputs, outputs }),
  agents: ({ participants, moderator }) => [
    ...participants.map((one, index) => ({
      ...agentRef(one),
      path: `participants[${index}].acp_profile_id`,
    })),
    ...(moderator === undefined ? [] : [{ ...agentRef(moderator), path: 'moderator.acp_profile_id' }]),
  ],
  sessions: () => ({ persist: false, continues: false, gives: false }),
  prompts: () => ['panel/opening', 'panel/round', 'panel/moderator'],
  validate,
  decide: decidePanel,
  observe: (view, turn) => [turnUpdate(view, turn)],
});
