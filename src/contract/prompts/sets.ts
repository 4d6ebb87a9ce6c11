import type { PromptSchema } from './schema';
import { teamPrompts } from './team';

export interface PromptSet {
  /** The folder of its files, in the app's resources and in a project's `.muster/prompts`. */
  readonly id: string;
  readonly title: string;
  readonly prompts: readonly PromptSchema[];
}

/** All texts that Muster gives to agents on its own account; one line for each set. */
export const promptSets: readonly PromptSet[] = [{ id: 'team', title: 'Teams', prompts: teamPrompts }];

/** Every prompt by its own id; a set that is added belongs in here too. */
export type KnownPrompt = (typeof teamPrompts)[number];
export type PromptId = KnownPrompt['id'];
export type PromptOf<Id extends PromptId> = Extract<KnownPrompt, { readonly id: Id }>;
