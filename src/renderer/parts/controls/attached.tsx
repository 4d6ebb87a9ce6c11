import { Paperclip, X } from 'lucide-react';
import { call } from '../../client/rpc';
import { attempt } from '../../client/toasts';
import { IconButton } from '../../ui/controls/button';
import { Glyph } from '../../ui/controls/icon';
import styles from './attached.module.css';

interface AttachedProps {
  readonly paths: readonly string[];
  /** Absent if the files were sent. */
  readonly onRemove?: (path: string) => void;
}

/** Files attached to a prompt; each can be removed until it is sent. */
export function Attached({ paths, onRemove }: AttachedProps) {
  if (paths.length === 0) return null;
  return (
    <ul className={styles.attached} aria-label="Attached files">
      {paths.map((path) => (
        <li key={path} title={path}>
          <Glyph of={Paperclip} size={13} />
          <span className="cut grow">{path.split(/[\\/]/).at(-1)}</span>
          {onRemove && <IconButton icon={X} label={`Remove ${path}`} onClick={() => onRemove(path)} />}
        </li>
      ))}
    </ul>
  );
}

export async function pickFiles(): Promise<readonly string[]> {
  return (await attempt(call('app.pickFiles', { title: 'Attach files' })))?.paths ?? [];
}
