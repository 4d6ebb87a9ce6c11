import { LineCounts } from '@renderer/parts/text/line-counts';
import { TextInput } from '@renderer/ui/controls/field';
import { Glyph } from '@renderer/ui/controls/icon';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Tree } from '@renderer/ui/lists/tree';
import { Check, Folder, MessageSquare } from 'lucide-react';
import { memo, type RefObject, useMemo, useState } from 'react';
import type { DiffFile } from '../../../contract/procedures';
import { FILE_MARKS } from './file-marks';
import { type FileTreeRow, fileTree } from './file-tree';
import styles from './file-tree-view.module.css';

interface FileTreeViewProps {
  /** Those that the filter lets through. */
  readonly files: readonly DiffFile[];
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly isViewed: (file: DiffFile) => boolean;
  /** How many comments a file has. */
  readonly comments: ReadonlyMap<string, number>;
  /** The file that is in sight. */
  readonly current: string | null;
  readonly onGo: (path: string) => void;
}

/** The changed files as a tree of folders, with a filter. */
export const FileTreeView = memo(function FileTreeView(props: FileTreeViewProps) {
  const { files, filter, onFilter, field, isViewed, comments, current, onGo } = props;
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  // With a filter everything that it found is open.
  const rows = useMemo(() => fileTree(files, filter === '' ? closed : new Set()), [files, filter, closed]);
  const toggle = ({ key }: FileTreeRow, open: boolean) => {
    const next = new Set(closed);
    if (open) next.delete(key);
    else next.add(key);
    setClosed(next);
  };
  const draw = (row: FileTreeRow) => (
    <TreeRow row={row} viewed={row.files.every(isViewed)} comments={comments.get(row.path) ?? 0} />
  );
  return (
    <nav className={styles.tree} aria-label="Files that changed">
      <TextInput
        ref={field}
        type="search"
        className={styles.filter ?? ''}
        aria-label="Filter files"
        placeholder="Filter files"
        value={filter}
        onChange={({ target }) => onFilter(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && files[0] !== undefined) onGo(files[0].path);
          else if (event.key === 'Escape' && filter !== '') onFilter('');
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {rows.length === 0 ? (
        <p className={`${styles.none} quiet note`}>No file has this in its path.</p>
      ) : (
        <Tree
          label="Changed files"
          rows={rows}
          draw={draw}
          cursor={current}
          onOpen={(row) => (row.file === null ? toggle(row, row.open === false) : onGo(row.path))}
          onToggle={toggle}
        />
      )}
    </nav>
  );
});

interface TreeRowProps {
  readonly row: FileTreeRow;
  readonly viewed: boolean;
  readonly comments: number;
}

function TreeRow({ row, viewed, comments }: TreeRowProps) {
  const { file, name, path } = row;
  const mark = file === null ? null : FILE_MARKS[file.status];
  return (
    <span className={`${styles.entry} ${viewed ? styles.viewed : ''}`} title={path}>
      <span className={`status ${mark?.tone ?? 'grey'}`}>
        <Glyph of={mark?.icon ?? Folder} size={13} />
      </span>
      <span className="cut grow">{inPlainSight(name)}</span>
      {comments > 0 && (
        <span className={styles.mark} role="img" aria-label={`${comments} comments`}>
          <Glyph of={MessageSquare} size={12} />
        </span>
      )}
      {viewed && (
        <span className={styles.mark} role="img" aria-label="viewed">
          <Glyph of={Check} size={12} />
        </span>
      )}
      {file !== null && <LineCounts added={file.added} removed={file.removed} />}
    </span>
  );
}
