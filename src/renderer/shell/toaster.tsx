import { X } from 'lucide-react';
import { useReadable } from '../client/hooks';
import { dismiss, type Toast, toasts } from '../client/toasts';
import { ErrorNote } from '../parts/error-note';
import { IconButton } from '../ui/button';
import { Note } from '../ui/note';

export function Toaster() {
  const list = useReadable(toasts);
  return (
    <div className="toaster">
      {list.map((toast) => (
        <div key={toast.id} className="toast">
          <Body toast={toast} />
          <IconButton icon={X} label="Dismiss" onClick={() => dismiss(toast.id)} />
        </div>
      ))}
    </div>
  );
}

function Body({ toast }: { toast: Toast }) {
  if (toast.error !== null) return <ErrorNote error={toast.error} live />;
  return (
    <Note tone={toast.tone} live="status">
      {toast.text}
    </Note>
  );
}
