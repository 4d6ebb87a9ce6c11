import { z } from 'zod';
import { jsonSchema, stepIdSchema } from '../ids';
import { portRefSchema } from './definition';

/** The owners of a body, from the outside in; the workflow itself where it is empty. */
const bodyPathSchema = z.array(stepIdSchema).max(64);

/** A step by the ids of the steps around it, and its own last: `['review', 'fix']` is `fix` in the body of `review`. */
export const stepPathSchema = z.array(stepIdSchema).min(1).max(64);
export type StepPath = readonly string[];

const keySchema = z.union([z.string().max(1_000), z.number().int().min(0).max(1_000_000)]);
export const valuePathSchema = z.array(keySchema).min(1).max(64);
/** A place in a value: keys of maps, and numbers of the entries of lists from 0. */
export type ValuePath = readonly (string | number)[];

const indexSchema = z.number().int().min(0).max(1_000_000);
const numberSchema = z.number().refine(Number.isFinite);

/**
 * An edit through an alias, or of what an alias names, changes several places. It is refused (`edit.shared`) unless this
 * says that all of them are meant.
 */
const sharedShape = { both: z.boolean().optional() };
/** `step` is empty where the place is one of the workflow's own keys. */
const placeShape = { step: z.array(stepIdSchema).max(64), path: valuePathSchema, ...sharedShape };
const cableShape = { body: bodyPathSchema, from: portRefSchema, to: portRefSchema, ...sharedShape };

/**
 * What can be done to a workflow file. Each edit is a pure function of the definition (`applyEdit`) and a splice into
 * the text, which leaves every other line as it is.
 */
export const workflowEditSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('step.add'),
      body: bodyPathSchema,
      /** As it is to be in the file: without what has a default. */
      step: z
        .record(z.string(), jsonSchema)
        .and(z.looseObject({ id: stepIdSchema, type: z.string().min(1) })),
      /** Its place among the steps; at the end where this is absent. */
      at: indexSchema.optional(),
      ...sharedShape,
    }),
    /** With the cables that lead to it or from it. */
    z.strictObject({ kind: z.literal('step.remove'), step: stepPathSchema, ...sharedShape }),
    /** With the cables and references that name it. */
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
    /** Maps on the way that are not there are made. */
    z.strictObject({ kind: z.literal('value.set'), ...placeShape, value: jsonSchema }),
    z.strictObject({ kind: z.literal('value.unset'), ...placeShape }),
    /** `path` names the list, which is made where it is not there. */
    z.strictObject({ kind: z.literal('list.insert'), ...placeShape, at: indexSchema, value: jsonSchema }),
    z.strictObject({ kind: z.literal('list.remove'), ...placeShape, at: indexSchema }),
    /** `to`: its place once it is taken out. */
    z.strictObject({ kind: z.literal('list.move'), ...placeShape, at: indexSchema, to: indexSchema }),
    z.strictObject({ kind: z.literal('cable.add'), ...cableShape }),
    z.strictObject({ kind: z.literal('cable.remove'), ...cableShape }),
    /** One or both of its ends lead elsewhere. */
    z.strictObject({
      kind: z.literal('cable.reconnect'),
      ...cableShape,
      newFrom: portRefSchema.optional(),
      newTo: portRefSchema.optional(),
    }),
  ]),
);
export type WorkflowEdit = z.infer<typeof workflowEditSchema>;
