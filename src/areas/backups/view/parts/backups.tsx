import { bytes } from '@renderer/client/format';
import { useQuery } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Ago } from '@renderer/parts/text/ago';
import { Button } from '@renderer/ui/controls/button';
import { Confirm } from '@renderer/ui/controls/dialog';
import { Section } from '@renderer/ui/layout/facts';
import { Note } from '@renderer/ui/layout/note';
import { useState } from 'react';
import type { BackupRow } from '../../contract/procedures';
import styles from './backups.module.css';

const KINDS: Record<BackupRow['kind'], string> = {
  automatic: 'Automatic',
  manual: 'By hand',
  migration: 'Before a migration',
};

/** The backups of the database, how to make one, and how to go back to one. */
export function Backups() {
  const found = useQuery('backup.list', {});
  const [busy, setBusy] = useState(false);
  const [wanted, setWanted] = useState<BackupRow | null>(null);
  const rows = found.value?.rows ?? [];
  const backUp = async (artifacts: boolean) => {
    setBusy(true);
    await attempt(call('backup.make', { artifacts }), 'Backed up.');
    setBusy(false);
    await refresh('backup.list');
  };
  return (
    <Section
      title="Backups"
      acts={
        <>
          <Button disabled={busy} onClick={() => void backUp(false)}>
            Back up now
          </Button>
          <Button disabled={busy} onClick={() => void backUp(true)}>
            Back up with files of runs
          </Button>
        </>
      }
    >
      <p className={`quiet ${styles.about}`}>
        One a day is made while nothing works. Seven of them are kept, on at most a tenth of the free disk.
        Restoring one keeps the database that is in use under another name.
      </p>
      {found.error && <ErrorNote error={found.error} />}
      {found.status === 'ready' && rows.length === 0 && <Note>No backups yet.</Note>}
      <ul aria-label="Backups" className={styles.backups}>
        {rows.map((row) => (
          <li key={row.path}>
            <span>
              <Ago at={row.at} />
            </span>
            <span className="quiet">
              {KINDS[row.kind]}, {bytes(row.bytes)}
              {row.artifacts && ', with files of runs'}
              {row.version === null && ', cannot be read'}
            </span>
            <Button onClick={() => void attempt(call('app.revealInFolder', { path: row.path }))}>
              Show the file
            </Button>
            <Button disabled={row.version === null} onClick={() => setWanted(row)}>
              Restore
            </Button>
          </li>
        ))}
      </ul>
      {wanted && (
        <Confirm
          title="Restore this backup?"
          verb="Restore"
          onClose={() => setWanted(null)}
          onConfirm={() => {
            setWanted(null);
            void attempt(call('app.restoreBackup', { path: wanted.path }));
          }}
        >
          Running turns are interrupted, and what happened since <Ago at={wanted.at} /> is no longer shown.
          The database that is in use now stays beside it, and can be restored as well.
        </Confirm>
      )}
    </Section>
  );
}
