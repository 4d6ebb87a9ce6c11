import type { InterruptedCheckout } from '@areas/projects/contract/procedures';
import { useEffect, useState } from 'react';
import { call } from '../../client/rpc';
import { attempt, say } from '../../client/toasts';
import { Button } from '../../ui/controls/button';
import { Note } from '../../ui/layout/note';
import styles from './checkout-notice.module.css';

const STATES: Record<InterruptedCheckout['files'][number]['state'], string> = {
  after: 'new',
  before: 'old',
  half: 'missing or incomplete',
  yours: 'changed by you',
};

/** An interrupted change of a checkout: the state of each file, and the two ways out. */
export function CheckoutNotice({ id, text }: { readonly id: string; readonly text: string }) {
  const [busy, setBusy] = useState(false);
  const settle = async (how: 'finish' | 'roll_back'): Promise<void> => {
    setBusy(true);
    const done = await attempt(call('checkout.settle', { id, how }));
    if (done !== null) say(done.text);
    setBusy(false);
  };
  return (
    <Note
      tone="failed"
      live="alert"
      acts={
        <>
          <Button tone="primary" disabled={busy} onClick={() => void settle('finish')}>
            Finish
          </Button>
          <Button disabled={busy} onClick={() => void settle('roll_back')}>
            Roll back
          </Button>
        </>
      }
    >
      {text}
      <Files id={id} text={text} />
    </Note>
  );
}

/** Requested when the list is opened: there may be many. */
function Files({ id, text }: { readonly id: string; readonly text: string }) {
  const [open, setOpen] = useState(false);
  const [files, setFiles] = useState<InterruptedCheckout['files']>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text means that files have changed.
  useEffect(() => {
    if (!open) return;
    void call('checkout.interrupted', {}).then((found) => {
      if (found.ok) setFiles(found.value.find((one) => one.id === id)?.files ?? []);
    });
  }, [id, open, text]);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show files</summary>
      <ul className={styles.checkoutFiles}>
        {files.map(({ path, state }) => (
          <li key={path}>
            <code>{path}</code>: {STATES[state]}
          </li>
        ))}
      </ul>
    </details>
  );
}
