import { TerminalPane } from '@areas/terminals/view/parts/terminal-pane';
import { terminalNameSchema } from '@contract/ids';
import { plural } from '@renderer/client/format';
import { useFirst, useHandlers, useQuery, useRoute } from '@renderer/client/hooks';
import { replaceRoute, withQuery } from '@renderer/client/route';
import { RunWorkflow } from '@renderer/parts/controls/run-workflow';
import { ListSearch, ListView } from '@renderer/parts/lists/list-view';
import { Marked } from '@renderer/parts/marks/marks';
import { Ago } from '@renderer/parts/text/ago';
import { terminalWord } from '@renderer/parts/words/status-words';
import { Glyph } from '@renderer/ui/controls/icon';
import { Empty } from '@renderer/ui/layout/note';
import { TwoLines } from '@renderer/ui/lists/two-lines';
import { GitBranch, MessageSquareDashed, SquareTerminal } from 'lucide-react';
import { useMemo } from 'react';
import type { SessionRow, Workplace } from '../contract/procedures';
import { GridButton, TerminalGrid, toggleGrid } from './grid/terminal-grid';
import { SessionPage } from './page/session-page';
import { hashOfRow, type PlaceRow, placeRows, sessionNote, sessionTitle, sessionWord } from './rows';
import styles from './sessions.module.css';

/** The sessions and terminals of all runs, live and recent. */
export function SessionsView() {
  const { path, query } = useRoute();
  const { value, status, error } = useQuery('session.list', {});
  const rows = useMemo(() => placeRows(value ?? [], query.q ?? ''), [value, query.q]);
  const [kind, runId = '', name = ''] = path;
  const grid = kind === 'sessions' && runId === 'grid';
  const selectedWork = namedWork(kind, runId, name);
  const keys = rows.filter((row) => !row.heading).map((row) => row.key);
  const first = useFirst(keys, selectedWork !== null || grid);
  const selected = selectedWork?.key ?? first;
  const row = rows.find((row) => row.key === selected) ?? null;
  const select = (row: PlaceRow) => replaceRoute(withQuery(hashOfRow(row), { q: query.q ?? '' }));
  useHandlers({ 'sessions.grid': () => toggleGrid(grid) });
  const list = {
    title: 'Sessions',
    label: 'Sessions and terminals',
    rows,
    selected,
    draw: (row: PlaceRow) => <Row row={row} />,
    onSelect: select,
    head: (
      <>
        <ListSearch of="sessions" />
        <GridButton on={grid} />
      </>
    ),
    error,
  };
  const places = value ?? [];
  const empty = status === 'ready' && rows.length === 0 && selectedWork === null && !grid;
  const detail = grid ? (
    <TerminalGrid places={places} runId={name === '' ? null : Number(name)} />
  ) : (
    <Detail row={row} selectedWork={selectedWork} places={places} />
  );
  const front = kind === 'sessions' && !grid ? 'list' : 'detail';
  return <ListView id="sessions" front={front} {...list} detail={empty ? <NoSessions /> : detail} />;
}

/** What the address names, also where the list does not reach back to it. */
interface NamedWork {
  readonly kind: 'session' | 'terminal';
  readonly key: string;
  readonly runId: number;
  readonly name: string;
}

function namedWork(kind: string | undefined, runId: string, name: string): NamedWork | null {
  const id = Number(runId);
  if (!Number.isInteger(id) || id <= 0) return null;
  if (kind === 'terminal') return { kind, key: `${runId}/${name}`, runId: id, name };
  return kind === 'session' ? { kind, key: `${runId}/s${name}`, runId: id, name } : null;
}

interface DetailProps {
  readonly row: PlaceRow | null;
  readonly selectedWork: NamedWork | null;
  readonly places: readonly Workplace[];
}

function Detail({ row, selectedWork, places }: DetailProps) {
  if (selectedWork?.kind === 'session') {
    const place = places.find((one) => one.runId === selectedWork.runId) ?? null;
    const { runId } = selectedWork;
    return (
      <SessionPage key={selectedWork.key} runId={runId} sessionId={Number(selectedWork.name)} place={place} />
    );
  }
  if (row?.kind === 'session') {
    const { place, session } = row;
    return <SessionPage key={row.key} runId={place.runId} sessionId={session.sessionId} place={place} />;
  }
  if (row?.kind === 'terminal') {
    const { place, terminal } = row;
    const { runId } = place;
    return <TerminalPane key={row.key} runId={runId} name={terminal.name} place={place} row={terminal} />;
  }
  if (!selectedWork || !terminalNameSchema.safeParse(selectedWork.name).success) return null;
  return <TerminalPane key={selectedWork.key} runId={selectedWork.runId} name={selectedWork.name} />;
}

function Row({ row }: { row: PlaceRow }) {
  if (row.kind === 'run') return <span className="cut">{row.place.runName}</span>;
  if (row.kind === 'terminal') {
    const { title, since, why } = row.terminal;
    const word = terminalWord(row.terminal);
    return (
      <TwoLines
        mark={<Marked word={word} markOnly />}
        title={<span className="mono">{title}</span>}
        end={<Ago at={since} />}
        under={why ? `${word.word}: ${why}` : word.word}
      />
    );
  }
  const { session } = row;
  return (
    <TwoLines
      mark={<Marked word={sessionWord(session)} markOnly />}
      title={sessionTitle(session)}
      end={<Ago at={session.since} />}
      under={<span title={sessionNote(session)}>{sessionNote(session)}</span>}
      underEnd={<RowEnd row={session} />}
    />
  );
}

function RowEnd({ row }: { row: SessionRow }) {
  // The reason and its time need the whole line, and the page of the session shows the branch.
  if (row.observed !== null || (!row.working && row.reason !== null)) return null;
  if (row.queued > 0) {
    return (
      <span className={`with-icon ${styles.rowBranch}`} title="Your queued prompts">
        <Glyph of={MessageSquareDashed} size={12} /> {row.queued}
      </span>
    );
  }
  const branch = row.branch?.split('/').at(-1);
  if (!branch) return plural(row.turnIds.length, 'turn');
  return (
    <span className={`with-icon ${styles.rowBranch}`} title={row.branch ?? undefined}>
      <Glyph of={GitBranch} size={12} />
      <span className={`cut ${styles.cutStart}`}>
        <bdi>{branch}</bdi>
      </span>
    </span>
  );
}

function NoSessions() {
  return (
    <Empty icon={SquareTerminal} title="No sessions yet" acts={<RunWorkflow />}>
      The agents and terminals of your runs appear here, live. You can type into them.
    </Empty>
  );
}
