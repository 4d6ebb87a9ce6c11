import type { AppError } from '@contract/errors';
import type { ProcedureOutput } from '@contract/ipc';
import { call } from '@renderer/client/rpc';
import { TYPING_SETTLED_MS } from '@renderer/limits';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { hunkLines } from '../../../contract/hunk-lines';
import type { ChangeMatch, DiffFile } from '../../../contract/procedures';
import type { DiffSource } from '../opened-files';

type Found = ProcedureOutput<'workspace.search'>;

export interface FindState {
  readonly open: boolean;
  readonly text: string;
  readonly found: Found | null;
  readonly error: AppError | null;
  /** The match in sight. */
  readonly at: number;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly write: (text: string) => void;
  readonly step: (by: 1 | -1) => void;
  readonly show: () => void;
  readonly close: () => void;
}

interface FindParts {
  readonly files: readonly DiffFile[];
  readonly source: DiffSource | null;
  readonly onGo: (match: ChangeMatch) => void;
}

const CLOSED = { open: false, text: '', found: null, error: null, at: 0 };

/** Searches in a change. The core searches, since not all lines are in the window; a diff that is a text is searched here. */
export function useFind({ files, source, onGo }: FindParts): FindState {
  const [state, setState] = useState<{
    readonly open: boolean;
    readonly text: string;
    readonly found: Found | null;
    readonly error: AppError | null;
    readonly at: number;
  }>(CLOSED);
  const field = useRef<HTMLInputElement>(null);
  const go = useRef(onGo);
  go.current = onGo;
  const key = JSON.stringify(source);
  const { open, text } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the source is compared by value
  useEffect(() => {
    if (!open || text.trim() === '') return;
    let over = false;
    const timer = setTimeout(async () => {
      const read = source === null ? null : await call('workspace.search', { ...source, text });
      if (over) return;
      if (read !== null && !read.ok) return setState((now) => ({ ...now, found: null, error: read.error }));
      const found = read === null ? searched(files, text) : read.value;
      setState((now) => ({ ...now, found, error: null, at: 0 }));
      const [first] = found.matches;
      if (first !== undefined) go.current(first);
    }, TYPING_SETTLED_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [open, text, key, files]);
  return {
    ...state,
    field,
    write: (text) => setState((now) => ({ ...now, text, found: null, error: null })),
    step: (by) => {
      const { found, at } = state;
      if (found === null || found.matches.length === 0) return;
      const next = (at + by + found.matches.length) % found.matches.length;
      const match = found.matches[next];
      setState((now) => ({ ...now, at: next }));
      if (match !== undefined) onGo(match);
    },
    show: () => {
      setState((now) => ({ ...now, open: true }));
      requestAnimationFrame(() => field.current?.select());
    },
    close: () => setState(CLOSED),
  };
}

function searched(files: readonly DiffFile[], text: string): Found {
  const wanted = text.toLowerCase();
  const matches = files.flatMap((file) =>
    file.hunks.flatMap((hunk) =>
      hunkLines(hunk).flatMap(({ kind, old, fresh, text }): ChangeMatch[] =>
        kind === 'note' || !text.toLowerCase().includes(wanted)
          ? []
          : [{ path: file.path, kind, line: fresh ?? old ?? 0, hunk: hunk.id }],
      ),
    ),
  );
  return { matches, total: matches.length, files: [] };
}
