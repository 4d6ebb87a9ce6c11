import type { SearchKind } from '@areas/feed/contract/procedures';
import { useHandlers, useQuery, useRoute } from '@renderer/client/hooks';
import { hashOf, navigate, setQuery } from '@renderer/client/route';
import { searchWords } from '@renderer/client/search/search-words';
import { useListNav } from '@renderer/parts/lists/list-nav';
import { RowList } from '@renderer/parts/lists/row-list';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Ago } from '@renderer/parts/text/ago';
import { HighlightedText } from '@renderer/parts/text/highlighted-text';
import { plainExcerpt } from '@renderer/parts/words/plain-excerpt';
import { Select, TextInput } from '@renderer/ui/controls/field';
import { Glyph } from '@renderer/ui/controls/icon';
import { Empty } from '@renderer/ui/layout/note';
import { stepFrom } from '@renderer/ui/lists/list';
import { Search } from 'lucide-react';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { type HitRow, hitRow, SCOPES, type SearchScope, scopeOf, terminalRow } from './rows';
import styles from './search.module.css';

const PAGE = 50;
const MOST_HITS = 200;
const MIN_LETTERS = 2;

/** Full-text search of everything that was said, asked, posted and printed. */
export function SearchView() {
  const { query } = useRoute();
  const text = useDeferredValue((query.q ?? '').trim());
  const { rows, error, loading, partial, behind, readMore } = useHits(text, query);
  const [selected, select] = useState<string | null>(null);
  const current = rows.find(({ key }) => key === selected) ?? rows[0];
  const open = ({ hash }: HitRow) => navigate(hash);
  useListNav({ rows, selected: current?.key ?? null, onSelect: ({ key }) => select(key), onOpen: open });
  useHandlers({ 'search.clear': text !== '' ? () => navigate(hashOf('search')) : null });
  const words = searchWords(text);
  return (
    <section className={`pane column-list ${styles.search}`} data-part="column-list" aria-label="Search">
      <SearchHead
        query={query}
        onMove={(by) => {
          const next = stepFrom(
            rows,
            rows.findIndex(({ key }) => key === current?.key),
            by,
          );
          if (next !== null) select(next.key);
        }}
        onOpen={() => current && open(current)}
      />
      {error && <ErrorNote error={error} />}
      {rows.length > 0 && (
        <RowList
          label="Found"
          rows={rows}
          selected={current?.key ?? null}
          draw={(row) => <Hit row={row} words={words} />}
          onSelect={({ key }) => select(key)}
          onClick={open}
          onOpen={open}
          onEnd={readMore}
        />
      )}
      {rows.length === 0 && !loading && <NothingFound text={text} />}
      <p className={styles.partial} role="status">
        {!loading &&
          rows.length > 0 &&
          `${rows.length === MOST_HITS ? 'The newest ' : ''}${rows.length} found.`}
        {behind > 0 && ` ${behind} newer events are not searched yet.`}
        {partial && ' Only the newest output of terminals is searched.'}
      </p>
    </section>
  );
}

/** The matches of a text; those in terminals come last, because they have no time. */
function useHits(text: string, query: Readonly<Record<string, string>>) {
  const scope = scopeOf(query.in);
  const [limit, setLimit] = useState(PAGE);
  const searching = text.length >= MIN_LETTERS;
  const within = { text, projectId: idOf(query.project), runId: idOf(query.run) };
  const kind: SearchKind | undefined = scope === null || scope === 'terminal' ? undefined : scope;
  const said = useQuery(
    'search.query',
    searching && scope !== 'terminal' ? { ...within, limit, ...(kind && { kind }) } : null,
  );
  const printed = useQuery('search.terminals', searching && isIn('terminal', scope) ? within : null);
  const hits = searching && scope !== 'terminal' ? (said.value?.hits ?? []) : [];
  const lines = searching && isIn('terminal', scope) ? (printed.value?.hits ?? []) : [];
  const more = said.value?.more === true && limit < MOST_HITS;
  return {
    rows: [
      ...hits.map((hit) => hitRow(hit, text)),
      ...(more ? [] : lines.map((hit, index) => terminalRow(hit, index, text))),
    ],
    error: said.error ?? printed.error,
    loading: searching && [scope !== 'terminal' && said, isIn('terminal', scope) && printed].some(isLoading),
    behind: searching && scope !== 'terminal' ? (said.value?.behind ?? 0) : 0,
    partial: lines.length > 0 && printed.value?.partial === true,
    readMore: () => more && setLimit((now) => Math.min(MOST_HITS, now + PAGE)),
  };
}

const isIn = (one: SearchScope, scope: SearchScope | null): boolean => scope === null || scope === one;
const isLoading = (reading: false | { readonly status: string }): boolean =>
  reading !== false && reading.status === 'loading';
const idOf = (text: string | undefined): number | undefined => Number(text) || undefined;

interface SearchHeadProps {
  readonly query: Readonly<Record<string, string>>;
  readonly onMove: (by: 1 | -1) => void;
  readonly onOpen: () => void;
}

/** From its field, Enter opens the chosen result and the arrows choose another one. */
function SearchHead({ query, onMove, onOpen }: SearchHeadProps) {
  const projects = useQuery('project.list', {}).value ?? [];
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <header className="pane-head">
      <TextInput
        ref={field}
        type="search"
        aria-label="Search everything"
        placeholder="Search everything"
        value={query.q ?? ''}
        onChange={(event) => setQuery({ q: event.target.value })}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') onOpen();
          else if (event.key === 'ArrowDown') onMove(1);
          else if (event.key === 'ArrowUp') onMove(-1);
          else return;
          event.preventDefault();
        }}
      />
      <Select
        aria-label="Where"
        value={scopeOf(query.in) ?? ''}
        onChange={(event) => setQuery({ in: event.target.value })}
      >
        <option value="">Everywhere</option>
        {SCOPES.map(({ id, many }) => (
          <option key={id} value={id}>
            {many}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Project"
        value={query.project ?? ''}
        onChange={(event) => setQuery({ project: event.target.value })}
      >
        <option value="">All projects</option>
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </header>
  );
}

const Hit = ({ row, words }: { row: HitRow; words: readonly string[] }) => (
  <div className={styles.hit}>
    <Glyph of={row.icon} />
    <span className={styles.text}>
      <HighlightedText text={plainExcerpt(row.excerpt)} words={words} />
    </span>
    <span className={styles.about}>
      <span className="cut">
        {row.kind} · {row.runName}
      </span>
      <Ago at={row.at} />
    </span>
  </div>
);

const NothingFound = ({ text }: { text: string }) =>
  text.length < MIN_LETTERS ? (
    <Empty icon={Search} title="Search everything">
      Prompts, answers, messages, questions, updates and terminal output. A result contains all the words you
      type.
    </Empty>
  ) : (
    <Empty icon={Search} title="Nothing found">
      No text has all of these words. Try fewer words, or search everywhere.
    </Empty>
  );
