import { z } from 'zod';

/** A run's row number: local to one database. Its `uid` (a ULID) is what addresses and exports use. */
export const runIdSchema = z.number().int().positive();

const ulid = (what: string) =>
  z
    .string()
    .regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, `a ${what} is a ULID: 26 digits and capital letters`)
    .optional();

/**
 * A run's `uid`, chosen by the one who starts it: asked twice under one, a start is done once. So who lost the answer of
 * the core asks again.
 */
export const newUidSchema = ulid('uid');

/**
 * The key of a command that says something, made by its sender once for each thing that is meant: said twice in a run
 * under one, it is done once, and answered twice alike.
 */
export const newKeySchema = ulid('key');

/** Activations, turns, sessions, gates and commands are numbered from 1 within their run. */
export const localIdSchema = z.number().int().positive();
export type LocalId = number;

export const stepIdSchema = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
    'an id starts with a letter and has letters, digits, _ and - only',
  );
export type StepId = string;

/** Milliseconds since 1970, UTC. */
export const timestampSchema = z.number().int().nonnegative();

/** JSON as it is in a definition, an event or a port. */
export const jsonSchema: z.ZodType<Json> = z.json() as z.ZodType<Json>;
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A terminal by its name within its run: `c3` of command 3, `s1-0` the shell of session 1, `s1-2` one beside it. */
export const terminalNameSchema = z.string().regex(/^(c\d+|s\d+-\d+)$/);
