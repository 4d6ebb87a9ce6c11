import type { RunState } from '@contract/run/state';

export type HunkMark = 'accepted' | 'rejected';

const markKey = (path: string, hunk: string): string => `${path}\n${hunk}`;

/**
 * Marks on the hunks of a session, by path and hunk: a hunk has the same mark in every diff that shows it.
 */
export class HunkMarks {
  readonly #marks = new Map<string, HunkMark>();

  constructor(hunks: RunState['hunks'], sessionId: number) {
    const prefix = `${sessionId}/`;
    for (const [key, mark] of Object.entries(hunks)) {
      if (!key.startsWith(prefix)) continue;
      // `session/turn/path/hunk`, where the path may contain slashes.
      const rest = key.slice(key.indexOf('/', prefix.length) + 1);
      const cut = rest.lastIndexOf('/');
      this.#marks.set(markKey(rest.slice(0, cut), rest.slice(cut + 1)), mark);
    }
  }

  of(path: string, hunk: string): HunkMark | null {
    return this.#marks.get(markKey(path, hunk)) ?? null;
  }
}
