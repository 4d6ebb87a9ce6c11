import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TranscriptLine, transcriptLineSchema } from '@contract/session/session';
import type { TranscriptStore } from '../../core/ports/documents';

/** More than this of one session's log is not read back at once; the end counts. */
const MOST_BYTES = 32 * 1024 * 1024;

const fileOf = (artifactsDir: string, sessionId: number) =>
  join(artifactsDir, 'sessions', `s${sessionId}.jsonl`);

function readLines(path: string): TranscriptLine[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  if (text.length > MOST_BYTES) text = text.slice(text.indexOf('\n', text.length - MOST_BYTES) + 1);
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      const parsed = transcriptLineSchema.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      // The last line of a process that was killed in the middle of writing it.
      return [];
    }
  });
}

/**
 * Keeps what agents stream. Each append is one write: it reaches the kernel before anybody is told, so that a killed
 * core leaves the log whole up to the last item that a window has seen.
 */
export function createTranscripts(now: () => number): TranscriptStore {
  const open = new Map<string, number>();
  const descriptor = (path: string): number => {
    let fd = open.get(path);
    if (fd === undefined) {
      mkdirSync(dirname(path), { recursive: true });
      fd = openSync(path, 'a', 0o600);
      open.set(path, fd);
    }
    return fd;
  };
  return {
    append({ artifactsDir }, { sessionId, turnId, items }) {
      const at = now();
      const text = items
        .map((item) => `${JSON.stringify({ at, turnId, item } satisfies TranscriptLine)}\n`)
        .join('');
      try {
        writeSync(descriptor(fileOf(artifactsDir, sessionId)), text);
      } catch {
        // A full disk must not end the turn: what was streamed is still shown, and the response is kept by the event.
      }
    },
    turn({ artifactsDir }, { sessionId, turnId }) {
      return readLines(fileOf(artifactsDir, sessionId)).flatMap((line) =>
        line.turnId === turnId ? [line.item] : [],
      );
    },
    lines({ artifactsDir }, { sessionId, limit }) {
      return readLines(fileOf(artifactsDir, sessionId)).slice(-limit);
    },
    release(artifactsDir) {
      for (const [path, fd] of open) {
        if (!path.startsWith(artifactsDir)) continue;
        closeSync(fd);
        open.delete(path);
      }
    },
  };
}
