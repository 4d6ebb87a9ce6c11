import { z } from 'zod';
import { problemSchema } from '../errors';
import { jsonSchema } from '../ids';
import { portSpecSchema, workflowDefinitionSchema } from './definition';
import { stepPathSchema, valuePathSchema, workflowEditSchema } from './edit';
import { templateHelpSchema, templatePreviewSchema } from './template-help';

const projectFile = z.lazy(() => z.object({ projectId: z.number().int(), file: z.string() }));

/** A text of this length is no workflow. The same bound holds for reading. */
const textSchema = z.string().max(1_000_000);
/** Names one state of a file. */
const hashSchema = z.string().min(1).max(100);
/** At most so many edits are one request. */
const MOST_EDITS = 2_000;
const editsSchema = z.lazy(() => z.array(workflowEditSchema).min(1).max(MOST_EDITS));
const stateShape = { text: textSchema, hash: hashSchema };

/** A problem of a text, with the edits that mend it where that is something edits can do. */
export const mendableProblemSchema = z.lazy(() =>
  problemSchema.unwrap().extend({ edits: z.array(workflowEditSchema).optional() }),
);
export type MendableProblem = z.infer<typeof mendableProblemSchema>;

/** The result of a change to a file. Nothing is written at a conflict. */
export const fileChangeSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('written'),
      ...stateShape,
      /** The file had changed since `base`, elsewhere: it has both changes now. */
      merged: z.boolean(),
      /** What still names a step that the edits removed. */
      dangling: z
        .array(z.object({ removed: z.string(), path: z.string(), step: z.string().nullable() }))
        .optional(),
    }),
    z.object({
      kind: z.literal('conflict'),
      /** The file as it is now. */
      theirs: z.object(stateShape),
      /** The file as it would be with this change alone; null where the state it was made on is not known any more. */
      mine: z.string().nullable(),
    }),
  ]),
);
export type FileChange = z.infer<typeof fileChangeSchema>;

export const editingProcedures = {
  /** A workflow file's text, byte for byte, and the hash that names this state of it. */
  'workflow.source': {
    input: projectFile,
    output: z.lazy(() => z.object({ ...stateShape, absolutePath: z.string(), writable: z.boolean() })),
  },
  /** What the core says of a text that is not saved. */
  'workflow.check': {
    input: z.lazy(() => projectFile.unwrap().extend({ text: textSchema })),
    output: z.lazy(() =>
      z.object({
        problems: z.array(mendableProblemSchema),
        runnable: z.boolean(),
        /** Null where the text is no workflow. */
        definition: workflowDefinitionSchema.nullable(),
        /** What the text says, valid or not; null where it is no YAML. */
        value: jsonSchema,
        ports: z.record(
          z.string(),
          z.object({ inputs: z.array(portSpecSchema), outputs: z.array(portSpecSchema) }),
        ),
      }),
    ),
  },
  /** A text that is not saved, after edits: all of them or none. Errors: those of `workflow.edit`. */
  'workflow.edited': {
    input: z.lazy(() => projectFile.unwrap().extend({ text: textSchema, edits: editsSchema })),
    output: z.lazy(() => z.object({ text: textSchema })),
  },
  /** The templates that a step of a text may have, and what each may refer to. */
  'workflow.templates': {
    input: z.lazy(() => projectFile.unwrap().extend({ text: textSchema, step: stepPathSchema })),
    output: templateHelpSchema,
  },
  /** What a template that is being written at a place of a step refers to and becomes, with values of the last run. */
  'workflow.preview': {
    input: z.lazy(() =>
      projectFile.unwrap().extend({
        text: textSchema,
        step: stepPathSchema,
        path: valuePathSchema,
        /** The template as it is now; it need not be in `text`. */
        draft: textSchema,
      }),
    ),
    output: templatePreviewSchema,
  },
  /** Copies a file from elsewhere into the project, so that a step can attach it. */
  'workflow.attach': {
    input: z.lazy(() => z.object({ projectId: z.number().int(), path: z.string().min(1) })),
    /** Its path in the project. */
    output: z.lazy(() => z.object({ file: z.string() })),
  },
  /** Writes a text that was made from the state `base`. */
  'workflow.save': {
    input: z.lazy(() => projectFile.unwrap().extend({ base: hashSchema, text: textSchema })),
    output: fileChangeSchema,
  },
  /**
   * Makes edits on the state `base`, all of them or none; where the file changed since, on the file as it is, if what
   * they change is still there as it was. Errors: `edit.no_place`, `edit.refused`, `edit.shared`, `validation.yaml`,
   * `project.not_writable`.
   */
  'workflow.edit': {
    input: z.lazy(() =>
      projectFile.unwrap().extend({
        base: hashSchema,
        edits: editsSchema,
        /** Only tells what would be written. */
        dry: z.boolean().optional(),
      }),
    ),
    output: fileChangeSchema,
  },
} as const;
