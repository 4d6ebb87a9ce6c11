import { useHandlers, useRoute } from '@renderer/client/hooks';
import { hashOf, navigate, replaceRoute, setQuery } from '@renderer/client/route';
import { ActIcon } from '@renderer/parts/act';
import { useEarlier } from '@renderer/parts/earlier';
import { ErrorNote } from '@renderer/parts/error-note';
import { Frame } from '@renderer/parts/frame';
import { openDetail, useListNav } from '@renderer/parts/list-nav';
import { RowList } from '@renderer/parts/row-list';
import { ShowEarlier } from '@renderer/parts/show-earlier';
import { TextInput } from '@renderer/ui/field';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { ChatPage } from './chat/chat-page';
import { TeamListItem } from './list-row';
import { hashOfThread, placeOf } from './place';
import { keyOfThread, type TeamListRow, teamAt, teamRows, threadOfRow } from './rows';
import { TeamSide } from './side/team-side';
import { StartPage } from './start/start-page';

/** The teams of all runs: one chat for each, with a thread for each member. */
export function TeamsView() {
  const { path, query } = useRoute();
  const listed = useEarlier('team.list');
  const { value, status, error } = listed;
  const teams = value?.rows ?? [];
  const starts = path[0] === 'teams' && path[1] === 'new';
  const asked = placeOf(path);
  const named = teamAt(teams, asked);
  const open = named ?? (asked === null && !starts ? (teams[0] ?? null) : null);
  const rows = useMemo(() => teamRows(value?.rows ?? [], open, query.q ?? ''), [value, open, query.q]);
  const place = placeOf(path);
  const activationId = place?.activationId ?? open?.activationId ?? null;
  const runId = place?.runId ?? open?.runId ?? null;
  const thread = place?.thread ?? 'all';
  const selected = open === null ? null : keyOfThread(open, thread);
  const select = (row: TeamListRow) => {
    const of = threadOfRow(row);
    if (row.kind !== 'heading' && of !== null)
      replaceRoute(hashOfThread(row.team.runId, row.team.activationId, of));
  };
  useListNav({ rows, selected, onSelect: select });
  useHandlers({ 'team.new': () => navigate(hashOf('teams', 'new')) });
  const list = (
    <section className="pane" aria-label="Teams">
      <header className="pane-head">
        <TextInput
          type="search"
          aria-label="Search the teams"
          placeholder="Search"
          value={query.q ?? ''}
          onChange={(event) => setQuery({ q: event.target.value })}
        />
        <ActIcon action="team.new" icon={Plus} label="Start a team" active={starts} />
      </header>
      {error && <ErrorNote error={error} />}
      <RowList
        label="Teams and their threads"
        rows={rows}
        selected={selected}
        draw={(row) => <TeamListItem row={row} />}
        onSelect={select}
        onOpen={openDetail}
      />
      <ShowEarlier of={listed} />
    </section>
  );
  const nothing = status === 'ready' && teams.length === 0 && asked === null;
  if (starts || nothing) {
    const page = <StartPage first={nothing && !starts} />;
    return <Frame id="teams" front="detail" list={list} detail={page} />;
  }
  if (runId === null) return <Frame id="teams" front="list" list={list} detail={null} />;
  const at = { runId, activationId, thread, messageId: place?.messageId ?? null };
  const side = () => <TeamSide key={`${runId}/${activationId}`} runId={runId} activationId={activationId} />;
  return (
    <Frame
      id="teams"
      front={path[0] === 'team' ? 'detail' : 'list'}
      list={list}
      detail={<ChatPage key={`${runId}/${activationId}/${thread}`} at={at} row={open} />}
      side={side}
      sideOpen
    />
  );
}
