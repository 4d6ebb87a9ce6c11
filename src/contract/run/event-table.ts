import { z } from 'zod';

/** One kind of event. Its schema is built when the first event of its kind is read: a start reads few kinds. */
export interface EventKind<T extends string = string, S extends z.ZodRawShape = z.ZodRawShape> {
  readonly type: T;
  readonly schema: z.ZodLazy<z.ZodObject<{ type: z.ZodLiteral<T> } & S>>;
}

/** `shape` gives the fields beside `type`. */
export function event<T extends string, S extends z.ZodRawShape>(type: T, shape: () => S): EventKind<T, S> {
  return { type, schema: z.lazy(() => z.object({ type: z.literal(type), ...shape() })) };
}

/** The union of the events of a list of kinds. */
export type EventIn<K extends Kinds> = z.infer<K[number]['schema']>;
export type Kinds = readonly { readonly type: string; readonly schema: z.ZodType<Typed> }[];

export interface Typed {
  readonly type: string;
}
/** The member of a union of events that has this type. */
export type OfType<E extends Typed, T extends E['type']> = Extract<E, { readonly type: T }>;

/** Changes the state for one event. */
export type Reducer<S, E> = (state: S, event: E, at: number) => void;

/** Stands in place of a reducer: readers are told of the event, and nothing is decided by it. */
export const TOLD_ONLY = null;

/** The reducer of each event of a union: an event without one, or without `TOLD_ONLY`, does not compile. */
export type Reducers<S, E extends Typed> = {
  readonly [T in E['type']]: Reducer<S, OfType<E, T>> | typeof TOLD_ONLY;
};

/** The reducer of an event; null where it is told only, or belongs to another area. */
export function reducerOf<S, E extends Typed>(table: Reducers<S, E>, event: Typed): Reducer<S, Typed> | null {
  // The table is mapped over the union: the entry of a type takes exactly the events of that type.
  return (table[event.type as E['type']] as Reducer<S, Typed> | null | undefined) ?? null;
}
