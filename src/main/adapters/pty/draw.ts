import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { notesPath, SCROLLBACK_LINES, type TerminalNote, terminalNoteSchema } from '@contract/terminal/view';
import { SerializeAddon } from '@xterm/addon-serialize';
import { type IMarker, type IModes, Terminal } from '@xterm/headless';
import type { Snapshot, SnapshotRequest } from './snapshot';

const CHUNK = 256 * 1024;

/** More than this is never shown: at 200 bytes a line it is more than the scrollback holds. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Plays a terminal's output into a screen that nobody sees, with its sizes as they were, and reads that off. */
export async function draw(request: SnapshotRequest): Promise<Snapshot> {
  const { outputPath, end, cols, rows } = request;
  const from = Math.max(0, end - MOST_BYTES);
  const sizes = readSizes(outputPath);
  const first = sizes[0] ?? { cols, rows };
  const terminal = new Terminal({
    cols: first.cols,
    rows: first.rows,
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
  });
  const begun: IMarker[] = [];
  terminal.parser.registerOscHandler(133, (data) => {
    // There is none on the alternate screen.
    const marker = data.startsWith('A') ? terminal.registerMarker(0) : undefined;
    if (marker) begun.push(marker);
    return false;
  });
  const serializer = new SerializeAddon();
  // The headless terminal is one to all that the addon uses.
  terminal.loadAddon(serializer as never);
  const file = openSync(outputPath, 'r');
  try {
    let at = from;
    for (const size of [...sizes.slice(1), null]) {
      const until = Math.min(end, size?.offset ?? end);
      at = await play(terminal, file, { at, until });
      if (size) terminal.resize(size.cols, size.rows);
    }
  } finally {
    closeSync(file);
  }
  terminal.resize(cols, rows);
  const text = inputModes(terminal.modes) + serializer.serialize();
  const { baseY, cursorY } = terminal.buffer.active;
  // Those that left the scrollback have no line any more.
  const lines = begun.map((marker) => marker.line).filter((line) => line >= 0);
  terminal.dispose();
  return { text, from, commands: lines.map((line) => baseY + cursorY - line) };
}

async function play(terminal: Terminal, file: number, part: { at: number; until: number }): Promise<number> {
  let { at } = part;
  while (at < part.until) {
    const buffer = Buffer.alloc(Math.min(CHUNK, part.until - at));
    const read = readSync(file, buffer, 0, buffer.length, at);
    if (read === 0) break;
    at += read;
    await new Promise<void>((drawn) => terminal.write(buffer.subarray(0, read), drawn));
  }
  return at;
}

type Size = Extract<TerminalNote, { kind: 'size' }>;

function readSizes(outputPath: string): Size[] {
  let text = '';
  try {
    text = readFileSync(notesPath(outputPath), 'utf8');
  } catch {
    // A terminal of before there were notes.
  }
  return text.split('\n').flatMap((line) => {
    try {
      const note = terminalNoteSchema.parse(JSON.parse(line));
      return note.kind === 'size' ? [note] : [];
    } catch {
      return [];
    }
  });
}

/**
 * The modes that decide what a key or the mouse sends, before anything is drawn: what is typed while the snapshot is
 * still being drawn must already arrive as the program wants it.
 */
function inputModes(modes: IModes): string {
  const set: Record<IModes['mouseTrackingMode'], string> = {
    none: '',
    x10: '\x1b[?9h',
    vt200: '\x1b[?1000h',
    drag: '\x1b[?1002h',
    any: '\x1b[?1003h',
  };
  const parts = [
    modes.applicationCursorKeysMode && '\x1b[?1h',
    modes.applicationKeypadMode && '\x1b[?66h',
    modes.bracketedPasteMode && '\x1b[?2004h',
    modes.sendFocusMode && '\x1b[?1004h',
    set[modes.mouseTrackingMode],
  ];
  return parts.filter(Boolean).join('');
}
