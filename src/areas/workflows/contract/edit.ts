import { amount, whole } from '@contract/bounds';
import { jsonSchema, stepIdSchema } from '@contract/ids';
import { z } from 'zod';
import { portRefSchema } from './definition';

/** The owners of a body, outermost first; empty for the workflow itself. */
const bodyPathSchema = z.array(stepIdSchema).max(64);

/**
 * A step by the ids of the enclosing steps, then its own: `['review', 'fix']` is `fix` in the body of
 * `review`.
 */
export const stepPathSchema = z.array(stepIdSchema).min(1).max(64);
export type StepPath = readonly string[];

const keySchema = z.union([z.string().max(1_000), whole().min(0).max(1_000_000)]);
export const valuePathSchema = z.array(keySchema).min(1).max(64);
/** A path in a value: map keys and zero-based list indexes. */
export type ValuePath = readonly (string | number)[];

const indexSchema = whole().min(0).max(1_000_000);
const numberSchema = amount().refine(Number.isFinite);

/**
 * An edit of an alias or its anchor changes several places. It is refused (`edit.shared`) unless this
 * confirms it.
 */
const sharedShape = { both: z.boolean().optional() };
/** `step` is empty if the place is one of the workflow's own keys. */
const placeShape = { step: z.array(stepIdSchema).max(64), path: valuePathSchema, ...sharedShape };
const cableShape = { body: bodyPathSchema, from: portRefSchema, to: portRefSchema, ...sharedShape };

/**
 * The possible edits of a workflow file. Each edit is a pure function of the definition (`applyEdit`) and a
 * splice of the text, which leaves every other line unchanged.
 */
export const workflowEditSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('step.add'),
      body: bodyPathSchema,
      /** As written in the file: without values that equal the defaults. */
      step: z
        .record(z.string(), jsonSchema)
        .and(z.looseObject({ id: stepIdSchema, type: z.string().min(1) })),
      /** Its index among the steps; default: the end. */
      at: indexSchema.optional(),
      ...sharedShape,
    }),
    /** Also removes the cables to and from it. */
    z.strictObject({ kind: z.literal('step.remove'), step: stepPathSchema, ...sharedShape }),
    /** Also changes the cables and references that name it. */
    z.strictObject({
      kind: z.literal('step.rename'),
      step: stepPathSchema,
      id: stepIdSchema,
      ...sharedShape,
    }),
    z.strictObject({
      kind: z.literal('step.move'),
      step: stepPathSchema,
      position: z.strictObject({ x: numberSchema, y: numberSchema }),
      ...sharedShape,
    }),
    /** Missing maps on the path are created. */
    z.strictObject({ kind: z.literal('value.set'), ...placeShape, value: jsonSchema }),
    z.strictObject({ kind: z.literal('value.unset'), ...placeShape }),
    /** `path` is the list's path; a missing list is created. */
    z.strictObject({ kind: z.literal('list.insert'), ...placeShape, at: indexSchema, value: jsonSchema }),
    z.strictObject({ kind: z.literal('list.remove'), ...placeShape, at: indexSchema }),
    /** `to`: the index after the entry was taken out. */
    z.strictObject({ kind: z.literal('list.move'), ...placeShape, at: indexSchema, to: indexSchema }),
    z.strictObject({ kind: z.literal('cable.add'), ...cableShape }),
    z.strictObject({ kind: z.literal('cable.remove'), ...cableShape }),
    /** Moves one or both ends. */
    z.strictObject({
      kind: z.literal('cable.reconnect'),
      ...cableShape,
      newFrom: portRefSchema.optional(),
      newTo: portRefSchema.optional(),
    }),
  ]),
);
export type WorkflowEdit = z.infer<typeof workflowEditSchema>;
