import type { UpdateRow } from '@contract/update/procedures';
import { type Update, updateResultSchema } from '@contract/update/update';
import { Rss, X } from 'lucide-react';
import { useCallback, useDeferredValue, useMemo } from 'react';
import { useHandlers, useReadable, useRoute } from '../../client/hooks';
import { feedList } from '../../client/lists';
import { hashOf, navigate, setQuery } from '../../client/route';
import { copyText } from '../../parts/copy';
import { ErrorNote } from '../../parts/error-note';
import { useListNav } from '../../parts/list-nav';
import { Button } from '../../ui/button';
import { Select, TextInput } from '../../ui/field';
import { List, type ListRow } from '../../ui/list';
import { Empty } from '../../ui/note';
import { UpdateCard } from './update-card';
import './feed.css';

export { feedActions } from './actions';

interface FeedRow extends ListRow {
  readonly update: UpdateRow;
}

const LINE = 20;
const AROUND = 24;

/** The updates of all that iterates, newest first, as they were sent. */
export function FeedView() {
  const { path, query } = useRoute();
  const from = path[0] === 'update' ? Number(path[1]) || undefined : undefined;
  const { list, rows, filtered } = useFeed(query, from);
  const { error, status } = useReadable(list.view);
  const selected = query.at ?? rows[0]?.key ?? null;
  const row = rows.find((row) => row.key === selected)?.update;
  const openTurn = (update: UpdateRow) =>
    navigate(
      update.turnId === null
        ? hashOf('run', update.runId, 'activation', update.activationId)
        : hashOf('run', update.runId, 'turn', update.turnId),
    );
  const select = (row: FeedRow) => setQuery({ at: row.key });
  useListNav({ rows, selected, onSelect: select, onOpen: (row) => openTurn(row.update) });
  useHandlers({
    'feed.open': row ? () => openTurn(row) : null,
    'feed.run': row && query.run === undefined ? () => setQuery({ run: String(row.runId) }) : null,
    'feed.clear': filtered ? () => navigate(hashOf('feed')) : null,
    'feed.copy': row ? () => copyText(row.text, 'Copied the update') : null,
  });
  const readMore = useCallback(() => void list.readMore(), [list]);
  return (
    <section className="pane feed column-list" aria-label="Feed">
      <FeedHead query={query} runName={query.run ? rows[0]?.update.runName : undefined} from={from} />
      {error && <ErrorNote error={error} />}
      {rows.length === 0 && status === 'ready' ? (
        <EmptyFeed filtered={filtered} />
      ) : (
        <List
          label="Updates"
          rows={rows}
          selected={selected}
          draw={(row) => (
            <UpdateCard row={row.update} onRun={() => setQuery({ run: String(row.update.runId) })} />
          )}
          onSelect={select}
          onOpen={(row) => openTurn(row.update)}
          onEnd={readMore}
        />
      )}
    </section>
  );
}

function useFeed(query: Readonly<Record<string, string>>, upTo: number | undefined) {
  const search = useDeferredValue(query.q ?? '');
  const runId = Number(query.run) || undefined;
  const result = updateResultSchema.safeParse(query.result).data;
  const list = useMemo(
    () => feedList({ upTo, runId, result, search: search || undefined }),
    [upTo, runId, result, search],
  );
  const { rows } = useReadable(list.view);
  const shown = useMemo(
    () =>
      rows.map(
        (update): FeedRow => ({
          key: String(update.id),
          height: update.text.split('\n').length * LINE + AROUND,
          update,
        }),
      ),
    [rows],
  );
  const filtered = upTo !== undefined || runId !== undefined || result !== undefined || search !== '';
  return { list, rows: shown, filtered };
}

const RESULTS: readonly Update['result'][] = updateResultSchema.options;

interface FeedHeadProps {
  readonly query: Readonly<Record<string, string>>;
  readonly runName: string | undefined;
  readonly from: number | undefined;
}

function FeedHead({ query, runName, from }: FeedHeadProps) {
  return (
    <header className="pane-head">
      <TextInput
        type="search"
        aria-label="Search the updates"
        placeholder="Search the updates"
        value={query.q ?? ''}
        onChange={(event) => setQuery({ q: event.target.value })}
      />
      <Select
        aria-label="Result"
        value={query.result ?? ''}
        onChange={(event) => setQuery({ result: event.target.value })}
      >
        <option value="">All results</option>
        {RESULTS.map((result) => (
          <option key={result} value={result}>
            {result}
          </option>
        ))}
      </Select>
      {from !== undefined && (
        <Button icon={X} onClick={() => navigate(hashOf('feed'))} tip="Show the newer ones too">
          From one update on
        </Button>
      )}
      {query.run && (
        <Button icon={X} onClick={() => setQuery({ run: '' })} tip="Show the updates of all runs">
          Only {runName ?? `run ${query.run}`}
        </Button>
      )}
    </header>
  );
}

function EmptyFeed({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty
        icon={Rss}
        title="No update fits"
        acts={<Button onClick={() => navigate(hashOf('feed'))}>Show all updates</Button>}
      />
    );
  }
  return (
    <Empty
      icon={Rss}
      title="No updates yet"
      acts={<Button onClick={() => navigate(hashOf('workflows'))}>Run a workflow</Button>}
    >
      Each turn of a run posts five lines here when it ends.
    </Empty>
  );
}
