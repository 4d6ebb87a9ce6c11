import { whole } from '@contract/bounds';
import { appErrorSchema } from '@contract/errors';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

/**
 * The protocol between the terminal process (pty host) and its clients: the core over a message port, or the
 * process that forked it over the child's IPC channel. A client sees only its own terminals.
 */

/** Chosen by the client, unique among its terminals; part of file names and process marks, hence plain. */
const terminalIdSchema = z.string().regex(/^[A-Za-z0-9._-]{1,100}$/);
const sizeSchema = z.lazy(() => whole().min(1).max(2000));

const terminalSpecSchema = lazyObject(() => ({
  file: z.string().min(1),
  args: z.array(z.string()),
  cwd: z.string(),
  /** The whole environment; the host adds its marks. */
  env: z.record(z.string(), z.string()),
  /** Variables whose values are removed from the output before it is stored or shown. */
  secrets: z.array(z.string()).optional(),
  /** More such values, of variables that only one command gets. */
  conceal: z.array(z.string()).optional(),
  cols: sizeSchema,
  rows: sizeSchema,
  /** Every byte is appended here; this file is authoritative. */
  outputPath: z.string(),
  /**
   * Keeps the terminal open at the end until all output is read; otherwise node-pty loses the last
   * kilobytes of a program that prints much and exits immediately. For commands only: an interactive
   * program needs the terminal for itself.
   */
  hold: z.boolean(),
  /** Gives standard error a terminal of its own, so that the end can tell which bytes came from it. Needs `hold`. */
  splitErrors: z.boolean().optional(),
  /**
   * Whether the terminal ends with its client or stays for the next one. A kept terminal that has ended is
   * reported to each client until one answers `taken`.
   */
  keep: z.boolean(),
}));
export type TerminalSpec = z.infer<typeof terminalSpecSchema>;

export const toPtyHostSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('create'), id: terminalIdSchema, spec: terminalSpecSchema }),
    z.object({ kind: z.literal('write'), id: terminalIdSchema, data: z.string().max(1_000_000) }),
    /** TERM to everything in the terminal; after `graceMs`, KILL to what is left. */
    z.object({ kind: z.literal('kill'), id: terminalIdSchema, graceMs: whole().min(0).max(60_000) }),
    /** Removes these values from the output too, once `concealed` has been answered. */
    z.object({ kind: z.literal('conceal'), id: terminalIdSchema, values: z.array(z.string()) }),
    /** The end of a kept terminal is durably recorded and need not be reported again. */
    z.object({ kind: z.literal('taken'), id: terminalIdSchema }),
    /** Maximum bytes that each terminal of this host may keep, including open ones. */
    z.object({ kind: z.literal('limits'), terminalBytes: whole().min(1024) }),
  ]),
);
export type ToPtyHost = z.infer<typeof toPtyHostSchema>;

const terminalExitSchema = lazyObject(() => ({
  exitCode: whole().nullable(),
  signal: whole().nullable(),
  /** Number of bytes printed. */
  bytes: whole(),
  /** Which of them came from standard error: offset and length. Null: too many pieces to tell. */
  errors: z.array(z.tuple([whole(), whole()])).nullable(),
  /** Set if part of the output could not be written to the file. */
  error: appErrorSchema.nullable(),
}));
export type TerminalExit = z.infer<typeof terminalExitSchema>;

const keptTerminalSchema = lazyObject(() => ({
  id: z.string(),
  pid: whole(),
  outputPath: z.string(),
  /** Number of bytes that this program has printed, and the end of the output. */
  bytes: whole(),
  offset: whole(),
  /** An earlier client has requested its end. */
  killed: z.boolean(),
  /** It has ended, and `exited` follows. */
  ended: z.boolean(),
}));
export type KeptTerminal = z.infer<typeof keptTerminalSchema>;

const printedSchema = lazyObject(() => ({
  id: z.string(),
  /** Number of bytes that this program has printed, and the end of the output. */
  bytes: whole(),
  offset: whole(),
}));

export const fromPtyHostSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    /**
     * The first message on a new channel: the kept terminals without a client, open or ended; ended ones are
     * followed by `exited`. Repeated when another client leaves more of them.
     */
    z.object({ kind: z.literal('hello'), pid: whole(), open: z.array(keptTerminalSchema) }),
    z.object({ kind: z.literal('created'), id: z.string(), pid: whole() }),
    z.object({ kind: z.literal('refused'), id: z.string(), error: appErrorSchema }),
    z.object({ kind: z.literal('concealed'), id: z.string() }),
    /** Sent at most every 50 ms for all terminals together, after the bytes are in the files. */
    z.object({ kind: z.literal('printed'), outputs: z.array(printedSchema) }),
    /** The terminal's size from this offset on, because someone views it in a pane. */
    z.object({
      kind: z.literal('resized'),
      id: z.string(),
      cols: sizeSchema,
      rows: sizeSchema,
      bytes: whole(),
    }),
    /** Output before `before` was dropped because of the size limit. */
    z.object({ kind: z.literal('evicted'), id: z.string(), before: whole() }),
    /** All processes of the terminal have ended, and all of its output is in the file. */
    z.object({ kind: z.literal('exited'), id: z.string(), exit: terminalExitSchema }),
  ]),
);
export type FromPtyHost = z.infer<typeof fromPtyHostSchema>;

/** Between the pty host and Electron's main process. The only port of `attach` is the client's. */
export const ptyHostControlSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('init'), dataDir: z.string() }),
    z.object({ kind: z.literal('attach') }),
    /** No client will come for the kept terminals: those without one are ended and forgotten. */
    z.object({ kind: z.literal('abandon') }),
    /** Whether a window may be visible: if so, terminals with excessive output are throttled. */
    z.object({ kind: z.literal('window'), shown: z.boolean() }),
    /** Shows the terminal with this output on the message's only port, live if it is open. */
    z.object({ kind: z.literal('view'), outputPath: z.string().min(1) }),
    /** Ends every terminal, answers `stopped` and exits. */
    z.object({ kind: z.literal('shutdown') }),
  ]),
);
export type PtyHostControl = z.infer<typeof ptyHostControlSchema>;

export const ptyHostReportSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('ready'), pid: whole() }),
    z.object({ kind: z.literal('fatal'), error: appErrorSchema }),
    z.object({ kind: z.literal('stopped') }),
  ]),
);
export type PtyHostReport = z.infer<typeof ptyHostReportSchema>;
