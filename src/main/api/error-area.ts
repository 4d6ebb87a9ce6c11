import type { ErrorCode } from '@contract/errors';

/** The part of a code before its first dot; a table that lacks an area does not compile. */
export type ErrorArea = ErrorCode extends infer C ? (C extends `${infer Area}.${string}` ? Area : C) : never;

export const areaOf = (code: ErrorCode): ErrorArea => code.replace(/\..*$/s, '') as ErrorArea;
