import { PULL_SIDE } from '@areas/forges/view/parts/pull-button';
import { PullSide } from '@areas/forges/view/parts/pull-side';
import type { AppError } from '@contract/errors';
import type { RunRow } from '@contract/run/procedures';
import { useFirst, useHandlers, useQuery, useReadable, useRoute } from '@renderer/client/hooks';
import { hashOf, navigate, replaceRoute } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { newUid } from '@renderer/client/sending/uid';
import { attempt, during } from '@renderer/client/toasts';
import { RunWorkflow } from '@renderer/parts/controls/run-workflow';
import { ListView } from '@renderer/parts/lists/list-view';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Button } from '@renderer/ui/controls/button';
import { Empty } from '@renderer/ui/layout/note';
import { ListTree } from 'lucide-react';
import { listOf } from './list/run-list';
import { useRunRows } from './list/run-rows';
import { RunPage } from './page/run-page';
import { RunSide } from './side/run-side';
import { closeWorkPane, WorkSide, workPaneOf } from './side/work-side';

interface Addressed {
  /** The address names a run. */
  readonly named: boolean;
  readonly run: RunRow | null;
  /** Why it is not shown. */
  readonly error: AppError | null;
}

/** The run in the address, by number or uid: from the list, or otherwise requested. */
function useAddressed(rows: readonly RunRow[]): Addressed {
  const { path } = useRoute();
  const name = path[0] === 'run' ? (path[1] ?? null) : null;
  const listed = rows.find((row) => row.uid === name || String(row.id) === name);
  const found = useQuery('run.find', name !== null && listed === undefined ? { name } : null);
  if (name === null) return { named: false, run: null, error: null };
  return { named: true, run: listed ?? found.value, error: listed === undefined ? found.error : null };
}

async function importRun(): Promise<void> {
  const picked = await attempt(call('app.pickFiles', { title: 'Import a run' }));
  const path = picked?.paths[0];
  if (!path) return;
  const key = newUid();
  const over = during('Importing the run', {
    verb: 'Cancel',
    run: () => void attempt(call('run.cancelImport', { key })),
  });
  const run = await attempt(call('run.import', { path, key }), 'Imported the run');
  over();
  if (run) navigate(hashOf('run', run.runId));
}

export function RunsView() {
  const { path, query } = useRoute();
  const listing = useRunRows();
  const view = useReadable(listing.list.view);
  const { named, run, error } = useAddressed(view.rows);
  const first = useFirst(
    view.rows.map((row) => row.uid),
    named,
  );
  const chosen = run ?? view.rows.find((row) => row.uid === first) ?? null;
  useHandlers({
    'issues.open': () => navigate(hashOf('issues')),
    'run.import': () => void importRun(),
    'run.bin.show': () => navigate(listing.binned ? hashOf('runs') : hashOf('runs', 'bin')),
  });
  const pane = chosen === null ? null : workPaneOf(query.side);
  const isPull = chosen !== null && query.side === PULL_SIDE;
  const detail =
    !run && error?.code === 'not_found' ? (
      <Empty
        icon={ListTree}
        title="There is no such run"
        acts={<Button onClick={() => navigate(hashOf('runs'))}>Show all runs</Button>}
      >
        {path[1]} is neither in this database nor in the bin.
      </Empty>
    ) : chosen ? (
      <RunPage key={chosen.id} row={chosen} />
    ) : named ? (
      error && <ErrorNote error={error} />
    ) : (
      view.status === 'ready' && <NoRuns binned={listing.binned} filtered={listing.filtered} />
    );
  return (
    <ListView
      id="runs"
      front={path[0] === 'run' ? 'detail' : 'list'}
      {...listOf(listing)}
      selected={chosen?.uid ?? null}
      onSelect={(row) => replaceRoute(listing.hashOf(row.run.uid))}
      error={view.error}
      detail={detail}
      side={
        chosen
          ? () =>
              isPull ? (
                <PullSide key={chosen.id} runId={chosen.id} onClose={closeWorkPane} />
              ) : pane === null ? (
                <RunSide key={chosen.id} row={chosen} />
              ) : (
                <WorkSide key={chosen.id} row={chosen} pane={pane} />
              )
          : undefined
      }
      sideShown={pane !== null || isPull}
      onSideClose={closeWorkPane}
    />
  );
}

function NoRuns({ binned, filtered }: { binned: boolean; filtered: boolean }) {
  if (filtered) return <Empty icon={ListTree} title="No matching runs" />;
  if (binned) {
    return (
      <Empty icon={ListTree} title="The bin is empty">
        Runs that you move to the bin appear here. They can be restored.
      </Empty>
    );
  }
  return (
    <Empty icon={ListTree} title="No runs yet" acts={<RunWorkflow />}>
      Each run of a workflow appears here, with everything that happened in it.
    </Empty>
  );
}
