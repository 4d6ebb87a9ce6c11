import { z } from 'zod';
import { whole } from './bounds';
import { LATEST_DATE_MS } from './limits';

/** A run's row number, local to one database. Addresses and exports use its `uid` (a ULID) instead. */
export const runIdSchema = whole().positive();

const ulid = (what: string) =>
  z
    .string()
    .regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, `a ${what} is a ULID: 26 digits and capital letters`)
    .optional();

/**
 * A run's `uid`, chosen by the caller as an idempotency key: a repeated start with the same uid starts one
 * run. A caller that lost the response can therefore repeat the request.
 */
export const newUidSchema = ulid('uid');

/**
 * Idempotency key of a command with text: a repetition with the same key in the same run is executed once and
 * gets the same answer.
 */
export const newKeySchema = ulid('key');

/** Activations, turns, sessions, gates and commands are numbered from 1 within their run. */
export const localIdSchema = whole().positive();
export type LocalId = number;

export const stepIdSchema = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
    'an id starts with a letter and has letters, digits, _ and - only',
  );
export type StepId = string;

/** Milliseconds since 1970, UTC. */
export const timestampSchema = z.number().int().nonnegative().max(LATEST_DATE_MS);

/** JSON as used in a definition, an event or a port. */
export const jsonSchema: z.ZodType<Json> = z.json() as z.ZodType<Json>;
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * A terminal's name within its run: `c3` of command 3, `s1-0` the shell of session 1, `s1-2` another terminal
 * of that session.
 */
export const terminalNameSchema = z.string().regex(/^(c\d+|s\d+-\d+)$/);
