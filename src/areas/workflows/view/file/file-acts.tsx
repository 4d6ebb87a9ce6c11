import type { WorkflowRow } from '@areas/agents/contract/procedures';
import { useHandlers } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt, offer } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { ActIcon } from '@renderer/parts/controls/act';
import { Copy, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { restoreDeleted } from '../list/deleted';
import { NewWorkflow } from '../parts/new-workflow/new-workflow';

/** Duplicates and deletes the file of a workflow. */
export function FileActs({ row }: { readonly row: WorkflowRow }) {
  const [duplicates, setDuplicates] = useState(false);
  useHandlers({
    'workflow.duplicate': () => setDuplicates(true),
    'workflow.delete': () => void remove(row),
  });
  return (
    <>
      <ActIcon action="workflow.duplicate" icon={Copy} label="Duplicate the workflow" />
      <ActIcon action="workflow.delete" icon={Trash2} label="Delete the workflow" />
      {duplicates && (
        <NewWorkflow run={null} projectId={row.projectId} copy={row} onClose={() => setDuplicates(false)} />
      )}
    </>
  );
}

/** Deletes at once: the file is kept, and can be restored with one press. */
async function remove({ projectId, file, name }: WorkflowRow): Promise<void> {
  const done = await attempt(call('workflow.delete', { projectId, file }));
  if (done === null) return;
  await refresh('workflow.list', 'workflow.deleted');
  navigate(hashOf('workflows', projectId));
  const { kept } = done;
  offer(`“${name}” was deleted`, {
    verb: 'Undo',
    run: () => void restoreDeleted({ projectId, file, kept }),
  });
}
