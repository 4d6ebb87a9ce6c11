import { z } from 'zod';
import { whole } from '../bounds';
import { lazyObject } from '../lazy-object';

/*
 * The protocol between a REPL (a page that runs model-written Python in a worker) and the core. The page is
 * not trusted: the core validates, counts and limits everything it sends.
 */

const id = z.string().min(1).max(64);

/** One question to the sub-model. */
const subPromptSchema = lazyObject(() => ({ instruction: z.string(), content: z.string() }));
export type SubPrompt = z.infer<typeof subPromptSchema>;

/** The answer to one question: its text, or why there is none. */
const subAnswerSchema = lazyObject(() => ({ ok: z.boolean(), text: z.string() }));
export type SubAnswer = z.infer<typeof subAnswerSchema>;

/** The value with which a block ended the REPL's work. */
const replFinalSchema = lazyObject(() => ({
  call: z.enum(['FINAL', 'FINAL_VAR', 'PARTIAL', 'answer']),
  text: z.string(),
}));

/** The result of one block. */
export const execResultSchema = lazyObject(() => ({
  stdout: z.string(),
  stderr: z.string(),
  /** Printed characters that were dropped, on both streams. */
  dropped: whole().nonnegative(),
  /** The exception as Python prints it. */
  error: z.string().nullable(),
  /** The block was interrupted. */
  interrupted: z.boolean(),
  final: replFinalSchema.nullable(),
  /** Names in the REPL, sorted. */
  variables: z.array(z.string()).max(10_000),
  /**
   * Changes when the variables' values change, within a limited depth. Absent in results of earlier versions.
   */
  fingerprint: z.string().max(64).optional(),
}));
export type ExecResult = z.infer<typeof execResultSchema>;

/** A variable as text; null if it does not exist or is None. */
const readResultSchema = lazyObject(() => ({ text: z.string().nullable() }));

/** Settings of a REPL, sent at its start. */
const replSettingsSchema = lazyObject(() => ({
  /** Maximum characters kept of a block's output. */
  outputChars: whole().positive(),
  /** Maximum characters of one sub-call, instruction and content together. */
  subcallChars: whole().positive(),
  /** Maximum sub-calls in one batch. */
  batchSize: whole().positive(),
}));
export type ReplSettings = z.infer<typeof replSettingsSchema>;

/** Seeds a REPL's clock and random numbers. */
export const replSeedSchema = lazyObject(() => ({
  /** 128 random bits in hexadecimal. */
  seed: z.string().regex(/^[0-9a-f]{32}$/),
  /** Start of the clock, in milliseconds. */
  now: whole(),
}));
export type ReplSeed = z.infer<typeof replSeedSchema>;

const toReplSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('start'), settings: replSettingsSchema }),
    /** Fixes clock and random numbers, before the first block. */
    z.object({ kind: z.literal('fix'), id, seed: replSeedSchema }),
    z.object({ kind: z.literal('exec'), id, code: z.string() }),
    /** Reads a variable as text, for an answer that names it. */
    z.object({ kind: z.literal('read'), id, name: z.string() }),
    /** A part of a document; `begin` starts a new document, `last` ends the context. */
    z.object({ kind: z.literal('context'), id, text: z.string(), begin: z.boolean(), last: z.boolean() }),
    z.object({ kind: z.literal('interrupt') }),
    z.object({ kind: z.literal('reply'), call: whole(), answers: z.array(subAnswerSchema) }),
  ]),
);
export type ToRepl = z.infer<typeof toReplSchema>;

export const fromReplSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('ready'), python: z.string().max(64), isolated: z.boolean() }),
    /** The block waits for the sub-model's answer. */
    z.object({
      kind: z.literal('call'),
      exec: id,
      call: whole(),
      prompts: z.array(subPromptSchema),
    }),
    z.object({ kind: z.literal('done'), id, result: execResultSchema }),
    z.object({ kind: z.literal('read'), id, result: readResultSchema }),
    z.object({ kind: z.literal('taken'), id, error: z.string().nullable() }),
    z.object({ kind: z.literal('fatal'), message: z.string().max(4_000) }),
  ]),
);
export type FromRepl = z.infer<typeof fromReplSchema>;

/** How the operating system confines the Python process. */
const confinementSchema = lazyObject(() => ({
  /** False: only the browser's own isolation applies, which the operator allowed. */
  osSandbox: z.boolean(),
  detail: z.string(),
}));
export type Confinement = z.infer<typeof confinementSchema>;

/** Why a REPL has ended. */
const goneReasonSchema = z.enum(['closed', 'crashed', 'memory', 'host']);
export type GoneReason = z.infer<typeof goneReasonSchema>;

/** Messages to the process that hosts REPLs. */
export const toSandboxHostSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('open'),
      repl: id,
      /** Resident memory above which the process is killed. */
      memoryMb: whole().positive(),
      /** Start even without the operating system's sandbox. */
      allowWeak: z.boolean(),
    }),
    z.object({ kind: z.literal('close'), repl: id }),
    z.object({ kind: z.literal('to'), repl: id, message: toReplSchema }),
  ]),
);
export type ToSandboxHost = z.infer<typeof toSandboxHostSchema>;

/** Messages from it. `from` carries a REPL's message, which the core validates. */
export const fromSandboxHostSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('up') }),
    z.object({ kind: z.literal('opened'), repl: id, pid: whole(), confinement: confinementSchema }),
    /** `weak`: the operating system's sandbox is off, which was not allowed. */
    z.object({
      kind: z.literal('refused'),
      repl: id,
      why: z.enum(['weak', 'full', 'failed']),
      message: z.string(),
    }),
    z.object({ kind: z.literal('from'), repl: id, message: z.unknown() }),
    z.object({ kind: z.literal('gone'), repl: id, reason: goneReasonSchema }),
  ]),
);
export type FromSandboxHost = z.infer<typeof fromSandboxHostSchema>;
