import { X } from 'lucide-react';
import { useReadable } from '../../client/hooks';
import { dismiss, type Toast, toasts } from '../../client/toasts';
import { ErrorNote } from '../../parts/problems/error-note';
import { Button, IconButton } from '../../ui/controls/button';
import { Note } from '../../ui/layout/note';
import styles from './toaster.module.css';

export function Toaster() {
  const list = useReadable(toasts);
  return (
    <div className={styles.toaster}>
      {list.map((toast) => (
        <div key={toast.id} className={styles.toast}>
          <Body toast={toast} />
          <IconButton icon={X} label="Dismiss" onClick={() => dismiss(toast.id)} />
        </div>
      ))}
    </div>
  );
}

function Body({ toast }: { toast: Toast }) {
  if (toast.error !== null) return <ErrorNote error={toast.error} live />;
  const { act } = toast;
  const run = () => {
    dismiss(toast.id);
    act?.run();
  };
  return (
    <Note tone={toast.tone} live="status" acts={act && <Button onClick={run}>{act.verb}</Button>}>
      {toast.text}
    </Note>
  );
}
