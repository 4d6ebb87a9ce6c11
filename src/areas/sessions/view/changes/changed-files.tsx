import type { DiffFile, DiffHunk, WorkspaceDiffView } from '@areas/changes/contract/procedures';
import { type ChangeRow, changeRows, fileKey, nextHunk } from '@areas/changes/view/parts/change-rows';
import { commentOn } from '@areas/changes/view/parts/comments';
import { FileHead, FileList } from '@areas/changes/view/parts/file-head';
import { firstChange, hunkLines } from '@areas/changes/view/parts/hunk-lines';
import type { HunkActs } from '@areas/changes/view/parts/hunk-view';
import { HunkView } from '@areas/changes/view/parts/hunk-view';
import { HunkMarks } from '@areas/changes/view/parts/marks';
import { LargeFile, useOpenedFiles } from '@areas/changes/view/parts/opened-files';
import { useHandlers, useReadable } from '@renderer/client/hooks';
import { openInEditor } from '@renderer/parts/problems/error-note';
import { Stack, type StackHandle } from '@renderer/ui/lists/stack';
import { useMemo, useRef, useState } from 'react';
import styles from './changed-files.module.css';
import type { ChangesProps } from './props';
import { diffOf } from './scopes';
import { acceptHunk, rejectHunk, takenBack, undoLast } from './take-back';

type FilesProps = ChangesProps & { readonly view: WorkspaceDiffView };

/** The files and their hunks, and the hunk that the keys apply to. */
export function ChangedFiles(props: FilesProps) {
  const { view } = props;
  const { files, open } = useOpenedFiles(view.files, {
    runId: props.runId,
    of: diffOf(props.scope, props.session.id),
  });
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string | null>(null);
  const [writing, setWriting] = useState<{ row: string; line: string } | null>(null);
  const handle = useRef<StackHandle>(null);
  const rows = useMemo(() => changeRows(files, folded), [files, folded]);
  const actsOf = useHunkActs(props, (row, line) => setWriting(line === null ? null : { row, line }));
  const fold = (path: string) => {
    const next = new Set(folded);
    if (!next.delete(path)) next.add(path);
    setFolded(next);
  };
  const goTo = (row: { readonly key: string } | null) => {
    if (!row) return;
    setCurrent(row.key);
    handle.current?.reveal(row.key);
  };
  const row = rows.find((one) => one.key === current) ?? null;
  useChangeKeys({ row, rows, goTo, actsOf, fold, folder: view.path });
  const marks = new HunkMarks(props.state.hunks, props.session.id);
  const draw = (row: ChangeRow) => {
    const { file } = row;
    if (row.kind === 'file')
      return <FileHead file={file} folded={row.folded} folder={view.path} onFold={() => fold(file.path)} />;
    if (row.kind === 'note' && file.leftOut === 'large') return <LargeFile file={file} open={open} />;
    if (row.kind === 'note') return <p className="change-note quiet">{row.text}</p>;
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: a click only says which one the keys mean
      // biome-ignore lint/a11y/useKeyWithClickEvents: as above, the keys go from hunk to hunk
      <div onClick={() => setCurrent(row.key)}>
        <HunkView
          path={file.path}
          hunk={row.hunk}
          mark={marks.of(file.path, row.hunk.id)}
          comments={props.comments.filter((comment) => comment.path === file.path)}
          writing={writing?.row === row.key ? writing.line : null}
          current={row.key === current}
          acts={actsOf(row.key, file, row.hunk)}
          drafts={`session/${props.runId}/${props.session.id}`}
        />
      </div>
    );
  };
  return (
    <div className={styles.changesBody}>
      <FileList files={view.files} onGo={(path) => goTo({ key: fileKey(path) })} />
      <Stack label="Changed files" rows={rows} draw={draw} handle={handle} />
    </div>
  );
}

type ActsOf = (row: string, file: DiffFile, hunk: DiffHunk) => HunkActs;

function useHunkActs(props: FilesProps, write: (row: string, line: string | null) => void): ActsOf {
  const { runId, session, scope, onComment } = props;
  const taken = useReadable(takenBack(runId, session.id));
  const turn = /^turn\/(\d+)$/.exec(scope)?.[1];
  const turnId = turn === undefined ? null : Number(turn);
  return (row, file, hunk) => {
    const place = { runId, sessionId: session.id, turnId, path: file.path };
    const last = taken.at(-1);
    const way = last?.path === file.path && last.hunk === hunk.id;
    return {
      decide: {
        accept: (accepted) => void acceptHunk(place, hunk, accepted),
        reject: () => void rejectHunk(place, hunk),
        undo: way ? () => void undoLast(runId, session.id) : null,
      },
      sentWith: 'prompt',
      write: (line) => write(row, line?.key ?? null),
      comment: (line, text) => onComment(commentOn(file.path, line, text)),
    };
  };
}

interface ChangeKeys {
  readonly row: ChangeRow | null;
  readonly rows: readonly ChangeRow[];
  readonly goTo: (row: { readonly key: string } | null) => void;
  readonly actsOf: ActsOf;
  readonly fold: (path: string) => void;
  readonly folder: string;
}

const inChanges = () => document.activeElement?.closest('[data-part="changes"]') != null;

function useChangeKeys({ row, rows, goTo, actsOf, fold, folder }: ChangeKeys): void {
  const acts = row?.kind === 'hunk' ? actsOf(row.key, row.file, row.hunk) : null;
  const comment = () => {
    if (row?.kind === 'hunk') acts?.write(firstChange(hunkLines(row.hunk)));
  };
  useHandlers(
    {
      'hunk.next': () => goTo(nextHunk(rows, row?.key ?? null, 1)),
      'hunk.previous': () => goTo(nextHunk(rows, row?.key ?? null, -1)),
      'hunk.accept': acts?.decide ? () => acts.decide?.accept(true) : null,
      'hunk.reject': acts?.decide?.reject ?? null,
      'hunk.comment': acts && comment,
      'file.fold': row && (() => fold(row.file.path)),
      'file.open': row && (() => openInEditor(`${folder}/${row.file.path}`, lineOf(row))),
    },
    inChanges,
  );
}

const lineOf = (row: ChangeRow): number =>
  Math.max(1, (row.kind === 'hunk' ? row.hunk : row.file.hunks[0])?.newStart ?? 1);
