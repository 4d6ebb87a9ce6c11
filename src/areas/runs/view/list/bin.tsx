import type { AppError } from '@contract/errors';
import type { RunRow } from '@contract/run/procedures';
import { bytes, plural } from '@renderer/client/format';
import { call } from '@renderer/client/rpc';
import { attempt, complain } from '@renderer/client/toasts';
import { Button } from '@renderer/ui/controls/button';
import { Confirm } from '@renderer/ui/controls/dialog';
import { useState } from 'react';

/** A run that cannot be deleted, for example an unreadable one, does not block the others. */
async function purgeAll(runs: readonly RunRow[]): Promise<void> {
  let first: AppError | null = null;
  for (const run of runs) {
    const done = await call('run.purge', { runId: run.id });
    if (done.ok) continue;
    first ??= done.error;
    if (done.error.code === 'unavailable') break;
  }
  if (first !== null) complain(first);
}

/** The disk usage of the bin, and the action that frees it. */
export function EmptyTheBin({ runs }: { runs: readonly RunRow[] }) {
  const [asking, setAsking] = useState(false);
  const size = bytes(runs.reduce((sum, run) => sum + (run.bytes ?? 0), 0));
  return (
    <footer className="pane-foot">
      <span className="grow quiet">
        {plural(runs.length, 'run')}, {size}
      </span>
      <Button onClick={() => setAsking(true)}>Empty the bin</Button>
      {asking && (
        <Confirm
          title={`Delete ${plural(runs.length, 'run')} permanently?`}
          verb="Delete permanently"
          onConfirm={() => void purgeAll(runs)}
          onClose={() => setAsking(false)}
        >
          Their events, answers, artifacts ({size}) and worktrees are removed from this machine, with the
          ignored files in them. Branches stay; what was not committed is kept in its repository under
          refs/muster/kept.
        </Confirm>
      )}
    </footer>
  );
}

interface PurgeProps {
  readonly run: RunRow;
  readonly onClose: () => void;
}

export function Purge({ run, onClose }: PurgeProps) {
  return (
    <Confirm
      title={`Delete “${run.name}” permanently?`}
      verb="Delete permanently"
      onConfirm={() => void attempt(call('run.purge', { runId: run.id }), 'Deleted the run')}
      onClose={onClose}
    >
      Its events, answers, artifacts{run.bytes === null ? '' : ` (${bytes(run.bytes)})`} and worktrees are
      removed from this machine, with the ignored files in them. Its branches stay; what was not committed is
      kept in the repository under refs/muster/kept.
    </Confirm>
  );
}
