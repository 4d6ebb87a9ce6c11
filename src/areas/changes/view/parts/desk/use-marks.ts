import { useQuery, useReadable } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { usePast } from '@renderer/parts/text/shown-time';
import { useCallback, useMemo } from 'react';
import type { DiffFile, DiffHunk, WorkspaceDiffView } from '../../../contract/procedures';
import { type HunkMark, HunkMarks } from '../marks';
import { acceptHunk, rejectHunk, type TakenBack, takenBack, undoLast, WHOLE_FILE } from '../take-back';
import type { HunkDecision } from './hunk-rows';

type Edits = WorkspaceDiffView['edits'];

export interface DeskMarks {
  readonly isViewed: (file: DiffFile) => boolean;
  /** Null: this change has no marks. */
  readonly view: ((files: readonly DiffFile[], viewed: boolean) => void) | null;
  readonly markOf: (path: string, hunk: string) => HunkMark | null;
  readonly decisionOf: (file: DiffFile, hunk: DiffHunk) => HunkDecision | null;
  readonly takeBackFile: ((file: DiffFile) => void) | null;
  /** What was taken back last and can be put back. */
  readonly last: TakenBack | null;
  readonly undo: () => void;
}

/** The operator's marks on a change, and what they do with it in its folder. */
export function useDeskMarks(runId: number | null, given: Edits): DeskMarks {
  const { value } = useQuery('workspace.marks', runId === null ? null : { runId });
  // The past is only read.
  const past = usePast() !== null;
  const edits = past ? null : given;
  const last = useReadable(takenBack(runId ?? 0, edits?.sessionId ?? 0)).at(-1) ?? null;
  const viewed = useMemo(() => new Set(value?.viewed), [value]);
  const sessionId = edits?.sessionId ?? null;
  const hunks = useMemo(
    () => (value === null || sessionId === null ? null : new HunkMarks(value.hunks, sessionId)),
    [value, sessionId],
  );
  const place = (file: DiffFile) =>
    runId === null || edits === null ? null : { runId, ...edits, path: file.path };
  const isViewed = useCallback(
    ({ content }: DiffFile) => content !== undefined && viewed.has(content),
    [viewed],
  );
  return {
    isViewed,
    view: runId === null || past ? null : (files, to) => void mark(runId, files, to),
    // A file that was taken back whole has its mark for all of its hunks.
    markOf: (path, hunk) => hunks?.of(path, hunk) ?? hunks?.of(path, WHOLE_FILE) ?? null,
    decisionOf: (file, { id }) => {
      const at = place(file);
      if (at === null) return null;
      return {
        keep: (kept) => void acceptHunk(at, id, kept),
        takeBack: () => void rejectHunk(at, id),
        undo:
          last?.path === file.path && [id, WHOLE_FILE].includes(last.hunk)
            ? () => void undoLast(at.runId, at.sessionId)
            : null,
      };
    },
    takeBackFile:
      edits === null
        ? null
        : (file) => {
            const at = place(file);
            if (at !== null) void rejectHunk(at, WHOLE_FILE);
          },
    last: edits === null ? null : last,
    undo: () => {
      if (runId !== null && edits !== null) void undoLast(runId, edits.sessionId);
    },
  };
}

async function mark(runId: number, files: readonly DiffFile[], viewed: boolean): Promise<void> {
  const contents = files.flatMap(({ content }) => content ?? []);
  if (contents.length === 0) return;
  const done = await attempt(call('workspace.view', { runId, files: contents, viewed }));
  if (done !== null) await refresh('workspace.marks');
}
