import { servesModels } from '@areas/agents/contract/agent-kinds';
import type { PortSpec } from '@areas/workflows/contract/definition';
import { type AgentChoice, agentRef, validateAgent } from '@main/core/step/agent/agent';
import { defineStep, type GraphContext, type ModuleProblem } from '@main/core/step/module';
import { problemAt } from '@main/core/step/problem-at';
import { turnUpdate } from '@main/core/step/update';
import { type RlmConfig, rlmConfigSchema } from './config';
import { decideRlm } from './decide';
import { RLM_TEXTS } from './texts';

const inputs: readonly PortSpec[] = [
  { name: 'data_in', label: 'Data', kind: 'bundle', description: 'Joins the documents' },
  { name: 'context_in', label: 'Context', kind: 'bundle', description: 'Joins the documents' },
  { name: 'instruction_in', label: 'Instruction', kind: 'bundle', description: 'Joins the question' },
  { name: 'signal_in', label: 'Signal', kind: 'signal' },
];
const outputs: readonly PortSpec[] = [
  { name: 'data_out', label: 'Answer', kind: 'bundle' },
  { name: 'citations_out', label: 'Citations', kind: 'bundle' },
  { name: 'signal_out', label: 'Done', kind: 'signal' },
  { name: 'receipt_out', label: 'Receipt', kind: 'receipt' },
];

/** Answers a question over documents that are too large to read (seed 001). */
export const rlm = defineStep<RlmConfig>({
  type: 'step.rlm',
  version: 1,
  title: 'Question over documents',
  description:
    'A model writes Python that searches documents in a sandbox and asks another model about parts of them.',
  config: rlmConfigSchema,
  // An HTTP model changes nothing.
  worksOutside: true,
  templates: [
    { path: 'question', kind: 'text' },
    { path: 'documents[]', kind: 'text' },
  ],
  onInterrupt: 'retry',
  ports: () => ({ inputs, outputs }),
  agents: (config) => [
    agentRef(config),
    ...otherModels(config).map(({ choice, path }) => ({ ...agentRef(choice), path })),
  ],
  sessions: () => ({ persist: false, continues: false, gives: false }),
  prompts: () => RLM_TEXTS,
  validate: (config, graph) => [
    ...validateModel(config, graph, 'acp_profile_id'),
    ...otherModels(config).flatMap(({ choice, path }) => validateModel(choice, graph, path)),
  ],
  decide: decideRlm,
  observe: (view, turn) => [turnUpdate(view, turn)],
});

/** The models other than the root model, with their paths. */
const otherModels = ({ sub_model, verify_model }: RlmConfig): { choice: AgentChoice; path: string }[] => [
  ...(sub_model === null ? [] : [{ choice: sub_model, path: 'sub_model.acp_profile_id' }]),
  ...(verify_model === null ? [] : [{ choice: verify_model, path: 'verify_model.acp_profile_id' }]),
];

/** Only an HTTP model answers with text alone: all other agents have their own tools. */
function validateModel(choice: AgentChoice, graph: GraphContext, path: string): ModuleProblem[] {
  const missing = validateAgent(choice, graph, path);
  const id = choice.acp_profile_id ?? graph.defaultProfile;
  const profile = id === null ? null : graph.profile(id);
  if (missing.length > 0 || profile === null || servesModels(profile)) return missing;
  return [
    problemAt(
      path,
      `the profile ${profile.id} is an agent with tools of its own, and a question over documents takes a model alone`,
      'name a profile of kind gateway with api openai or anthropic',
    ),
  ];
}
