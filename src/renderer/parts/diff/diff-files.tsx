import type { DiffFile } from '@contract/workspace/procedures';
import { useRef, useState } from 'react';
import { plural } from '../../client/format';
import { Tally } from '../tally';
import { changeRows, total } from './change-rows';
import styles from './diff-files.module.css';
import { FileHead, FileList } from './file-head';
import { HunkView } from './hunk-view';

interface DiffFilesProps {
  readonly files: readonly DiffFile[];
  /** Where the files are, to be opened; null where they are in no folder. */
  readonly folder: string | null;
  /** There are more files than these. */
  readonly truncated?: boolean;
}

/** Drawn at first; the others when asked for. */
const FIRST_FILES = 30;
const NO_COMMENTS: readonly never[] = [];

/** A diff to be read in place: the list of its files, then each file's lines. */
export function DiffFiles({ files, folder, truncated = false }: DiffFilesProps) {
  const ref = useRef<HTMLElement>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState(false);
  const shown = all ? files : files.slice(0, FIRST_FILES);
  const fold = (path: string) => {
    const next = new Set(folded);
    if (!next.delete(path)) next.add(path);
    setFolded(next);
  };
  const go = (path: string) => {
    setAll(true);
    const at = files.findIndex((file) => file.path === path);
    // The file may have to be drawn first.
    requestAnimationFrame(() =>
      ref.current?.querySelector(`[data-file="${at}"]`)?.scrollIntoView({ block: 'start' }),
    );
  };
  return (
    <section ref={ref} className={styles.diffFiles} aria-label="Changes">
      <header>
        <strong>{plural(files.length, 'file')} changed</strong>
        <Tally {...total(files)} />
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
          <File file={file} folded={folded} />
        </section>
      ))}
      {shown.length < files.length && (
        <button type="button" className="text-button" onClick={() => setAll(true)}>
          Show {plural(files.length - shown.length, 'more file')}
        </button>
      )}
      {truncated && <p className="change-note quiet">More files changed than are listed here.</p>}
    </section>
  );
}

function File({ file, folded }: { file: DiffFile; folded: ReadonlySet<string> }) {
  return changeRows([file], folded).map((row) => {
    if (row.kind === 'file') return null;
    if (row.kind === 'note')
      return (
        <p key={row.key} className="change-note quiet">
          {row.text}
        </p>
      );
    return (
      <HunkView
        key={row.key}
        path={file.path}
        hunk={row.hunk}
        mark={null}
        comments={NO_COMMENTS}
        writing={null}
        current={false}
        acts={null}
        drafts=""
      />
    );
  });
}
