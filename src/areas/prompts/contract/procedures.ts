import { whole } from '@contract/bounds';
import { problemSchema } from '@contract/errors';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import { promptFolderSchema } from './folders';
import { promptIdSchema, promptSchemaSchema } from './schema';

/**
 * `builtin`: Muster's own text. `override`: the project's. `flag`, `variable`: from a folder that overrides
 * the project's. `none`: an optional file that does not exist.
 */
const promptSourceSchema = z.enum(['builtin', 'override', 'flag', 'variable', 'none']);
export type PromptSource = z.infer<typeof promptSourceSchema>;

/** A prompt as it applies in a project. */
const promptRowSchema = lazyObject(() => ({
  id: promptIdSchema,
  set: z.object({ id: z.string(), title: z.string() }),
  title: z.string(),
  purpose: z.string(),
  source: promptSourceSchema,
  /** The file in use, as a path the operator knows: in the project, or in Muster's own folder. */
  file: z.string(),
  absolutePath: z.string(),
  /** Where this project's override is or would be; null without a project. */
  overrideFile: z.string().nullable(),
  problems: z.array(problemSchema),
}));
export type PromptRow = z.infer<typeof promptRowSchema>;

/** A part of a text. All `raw` concatenated are the text. */
const promptPieceSchema = z.object({
  kind: z.enum(['text', 'placeholder', 'brace', 'wrong']),
  raw: z.string(),
});
export type PromptPiece = z.infer<typeof promptPieceSchema>;

const promptDetailSchema = z.lazy(() =>
  promptRowSchema.unwrap().extend({
    schema: promptSchemaSchema,
    text: z.string(),
    pieces: z.array(promptPieceSchema),
    /** SHA-256 of the text, in hexadecimal. */
    hash: z.string(),
    builtinText: z.string(),
  }),
);
export type PromptDetail = z.infer<typeof promptDetailSchema>;

const promptCheckSchema = lazyObject(() => ({
  /** The folder that was searched; null for Muster's own texts only. */
  projectPath: z.string().nullable(),
  /** False: runs that need these texts cannot start. */
  valid: z.boolean(),
  prompts: z.array(promptRowSchema),
  /** Files in the project's prompts folder that match no prompt, such as misspelt names. */
  strays: z.array(problemSchema),
}));
export type PromptCheck = z.infer<typeof promptCheckSchema>;

/** A project in the list, or any folder; neither: Muster's own texts only. */
const place = lazyObject(() => ({
  projectId: whole().optional(),
  path: z.string().optional(),
  /** Override the project's texts. */
  folders: z.array(promptFolderSchema).optional(),
}));
const promptTextSchema = z.string().max(1_000_000);
const projectPrompt = z.object({ projectId: whole(), id: promptIdSchema });

export const promptProcedures = {
  'prompt.list': { input: place, output: z.lazy(() => z.array(promptRowSchema)) },
  'prompt.get': {
    input: z.lazy(() => place.unwrap().extend({ id: promptIdSchema })),
    output: promptDetailSchema,
  },
  /** All problems of the prompt files. */
  'prompt.check': { input: place, output: promptCheckSchema },
  /** Copies Muster's text into the project for editing. Never overwrites a file. */
  'prompt.override': {
    input: projectPrompt,
    output: lazyObject(() => ({ file: z.string(), absolutePath: z.string() })),
  },
  /**
   * The problems of a text, and the text filled with sample values; null if it cannot be filled. Writes
   * nothing.
   */
  'prompt.judge': {
    input: lazyObject(() => ({ id: promptIdSchema, text: promptTextSchema })),
    output: lazyObject(() => ({ problems: z.array(problemSchema), preview: z.string().nullable() })),
  },
  /**
   * Saves the project's text, if the file is unchanged since it was read and the new text has no problems.
   */
  'prompt.save': {
    input: z.lazy(() =>
      projectPrompt.extend({
        text: promptTextSchema,
        /** Hash of the text as read before the change. */
        hash: z.string(),
      }),
    ),
    output: z.object({}),
  },
  /** Removes the project's text; it is kept beside it as `.bak`. */
  'prompt.removeOverride': { input: projectPrompt, output: lazyObject(() => ({ backup: z.string() })) },
  /** Restores the kept text if its place is still free. */
  'prompt.restoreOverride': {
    input: z.lazy(() => projectPrompt.extend({ backup: z.string() })),
    output: z.object({}),
  },
} as const;
