import { loopPrompts } from './loop';
import type { PromptSchema } from './schema';
import { teamPrompts } from './team';

export interface PromptSet {
  /** The folder of its files, in the app's resources and in a project's `.muster/prompts`. */
  readonly id: string;
  readonly title: string;
  readonly prompts: readonly PromptSchema[];
}

/** All texts that Muster gives to agents on its own account; one line for each set. */
export const promptSets: readonly PromptSet[] = [
  { id: 'team', title: 'Teams', prompts: teamPrompts },
  { id: 'loop', title: 'Loops', prompts: loopPrompts },
];

/** Every prompt by its own id; a set that is added belongs in here too. */
const known = [...teamPrompts, ...loopPrompts] as const;
type KnownPrompt = (typeof known)[number];
export type PromptId = KnownPrompt['id'];
type PromptOf<Id extends PromptId> = Extract<KnownPrompt, { readonly id: Id }>;

/** The schema of a prompt, whose placeholders the compiler knows: for `renderPrompt`. */
export function promptSchema<const Id extends PromptId>(id: Id): PromptOf<Id> {
  const found = known.find((prompt): prompt is PromptOf<Id> => prompt.id === id);
  if (found === undefined) throw new Error(`no prompt ${id}`);
  return found;
}
