import { whole } from '@contract/bounds';
import { appErrorSchema } from '@contract/errors';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

/**
 * The protocol between a terminal on screen and the terminal process: each has its own message port, which
 * main passes on and never reads. A terminal that is not on screen has no port, and its bytes are not sent.
 */

/** Unacknowledged bytes at which the program is paused; below this it continues. */
export const HOLD_BACK_BYTES = 512 * 1024;
export const GO_ON_BYTES = 128 * 1024;

/** Lines that a terminal keeps above the screen; older output remains in its file. */
export const SCROLLBACK_LINES = 50_000;

const sizeSchema = z.lazy(() => whole().min(2).max(2000));

export const toTerminalSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    /** The first message: the size of the screen. */
    z.object({ kind: z.literal('show'), cols: sizeSchema, rows: sizeSchema }),
    /** What the operator typed or pasted. */
    z.object({ kind: z.literal('input'), data: z.string().max(1_000_000) }),
    z.object({ kind: z.literal('resize'), cols: sizeSchema, rows: sizeSchema }),
    /** The page has drawn this many more bytes. */
    z.object({ kind: z.literal('ack'), bytes: whole().nonnegative() }),
  ]),
);
export type ToTerminal = z.infer<typeof toTerminalSchema>;

/**
 * A command by its mark (OSC 133): how many lines above the cursor it begins, and its exit status if known.
 */
const shownCommandSchema = lazyObject(() => ({
  above: whole(),
  exit: whole().nullable(),
}));
export type ShownCommand = z.infer<typeof shownCommandSchema>;

export const fromTerminalSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    /**
     * A part of the past as the screen's own snapshot: first the text, then the bytes. The first part starts
     * an empty screen.
     */
    z.object({
      kind: z.literal('past'),
      first: z.boolean(),
      text: z.string(),
      data: z.instanceof(Uint8Array),
    }),
    /** The rest of the output before byte `offset`, as text that draws it; the live output follows. */
    z.object({
      kind: z.literal('snapshot'),
      text: z.string(),
      offset: whole(),
      /** Output before this byte of the file was left out. */
      from: whole(),
      /** Bytes at the beginning that no longer exist. */
      evicted: whole(),
      /** The commands with a mark, oldest first. */
      commands: z.array(shownCommandSchema),
      /** The program's start folder, for resolving printed paths. */
      cwd: z.string().nullable(),
      live: z.boolean(),
    }),
    /** Output at `offset`. The page acknowledges it once drawn. */
    z.object({ kind: z.literal('bytes'), offset: whole(), data: z.instanceof(Uint8Array) }),
    /**
     * The program is paused because the screen lags behind, or is throttled because several terminals print
     * too much.
     */
    z.object({ kind: z.literal('held'), on: z.boolean(), by: z.enum(['screen', 'turn']) }),
    z.object({
      kind: z.literal('ended'),
      exitCode: whole().nullable(),
      signal: whole().nullable(),
    }),
    /** Output before this byte was dropped because of the size limit. */
    z.object({ kind: z.literal('evicted'), before: whole() }),
    /** Another program continues in the ended terminal: the next shell of a session. */
    z.object({ kind: z.literal('live') }),
    z.object({ kind: z.literal('failed'), error: appErrorSchema }),
  ]),
);
export type FromTerminal = z.infer<typeof fromTerminalSchema>;

/** A line of the notes file beside a terminal's output, for things that did not come from the program. */
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
      /** Hidden input such as a password: its text is not stored. */
      hidden: z.literal(true).optional(),
    }),
    /** A program was started in this folder. */
    z.object({ kind: z.literal('begun'), at: z.number(), offset: z.number(), cwd: z.string() }),
    /** Output before `offset` was dropped, because of this terminal's limit or that of all terminals. */
    z.object({
      kind: z.literal('evicted'),
      at: z.number(),
      offset: z.number(),
      by: z.enum(['terminal', 'folder']),
    }),
  ]),
);
export type TerminalNote = z.infer<typeof terminalNoteSchema>;
