import type { RunState } from '@contract/run/state';

export type HunkMark = 'accepted' | 'rejected';

const markKey = (path: string, hunk: string): string => `${path}\n${hunk}`;

/** What was said of the hunks of a session, found by path and hunk: a hunk bears the same mark in every diff of it. */
export class HunkMarks {
  readonly #marks = new Map<string, HunkMark>();

  constructor(hunks: RunState['hunks'], sessionId: number) {
    const prefix = `${sessionId}/`;
    for (const [key, mark] of Object.entries(hunks)) {
      if (!key.startsWith(prefix)) continue;
      // `session/turn/path/hunk`, where the path holds slashes of its own.
      const rest = key.slice(key.indexOf('/', prefix.length) + 1);
      const cut = rest.lastIndexOf('/');
      this.#marks.set(markKey(rest.slice(0, cut), rest.slice(cut + 1)), mark);
    }
  }

  of(path: string, hunk: string): HunkMark | null {
    return this.#marks.get(markKey(path, hunk)) ?? null;
  }
}
