import { z } from 'zod';

/** An object schema that is built on its first use, so that the start does not wait for it. */
export const lazyObject = <S extends z.core.$ZodLooseShape>(shape: () => S) =>
  z.lazy(() => z.object(shape()));

/** The same for an object without other fields. */
export const lazyStrictObject = <S extends z.core.$ZodLooseShape>(shape: () => S) =>
  z.lazy(() => z.strictObject(shape()));
