import type { RunState } from '@contract/run/state';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Empty } from '@renderer/ui/layout/note';
import { FolderGit2 } from 'lucide-react';

/** A loop whose working folder is being created, or could not be. */
export function Opening({ state }: { readonly state: RunState }) {
  if (state.workspaceError !== null) return <ErrorNote error={state.workspaceError} />;
  if (state.status === 'finished')
    return <Empty icon={FolderGit2} title="It ended before the first attempt" />;
  return (
    <Empty icon={FolderGit2} title="Muster is creating its working folder">
      Then the plan is read, and the first worker begins.
    </Empty>
  );
}
