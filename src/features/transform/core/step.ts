import { promptSchema } from '@areas/prompts/contract/sets';
import { renderPrompt } from '@areas/prompts/core/render';
import { requiredText } from '@contract/bounds';
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
import { turnUpdate } from '@main/core/step/update';
import type { z } from 'zod';

const transformConfigSchema = lazyStrictObject(() => ({
  instruction: requiredText('write an instruction: what to make of the input?'),
  ...singleCallShape,
}));
type TransformConfig = z.infer<typeof transformConfigSchema>;
type View = ActivationView<TransformConfig>;

const TEXT = 'transform/transform';

function decide(view: View): StepDecision {
  const { turns, format } = view;
  const agent = agentRef(view.config);
  if (turns.length === 0) return ownTurn({ agent, ordinal: 0, of: 1, prompt: promptOf(view) });
  const response = turns.at(-1)?.response ?? '';
  if (format === null) return ended(view, { content: response, kind: 'markdown' });
  const answer = checkedAnswer(turns, format);
  switch (answer.kind) {
    case 'repair':
      return ownTurn({ agent, turn: 'reminder', ordinal: 1, of: 2, prompt: answer.prompt });
    case 'valid':
      return ended(view, { content: answer.json, kind: 'json' });
    default:
      return ended(view, {
        content: response,
        kind: 'markdown',
        ...(answer.kind === 'invalid' ? { error: answer.error } : {}),
      });
  }
}

function promptOf(view: View): string {
  const text = renderPrompt(promptSchema(TEXT), view.promptText(TEXT) ?? '', {
    instruction: view.config.instruction,
    input: quoted(inputText(view)),
  }).trim();
  return view.format === null ? text : `${text}\n\n${view.format.instruction}`;
}

/** Converts its input into another text with one call (seed 000 section 8). */
export const transform = defineStep<TransformConfig>({
  type: 'step.transform',
  version: 1,
  title: 'Transform',
  description: 'One agent transforms its input with one prompt.',
  config: transformConfigSchema,
  onInterrupt: null,
  templates: [
    { path: 'instruction', kind: 'text' },
    { path: 'input', kind: 'text' },
  ],
  takesFormat: true,
  ports: () => ({ inputs: SINGLE_CALL_INPUTS, outputs: SINGLE_CALL_OUTPUTS }),
  agents: (config) => [agentRef(config)],
  sessions: () => ({ persist: false, continues: false, gives: false }),
  prompts: () => [TEXT],
  validate: (config, graph) => [...validateAgent(config, graph), ...validateInput(config, graph)],
  decide,
  observe: (view, turn) => [turnUpdate(view, turn)],
});
