import { readFileSync } from 'node:fs';
import { notesPath } from '@areas/terminals/contract/files';
import { SCROLLBACK_LINES, type TerminalNote, terminalNoteSchema } from '@areas/terminals/contract/view';
import { SerializeAddon } from '@xterm/addon-serialize';
import { type IMarker, Terminal } from '@xterm/headless';
import { PAST_CHUNK_BYTES } from '../../../limits/terminal-host';
import { OutputBytes } from '../output/segments';
import type { Snapshot, SnapshotRequest, TakePast } from './snapshot';
import { type Past, planPast, readSpan } from './terminal-history';

const CHUNK = 256 * 1024;

/**
 * Draws a terminal's past for a screen of this size. Passes on what the screen can draw itself, and returns
 * the rest as text that draws it, read off an invisible screen on which it was replayed with its original
 * sizes.
 */
export async function draw(request: SnapshotRequest, take: TakePast): Promise<Snapshot> {
  const { outputPath, end, cols, rows } = request;
  const notes = readNotes(outputPath);
  const sizes = notes.filter((note) => note.kind === 'size');
  const bytes = new OutputBytes(outputPath);
  try {
    const tallest = Math.max(rows, ...sizes.map((size) => size.rows));
    const past = planPast(bytes, {
      from: bytes.from,
      end,
      rows: tallest,
      isSteady: (from) => sizesFrom(sizes, from).every((one) => one.cols === cols && one.rows === rows),
    });
    handOn(bytes, past, take);
    const drawn =
      past.drawnFrom < end ? await play(bytes, { past, end, sizes, cols, rows }) : { text: '', commands: [] };
    return {
      ...drawn,
      from: past.plainFrom,
      evicted: bytes.from,
      cwd: notes.findLast((note) => note.kind === 'begun')?.cwd ?? null,
    };
  } finally {
    bytes.close();
  }
}

function handOn(bytes: OutputBytes, { modes, colours, plainFrom, drawnFrom }: Past, take: TakePast): void {
  let first = true;
  for (let at = plainFrom; at < drawnFrom || first; first = false) {
    const data = readSpan(bytes, at, Math.min(drawnFrom, at + PAST_CHUNK_BYTES));
    take({ first, text: first ? modes + colours : '', data });
    at += Math.max(1, data.length);
  }
}

interface Played {
  readonly past: Past;
  readonly end: number;
  readonly sizes: readonly Size[];
  readonly cols: number;
  readonly rows: number;
}

type Size = Extract<TerminalNote, { kind: 'size' }>;

/** The screen's sizes from there on. */
function sizesFrom(sizes: readonly Size[], from: number): readonly Size[] {
  const first = sizes.findLastIndex(({ offset }) => offset <= from);
  return sizes.slice(Math.max(0, first));
}

async function play(bytes: OutputBytes, { past, end, sizes, cols, rows }: Played) {
  const before = sizes.filter((size) => size.offset <= past.drawnFrom);
  const first = before.at(-1) ?? sizes[0] ?? { cols, rows };
  const terminal = new Terminal({
    cols: first.cols,
    rows: first.rows,
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
  });
  const begun: { marker: IMarker; exit: number | null }[] = [];
  terminal.parser.registerOscHandler(133, (data) => {
    // The alternate screen has none.
    const marker = data.startsWith('A') ? terminal.registerMarker(0) : undefined;
    if (marker) begun.push({ marker, exit: null });
    const last = begun.at(-1);
    const exit = /^D;(-?\d{1,9})/.exec(data)?.[1];
    if (last && exit !== undefined) last.exit = Number(exit);
    return false;
  });
  const serializer = new SerializeAddon();
  // The headless terminal provides everything that the addon uses.
  terminal.loadAddon(serializer as never);
  let at = past.drawnFrom;
  for (const size of [...sizes.filter((one) => !before.includes(one)), null]) {
    at = await playPart(terminal, bytes, { at, until: Math.min(end, size?.offset ?? end) });
    if (size) terminal.resize(size.cols, size.rows);
  }
  terminal.resize(cols, rows);
  const text = serializer.serialize();
  const { baseY, cursorY } = terminal.buffer.active;
  // Those that left the scrollback have no line any more.
  const commands = begun
    .filter(({ marker }) => marker.line >= 0)
    .map(({ marker, exit }) => ({ above: baseY + cursorY - marker.line, exit }));
  terminal.dispose();
  return { text, commands };
}

async function playPart(
  terminal: Terminal,
  bytes: OutputBytes,
  part: { at: number; until: number },
): Promise<number> {
  let { at } = part;
  while (at < part.until) {
    const piece = readSpan(bytes, at, Math.min(part.until, at + CHUNK));
    if (piece.length === 0) break;
    at += piece.length;
    await new Promise<void>((drawn) => terminal.write(piece, drawn));
  }
  return at;
}

function readNotes(outputPath: string): TerminalNote[] {
  let text = '';
  try {
    text = readFileSync(notesPath(outputPath), 'utf8');
  } catch {
    // A terminal from before notes existed.
  }
  return text.split('\n').flatMap((line) => {
    try {
      return [terminalNoteSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}
