import { z } from 'zod';
import { lazyObject } from '../lazy-object';

/** One kind of event. Its schema is built on first use, because a start reads only few kinds. */
interface EventKind<T extends string = string, S extends z.ZodRawShape = z.ZodRawShape> {
  readonly type: T;
  readonly schema: z.ZodLazy<z.ZodObject<{ type: z.ZodLiteral<T> } & S>>;
}

/** `shape` gives the fields in addition to `type`. */
export function event<T extends string, S extends z.ZodRawShape>(type: T, shape: () => S): EventKind<T, S> {
  return { type, schema: lazyObject(() => ({ type: z.literal(type), ...shape() })) };
}

/** The union of the events of a list of kinds. */
export type EventIn<K extends Kinds> = z.infer<K[number]['schema']>;
export type Kinds = readonly { readonly type: string; readonly schema: z.ZodType<Typed> }[];

export interface Typed {
  readonly type: string;
}
/** The member of a union of events that has this type. */
export type OfType<E extends Typed, T extends E['type']> = Extract<E, { readonly type: T }>;

/** Applies one event to the state. */
export type Reducer<S, E> = (state: S, event: E, at: number) => void;

/** Instead of a reducer: the event is only reported to readers and does not affect decisions. */
export const TOLD_ONLY = null;

/** The reducers for a union of events. An event without a reducer or `TOLD_ONLY` does not compile. */
export type Reducers<S, E extends Typed> = {
  readonly [T in E['type']]: Reducer<S, OfType<E, T>> | typeof TOLD_ONLY;
};

/** The reducer of an event; null if it has none, or belongs to another area. */
export function reducerOf<S, E extends Typed>(table: Reducers<S, E>, event: Typed): Reducer<S, Typed> | null {
  // The table is mapped over the union, so the entry of a type takes exactly the events of that type.
  return (table[event.type as E['type']] as Reducer<S, Typed> | null | undefined) ?? null;
}
