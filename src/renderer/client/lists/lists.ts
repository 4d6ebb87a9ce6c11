import type { FeedMarks, UpdateRow } from '@areas/feed/contract/procedures';
import type { Update } from '@areas/feed/contract/update';
import { allGates, FIRST_GATES } from '@areas/gates/contract/pages';
import type { RunRow } from '@contract/run/procedures';
import type { RunStatus } from '@contract/run/state';
import type { SystemStatus } from '@contract/system/procedures';
import { COUNT_AFTER_MS } from '../../limits';
import { call } from '../rpc';
import { Cell } from '../store';
import { attempt } from '../toasts';
import { bus } from '../wire/window';
import { FeedWindow } from './feed-window';
import { gateList } from './gate-list';
import { PagedList } from './paged-list';

/** One store per filter in use. */
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

interface RunFilter {
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

interface FeedFilter {
  /** The update to begin with; newer ones are above it. */
  readonly from?: number | undefined;
  readonly runId?: number | undefined;
  readonly stepId?: string | undefined;
  readonly agent?: string | undefined;
  readonly result?: Update['result'] | undefined;
  readonly search?: string | undefined;
}

export const feedWindow = byFilter(
  ({ from, ...filter }: FeedFilter, ended) =>
    new FeedWindow<UpdateRow>(
      {
        from,
        fetch: (at) => call('feed.list', { ...filter, ...at, limit: 100 }),
        idOf: (row) => row.id,
        accepts: (row) => {
          if (filter.runId !== undefined && row.runId !== filter.runId) return false;
          if (filter.stepId !== undefined && row.stepId !== filter.stepId) return false;
          if (filter.result !== undefined && row.update.result !== filter.result) return false;
          return filter.search || filter.agent ? null : true;
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

/** The last read update and the number of newer ones; null until loaded. */
export const feedMarks: Cell<FeedMarks | null> = new Cell<FeedMarks | null>(null, () => {
  let later: ReturnType<typeof setTimeout> | null = null;
  const read = async () => {
    later = null;
    const result = await call('feed.marks', {});
    if (result.ok) feedMarks.set(result.value);
  };
  const soon = () => {
    later ??= setTimeout(() => void read(), COUNT_AFTER_MS);
  };
  void read();
  const stop = both(bus.on('feed', null, soon), bus.onLost(soon));
  return () => {
    stop();
    if (later !== null) clearTimeout(later);
  };
});

/** Marks everything up to this update as read. */
export async function markRead(upTo: number): Promise<boolean> {
  const marks = await attempt(call('feed.markRead', { upTo }));
  if (marks !== null) feedMarks.set(marks);
  return marks !== null;
}

/** Marks an opened update as read. */
export async function markOpened(id: number): Promise<void> {
  const marks = await attempt(call('feed.markOpened', { id }));
  if (marks !== null) feedMarks.set(marks);
}

const both = (one: () => void, other: () => void) => () => {
  one();
  other();
};

const gatesOf = (status: 'open' | 'closed') =>
  gateList(
    {
      fetch: () =>
        status === 'open'
          ? allGates((page) => call('gate.list', { status, ...page }))
          : call('gate.list', { status }),
      follow: (heard, lost) =>
        both(
          bus.on('gates', null, (push) => heard(push.rows)),
          bus.onLost(lost),
        ),
    },
    { status, most: status === 'open' ? Number.POSITIVE_INFINITY : FIRST_GATES },
  );

export const openGates = gatesOf('open');
export const closedGates = gatesOf('closed');

/** The current activity. Read once, then updated by pushes. */
export const systemStatus: Cell<SystemStatus | null> = new Cell<SystemStatus | null>(null, () => {
  void call('system.status', {}).then((result) => {
    if (!result.ok) return;
    bus.begin(result.value);
    // A push that arrived meanwhile is newer.
    if (systemStatus.get() === null) systemStatus.set(result.value);
  });
  return bus.on('system', null, (push) => systemStatus.set(push.status));
});
