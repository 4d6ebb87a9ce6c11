import { amount, whole } from '@contract/bounds';
import { appErrorSchema, problemSchema } from '@contract/errors';
import { stepIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

/**
 * How a text is evaluated: `text` is expanded, `script` is expanded by shell rules, `condition` is evaluated
 * to true or false.
 */
const templateKindSchema = z.enum(['text', 'script', 'condition']);
export type TemplateKind = z.infer<typeof templateKindSchema>;

/** What a template may refer to. */
const templateNamesSchema = lazyObject(() => ({
  steps: z.array(
    z.object({
      id: stepIdSchema,
      title: z.string().nullable(),
      /** The declared fields of its output; null if any field may be read. */
      fields: z.array(z.string()).nullable(),
      /** It has ended by the time the template is evaluated. */
      upstream: z.boolean(),
      /** `$LOOP_PREV` reads its state in the previous pass. */
      previous: z.boolean(),
    }),
  ),
  inputs: z.array(z.string()),
  /** Without the dollar sign. */
  variables: z.array(z.string()),
}));
export type TemplateNames = z.infer<typeof templateNamesSchema>;

/** The template fields of a step. */
export const templateHelpSchema = lazyObject(() => ({
  fields: z.array(
    z.object({
      /** Path in the step: `config.agents[].role`, `config.inputs.*`, `when`. */
      path: z.string(),
      kind: templateKindSchema,
      /** Index into `names`: what it may refer to. */
      names: whole(),
    }),
  ),
  names: z.array(templateNamesSchema),
}));
export type TemplateHelp = z.infer<typeof templateHelpSchema>;

/** A template being typed: its references, problems and result. */
export const templatePreviewSchema = lazyObject(() => ({
  /** As offsets in the text, in order. */
  references: z.array(z.object({ from: whole(), to: whole() })),
  problems: z.array(
    problemSchema
      .unwrap()
      .pick({ severity: true, message: true, mend: true })
      .extend({ from: whole(), to: whole() }),
  ),
  /** The expanded text; for a condition `true` or `false`; null if it cannot be evaluated. */
  text: z.string().nullable(),
  error: appErrorSchema.nullable(),
  /** The variables that a script reads. */
  env: z.record(z.string(), z.string()),
  /** The run that the values come from; null if the workflow has not run. */
  run: z.object({ id: whole(), name: z.string(), startedAt: amount() }).nullable(),
  /** References with sample values, because that run has none for them. */
  samples: z.array(z.string()),
}));
export type TemplatePreview = z.infer<typeof templatePreviewSchema>;
