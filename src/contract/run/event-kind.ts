import { z } from 'zod';

/** One kind of event. Its schema is made when the first of its kind is met: a start meets few of them. */
export interface EventKind<T extends string, S extends z.ZodRawShape> {
  readonly type: T;
  readonly schema: z.ZodLazy<z.ZodObject<{ type: z.ZodLiteral<T> } & S>>;
}

/** `shape` gives the fields beside `type`. */
export function event<T extends string, S extends z.ZodRawShape>(type: T, shape: () => S): EventKind<T, S> {
  return { type, schema: z.lazy(() => z.object({ type: z.literal(type), ...shape() })) };
}
