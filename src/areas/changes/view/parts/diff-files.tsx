import { plural } from '@renderer/client/format';
import { useHandlers } from '@renderer/client/hooks';
import { LineCounts } from '@renderer/parts/text/line-counts';
import { useMemo, useRef, useState } from 'react';
import type { DiffFile } from '../../contract/procedures';
import { type ChangeRow, changeRows, nextHunk, total } from './change-rows';
import { commentOn, type LineComment } from './comments';
import styles from './diff-files.module.css';
import { FileHead, FileList } from './file-head';
import { firstChange, hunkLines } from './hunk-lines';
import { type HunkActs, HunkView } from './hunk-view';
import { type DiffSource, LargeFile, useOpenedFiles } from './opened-files';

/** Collects comments on a diff during its review. */
export interface DiffReview {
  readonly comments: readonly LineComment[];
  readonly onComment: (comment: LineComment) => void;
  /** The key under which unfinished comments are saved. */
  readonly drafts: string;
}

interface DiffFilesProps {
  readonly files: readonly DiffFile[];
  /** The folder in which files can be opened; null if there is none. */
  readonly folder: string | null;
  /** Where a large file can be read; null: nowhere. */
  readonly source?: DiffSource | null;
  /** If given, keys move from hunk to hunk, and lines accept comments. */
  readonly review?: DiffReview | null;
}

/** Number of files drawn at first; the others on demand. */
const FIRST_FILES = 30;
const FIRST_HUNKS = 40;
/** Files after this many lines begin collapsed. */
const FIRST_LINES = 800;
const NO_COMMENTS: readonly LineComment[] = [];

const linesOf = (file: DiffFile): number => file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);

/**
 * The files that begin collapsed, because their lines are too many to draw at once. The first file is always
 * expanded.
 */
function foldedAtFirst(files: readonly DiffFile[]): ReadonlySet<string> {
  const folded = new Set<string>();
  let lines = 0;
  for (const [index, file] of files.entries()) {
    lines += Math.min(linesOf(file), FIRST_LINES);
    if (index > 0 && lines > FIRST_LINES) folded.add(file.path);
  }
  return folded;
}

interface DiffPlace {
  readonly row: string;
  readonly line: string;
}

/** A diff to read in place: the list of its files, then each file's lines. */
export function DiffFiles({ files: listed, folder, source = null, review = null }: DiffFilesProps) {
  const { files, open } = useOpenedFiles(listed, source);
  const ref = useRef<HTMLElement>(null);
  const [folded, setFolded] = useState(() => foldedAtFirst(files));
  const [all, setAll] = useState(false);
  const [current, setCurrent] = useState<string | null>(null);
  const [writing, setWriting] = useState<DiffPlace | null>(null);
  const shown = all ? files : files.slice(0, FIRST_FILES);
  const fold = (path: string, to = !folded.has(path)) => {
    const next = new Set(folded);
    if (to) next.add(path);
    else next.delete(path);
    setFolded(next);
  };
  const go = (path: string) => {
    setAll(true);
    fold(path, false);
    const at = files.findIndex((file) => file.path === path);
    scrollTo(`[data-file="${at}"]`);
  };
  // The file may have to be drawn first.
  const scrollTo = (selector: string) =>
    requestAnimationFrame(() => ref.current?.querySelector(selector)?.scrollIntoView({ block: 'start' }));
  const visit = (row: ChangeRow | null) => {
    if (row === null) return;
    setAll(true);
    fold(row.file.path, false);
    setCurrent(row.key);
    scrollTo(`[data-hunk="${CSS.escape(row.key)}"]`);
  };
  useReviewKeys({ files, review, current, visit, write: setWriting });
  const reviewed = review && { ...review, current, writing, write: setWriting };
  return (
    <section ref={ref} className={styles.diffFiles} aria-label="Changes">
      <header>
        <strong>{plural(files.length, 'file')} changed</strong>
        <LineCounts {...total(files)} />
        {folded.size > 0 && <span className="faint note">{folded.size} folded</span>}
      </header>
      {files.length > 1 && <FileList files={files} onGo={go} />}
      {shown.map((file, index) => (
        <section key={file.path} data-file={index} aria-label={file.path}>
          <FileHead
            file={file}
            folded={folded.has(file.path)}
            folder={folder}
            onFold={() => fold(file.path)}
          />
          {!folded.has(file.path) &&
            (file.leftOut === 'large' ? (
              <LargeFile file={file} open={open} />
            ) : (
              <File file={file} review={reviewed} />
            ))}
        </section>
      ))}
      {shown.length < files.length && (
        <button type="button" className="text-button" onClick={() => setAll(true)}>
          Show {plural(files.length - shown.length, 'more file')}
        </button>
      )}
    </section>
  );
}

const UNFOLDED: ReadonlySet<string> = new Set();

interface ReviewKeys {
  readonly files: readonly DiffFile[];
  readonly review: DiffReview | null;
  readonly current: string | null;
  readonly visit: (row: ChangeRow | null) => void;
  readonly write: (place: DiffPlace | null) => void;
}

/** The keys move through all hunks, including those of collapsed files. */
function useReviewKeys({ files, review, current, visit, write }: ReviewKeys): void {
  const rows = () => changeRows(files, UNFOLDED);
  const comment = () => {
    const row = rows().find(({ key }) => key === current) ?? nextHunk(rows(), null, 1);
    if (row?.kind !== 'hunk') return;
    visit(row);
    const line = firstChange(hunkLines(row.hunk));
    write(line && { row: row.key, line: line.key });
  };
  useHandlers(
    review === null
      ? {}
      : {
          'gate.hunk.next': () => visit(nextHunk(rows(), current, 1)),
          'gate.hunk.previous': () => visit(nextHunk(rows(), current, -1)),
          'gate.comment': comment,
        },
  );
}

interface Reviewed extends DiffReview {
  readonly current: string | null;
  readonly writing: DiffPlace | null;
  readonly write: (place: DiffPlace | null) => void;
}

function File({ file, review }: { file: DiffFile; review: Reviewed | null }) {
  const rows = useMemo(() => changeRows([file], UNFOLDED), [file]);
  const [all, setAll] = useState(false);
  // A hunk reached by key is drawn, however far down it is.
  const isFar = review?.current != null && rows.slice(FIRST_HUNKS).some(({ key }) => key === review.current);
  const shown = all || isFar ? rows : rows.slice(0, FIRST_HUNKS);
  const left = rows.length - shown.length;
  return (
    <>
      {shown.map((row) =>
        row.kind === 'file' ? null : row.kind === 'note' ? (
          <p key={row.key} className="change-note quiet">
            {row.text}
          </p>
        ) : (
          <div key={row.key} data-hunk={row.key}>
            <HunkView
              path={file.path}
              hunk={row.hunk}
              mark={null}
              comments={review?.comments.filter(({ path }) => path === file.path) ?? NO_COMMENTS}
              writing={review?.writing?.row === row.key ? review.writing.line : null}
              current={review?.current === row.key}
              acts={review && actsOf(review, row.key, file.path)}
              drafts={review?.drafts ?? ''}
            />
          </div>
        ),
      )}
      {left > 0 && (
        <button type="button" className="text-button" onClick={() => setAll(true)}>
          Show {plural(left, 'more hunk')}
        </button>
      )}
    </>
  );
}

const actsOf = ({ write, onComment }: Reviewed, row: string, path: string): HunkActs => ({
  decide: null,
  sentWith: 'answer',
  write: (line) => write(line && { row, line: line.key }),
  comment: (line, text) => onComment(commentOn(path, line, text)),
});
