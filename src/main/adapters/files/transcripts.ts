import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import {
  type TranscriptItem,
  type TranscriptLine,
  transcriptLineSchema,
} from '@areas/sessions/contract/session';
import type { TranscriptStore } from '../../core/ports/documents';
import { TRANSCRIPT_BYTES } from '../../limits/core-sizes';

const fileOf = (artifactsDir: string, sessionId: number) =>
  join(artifactsDir, 'sessions', `s${sessionId}.jsonl`);

/** The end of a log, from the start of a line; empty if there is no log. */
function readEnd(path: string, most: number): string {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(fd);
    const from = Math.max(0, size - most);
    const bytes = Buffer.alloc(size - from);
    let read = 0;
    for (let more = -1; more !== 0 && read < bytes.length; read += more)
      more = readSync(fd, bytes, read, bytes.length - read, from + read);
    const text = bytes.toString('utf8', 0, read);
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } catch {
    return '';
  } finally {
    closeSync(fd);
  }
}

function readLines(path: string, most: number): TranscriptLine[] {
  return readEnd(path, most)
    .split('\n')
    .flatMap((line) => {
      if (line === '') return [];
      try {
        const parsed = transcriptLineSchema.safeParse(JSON.parse(line));
        return parsed.success ? [parsed.data] : [];
      } catch {
        // The last line may be incomplete if the process was killed while writing it.
        return [];
      }
    });
}

/** Maximum number of logs kept open: those written last. */
const MOST_OPEN = 64;

/** A bounded number of open files; a closed one is opened again when needed. */
class OpenFiles {
  /** In order of use, latest last. */
  readonly #open = new Map<string, number>();

  constructor(private readonly most: number) {}

  write(path: string, text: string): void {
    const fd = this.#open.get(path) ?? this.#opened(path);
    this.#open.delete(path);
    this.#open.set(path, fd);
    for (const other of this.#open.keys()) {
      if (this.#open.size <= this.most) break;
      this.close(other);
    }
    // Continues after a partial write.
    writeFileSync(fd, text);
  }

  #opened(path: string): number {
    mkdirSync(dirname(path), { recursive: true });
    try {
      return openSync(path, 'a', 0o600);
    } catch (cause) {
      if (this.#open.size === 0 || !isFull(cause)) throw cause;
      // Other code has used up this process's file descriptors.
      this.closeAll(() => true);
      return openSync(path, 'a', 0o600);
    }
  }

  close(path: string): void {
    const fd = this.#open.get(path);
    this.#open.delete(path);
    if (fd === undefined) return;
    try {
      closeSync(fd);
    } catch {
      // A full disk may only be reported here; the descriptor is released anyway.
    }
  }

  closeAll(which: (path: string) => boolean): void {
    for (const path of [...this.#open.keys()]) if (which(path)) this.close(path);
  }
}

const isFull = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && (cause.code === 'EMFILE' || cause.code === 'ENFILE');

/** Maximum bytes stored per turn: more would not be read back. */
const MOST_OF_TURN = TRANSCRIPT_BYTES;

/** Counts the bytes of each turn; a turn beyond its limit gets a final line that says so. */
class TurnLimits {
  readonly #written = new Map<string, { readonly turnId: number; bytes: number }>();

  constructor(private readonly most: number) {}

  /** The part of these items that is still stored. */
  take(path: string, turnId: number, items: readonly TranscriptItem[]): TranscriptItem[] {
    const known = this.#written.get(path);
    const turn = known?.turnId === turnId ? known : { turnId, bytes: 0 };
    this.#written.set(path, turn);
    const kept: TranscriptItem[] = [];
    for (const item of items) {
      if (turn.bytes > this.most) break;
      turn.bytes += JSON.stringify(item).length;
      kept.push(turn.bytes > this.most ? this.#mark() : item);
    }
    return kept;
  }

  #mark(): TranscriptItem {
    const size = Math.round(this.most / (1024 * 1024));
    const text = `This turn has written more than ${size} MB. The rest of its transcript is not saved.`;
    return { type: 'notice', text };
  }

  release(which: (path: string) => boolean): void {
    for (const path of [...this.#written.keys()]) if (which(path)) this.#written.delete(path);
  }
}

export interface Transcripts extends TranscriptStore {
  /** Reports a log that cannot be written, once until it works again. */
  onTrouble(listener: (path: string, cause: unknown) => void): void;
}

/**
 * Stores what agents stream. Each append is a single write and reaches the kernel before anyone is told, so
 * after a kill the log contains everything that a window has seen.
 */
export function createTranscripts(
  now: () => number,
  { mostOpen = MOST_OPEN, mostBytes = TRANSCRIPT_BYTES, mostOfTurn = MOST_OF_TURN } = {},
): Transcripts {
  const files = new OpenFiles(mostOpen);
  const limits = new TurnLimits(mostOfTurn);
  const troubled = new Set<string>();
  let tell: (path: string, cause: unknown) => void = () => undefined;
  return {
    append({ artifactsDir }, { sessionId, turnId, items }) {
      const at = now();
      const path = fileOf(artifactsDir, sessionId);
      const kept = limits.take(path, turnId, items);
      if (kept.length === 0) return;
      const text = kept
        .map((item) => `${JSON.stringify({ at, turnId, item } satisfies TranscriptLine)}\n`)
        .join('');
      const before = troubled.has(path);
      try {
        // Ends the incomplete line of an earlier write.
        files.write(path, before ? `\n${text}` : text);
        troubled.delete(path);
      } catch (cause) {
        // A full disk must not end the turn: streamed items are still shown, and the event keeps the
        // response.
        files.close(path);
        troubled.add(path);
        if (!before) tell(path, cause);
      }
    },
    turn({ artifactsDir }, { sessionId, turnId }) {
      return readLines(fileOf(artifactsDir, sessionId), mostBytes).flatMap((line) =>
        line.turnId === turnId ? [line.item] : [],
      );
    },
    lines({ artifactsDir }, { sessionId, limit }) {
      return readLines(fileOf(artifactsDir, sessionId), mostBytes).slice(-limit);
    },
    release(artifactsDir) {
      const isOfRun = (path: string): boolean => path.startsWith(artifactsDir + sep);
      files.closeAll(isOfRun);
      limits.release(isOfRun);
      for (const path of troubled) if (path.startsWith(artifactsDir + sep)) troubled.delete(path);
    },
    onTrouble(listener) {
      tell = listener;
    },
  };
}
