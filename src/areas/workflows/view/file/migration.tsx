import type { WorkflowDetail, WorkflowRow } from '@areas/agents/contract/procedures';
import { plural } from '@renderer/client/format';
import { useHandlers, useQuery } from '@renderer/client/hooks';
import { setQuery } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt, offer, say } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { ActButton } from '@renderer/parts/controls/act';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { DiffView } from '@renderer/ui/code/diff';
import { Note } from '@renderer/ui/layout/note';
import { FileCheck, FileClock, X } from 'lucide-react';
import { useState } from 'react';
import styles from './migration.module.css';

/** True for a file of an earlier version that Muster can rewrite for this one. */
export const isOld = (row: WorkflowRow): boolean =>
  row.problems.some((problem) => problem.code === 'validation.completion_mode_removed');

export function OldFile() {
  return (
    <Note
      tone="waits"
      acts={
        <ActButton action="workflow.migrate" icon={FileClock}>
          Migrate
        </ActButton>
      }
    >
      This file was written for an earlier version. Muster can rewrite it: you see the difference first, and
      the old file is kept.
    </Note>
  );
}

/** The changes of a migration, line by line, and the choice to make them or not. */
export function Migration({ value }: { value: WorkflowDetail }) {
  const { projectId, file } = value;
  const preview = useQuery('workflow.migrate', { projectId, file, apply: false });
  const [working, setWorking] = useState(false);
  const migration = preview.value;
  const apply = async () => {
    setWorking(true);
    await migrate(projectId, file);
    setWorking(false);
  };
  const ready = migration !== null && migration.changes.length > 0 && !working;
  useHandlers({
    'workflow.migration.apply': ready ? () => void apply() : null,
    'workflow.migration.leave': leave,
  });
  return (
    <section className={styles.migration} aria-label="Migration">
      {preview.error && <ErrorNote error={preview.error} />}
      {migration && (
        <>
          <ul className={styles.migrationChanges} aria-label="Changes">
            {migration.changes.map(({ path, line, what }) => (
              <li key={path} className={styles.migrationChange}>
                <span className="mono faint note">line {line}</span>
                <span>{what}</span>
              </li>
            ))}
          </ul>
          <DiffView path={file} oldText={value.text} newText={migration.text} />
        </>
      )}
      <footer className={styles.migrationActs}>
        <ActButton action="workflow.migration.apply" tone="primary" icon={FileCheck} disabled={!ready}>
          {migration ? `Apply ${plural(migration.changes.length, 'change')}` : 'Apply'}
        </ActButton>
        <ActButton action="workflow.migration.leave" icon={X}>
          Cancel
        </ActButton>
      </footer>
    </section>
  );
}

const leave = (): void => setQuery({ show: 'steps' });

async function migrate(projectId: number, file: string): Promise<void> {
  const done = await attempt(call('workflow.migrate', { projectId, file, apply: true }));
  if (done === null) return;
  const { backup } = done;
  leave();
  await changed();
  if (backup === null) return;
  const text = `Migrated. The old file is kept as ${backup.split(/[\\/]/).at(-1)}`;
  offer(text, { verb: 'Undo', run: () => void restore({ projectId, file, backup }) });
}

async function restore(kept: { projectId: number; file: string; backup: string }): Promise<void> {
  if ((await attempt(call('workflow.restore', kept))) === null) return;
  await changed();
  say('The old file is back');
}

const changed = () => refresh('workflow.list', 'workflow.get', 'workflow.migrate');
