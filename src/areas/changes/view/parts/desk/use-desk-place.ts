import type { StackHandle } from '@renderer/ui/lists/stack';
import { type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import type { DiffFile } from '../../../contract/procedures';
import { type DeskRow, deskRows, fileKey, nextRow } from './desk-rows';
import type { Context } from './use-context';
import type { DeskMarks } from './use-marks';

export interface DeskPlace {
  readonly stack: RefObject<StackHandle | null>;
  readonly rows: readonly DeskRow[];
  /** The key of the row that the keys apply to, and the row. */
  readonly current: string | null;
  readonly now: DeskRow | null;
  readonly choose: (key: string) => void;
  readonly reveal: (key: string) => void;
  /** Goes to a row among those of the next frame. */
  readonly revealIn: (find: (rows: readonly DeskRow[]) => DeskRow | null) => void;
  readonly step: (by: 1 | -1) => void;
  readonly goToFile: (path: string) => void;
  readonly isFolded: (file: DiffFile) => boolean;
  readonly fold: (path: string, to: boolean) => void;
}

interface PlaceParts {
  readonly files: readonly DiffFile[];
  readonly marks: Pick<DeskMarks, 'isViewed'>;
  readonly context: Pick<Context, 'texts' | 'unfolded'>;
  readonly split: boolean;
}

/** The rows of a desk, and where the reader is among them. */
export function useDeskPlace({ files, marks: { isViewed }, context, split }: PlaceParts): DeskPlace {
  const stack = useRef<StackHandle>(null);
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [current, choose] = useState<string | null>(null);
  // A viewed file is folded, unless it was opened again.
  const isFolded = useCallback((file: DiffFile) => folds.get(file.path) ?? isViewed(file), [folds, isViewed]);
  const { texts, unfolded } = context;
  const rows = useMemo(
    () => deskRows(files, { isFolded, split, texts, unfolded }),
    [files, isFolded, split, texts, unfolded],
  );
  const rowsNow = useRef(rows);
  rowsNow.current = rows;
  const fold = (path: string, to: boolean) => setFolds((now) => new Map(now).set(path, to));
  const revealIn: DeskPlace['revealIn'] = (find) =>
    requestAnimationFrame(() => {
      const row = find(rowsNow.current);
      if (row === null) return;
      choose(row.key);
      stack.current?.reveal(row.key);
    });
  const reveal = (key: string) => {
    // At once, so that the next key finds it.
    choose(key);
    revealIn((rows) => rows.find((row) => row.key === key) ?? null);
  };
  return {
    ...{ stack, rows, current, choose, reveal, revealIn, isFolded, fold },
    now: rows.find(({ key }) => key === current) ?? null,
    step: (by) => {
      const row = nextRow(rows, 'hunk', { from: current, by });
      if (row !== null) reveal(row.key);
    },
    goToFile: (path) => {
      fold(path, false);
      reveal(fileKey(path));
    },
  };
}
