import { type AppError, appError } from './errors';

/** The outcome of an operation with expected failures. Bugs throw; they never become a Result. */
export type Result<T, E = AppError> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
export const err = <E>(error: E): Result<never, E> => ({ ok: false, error });
/** `err` with a new error. */
export const fail = (...error: Parameters<typeof appError>): Result<never> => err(appError(...error));

/** Turns a missing case of a union into a compile error, and throws if reached anyway. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
