import { z } from 'zod';
import { appErrorSchema } from '../errors';

/**
 * The wire between the terminal process (pty host) and those who use its terminals: the core over a message port, or
 * the process that forked it over the child's IPC channel. Every client sees its own terminals only.
 */

/** Chosen by the client, unique among its terminals; part of file and process marks, so plain. */
const terminalIdSchema = z.string().regex(/^[A-Za-z0-9._-]{1,100}$/);
const sizeSchema = z.lazy(() => z.number().int().min(1).max(2000));

export const terminalSpecSchema = z.lazy(() =>
  z.object({
    file: z.string().min(1),
    args: z.array(z.string()),
    cwd: z.string(),
    /** The whole environment; the host adds its marks. */
    env: z.record(z.string(), z.string()),
    cols: sizeSchema,
    rows: sizeSchema,
    /** Every byte is appended here, and this file is the truth. */
    outputPath: z.string(),
    /**
     * Holds the terminal open at the end until all output is read: node-pty else loses the last kilobytes of a program
     * that prints much and exits at once. For commands; an interactive program wants the terminal for itself.
     */
    hold: z.boolean(),
    /**
     * What happens to it when its client goes: it ends, or it stays for the next client. A kept one that has ended is told
     * of to each client until one says `taken`.
     */
    keep: z.boolean(),
  }),
);
export type TerminalSpec = z.infer<typeof terminalSpecSchema>;

export const toPtyHostSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('create'), id: terminalIdSchema, spec: terminalSpecSchema }),
    z.object({ kind: z.literal('write'), id: terminalIdSchema, data: z.string().max(1_000_000) }),
    z.object({ kind: z.literal('resize'), id: terminalIdSchema, cols: sizeSchema, rows: sizeSchema }),
    /** TERM to everything in the terminal, KILL to what is left after `graceMs`. */
    z.object({ kind: z.literal('kill'), id: terminalIdSchema, graceMs: z.number().int().min(0).max(60_000) }),
    /** How a kept terminal ended is known for good: it need not be told again. */
    z.object({ kind: z.literal('taken'), id: terminalIdSchema }),
    /** How many bytes each terminal of this host may keep, those that are open included. */
    z.object({ kind: z.literal('limits'), terminalBytes: z.number().int().min(1024) }),
  ]),
);
export type ToPtyHost = z.infer<typeof toPtyHostSchema>;

export const terminalExitSchema = z.lazy(() =>
  z.object({
    exitCode: z.number().int().nullable(),
    signal: z.number().int().nullable(),
    /** How much was printed, and the end of it as text. */
    bytes: z.number().int(),
    tail: z.string(),
    /** Set where a part of the output could not be written to the file. */
    error: appErrorSchema.nullable(),
  }),
);
export type TerminalExit = z.infer<typeof terminalExitSchema>;

export const keptTerminalSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    pid: z.number().int(),
    outputPath: z.string(),
    /** How much this program has printed, and the end of the output. */
    bytes: z.number().int(),
    offset: z.number().int(),
    /** An earlier client has asked for its end. */
    killed: z.boolean(),
    /** It has ended, and `exited` follows. */
    ended: z.boolean(),
  }),
);
export type KeptTerminal = z.infer<typeof keptTerminalSchema>;

/**
 * The end of an output, with what earlier programs have left in it, and when that was so: one for each time that it was
 * written to, but for those that lie closer together than 16 ms.
 */
const outputLengthSchema = z.lazy(() => z.object({ offset: z.number().int(), at: z.number() }));
export type OutputLength = z.infer<typeof outputLengthSchema>;

const printedSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    /** How much this program has printed. */
    bytes: z.number().int(),
    /** Since it was last told of. */
    lengths: z.array(outputLengthSchema),
  }),
);

export const fromPtyHostSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    /**
     * The first message on a new channel, with the kept terminals that have no client: open, or ended with no one who has
     * taken that; for these `exited` follows. It comes again where more of them are left by a client that goes.
     */
    z.object({ kind: z.literal('hello'), pid: z.number().int(), open: z.array(keptTerminalSchema) }),
    z.object({ kind: z.literal('created'), id: z.string(), pid: z.number().int() }),
    z.object({ kind: z.literal('refused'), id: z.string(), error: appErrorSchema }),
    /** At most once in 50 ms for all terminals together, after the bytes are in the files. */
    z.object({ kind: z.literal('printed'), outputs: z.array(printedSchema) }),
    /** Its terminal has this size from here on, when it had printed so many bytes: someone looks at it in a pane. */
    z.object({
      kind: z.literal('resized'),
      id: z.string(),
      cols: sizeSchema,
      rows: sizeSchema,
      bytes: z.number().int(),
    }),
    /** What was printed before `before` was dropped, because of the limit on its size. */
    z.object({ kind: z.literal('evicted'), id: z.string(), before: z.number().int() }),
    /** No process of the terminal lives any more, and all of its output is in the file. */
    z.object({ kind: z.literal('exited'), id: z.string(), exit: terminalExitSchema }),
  ]),
);
export type FromPtyHost = z.infer<typeof fromPtyHostSchema>;

/** Between the pty host and Electron's main process. `attach` carries the client's port as its only port. */
export const ptyHostControlSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('init'), dataDir: z.string() }),
    z.object({ kind: z.literal('attach') }),
    /** No client comes that could take up what is kept: kept terminals without one are ended and forgotten. */
    z.object({ kind: z.literal('abandon') }),
    /** Whether someone may be looking at a window: then terminals that flood leave the processors to it. */
    z.object({ kind: z.literal('window'), shown: z.boolean() }),
    /** Shows the terminal with this output on the only port of the message, live where it is open. */
    z.object({ kind: z.literal('view'), outputPath: z.string().min(1) }),
    /** Ends every terminal, answers `stopped` and exits. */
    z.object({ kind: z.literal('shutdown') }),
  ]),
);
export type PtyHostControl = z.infer<typeof ptyHostControlSchema>;

export const ptyHostReportSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('ready'), pid: z.number().int() }),
    z.object({ kind: z.literal('fatal'), error: appErrorSchema }),
    z.object({ kind: z.literal('stopped') }),
  ]),
);
export type PtyHostReport = z.infer<typeof ptyHostReportSchema>;
