import { useHandlers, useReadable, useRoute } from '@renderer/client/hooks';
import { feedMarks, feedWindow, markOpened, markRead } from '@renderer/client/lists/lists';
import { hashOf, navigate, setQuery } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { copyText } from '@renderer/parts/controls/copy';
import { RunWorkflow } from '@renderer/parts/controls/run-workflow';
import { useListNav } from '@renderer/parts/lists/list-nav';
import { Frame } from '@renderer/parts/pages/frame';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Button } from '@renderer/ui/controls/button';
import { Empty } from '@renderer/ui/layout/note';
import type { ListRow } from '@renderer/ui/lists/list';
import { Rss } from 'lucide-react';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { UpdateRow as Row } from '../contract/procedures';
import { updateResultSchema } from '../contract/update';
import styles from './feed.module.css';
import { FeedHead } from './feed-head';
import { UpdateDetail } from './update-detail';
import { ROW, UpdateList } from './update-list';
import { UpdateRow } from './update-row';

export { feedActions } from './actions';

/** The number of updates since the operator last marked them as read. */
export const useUnread = (): number => useReadable(feedMarks)?.unread ?? 0;

interface NavRow extends ListRow {
  readonly row: Row;
}

const openTurn = (row: Row) =>
  navigate(
    row.turnId === null
      ? hashOf('run', row.runId, 'activation', row.activationId)
      : hashOf('run', row.runId, 'turn', row.turnId),
  );
const select = (row: Row) => setQuery({ at: String(row.id) });
const onlyRun = (row: Row) => setQuery({ run: String(row.runId) });

/** The updates of everything that iterates, newest first, as they were sent. */
export function FeedView() {
  const { path, query } = useRoute();
  const from = path[0] === 'update' ? Number(path[1]) || undefined : undefined;
  const { window, filtered } = useFeed(query, from);
  const view = useReadable(window.view);
  const marks = useReadable(feedMarks);
  const { rows, error, status } = view;
  const selected = Number(query.at ?? from) || null;
  const row = rows.find((row) => row.id === selected);
  useFeedKeys({ rows, selected, row, filtered, query });
  useHandlers({
    'feed.newest': () => void window.open(),
    'feed.oldest': () => void window.toOldest(),
  });
  const readOlder = useCallback(() => void window.readOlder(), [window]);
  const readNewer = useCallback(() => void window.readNewer(), [window]);
  const readTo = marks?.readTo ?? Number.POSITIVE_INFINITY;
  const isUnread = (id: number) => id > readTo && marks?.opened.includes(id) !== true;
  const unreadRow = row !== undefined && isUnread(row.id) ? row.id : null;
  useEffect(() => {
    if (unreadRow !== null) void markOpened(unreadRow);
  }, [unreadRow]);
  const draw = (row: Row, previous: Row | undefined) => (
    <UpdateRow
      row={row}
      unread={isUnread(row.id)}
      first={row.id <= readTo && previous !== undefined && previous.id > readTo}
    />
  );
  const list = (
    <section className={`pane ${styles.feed}`} aria-label="Feed">
      <FeedHead
        query={query}
        runName={query.run ? rows[0]?.runName : undefined}
        from={from}
        unread={marks?.unread ?? 0}
      />
      {error && <ErrorNote error={error} />}
      {rows.length === 0 && status === 'ready' ? (
        <EmptyFeed filtered={filtered} />
      ) : (
        <UpdateList
          key={`${query.run}/${query.result}/${query.agent}/${query.step}/${query.q}/${from}`}
          view={view}
          selected={selected}
          draw={draw}
          onSelect={select}
          onOpen={openTurn}
          onNewest={() => void window.open()}
          onOldest={() => void window.toOldest()}
          readOlder={readOlder}
          readNewer={readNewer}
        />
      )}
    </section>
  );
  // An empty list says all that there is to say.
  const detail = row ? <UpdateDetail key={row.id} row={row} /> : rows.length > 0 && <NoneChosen />;
  return <Frame id="feed" front={row ? 'detail' : 'list'} listWidth={480} list={list} detail={detail} />;
}

const NoneChosen = () => (
  <Empty icon={Rss} title="No update chosen">
    Choose one to see its prompt, answer, changes, tests and cost.
  </Empty>
);

interface KeysOf {
  readonly rows: readonly Row[];
  readonly selected: number | null;
  readonly row: Row | undefined;
  readonly filtered: boolean;
  readonly query: Readonly<Record<string, string>>;
}

function useFeedKeys({ rows, selected, row, filtered, query }: KeysOf): void {
  const marks = useReadable(feedMarks);
  const nav = useMemo(() => rows.map((row): NavRow => ({ key: String(row.id), height: ROW, row })), [rows]);
  useListNav({
    rows: nav,
    selected: selected === null ? null : String(selected),
    onSelect: ({ row }) => select(row),
    onOpen: ({ row }) => openTurn(row),
  });
  useHandlers({
    'feed.open': row ? () => openTurn(row) : null,
    'feed.run': row && !query.run ? () => onlyRun(row) : null,
    'feed.step': row && !query.step ? () => setQuery({ step: row.stepId, agent: '' }) : null,
    'feed.clear': filtered ? () => navigate(hashOf('feed')) : null,
    'feed.copy': row ? () => copyText(row.text, 'Copied the update') : null,
    'feed.read': (marks?.unread ?? 0) > 0 ? () => void markAllRead() : null,
  });
}

/** Up to the newest of all, whatever the filter shows. */
async function markAllRead(): Promise<void> {
  const newest = await attempt(call('feed.list', { limit: 1 }));
  const [first] = newest?.rows ?? [];
  if (first) await markRead(first.id);
}

function useFeed(query: Readonly<Record<string, string>>, from: number | undefined) {
  const search = useDeferredValue(query.q ?? '') || undefined;
  const runId = Number(query.run) || undefined;
  const result = updateResultSchema.safeParse(query.result).data;
  const agent = query.agent || undefined;
  const stepId = query.step || undefined;
  const filter = useMemo(
    () => ({ runId, result, agent, stepId, search }),
    [runId, result, agent, stepId, search],
  );
  // When the operator returns from a turn, the scroll position is restored.
  const [begun] = useState({ filter, at: Number(query.at) || undefined });
  const at = from ?? (begun.filter === filter ? begun.at : undefined);
  const window = useMemo(() => feedWindow({ from: at, ...filter }), [at, filter]);
  const filtered = [from, ...Object.values(filter)].some((part) => part !== undefined);
  return { window, filtered };
}

function EmptyFeed({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty
        icon={Rss}
        title="No matching updates"
        acts={<Button onClick={() => navigate(hashOf('feed'))}>Show all updates</Button>}
      />
    );
  }
  return (
    <Empty icon={Rss} title="No updates yet" acts={<RunWorkflow />}>
      Each turn of a run posts five lines here when it ends.
    </Empty>
  );
}
