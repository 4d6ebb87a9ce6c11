import { z } from 'zod';
import { problemSchema } from '../errors';
import { promptFolderSchema } from './folders';
import { promptIdSchema, promptSchemaSchema } from './schema';

/**
 * `builtin`: Muster's own text. `override`: the project's. `flag`, `variable`: of a folder that wins over the project's.
 * `none`: an optional file that no one has written.
 */
export const promptSourceSchema = z.enum(['builtin', 'override', 'flag', 'variable', 'none']);
export type PromptSource = z.infer<typeof promptSourceSchema>;

/** One prompt as it counts in a project. */
export const promptRowSchema = z.lazy(() =>
  z.object({
    id: promptIdSchema,
    set: z.object({ id: z.string(), title: z.string() }),
    title: z.string(),
    purpose: z.string(),
    source: promptSourceSchema,
    /** The file that counts as the operator knows it: in the project, or in Muster's own folder. */
    file: z.string(),
    absolutePath: z.string(),
    /** Where this project's own text stands or would stand; null where no project is asked for. */
    overrideFile: z.string().nullable(),
    problems: z.array(problemSchema),
  }),
);
export type PromptRow = z.infer<typeof promptRowSchema>;

/** A part of a text. All `raw` one after the other are the text. */
export const promptPieceSchema = z.object({
  kind: z.enum(['text', 'placeholder', 'brace', 'wrong']),
  raw: z.string(),
});
export type PromptPiece = z.infer<typeof promptPieceSchema>;

export const promptDetailSchema = z.lazy(() =>
  promptRowSchema.unwrap().extend({
    schema: promptSchemaSchema,
    text: z.string(),
    pieces: z.array(promptPieceSchema),
    /** SHA-256 of the text, in hexadecimal digits. */
    hash: z.string(),
    builtinText: z.string(),
  }),
);
export type PromptDetail = z.infer<typeof promptDetailSchema>;

export const promptCheckSchema = z.lazy(() =>
  z.object({
    /** The folder that was looked in; null for Muster's own texts alone. */
    projectPath: z.string().nullable(),
    /** False: no run that needs these texts starts. */
    valid: z.boolean(),
    prompts: z.array(promptRowSchema),
    /** Of files in the project's folder of prompts that are none: a slip in a name would else go unseen. */
    strays: z.array(problemSchema),
  }),
);
export type PromptCheck = z.infer<typeof promptCheckSchema>;

/** A project on the list, or any folder; neither: Muster's own texts alone. */
const place = z.lazy(() =>
  z.object({
    projectId: z.number().int().optional(),
    path: z.string().optional(),
    /** Win over the project's texts. */
    folders: z.array(promptFolderSchema).optional(),
  }),
);
const promptTextSchema = z.string().max(1_000_000);
const projectPrompt = z.object({ projectId: z.number().int(), id: promptIdSchema });

export const promptProcedures = {
  'prompt.list': { input: place, output: z.lazy(() => z.array(promptRowSchema)) },
  'prompt.get': {
    input: z.lazy(() => place.unwrap().extend({ id: promptIdSchema })),
    output: promptDetailSchema,
  },
  /** Everything that is wrong with the prompt files. */
  'prompt.check': { input: place, output: promptCheckSchema },
  /** Writes Muster's text into the project, to be changed there. A file that exists is never written over. */
  'prompt.override': {
    input: projectPrompt,
    output: z.lazy(() => z.object({ file: z.string(), absolutePath: z.string() })),
  },
  /** What is wrong with a text, and how it reads with sample values; null where it cannot be filled in. Writes nothing. */
  'prompt.judge': {
    input: z.lazy(() => z.object({ id: promptIdSchema, text: promptTextSchema })),
    output: z.lazy(() => z.object({ problems: z.array(problemSchema), preview: z.string().nullable() })),
  },
  /** Writes the project's text, where its file still is as it was read and the new text has no problems. */
  'prompt.save': {
    input: z.lazy(() =>
      projectPrompt.extend({
        text: promptTextSchema,
        /** Of the text that was read before it was changed. */
        hash: z.string(),
      }),
    ),
    output: z.object({}),
  },
  /** The project's text is kept beside its place, as `.bak`. */
  'prompt.removeOverride': { input: projectPrompt, output: z.lazy(() => z.object({ backup: z.string() })) },
  /** Puts the kept text back where nothing has taken its place. */
  'prompt.restoreOverride': {
    input: z.lazy(() => projectPrompt.extend({ backup: z.string() })),
    output: z.object({}),
  },
} as const;
