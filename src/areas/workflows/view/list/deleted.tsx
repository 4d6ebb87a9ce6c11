import type { DeletedWorkflow, ProjectRow } from '@areas/agents/contract/procedures';
import { useQuery } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { Ago } from '@renderer/parts/text/ago';
import { Button, IconButton } from '@renderer/ui/controls/button';
import { Question } from '@renderer/ui/controls/dialog';
import { ArchiveRestore } from 'lucide-react';
import { useState } from 'react';
import styles from './deleted.module.css';

/** Restores deleted workflows. Nothing is shown if there are none. */
export function Deleted({ projects }: { readonly projects: readonly ProjectRow[] }) {
  const deleted = useQuery('workflow.deleted', {}).value ?? [];
  const [shown, show] = useState(false);
  if (deleted.length === 0 && !shown) return null;
  const nameOf = (id: number) => projects.find((project) => project.id === id)?.name ?? '';
  return (
    <>
      <IconButton icon={ArchiveRestore} label="Deleted workflows" onClick={() => show(true)} />
      {shown && (
        <Question
          title="Deleted workflows"
          footer={<Button onClick={() => show(false)}>Close</Button>}
          onClose={() => show(false)}
        >
          <p className="quiet">Muster keeps a deleted file for 90 days.</p>
          <ul className={styles.deleted} aria-label="Deleted workflows">
            {deleted.map((one) => (
              <li key={one.kept}>
                <span className={styles.name}>
                  <span className="mono">{one.file.split(/[\\/]/).at(-1)}</span>
                  <span className="quiet note">
                    {nameOf(one.projectId)}, deleted <Ago at={one.deletedAt} />
                  </span>
                </span>
                <Button
                  aria-label={`Restore ${one.file.split(/[\\/]/).at(-1)}`}
                  onClick={() => void restoreDeleted(one).then((done) => done && show(false))}
                >
                  Restore
                </Button>
              </li>
            ))}
          </ul>
        </Question>
      )}
    </>
  );
}

/** Restores a deleted workflow and shows it. */
export async function restoreDeleted({
  projectId,
  file,
  kept,
}: Pick<DeletedWorkflow, 'projectId' | 'file' | 'kept'>): Promise<boolean> {
  const done = await attempt(call('workflow.undelete', { projectId, file, kept }), 'The workflow is back');
  if (done === null) return false;
  await refresh('workflow.list', 'workflow.deleted');
  navigate(hashOf('workflow', projectId, file));
  return true;
}
