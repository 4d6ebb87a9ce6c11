import { featurePromptSets } from '@features/contract';
import type { PromptSet } from './schema';

/** All texts that Muster sends to agents on its own. */
export const promptSets: readonly PromptSet[] = featurePromptSets;

type KnownPrompt = (typeof featurePromptSets)[number]['prompts'][number];
export type PromptId = KnownPrompt['id'];
type PromptOf<Id extends PromptId> = Extract<KnownPrompt, { readonly id: Id }>;

const known: readonly KnownPrompt[] = featurePromptSets.flatMap(
  ({ prompts }): readonly KnownPrompt[] => prompts,
);

/** The schema of a prompt with its placeholders as types, for `renderPrompt`. */
export function promptSchema<const Id extends PromptId>(id: Id): PromptOf<Id> {
  const found = known.find((prompt): prompt is PromptOf<Id> => prompt.id === id);
  if (found === undefined) throw new Error(`no prompt ${id}`);
  return found;
}
