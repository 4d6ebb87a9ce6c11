import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Glyph, type Icon } from '../controls/icon';
import styles from './note.module.css';

export type NoteTone = 'plain' | 'waits' | 'failed' | 'done';

const ICONS: Record<NoteTone, Icon> = {
  plain: Info,
  waits: TriangleAlert,
  failed: CircleAlert,
  done: CircleCheck,
};

interface NoteProps {
  readonly tone?: NoteTone;
  readonly children: ReactNode;
  /** The actions that fix it. */
  readonly acts?: ReactNode;
  readonly live?: 'status' | 'alert' | undefined;
}

/** A message in place: what happened, where, and the action that fixes it. */
export function Note({ tone = 'plain', children, acts, live }: NoteProps) {
  return (
    <div className={`note-box ${tone}`} role={live}>
      <Glyph of={ICONS[tone]} size={15} />
      <div className={`${styles.noteText} reads`}>{children}</div>
      {acts && <div className="note-acts">{acts}</div>}
    </div>
  );
}

interface EmptyProps {
  readonly icon: Icon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly acts?: ReactNode;
}

/** An empty state: what belongs here, and the one action that fills it. */
export function Empty({ icon, title, children, acts }: EmptyProps) {
  return (
    <div className={styles.empty} data-part="empty">
      <Glyph of={icon} size={28} />
      <h2>{title}</h2>
      {children && <div className={styles.emptyText}>{children}</div>}
      {acts && <div className={styles.emptyActs}>{acts}</div>}
    </div>
  );
}
