import { useCaps } from '@renderer/parts/controls/act';
import { openInEditor } from '@renderer/parts/problems/error-note';
import { LineCounts } from '@renderer/parts/text/line-counts';
import { IconButton } from '@renderer/ui/controls/button';
import { Check } from '@renderer/ui/controls/field';
import { Glyph } from '@renderer/ui/controls/icon';
import { Keys } from '@renderer/ui/controls/keys';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { ChevronRight, ExternalLink, Undo2, UnfoldVertical } from 'lucide-react';
import type { DiffFile } from '../../../contract/procedures';
import styles from './file-head.module.css';
import { FILE_MARKS } from './file-marks';

/** What can be done with a file; null: not here. */
interface FileActs {
  readonly fold: () => void;
  readonly view: ((viewed: boolean) => void) | null;
  readonly takeBack: (() => void) | null;
  /** Shows the whole file, or its changes alone. */
  readonly whole: (() => void) | null;
}

interface FileHeadProps {
  readonly file: DiffFile;
  readonly folded: boolean;
  readonly viewed: boolean;
  readonly isWhole: boolean;
  /** The keys apply to this file. */
  readonly current: boolean;
  /** Null if the file is in no folder that could be opened. */
  readonly folder: string | null;
  readonly acts: FileActs;
}

export function FileHead({ file, folded, viewed, isWhole, current, folder, acts }: FileHeadProps) {
  const { icon, word, tone } = FILE_MARKS[file.status];
  const line = Math.max(1, file.hunks[0]?.newStart ?? 1);
  const caps = {
    view: useCaps('change.viewed'),
    whole: useCaps('change.whole'),
    takeBack: useCaps('change.takeBack'),
    open: useCaps('change.open'),
  };
  const { view, takeBack, whole } = acts;
  const cut = file.path.lastIndexOf('/') + 1;
  return (
    <header
      className={`${styles.file} ${viewed ? styles.viewed : ''}`}
      aria-current={current ? 'location' : undefined}
    >
      <button type="button" className={styles.fold} aria-expanded={!folded} onClick={acts.fold}>
        <Glyph of={ChevronRight} size={14} />
        <span className={`status ${tone}`}>
          <Glyph of={icon} size={14} />
        </span>
        <span className="mono cut reads" title={file.path}>
          <span className="faint">{inPlainSight(file.path.slice(0, cut))}</span>
          {inPlainSight(file.path.slice(cut))}
        </span>
        {word && <span className="faint note">{word}</span>}
        {file.oldPath && (
          <span className="faint note cut" title={file.oldPath}>
            from <span className="mono">{inPlainSight(file.oldPath)}</span>
          </span>
        )}
      </button>
      <LineCounts added={file.added} removed={file.removed} />
      {takeBack !== null && (
        <IconButton
          icon={Undo2}
          label={`Take back ${file.path}`}
          caps={current ? caps.takeBack : []}
          onClick={takeBack}
        />
      )}
      {whole !== null && (
        <IconButton
          icon={UnfoldVertical}
          label={isWhole ? `Show only the changes of ${file.path}` : `Show all of ${file.path}`}
          caps={current ? caps.whole : []}
          active={isWhole}
          onClick={whole}
        />
      )}
      {file.status !== 'deleted' && folder !== null && (
        <IconButton
          icon={ExternalLink}
          label={`Open ${file.path} in the editor`}
          caps={current ? caps.open : []}
          onClick={() => openInEditor(`${folder}/${file.path}`, line)}
        />
      )}
      {view !== null && (
        <span className={styles.check}>
          <Check
            checked={viewed}
            aria-label={`Viewed ${file.path}`}
            onChange={(event) => view(event.currentTarget.checked)}
          >
            Viewed
          </Check>
          {current && <Keys caps={caps.view} />}
        </span>
      )}
    </header>
  );
}
