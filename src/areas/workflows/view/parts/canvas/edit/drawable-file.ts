import { type Json, stepIdSchema } from '@contract/ids';
import { ownValue } from '@contract/own';
import { isMap } from '../../../../contract/change';
import {
  type Cable,
  cableSchema,
  type StepDefinition,
  stepDefinitionSchema,
} from '../../../../contract/definition';

export interface Drawable {
  readonly steps: StepDefinition[];
  readonly cables: Cable[];
}

/**
 * The part of a file with errors that can be drawn and corrected here; null if the text has no keys at all.
 */
export function drawable(value: Json): Drawable | null {
  if (!isMap(value)) return null;
  const { steps, cables } = value;
  return {
    steps: (Array.isArray(steps) ? steps : []).flatMap((step) => readStep(step) ?? []),
    cables: (Array.isArray(cables) ? cables : []).flatMap((cable) => readCable(cable) ?? []),
  };
}

/**
 * Remembers how the core parsed a document, so that after an edit of one step only that step is parsed again.
 */
export function takeRead(value: Json, { steps, cables }: Drawable): void {
  if (!isMap(value)) return;
  for (const [key, read, reader] of [
    ['steps', steps, readStep],
    ['cables', cables, readCable],
  ] as const) {
    const held = ownValue(value, key);
    if (!Array.isArray(held) || held.length !== read.length) continue;
    for (const [index, one] of held.entries()) reader.take(one, read[index] as never);
  }
}

const readStep = remembered((step): StepDefinition | null => {
  const parsed = stepDefinitionSchema.safeParse(step);
  if (parsed.success) return parsed.data;
  if (!isMap(step) || typeof step.type !== 'string') return null;
  const id = stepIdSchema.safeParse(step.id);
  const config = isMap(step.config) ? step.config : {};
  return id.success ? { id: id.data, type: step.type, config } : null;
});

const readCable = remembered((cable): Cable | null => cableSchema.safeParse(cable).data ?? null);

interface Remembered<T> {
  (value: Json): T | null;
  take(value: Json, read: T): void;
}

/** An edit changes one step or cable; all others stay the same objects and are not parsed again. */
function remembered<T>(read: (value: Json) => T | null): Remembered<T> {
  const known = new WeakMap<object, { readonly value: T | null }>();
  const isKey = (value: Json): value is Json & object => typeof value === 'object' && value !== null;
  const reader = (value: Json): T | null => {
    if (!isKey(value)) return read(value);
    const made = known.get(value) ?? { value: read(value) };
    known.set(value, made);
    return made.value;
  };
  const take = (value: Json, made: T): void => {
    if (isKey(value)) known.set(value, { value: made });
  };
  return Object.assign(reader, { take });
}
