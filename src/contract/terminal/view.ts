import { z } from 'zod';
import { appErrorSchema } from '../errors';

/**
 * The wire between a terminal that is on screen and the terminal process: a message port of its own for each, which
 * main hands out and never reads. A terminal that is not on screen has no port, and no bytes of it travel.
 */

/** Bytes on their way to the screen at which the program is held back, and at which it continues. */
export const HOLD_BACK_BYTES = 512 * 1024;
export const GO_ON_BYTES = 128 * 1024;

/** Lines that a terminal keeps above the screen; what is older stays in its file. */
export const SCROLLBACK_LINES = 50_000;

const sizeSchema = z.lazy(() => z.number().int().min(2).max(2000));

export const toTerminalSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    /** The first message: how large the screen is. */
    z.object({ kind: z.literal('show'), cols: sizeSchema, rows: sizeSchema }),
    /** What the operator typed or pasted. */
    z.object({ kind: z.literal('input'), data: z.string().max(1_000_000) }),
    z.object({ kind: z.literal('resize'), cols: sizeSchema, rows: sizeSchema }),
    /** The page has drawn this many more bytes. */
    z.object({ kind: z.literal('ack'), bytes: z.number().int().nonnegative() }),
  ]),
);
export type ToTerminal = z.infer<typeof toTerminalSchema>;

/** A command by its mark (OSC 133): how many lines above the cursor it begins, and how it ended where that was told. */
export const shownCommandSchema = z.lazy(() =>
  z.object({ above: z.number().int(), exit: z.number().int().nullable() }),
);
export type ShownCommand = z.infer<typeof shownCommandSchema>;

export const fromTerminalSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    /** A part of the past that the screen draws by itself: the text, then the bytes. The first begins an empty screen. */
    z.object({
      kind: z.literal('past'),
      first: z.boolean(),
      text: z.string(),
      data: z.instanceof(Uint8Array),
    }),
    /** The rest of what was printed before `offset` (in bytes of the output), as text that draws it; the live part follows. */
    z.object({
      kind: z.literal('snapshot'),
      text: z.string(),
      offset: z.number().int(),
      /** What is older than this byte of the file was left out. */
      from: z.number().int(),
      /** Bytes at the beginning that are no longer kept. */
      evicted: z.number().int(),
      /** The commands whose beginning is marked, the oldest first. */
      commands: z.array(shownCommandSchema),
      /** Where the program was started, for paths that it prints. */
      cwd: z.string().nullable(),
      live: z.boolean(),
    }),
    /** What comes at `offset`. Each is acknowledged once it is drawn. */
    z.object({ kind: z.literal('bytes'), offset: z.number().int(), data: z.instanceof(Uint8Array) }),
    /** The program waits for the screen, which has not drawn what was sent; or for its turn, where several flood. */
    z.object({ kind: z.literal('held'), on: z.boolean(), by: z.enum(['screen', 'turn']) }),
    z.object({
      kind: z.literal('ended'),
      exitCode: z.number().int().nullable(),
      signal: z.number().int().nullable(),
    }),
    /** What was printed before this byte of the output is not kept any more, because of the limit on its size. */
    z.object({ kind: z.literal('evicted'), before: z.number().int() }),
    /** Another program continues in the terminal that had ended: the next shell of a session. */
    z.object({ kind: z.literal('live') }),
    z.object({ kind: z.literal('failed'), error: appErrorSchema }),
  ]),
);
export type FromTerminal = z.infer<typeof fromTerminalSchema>;

/** A line of the file beside a terminal's output, in which what did not come from the program is written down. */
export const terminalNoteSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('size'),
      at: z.number(),
      offset: z.number(),
      cols: sizeSchema,
      rows: sizeSchema,
    }),
    z.object({
      kind: z.literal('input'),
      at: z.number(),
      offset: z.number(),
      by: z.literal('operator'),
      data: z.string(),
      /** Something was typed that the terminal did not show, as a password: it is not written down. */
      hidden: z.literal(true).optional(),
    }),
    /** A program was started, in this folder. */
    z.object({ kind: z.literal('begun'), at: z.number(), offset: z.number(), cwd: z.string() }),
    /** What was printed before `offset` was dropped, by the terminal's own limit or that of all terminals together. */
    z.object({
      kind: z.literal('evicted'),
      at: z.number(),
      offset: z.number(),
      by: z.enum(['terminal', 'folder']),
    }),
  ]),
);
export type TerminalNote = z.infer<typeof terminalNoteSchema>;
