import type { PromptValues } from '@areas/prompts/contract/schema';
import { type PromptId, promptSchema } from '@areas/prompts/contract/sets';
import { renderPrompt } from '@areas/prompts/core/render';

type Loaded = { promptText(id: string): string | null };

/** The prompt texts of a question, frozen by the run at its start. */
export const RLM_TEXTS = [
  'rlm/system',
  'rlm/system_augmented',
  'rlm/context_metadata',
  'rlm/iteration_zero',
  'rlm/iteration_continue',
  'rlm/subcall',
  'rlm/code_required',
  'rlm/last_call',
  'rlm/verify_adversarial',
  'rlm/verify_code',
] as const satisfies readonly PromptId[];
type RlmText = (typeof RLM_TEXTS)[number];

/** A text of the run, filled in. Values are never searched for placeholders. */
export function rlmText<Id extends RlmText>(
  from: Loaded,
  id: Id,
  values: PromptValues<ReturnType<typeof promptSchema<Id>>>,
): string {
  const text = from.promptText(id);
  // A missing optional file is an empty text.
  if (text === null || text === '') throw new Error(`the text ${id} is missing`);
  return renderPrompt(promptSchema(id), text, values).trim();
}
