import { openInEditor } from '@renderer/parts/problems/error-note';
import { LineCounts } from '@renderer/parts/text/line-counts';
import { IconButton } from '@renderer/ui/controls/button';
import { Glyph } from '@renderer/ui/controls/icon';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import {
  ChevronRight,
  ExternalLink,
  FileDiff,
  FileMinus2,
  FilePlus2,
  FileSymlink,
  type LucideIcon,
} from 'lucide-react';
import { memo } from 'react';
import type { DiffFile } from '../../contract/procedures';
import styles from './file-head.module.css';

const ICONS: Record<DiffFile['status'], { icon: LucideIcon; word: string; tone: string }> = {
  added: { icon: FilePlus2, word: 'new', tone: 'done' },
  modified: { icon: FileDiff, word: '', tone: 'grey' },
  deleted: { icon: FileMinus2, word: 'deleted', tone: 'failed' },
  renamed: { icon: FileSymlink, word: 'moved', tone: 'grey' },
  type_changed: { icon: FileDiff, word: 'type changed', tone: 'grey' },
};

interface FileHeadProps {
  readonly file: DiffFile;
  readonly folded: boolean;
  /** Null if the file is in no folder that could be opened. */
  readonly folder: string | null;
  readonly onFold: () => void;
}

export function FileHead({ file, folded, folder, onFold }: FileHeadProps) {
  const { icon, word, tone } = ICONS[file.status];
  const line = Math.max(1, file.hunks[0]?.newStart ?? 1);
  return (
    <header className={`${styles.changeFile} ${folded ? '' : 'open'}`}>
      <button type="button" className={styles.changeFold} aria-expanded={!folded} onClick={onFold}>
        <Glyph of={ChevronRight} size={14} />
        <span className={`status ${tone}`}>
          <Glyph of={icon} size={14} />
        </span>
        <span className="mono cut reads" title={file.path}>
          {inPlainSight(file.path)}
        </span>
        {word && <span className="faint note">{word}</span>}
        {file.oldPath && (
          <span className="faint note cut" title={file.oldPath}>
            from <span className="mono">{file.oldPath}</span>
          </span>
        )}
      </button>
      <LineCounts added={file.added} removed={file.removed} />
      {file.status !== 'deleted' && folder !== null && (
        <IconButton
          icon={ExternalLink}
          label={`Open ${file.path} in the editor`}
          onClick={() => openInEditor(`${folder}/${file.path}`, line)}
        />
      )}
    </header>
  );
}

interface FileListProps {
  readonly files: readonly DiffFile[];
  readonly onGo: (path: string) => void;
}

/** The names of the changed files; each links to its hunks. */
export const FileList = memo(function FileList({ files, onGo }: FileListProps) {
  return (
    <nav className="change-list scroll" aria-label="Files that changed">
      {files.map((file) => {
        const { icon, tone } = ICONS[file.status];
        const cut = file.path.lastIndexOf('/') + 1;
        return (
          <button key={file.path} type="button" title={file.path} onClick={() => onGo(file.path)}>
            <span className={`status ${tone}`}>
              <Glyph of={icon} size={13} />
            </span>
            <span className="cut grow">
              {inPlainSight(file.path.slice(cut))}{' '}
              <span className="faint">{inPlainSight(file.path.slice(0, cut))}</span>
            </span>
            <LineCounts added={file.added} removed={file.removed} />
          </button>
        );
      })}
    </nav>
  );
}, sameFiles);

/** The link targets do not depend on what is drawn meanwhile. */
function sameFiles(before: FileListProps, after: FileListProps): boolean {
  return before.files === after.files;
}
