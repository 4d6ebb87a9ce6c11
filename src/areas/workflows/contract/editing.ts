import { whole } from '@contract/bounds';
import { problemSchema } from '@contract/errors';
import { jsonSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import { portSpecSchema, workflowDefinitionSchema } from './definition';
import { stepPathSchema, valuePathSchema, workflowEditSchema } from './edit';
import { templateHelpSchema, templatePreviewSchema } from './template-help';

const projectFile = lazyObject(() => ({ projectId: whole(), file: z.string() }));

/** Maximum length of a workflow file, for reading and editing. */
const textSchema = z.string().max(1_000_000);
/** Identifies one state of a file. */
const hashSchema = z.string().min(1).max(100);
/** Maximum number of edits in one request. */
const MOST_EDITS = 2_000;
const editsSchema = z.lazy(() => z.array(workflowEditSchema).min(1).max(MOST_EDITS));
const stateShape = { text: textSchema, hash: hashSchema };

/** A problem of a text, with the edits that fix it, if edits can. */
const mendableProblemSchema = z.lazy(() =>
  problemSchema.unwrap().extend({ edits: z.array(workflowEditSchema).optional() }),
);
export type MendableProblem = z.infer<typeof mendableProblemSchema>;

/** The result of a change to a file. In a conflict nothing is written. */
const fileChangeSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('written'),
      ...stateShape,
      /** The file had changed elsewhere since `base`; it now has both changes. */
      merged: z.boolean(),
      /** Remaining references to a step that the edits removed. */
      dangling: z
        .array(z.object({ removed: z.string(), path: z.string(), step: z.string().nullable() }))
        .optional(),
    }),
    z.object({
      kind: z.literal('conflict'),
      /** The file's current state. */
      theirs: z.object(stateShape),
      /** The file with only this change applied; null if its base state is no longer known. */
      mine: z.string().nullable(),
    }),
  ]),
);
export type FileChange = z.infer<typeof fileChangeSchema>;

export const editingProcedures = {
  /** A workflow file's text, byte for byte, and the hash of this state. */
  'workflow.source': {
    input: projectFile,
    output: lazyObject(() => ({ ...stateShape, absolutePath: z.string(), writable: z.boolean() })),
  },
  /** Checks unsaved text. */
  'workflow.check': {
    input: z.lazy(() => projectFile.unwrap().extend({ text: textSchema })),
    output: lazyObject(() => ({
      problems: z.array(mendableProblemSchema),
      runnable: z.boolean(),
      /** Null if the text is not a valid workflow. */
      definition: workflowDefinitionSchema.nullable(),
      /** The parsed text, valid or not; null if it is not YAML. */
      value: jsonSchema,
      ports: z.record(
        z.string(),
        z.object({ inputs: z.array(portSpecSchema), outputs: z.array(portSpecSchema) }),
      ),
    })),
  },
  /** Applies edits to unsaved text, all or none. Errors: those of `workflow.edit`. */
  'workflow.edited': {
    input: z.lazy(() => projectFile.unwrap().extend({ text: textSchema, edits: editsSchema })),
    output: lazyObject(() => ({ text: textSchema })),
  },
  /** The template fields of a step in a text, and what each may refer to. */
  'workflow.templates': {
    input: z.lazy(() => projectFile.unwrap().extend({ text: textSchema, step: stepPathSchema })),
    output: templateHelpSchema,
  },
  /** What a template being typed refers to and expands to, with values of the last run. */
  'workflow.preview': {
    input: z.lazy(() =>
      projectFile.unwrap().extend({
        text: textSchema,
        step: stepPathSchema,
        path: valuePathSchema,
        /** The template's current text; it need not be in `text`. */
        draft: textSchema,
      }),
    ),
    output: templatePreviewSchema,
  },
  /** Copies a file from elsewhere into the project, so that a step can attach it. */
  'workflow.attach': {
    input: lazyObject(() => ({ projectId: whole(), path: z.string().min(1) })),
    /** Its path in the project. */
    output: lazyObject(() => ({ file: z.string() })),
  },
  /** Saves a text that is based on the state `base`. */
  'workflow.save': {
    input: z.lazy(() => projectFile.unwrap().extend({ base: hashSchema, text: textSchema })),
    output: fileChangeSchema,
  },
  /**
   * Applies edits that are based on the state `base`, all or none. If the file has changed since, they are
   * applied to the current file, provided that what they change is still the same. Errors: `edit.no_place`,
   * `edit.refused`, `edit.shared`, `validation.yaml`, `project.not_writable`.
   */
  'workflow.edit': {
    input: z.lazy(() =>
      projectFile.unwrap().extend({
        base: hashSchema,
        edits: editsSchema,
        /** Only returns what would be written. */
        dry: z.boolean().optional(),
      }),
    ),
    output: fileChangeSchema,
  },
} as const;
