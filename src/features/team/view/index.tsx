import { useHandlers, useRoute } from '@renderer/client/hooks';
import { hashOf, navigate, replaceRoute, withQuery } from '@renderer/client/route';
import { ActIcon } from '@renderer/parts/controls/act';
import { useEarlier } from '@renderer/parts/lists/earlier-runs';
import { ListSearch, ListView } from '@renderer/parts/lists/list-view';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { ChatPage } from './chat/chat-page';
import { TeamListItem } from './list-row';
import { hashOfThread, placeOf } from './place';
import { keyOfThread, type TeamListRow, teamAt, teamRows, threadOfRow } from './rows';
import { TeamSide } from './side/team-side';
import { StartPage } from './start/start-page';

/** All teams of all runs: one chat each, with a thread per member. */
export function TeamsView() {
  const { path, query } = useRoute();
  const listed = useEarlier('team.list');
  const { value, status, error } = listed;
  const teams = value?.rows ?? [];
  const starts = path[0] === 'teams' && path[1] === 'new';
  const placeInAddress = placeOf(path);
  const named = teamAt(teams, placeInAddress);
  const open = named ?? (placeInAddress === null && !starts ? (teams[0] ?? null) : null);
  const rows = useMemo(() => teamRows(value?.rows ?? [], open, query.q ?? ''), [value, open, query.q]);
  const place = placeOf(path);
  const activationId = place?.activationId ?? open?.activationId ?? null;
  const runId = place?.runId ?? open?.runId ?? null;
  const thread = place?.thread ?? 'all';
  const selected = open === null ? null : keyOfThread(open, thread);
  const select = (row: TeamListRow) => {
    const of = threadOfRow(row);
    if (row.kind !== 'heading' && of !== null)
      replaceRoute(withQuery(hashOfThread(row.team.runId, row.team.activationId, of), { q: query.q ?? '' }));
  };
  useHandlers({ 'team.new': () => navigate(hashOf('teams', 'new')) });
  const list = {
    title: 'Teams',
    label: 'Teams and their threads',
    rows,
    selected,
    draw: (row: TeamListRow) => <TeamListItem row={row} />,
    onSelect: select,
    head: (
      <>
        <ListSearch of="teams" />
        <ActIcon action="team.new" icon={Plus} label="Start a team" active={starts} />
      </>
    ),
    error,
    earlier: listed,
  };
  const nothing = status === 'ready' && teams.length === 0 && placeInAddress === null;
  if (starts || nothing) {
    const page = <StartPage first={nothing && !starts} />;
    return <ListView id="teams" front="detail" {...list} detail={page} />;
  }
  if (runId === null) return <ListView id="teams" front="list" {...list} detail={null} />;
  const at = { runId, activationId, thread, messageId: place?.messageId ?? null };
  const side = () => <TeamSide key={`${runId}/${activationId}`} runId={runId} activationId={activationId} />;
  return (
    <ListView
      id="teams"
      front={path[0] === 'team' ? 'detail' : 'list'}
      {...list}
      detail={<ChatPage key={`${runId}/${activationId}/${thread}`} at={at} row={open} />}
      side={side}
      sideOpen
    />
  );
}
