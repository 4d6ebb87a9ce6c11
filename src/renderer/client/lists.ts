import type { GateRow } from '@contract/gate/procedures';
import type { RunRow } from '@contract/run/procedures';
import type { RunStatus } from '@contract/run/state';
import type { SystemStatus } from '@contract/system/procedures';
import type { UpdateRow } from '@contract/update/procedures';
import type { Update } from '@contract/update/update';
import { gateKey } from './gate-key';
import { PagedList } from './paged';
import { loading, type Reading } from './query';
import { call } from './rpc';
import { Cell } from './store';
import { bus } from './window';

/** One store for each filter that is being looked at. */
function byFilter<F, S>(make: (filter: F, ended: () => void) => S): (filter: F) => S {
  const stores = new Map<string, S>();
  return (filter) => {
    const key = JSON.stringify(filter);
    const known = stores.get(key);
    if (known) return known;
    const store = make(filter, () => stores.delete(key));
    stores.set(key, store);
    return store;
  };
}

export interface RunFilter {
  readonly status?: RunStatus | undefined;
  readonly search?: string | undefined;
  readonly binned: boolean;
}

export const runList = byFilter(
  (filter: RunFilter, ended) =>
    new PagedList<RunRow>(
      {
        fetch: (before) => call('run.list', { ...filter, before, limit: 100 }),
        idOf: (row) => row.id,
        accepts: (row) => {
          if ((row.binnedAt !== null) !== filter.binned) return false;
          if (filter.status !== undefined && row.status !== filter.status) return false;
          return filter.search ? null : true;
        },
        follow: (heard, lost) =>
          both(
            bus.on('runs', null, (push) => heard(push.rows)),
            bus.onLost(lost),
          ),
      },
      ended,
    ),
);

export interface FeedFilter {
  /** This update and those before it. */
  readonly upTo?: number | undefined;
  readonly runId?: number | undefined;
  readonly result?: Update['result'] | undefined;
  readonly search?: string | undefined;
}

export const feedList = byFilter(
  ({ upTo, ...filter }: FeedFilter, ended) =>
    new PagedList<UpdateRow>(
      {
        fetch: (before = upTo === undefined ? undefined : upTo + 1) =>
          call('feed.list', { ...filter, before, limit: 100 }),
        idOf: (row) => row.id,
        accepts: (row) => {
          if (upTo !== undefined) return false;
          if (filter.runId !== undefined && row.runId !== filter.runId) return false;
          if (filter.result !== undefined && row.update.result !== filter.result) return false;
          return filter.search ? null : true;
        },
        follow: (heard, lost) =>
          both(
            bus.on('feed', null, (push) => heard(push.rows)),
            bus.onLost(lost),
          ),
      },
      ended,
    ),
);

const both = (one: () => void, other: () => void) => () => {
  one();
  other();
};

/** Gates of all runs: those that wait, the one that has waited longest first; or those that are closed, newest first. */
function gateList(status: 'open' | 'closed'): Cell<Reading<readonly GateRow[]>> {
  const belongs = (row: GateRow) => (row.status === 'open') === (status === 'open');
  const order = (a: GateRow, b: GateRow) =>
    status === 'open' ? a.openedAt - b.openedAt : (b.closedAt ?? 0) - (a.closedAt ?? 0);
  const read = async () => {
    const result = await call('gate.list', { status });
    if (result.ok) cell.set({ status: 'ready', value: [...result.value].sort(order), error: null });
    else cell.update((last) => ({ ...last, status: 'failed', error: result.error }));
  };
  const merge = (rows: readonly GateRow[]) => {
    const known = cell.get().value;
    if (known === null) return void read();
    const pushed = new Set(rows.map(gateKey));
    const kept = known.filter((row) => !pushed.has(gateKey(row)));
    cell.set({ status: 'ready', value: [...kept, ...rows.filter(belongs)].sort(order), error: null });
  };
  const cell: Cell<Reading<readonly GateRow[]>> = new Cell<Reading<readonly GateRow[]>>(loading, () => {
    void read();
    return both(
      bus.on('gates', null, (push) => merge(push.rows)),
      bus.onLost(() => void read()),
    );
  });
  return cell;
}

export const openGates = gateList('open');
export const closedGates = gateList('closed');

/** What runs now. Read once, then as it is told. */
export const systemStatus: Cell<SystemStatus | null> = new Cell<SystemStatus | null>(null, () => {
  void call('system.status', {}).then((result) => {
    if (result.ok) systemStatus.set(result.value);
  });
  return bus.on('system', null, (push) => systemStatus.set(push.status));
});
