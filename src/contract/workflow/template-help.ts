import { z } from 'zod';
import { appErrorSchema, problemSchema } from '../errors';
import { stepIdSchema } from '../ids';

/** How a text is read: `text` is expanded as it is, a `script` by the rules of a shell, a `condition` is decided. */
export const templateKindSchema = z.enum(['text', 'script', 'condition']);
export type TemplateKind = z.infer<typeof templateKindSchema>;

/** What a template may refer to. */
const templateNamesSchema = z.lazy(() =>
  z.object({
    steps: z.array(
      z.object({
        id: stepIdSchema,
        title: z.string().nullable(),
        /** The declared fields of its output; null where any may be read. */
        fields: z.array(z.string()).nullable(),
        /** It has ended by then. */
        upstream: z.boolean(),
        /** `$LOOP_PREV` reads it as it was in the pass before. */
        previous: z.boolean(),
      }),
    ),
    inputs: z.array(z.string()),
    /** Without the dollar sign. */
    variables: z.array(z.string()),
  }),
);
export type TemplateNames = z.infer<typeof templateNamesSchema>;

/** The templates that a step may have. */
export const templateHelpSchema = z.lazy(() =>
  z.object({
    fields: z.array(
      z.object({
        /** Its place in the step: `config.agents[].role`, `config.inputs.*`, `when`. */
        path: z.string(),
        kind: templateKindSchema,
        /** Which of `names` it may refer to. */
        names: z.number().int(),
      }),
    ),
    names: z.array(templateNamesSchema),
  }),
);
export type TemplateHelp = z.infer<typeof templateHelpSchema>;

/** A template that is being written: what it refers to, what is wrong, and what it becomes. */
export const templatePreviewSchema = z.lazy(() =>
  z.object({
    /** By offsets in the text, in their order. */
    references: z.array(z.object({ from: z.number().int(), to: z.number().int() })),
    problems: z.array(
      problemSchema
        .unwrap()
        .pick({ severity: true, message: true, mend: true })
        .extend({ from: z.number().int(), to: z.number().int() }),
    ),
    /** The expanded text; of a condition `true` or `false`; null where that cannot be told. */
    text: z.string().nullable(),
    error: appErrorSchema.nullable(),
    /** The variables that a script reads. */
    env: z.record(z.string(), z.string()),
    /** The run that the values are from; null where the workflow has not run. */
    run: z.object({ id: z.number().int(), name: z.string(), startedAt: z.number() }).nullable(),
    /** References that have a sample value, because that run has none. */
    samples: z.array(z.string()),
  }),
);
export type TemplatePreview = z.infer<typeof templatePreviewSchema>;
