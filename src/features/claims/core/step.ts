import { promptSchema } from '@areas/prompts/contract/sets';
import { renderPrompt } from '@areas/prompts/core/render';
import { lazyStrictObject } from '@contract/lazy-object';
import { agentRef, validateAgent } from '@main/core/step/agent/agent';
import { checkedAnswer } from '@main/core/step/agent/checked-answer';
import {
  ended,
  inputText,
  ownTurn,
  quoted,
  SINGLE_CALL_INPUTS,
  SINGLE_CALL_OUTPUTS,
  singleCallShape,
  validateInput,
} from '@main/core/step/agent/single-call';
import type { StepDecision } from '@main/core/step/decision';
import { type ActivationView, defineStep } from '@main/core/step/module';
import { outputFormat } from '@main/core/step/output/output-format';
import { turnUpdate } from '@main/core/step/update';
import { z } from 'zod';
import { checkQuotes } from './quotes';

const claimsConfigSchema = lazyStrictObject(() => ({
  /** Which claims are relevant. */
  instruction: z.string().optional(),
  max_claims: z.number().int().min(1).max(500).default(50),
  ...singleCallShape,
}));
type ClaimsConfig = z.infer<typeof claimsConfigSchema>;
type View = ActivationView<ClaimsConfig>;

const TEXT = 'claims/extract';

const claimSchema = z.object({ claim: z.string(), quote: z.string() });
const answerSchema = z.object({ claims: z.array(claimSchema) });
const format = outputFormat({
  type: 'object',
  properties: {
    claims: {
      type: 'array',
      items: {
        type: 'object',
        properties: { claim: { type: 'string' }, quote: { type: 'string' } },
        required: ['claim', 'quote'],
      },
    },
  },
  required: ['claims'],
});

function decide(view: View): StepDecision {
  const agent = agentRef(view.config);
  const answer = checkedAnswer(view.turns, format);
  switch (answer.kind) {
    case 'none':
      return ownTurn({ agent, ordinal: 0, of: 1, prompt: promptOf(view) });
    case 'repair':
      return ownTurn({ agent, turn: 'reminder', ordinal: 1, of: 2, prompt: answer.prompt });
    case 'invalid':
      return ended(view, { content: answer.response, kind: 'markdown', error: answer.error });
    case 'valid':
      return finish(view, answer.json);
  }
}

function finish(view: View, json: string): StepDecision {
  const read = answerSchema.parse(JSON.parse(json));
  const { claims, unsupported } = checkQuotes(inputText(view), read.claims.slice(0, view.config.max_claims));
  const counts = { claims: claims.length, unsupported: unsupported.length };
  return ended(view, {
    content: {
      claims: claims.map((one) => ({ ...one })),
      unsupported: unsupported.map((one) => ({ ...one })),
      count: claims.length,
    },
    kind: 'json',
    receipt: counts,
    warnings: unsupported.map(({ claim }) => `the quote of this claim does not stand in the input: ${claim}`),
  });
}

function promptOf(view: View): string {
  const text = renderPrompt(promptSchema(TEXT), view.promptText(TEXT) ?? '', {
    instruction: view.config.instruction ?? '',
    most: String(view.config.max_claims),
    input: quoted(inputText(view)),
  }).trim();
  return `${text}\n\n${format.instruction}`;
}

/** Finds the claims in a text with one call; Muster checks each quote (seed 000 section 8). */
export const claimExtractor = defineStep<ClaimsConfig>({
  type: 'step.claim_extractor',
  version: 1,
  title: 'Claim extractor',
  description:
    'One agent extracts the claims of its input. Claims whose quote is not in the input are kept apart.',
  config: claimsConfigSchema,
  onInterrupt: null,
  templates: [
    { path: 'instruction', kind: 'text' },
    { path: 'input', kind: 'text' },
  ],
  declares: () => ['claims', 'unsupported', 'count'],
  ports: () => ({ inputs: SINGLE_CALL_INPUTS, outputs: SINGLE_CALL_OUTPUTS }),
  agents: (config) => [agentRef(config)],
  sessions: () => ({ persist: false, continues: false, gives: false }),
  prompts: () => [TEXT],
  validate: (config, graph) => [...validateAgent(config, graph), ...validateInput(config, graph)],
  decide,
  observe: (view, turn) => [turnUpdate(view, turn)],
});
