import type { SessionRow } from '@contract/session/procedures';
import { terminalNameSchema } from '@contract/session/procedures';
import { SquareTerminal } from 'lucide-react';
import { useMemo } from 'react';
import { plural } from '../../client/format';
import { useQuery, useRoute } from '../../client/hooks';
import { hashOf, navigate, replaceRoute, setQuery } from '../../client/route';
import { Ago } from '../../parts/ago';
import { ErrorNote } from '../../parts/error-note';
import { Frame } from '../../parts/frame';
import { openDetail, useListNav } from '../../parts/list-nav';
import { Marked } from '../../parts/marks';
import { RowList } from '../../parts/row-list';
import { Button } from '../../ui/button';
import { TextInput } from '../../ui/field';
import { Empty } from '../../ui/note';
import { TwoLines } from '../../ui/two-lines';
import { hashOfRow, type PlaceRow, placeRows, sessionWord, terminalWord } from './rows';
import { SessionPane } from './session-pane';
import { TerminalPane } from './terminal/terminal-pane';
import './sessions.css';

/** The sessions and terminals of all runs, live and recent. */
export function SessionsView() {
  const { path, query } = useRoute();
  const { value, status, error } = useQuery('session.list', {});
  const rows = useMemo(() => placeRows(value ?? [], query.q ?? ''), [value, query.q]);
  const [kind, runId = '', name = ''] = path;
  const asked = kind === 'terminal' ? `${runId}/${name}` : kind === 'session' ? `${runId}/s${name}` : null;
  const selected = asked ?? rows.find((row) => !row.heading)?.key ?? null;
  const row = rows.find((row) => row.key === selected) ?? null;
  const select = (row: PlaceRow) => replaceRoute(hashOfRow(row));
  useListNav({ rows, selected, onSelect: select });
  const list = (
    <section className="pane" aria-label="Sessions">
      <header className="pane-head">
        <TextInput
          type="search"
          aria-label="Search the sessions"
          placeholder="Search"
          value={query.q ?? ''}
          onChange={(event) => setQuery({ q: event.target.value })}
        />
      </header>
      {error && <ErrorNote error={error} />}
      <RowList
        label="Sessions and terminals"
        rows={rows}
        selected={selected}
        draw={(row) => <Row row={row} />}
        onSelect={select}
        onOpen={openDetail}
      />
    </section>
  );
  const detail = <Detail row={row} asked={kind === 'terminal' ? { runId: Number(runId), name } : null} />;
  const front = kind === 'sessions' ? 'list' : 'detail';
  const empty = status === 'ready' && rows.length === 0 && asked === null;
  return <Frame id="sessions" front={front} list={list} detail={empty ? <NoSessions /> : detail} />;
}

interface DetailProps {
  readonly row: PlaceRow | null;
  /** A terminal that the address names, also where the list does not reach back to it. */
  readonly asked: { runId: number; name: string } | null;
}

function Detail({ row, asked }: DetailProps) {
  if (row?.kind === 'session') {
    return <SessionPane key={row.key} place={row.place} session={row.session} />;
  }
  if (row?.kind === 'terminal') {
    const { place, terminal } = row;
    const { runId } = place;
    return <TerminalPane key={row.key} runId={runId} name={terminal.name} place={place} row={terminal} />;
  }
  if (!asked || !terminalNameSchema.safeParse(asked.name).success) return null;
  return <TerminalPane key={`${asked.runId}/${asked.name}`} {...asked} place={null} row={null} />;
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
  const word = sessionWord(row.session);
  return (
    <TwoLines
      mark={<Marked word={word} markOnly />}
      title={row.session.profileId}
      end={<Ago at={row.session.since} />}
      under={underSession(row.session, word.word)}
      underEnd={plural(row.session.turnIds.length, 'turn')}
    />
  );
}

function underSession({ reason, agent }: SessionRow, word: string): string {
  if (reason) return `${word}: ${reason}`;
  return agent ? `${word} · ${agent}` : word;
}

function NoSessions() {
  return (
    <Empty
      icon={SquareTerminal}
      title="No sessions yet"
      acts={<Button onClick={() => navigate(hashOf('workflows'))}>Run a workflow</Button>}
    >
      The agents and terminals of your runs stand here, live and to be typed into.
    </Empty>
  );
}
