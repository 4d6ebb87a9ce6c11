import { whole } from '@contract/bounds';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

/** `SET/NAME`: the folder and the file name without its ending. */
export const promptIdSchema = z.string().regex(/^[a-z][a-z0-9-]*\/[a-z][a-z0-9_-]*$/);

/** A value that replaces `{name}` in the text. */
const placeholderSchema = lazyObject(() => ({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/),
  /**
   * Required in every valid text, and always has a value; an optional placeholder without a value is empty.
   */
  required: z.boolean(),
  /** Its content, as a sentence. */
  says: z.string(),
}));

/** The purpose of a prompt file and what its text must contain, bundled or overridden. */
export const promptSchemaSchema = lazyObject(() => ({
  id: promptIdSchema,
  title: z.string(),
  /** Its purpose and when it is sent, as a sentence. */
  purpose: z.string(),
  /** File name in the folder of its set. */
  file: z.string(),
  /** Without a required file no run starts; an optional file may be missing and counts as empty. */
  requiredFile: z.boolean(),
  placeholders: z.array(placeholderSchema),
  /**
   * Phrases that the parser of the response depends on: an override must keep each, regardless of line
   * breaks.
   */
  keyPhrases: z.array(z.string().min(1)),
  /** In characters, before placeholders are filled in. */
  maxLength: whole().positive(),
}));
export type PromptSchema = z.infer<typeof promptSchemaSchema>;

/** The values for a text of this schema: required and optional ones. */
export type PromptValues<S extends PromptSchema> = {
  readonly [P in S['placeholders'][number] as P['required'] extends true ? P['name'] : never]: string;
} & {
  readonly [P in S['placeholders'][number] as P['required'] extends true ? never : P['name']]?: string;
};

export interface PromptSet {
  /** The folder name of its files, in the app's resources and in a project's `.muster/prompts`. */
  readonly id: string;
  readonly title: string;
  readonly prompts: readonly PromptSchema[];
}
