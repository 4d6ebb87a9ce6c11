import { SCROLLBACK_LINES } from '@areas/terminals/contract/view';
import { PAST_BYTES } from '../../../limits/terminal-host';
import type { OutputBytes } from '../output/segments';

const CHUNK = 256 * 1024;
/** Longer than any sequence, so that none is missed between two chunks. */
const OVERLAP = 256;

/**
 * How a terminal's past is drawn. Output with only lines and colours is drawn by the screen itself from its
 * bytes: [`plainFrom`, `drawnFrom`). So is output that moves the cursor, if the screen always had the same
 * size. The rest depends on the whole earlier screen: it is replayed in an invisible terminal, from
 * `drawnFrom` on, and read off there.
 */
export interface Past {
  /** Sets the modes that determine what keys and mouse send; written before anything is drawn. */
  readonly modes: string;
  readonly plainFrom: number;
  /** The colours in effect there. */
  readonly colours: string;
  readonly drawnFrom: number;
}

interface Span {
  readonly from: number;
  readonly end: number;
  /** Of the largest screen that it was drawn on. */
  readonly rows: number;
  /** Whether all later output was printed on a screen of the target size. */
  readonly isSteady: (from: number) => boolean;
}

/** Programs can only move back within their screen; twice that for programs that wrap. */
const SCREENS = 2;

export function planPast(bytes: OutputBytes, span: Span): Past {
  const { end, rows } = span;
  const scan = new ModeScan();
  const oldest = Math.max(span.from, end - PAST_BYTES);
  for (const { text } of chunks(bytes, span.from, end)) scan.take(text);
  const modes = scan.text();
  const lines = startOfLines(bytes, { from: oldest, end, lines: SCROLLBACK_LINES + rows });
  const inLines = plainUntil(bytes, { from: lines, end });
  const from = inLines === end ? lines : oldest;
  const isShownWhole = inLines === end || onlyMoves(bytes, { ...span, from });
  const plainTo = isShownWhole ? end : plainUntil(bytes, { from, end });
  const drawnFrom =
    plainTo === end ? end : startOfLines(bytes, { from, end: plainTo, lines: rows * SCREENS });
  return { modes, plainFrom: from, colours: coloursAt(bytes, from, span.from), drawnFrom };
}

/** The modes for keys and mouse, as set by the last sequence of each. */
class ModeScan {
  readonly #set = new Map<string, boolean>();

  take(text: string): void {
    for (const [, list, verb] of text.matchAll(MODES)) {
      if (list === undefined) this.#set.clear();
      else for (const mode of list.split(';')) this.#set.set(mode, verb === 'h');
    }
  }

  text(): string {
    return INPUT_MODES.flatMap((mode) => (this.#set.get(mode) ? [`\x1b[?${mode}h`] : [])).join('');
  }
}

const INPUT_MODES = ['1', '66', '2004', '1004', '9', '1000', '1002', '1003', '1006'];
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches escape sequences
const MODES = /\x1b(?:\[\?([\d;]{1,60})([hl])|c|\[!p)/g;

/**
 * Everything except text, line ends, tabs, backspace, colours, erasing to the right, key and mouse modes, and
 * sequences that draw nothing (title, folder, link, command marks). In particular, terminal queries do not
 * match.
 */
const HARMLESS = String.raw`\[[\d;:]{0,60}m|\[[0-2]?K|\[\?(?:1|12|25|66|1000|1002|1003|1004|1006|2004)[hl]|\](?:[0127]|8|133|633|1337);[^\x07\x1b]{0,200}(?:\x07|\x1b\\)|\\|[=>]|\(B`;
const CONTROLS = String.raw`[\x00-\x06\x0b\x0c\x0e-\x1a\x1c-\x1f]|\xc2[\x80-\x9f]`;
const OTHER = new RegExp(String.raw`\x1b(?!${HARMLESS})|${CONTROLS}`);

/** Moves the cursor, erases or scrolls: draws the same again on a screen of the same size. */
const MOVES = String.raw`\[[\d;]{0,60}[A-HJ-MPSTX@\x60ad-f]|\[[su]|[78DEM]`;
const NEITHER_LINES_NOR_MOVES = new RegExp(String.raw`\x1b(?!${HARMLESS}|${MOVES})|${CONTROLS}`);

/** Whether a part only prints lines and moves the cursor on a screen of one size. */
const onlyMoves = (bytes: OutputBytes, { from, end, isSteady }: Span): boolean =>
  isSteady(from) && plainUntil(bytes, { from, end }, NEITHER_LINES_NOR_MOVES) === end;

type Part = Pick<Span, 'from' | 'end'>;

/** The end of the plain part: the start of the first line that is not plain, or of one before it. */
function plainUntil(bytes: OutputBytes, { from, end }: Part, other = OTHER): number {
  for (const { at, text } of chunks(bytes, from, end)) {
    const found = text.search(other);
    if (found < 0) continue;
    // A sequence split by the chunk is examined again with the next one.
    const cut = text.length - found < OVERLAP && at + text.length < end;
    if (!cut) return at + text.lastIndexOf('\n', found) + 1;
  }
  return end;
}

/** The colours in effect after the preceding output. */
function coloursAt(bytes: OutputBytes, at: number, oldest: number): string {
  if (at === 0) return '';
  const from = Math.max(oldest, at - CHUNK);
  const [before] = [...chunks(bytes, from, at)].slice(-1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  const all = before?.text.match(/\x1b\[[\d;:]{0,60}m/g) ?? [];
  const reset = all.findLastIndex((one) => one === '\x1b[m' || one === '\x1b[0m');
  return all.slice(reset + 1).join('');
}

/** The start of the last n lines. */
function startOfLines(
  bytes: OutputBytes,
  { from, end, lines }: { from: number; end: number; lines: number },
): number {
  let remaining = lines;
  for (let to = end; to > from; ) {
    const start = Math.max(from, to - CHUNK);
    const text = readText(bytes, start, to);
    for (let at = text.length; at >= 0 && remaining >= 0; remaining -= 1) {
      const found = at === 0 ? -1 : text.lastIndexOf('\n', at - 1);
      if (found < 0) break;
      if (remaining === 0) return start + found + 1;
      at = found;
    }
    to = start;
  }
  return from;
}

/** The bytes as Latin-1 text, each chunk with the end of the previous one. */
function* chunks(bytes: OutputBytes, from: number, end: number): Generator<{ at: number; text: string }> {
  for (let at = from; at < end; at += CHUNK) {
    const start = Math.max(from, at - OVERLAP);
    yield { at: start, text: readText(bytes, start, Math.min(end, at + CHUNK)) };
  }
}

function readText(bytes: OutputBytes, from: number, to: number): string {
  return readSpan(bytes, from, to).toString('latin1');
}

/** The existing bytes of a range, across files. */
export function readSpan(bytes: OutputBytes, from: number, to: number): Buffer<ArrayBuffer> {
  const buffer = Buffer.allocUnsafe(Math.max(0, to - from));
  let length = 0;
  for (let read = 1; read > 0 && length < buffer.length; length += read) {
    read = bytes.read(buffer.subarray(length), from + length);
  }
  return buffer.subarray(0, length);
}
