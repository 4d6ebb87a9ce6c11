import { plural } from '@renderer/client/format';
import { LineCounts } from '@renderer/parts/text/line-counts';
import { Printed } from '@renderer/ui/code/code';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { useMemo, useState } from 'react';
import { readFiles } from '../../contract/file-list';
import type { EvidenceProps } from './evidence-props';
import styles from './files-list.module.css';

const WORDS = {
  added: 'new',
  modified: '',
  deleted: 'deleted',
  renamed: 'moved',
  type_changed: 'type changed',
} as const;

const FIRST_FILES = 200;

/** The files that a step changed. */
export function FilesList({ text, label }: EvidenceProps) {
  const files = useMemo(() => readFiles(text), [text]);
  const [all, setAll] = useState(false);
  if (files === null) return <Printed text={text} label={label} />;
  if (files.length === 0) return <p className="quiet">No files changed.</p>;
  const shown = all ? files : files.slice(0, FIRST_FILES);
  return (
    <>
      <ul className={styles.files} aria-label={label}>
        {shown.map(({ path, old_path: old, status, added, removed }) => (
          <li key={path}>
            <span className={`mono reads ${styles.path}`}>{inPlainSight(path)}</span>
            {WORDS[status] !== '' && <span className="faint note">{WORDS[status]}</span>}
            {old != null && <span className="faint note reads">from {inPlainSight(old)}</span>}
            <span className="grow" />
            <LineCounts added={added ?? null} removed={removed ?? null} />
          </li>
        ))}
      </ul>
      {shown.length < files.length && (
        <button type="button" className="text-button" onClick={() => setAll(true)}>
          Show {plural(files.length - shown.length, 'more file')}
        </button>
      )}
    </>
  );
}
