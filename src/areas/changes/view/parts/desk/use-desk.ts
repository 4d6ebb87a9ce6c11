import type { AppError } from '@contract/errors';
import { type RefObject, useMemo, useRef, useState } from 'react';
import type { HunkLine } from '../../../contract/hunk-lines';
import type { ChangeMatch, DiffFile, WorkspaceDiffView } from '../../../contract/procedures';
import type { LineComment } from '../comments';
import { type DiffSource, useOpenedFiles } from '../opened-files';
import { type DeskRow, fileKey } from './desk-rows';
import { filterFiles, inTreeOrder } from './file-tree';
import { linesOf } from './line-marks';
import { placesOf } from './pairs';
import { type Context, useContext } from './use-context';
import { type DeskLayout, useDeskLayout } from './use-desk-layout';
import { type DeskPlace, useDeskPlace } from './use-desk-place';
import { type FindState, useFind } from './use-find';
import { type DeskMarks, useDeskMarks } from './use-marks';

/** Collects comments on a change during its review. */
export interface DiffReview {
  readonly comments: readonly LineComment[];
  readonly onComment: (comment: LineComment) => void;
  /** The key under which unfinished comments are saved. */
  readonly drafts: string;
  /** What the comments are sent with. */
  readonly sentWith: 'prompt' | 'answer';
}

export interface DeskParts {
  readonly files: readonly DiffFile[];
  readonly folder: string | null;
  readonly source: DiffSource | null;
  readonly edits: WorkspaceDiffView['edits'];
  readonly review: DiffReview | null;
}

/** A desk while it is open: what it shows, and what can be done on it. */
export interface Desk extends Pick<DeskParts, 'folder' | 'source' | 'review'>, DeskLayout, DeskPlace {
  readonly ref: RefObject<HTMLElement | null>;
  readonly filterField: RefObject<HTMLInputElement | null>;
  readonly all: readonly DiffFile[];
  /** Those that the filter lets through. */
  readonly files: readonly DiffFile[];
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
  readonly context: Context;
  readonly toggleWhole: (file: DiffFile) => void;
  readonly marks: DeskMarks;
  readonly find: FindState;
  /** What is marked in the lines. */
  readonly findText: string;
  readonly open: ((path: string) => Promise<AppError | null>) | null;
  readonly view: (file: DiffFile, viewed: boolean) => void;
  readonly writing: { readonly row: string; readonly line: string } | null;
  readonly write: (row: string, line: HunkLine | null) => void;
}

export function useDesk({ files: given, folder, source, edits, review }: DeskParts): Desk {
  const ref = useRef<HTMLElement>(null);
  const filterField = useRef<HTMLInputElement>(null);
  const sorted = useMemo(() => inTreeOrder(given), [given]);
  const { files: all, open } = useOpenedFiles(sorted, source);
  const [filter, setFilter] = useState('');
  const files = useMemo(() => filterFiles(all, filter), [all, filter]);
  const context = useContext(files, source);
  const marks = useDeskMarks(source?.runId ?? null, edits);
  const layout = useDeskLayout(ref, given.length > 1);
  const place = useDeskPlace({ files, marks, context, split: layout.split });
  const [writing, setWriting] = useState<Desk['writing']>(null);
  const visit = async (match: ChangeMatch) => {
    setFilter('');
    place.fold(match.path, false);
    if (all.some((file) => file.path === match.path && file.leftOut === 'large')) await open?.(match.path);
    place.revealIn((rows) => rowOf(rows, match));
  };
  const find = useFind({ files: all, source, onGo: (match) => void visit(match) });
  return {
    ...{ ref, filterField, all, files, folder, source, review },
    ...{ filter, setFilter, context, marks, find, open, writing },
    ...layout,
    ...place,
    toggleWhole: (file) => {
      place.fold(file.path, false);
      void context.toggleWhole(file);
    },
    findText: find.open ? find.text.trim() : '',
    view: (file, viewed) => {
      marks.view?.([file], viewed);
      place.fold(file.path, viewed);
    },
    write: (row, line) => setWriting(line === null ? null : { row, line: line.key }),
  };
}

/** The row that draws a match. */
function rowOf(rows: readonly DeskRow[], { path, kind, line }: ChangeMatch): DeskRow | null {
  const isIn = (row: DeskRow): boolean => {
    if (row.file.path !== path) return false;
    if (row.kind === 'context') return row.lines.some(({ fresh }) => fresh === line);
    if (row.kind !== 'hunk' && row.kind !== 'lines') return false;
    const lines = linesOf(row.hunk);
    return placesOf(row.hunk, row).indices.some((index) => {
      const one = lines[index];
      return one?.kind === kind && (one.fresh ?? one.old) === line;
    });
  };
  return rows.find(isIn) ?? rows.find((row) => row.key === fileKey(path)) ?? null;
}
