import type { AppError } from '@contract/errors';
import { call } from '@renderer/client/rpc';
import { say } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { sendCaps } from '@renderer/parts/controls/act';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Printed } from '@renderer/ui/code/code';
import { Button } from '@renderer/ui/controls/button';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { previewLines } from '../../contract/preview-lines';
import type { PullPreview, PullText } from '../../contract/pull';
import styles from './pull.module.css';

interface PullSendProps {
  readonly preview: PullPreview;
  /** Back to what can be changed. */
  readonly onBack: () => void;
  readonly onSent: () => void;
}

const textOf = ({ title, body, draft, base, reviewers, labels }: PullPreview): PullText => ({
  ...{ title, body, draft, base, reviewers, labels },
});

/** Everything that will be sent, and the button that sends exactly this. */
export function PullSend({ preview, onBack, onSent }: PullSendProps) {
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const { runId, shown, updates } = preview;
  const send = async () => {
    if (sending) return;
    setSending(true);
    setError(null);
    const done = await call('pull.open', { runId, text: textOf(preview), shown });
    setSending(false);
    await refresh('pull.record');
    if (!done.ok) return setError(done.error);
    say(updates === null ? `Opened #${done.value.number ?? ''}` : `Updated #${updates}`);
    onSent();
  };
  return (
    <section
      aria-label="What is sent"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
        else if (event.key === 'Escape') onBack();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <Printed text={previewLines(preview).join('\n').trimEnd()} label="All that is sent" />
      {error && <ErrorNote error={error} live />}
      <div className={styles.acts}>
        <Button
          tone="primary"
          icon={Send}
          caps={sendCaps}
          disabled={sending || error?.code === 'conflict'}
          autoFocus
          onClick={() => void send()}
        >
          {sending ? 'Sending' : updates === null ? 'Open the pull request' : 'Update the pull request'}
        </Button>
        <Button tone="ghost" caps={['Esc']} onClick={onBack}>
          {updates === null ? 'Change it' : 'Not now'}
        </Button>
      </div>
    </section>
  );
}
