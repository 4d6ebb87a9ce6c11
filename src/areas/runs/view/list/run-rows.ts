import type { RunRow } from '@contract/run/procedures';
import { runStatusSchema } from '@contract/run/state';
import { useReadable, useRoute } from '@renderer/client/hooks';
import { runList } from '@renderer/client/lists/lists';
import { formatRoute } from '@renderer/client/route';
import type { ListRow } from '@renderer/ui/lists/list';
import { NO_PICKS } from '@renderer/ui/lists/picks';
import { useDeferredValue, useMemo, useState } from 'react';

export interface RunListRow extends ListRow {
  readonly run: RunRow;
}

const ROW = 48;

/** The listed runs; the filter is in the address, so that a reload shows the same. */
export function useRunRows() {
  const { path, query } = useRoute();
  const binned = path[1] === 'bin' || query.bin === '1';
  const search = useDeferredValue(query.q ?? '');
  const status = runStatusSchema.safeParse(query.status).data;
  const list = useMemo(
    () => runList({ binned, status, search: search || undefined }),
    [binned, status, search],
  );
  const { rows: runs } = useReadable(list.view);
  const rows = useMemo(() => runs.map((run): RunListRow => ({ key: run.uid, height: ROW, run })), [runs]);
  const [picks, pick] = useState(NO_PICKS);
  const picked = useMemo(() => runs.filter(({ uid }) => picks.keys.has(uid)), [runs, picks]);
  return {
    list,
    rows,
    picks,
    /** The picked runs that are listed. */
    picked,
    pick,
    binned,
    filtered: status !== undefined || search !== '',
    /** The address of a run that keeps the filter. */
    hashOf: (uid: string) => formatRoute({ path: ['run', uid], query: { ...query, bin: binned ? '1' : '' } }),
  };
}
export type Listing = ReturnType<typeof useRunRows>;
