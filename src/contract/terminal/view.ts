import { z } from 'zod';
import { appErrorSchema } from '../errors';

/**
 * The wire between a terminal that is on screen and the terminal process: a message port of its own for each, which
 * main hands out and never reads. A terminal that is not on screen has no port, and no bytes of it travel.
 */

/** So many bytes may be on their way to the screen before the program is held back, and so few before it goes on. */
export const HOLD_BACK_BYTES = 512 * 1024;
export const GO_ON_BYTES = 128 * 1024;

/** Lines that a terminal keeps above the screen; what is older stays in its file. */
export const SCROLLBACK_LINES = 50_000;

const sizeSchema = z.number().int().min(2).max(2000);

export const toTerminalSchema = z.discriminatedUnion('kind', [
  /** The first message: how large the screen is. */
  z.object({ kind: z.literal('show'), cols: sizeSchema, rows: sizeSchema }),
  /** What the operator typed or pasted. */
  z.object({ kind: z.literal('input'), data: z.string().max(1_000_000) }),
  z.object({ kind: z.literal('resize'), cols: sizeSchema, rows: sizeSchema }),
  /** So many more bytes are drawn. */
  z.object({ kind: z.literal('ack'), bytes: z.number().int().nonnegative() }),
]);
export type ToTerminal = z.infer<typeof toTerminalSchema>;

export const fromTerminalSchema = z.discriminatedUnion('kind', [
  /** All that was printed before `offset` (in bytes of the file), as one text that draws it; the live part follows. */
  z.object({
    kind: z.literal('snapshot'),
    text: z.string(),
    offset: z.number().int(),
    /** What is older than this byte of the file was left out. */
    from: z.number().int(),
    /** Where commands begin, in lines above the cursor, the oldest first. */
    commands: z.array(z.number().int()),
    live: z.boolean(),
  }),
  /** What comes at `offset`. Each is acknowledged once it is drawn. */
  z.object({ kind: z.literal('bytes'), offset: z.number().int(), data: z.instanceof(Uint8Array) }),
  /** The program waits for the screen, which has not drawn what was sent. */
  z.object({ kind: z.literal('held'), on: z.boolean() }),
  z.object({
    kind: z.literal('ended'),
    exitCode: z.number().int().nullable(),
    signal: z.number().int().nullable(),
  }),
  /** Another program goes on in the terminal that had ended: the next shell of a session. */
  z.object({ kind: z.literal('live') }),
  z.object({ kind: z.literal('failed'), error: appErrorSchema }),
]);
export type FromTerminal = z.infer<typeof fromTerminalSchema>;

/** A line of the file beside a terminal's output, in which what did not come from the program is written down. */
export const terminalNoteSchema = z.discriminatedUnion('kind', [
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
  }),
]);
export type TerminalNote = z.infer<typeof terminalNoteSchema>;

export const notesPath = (outputPath: string): string => `${outputPath}.notes.jsonl`;
