import { z } from 'zod';

/** `SET/NAME`: the folder and the file name without its ending. */
export const promptIdSchema = z.string().regex(/^[a-z][a-z0-9-]*\/[a-z][a-z0-9_-]*$/);

/** Something that Muster puts in where the text says `{name}`. */
const placeholderSchema = z.lazy(() =>
  z.object({
    name: z.string().regex(/^[a-z][a-z0-9_]*$/),
    /** A text without it is not valid, and it always has a value; an optional one without a value is empty. */
    required: z.boolean(),
    /** What is there, in a sentence. */
    says: z.string(),
  }),
);

/** What one prompt file is for, and what its text must hold: bundled or overridden. */
export const promptSchemaSchema = z.lazy(() =>
  z.object({
    id: promptIdSchema,
    title: z.string(),
    /** What it is for and when it is sent, in a sentence. */
    purpose: z.string(),
    /** Name of the file in the folder of its set. */
    file: z.string(),
    /** Without a required file nothing starts; an optional one may be missing, and is then empty. */
    requiredFile: z.boolean(),
    placeholders: z.array(placeholderSchema),
    /** Words that the reader's behaviour hangs on: an override must keep each, whatever the breaks of its lines. */
    keyPhrases: z.array(z.string().min(1)),
    /** In characters, before anything is put in. */
    maxLength: z.number().int().positive(),
  }),
);
export type PromptSchema = z.infer<typeof promptSchemaSchema>;

/** What may be put into a text of this schema: what is required, and what may be left out. */
export type PromptValues<S extends PromptSchema> = {
  readonly [P in S['placeholders'][number] as P['required'] extends true ? P['name'] : never]: string;
} & {
  readonly [P in S['placeholders'][number] as P['required'] extends true ? never : P['name']]?: string;
};

export interface PromptSet {
  /** The folder of its files, in the app's resources and in a project's `.muster/prompts`. */
  readonly id: string;
  readonly title: string;
  readonly prompts: readonly PromptSchema[];
}
