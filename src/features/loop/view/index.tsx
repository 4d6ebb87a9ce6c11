import { useHandlers, useRoute } from '@renderer/client/hooks';
import { hashOf, navigate, replaceRoute, withQuery } from '@renderer/client/route';
import { ActIcon } from '@renderer/parts/controls/act';
import { useEarlier } from '@renderer/parts/lists/earlier-runs';
import { ListSearch, ListView } from '@renderer/parts/lists/list-view';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { LoopListItem } from './list-row';
import { LoopPage } from './page/loop-page';
import { hashOfLoop, placeOf } from './place';
import { keyOfLoop, type LoopListRow, loopAt, loopListRows } from './rows';
import { LoopStart } from './start/start-page';

/** All loops of all runs: their stories, attempts and open questions. */
export function LoopsView() {
  const { path, query } = useRoute();
  const listed = useEarlier('loop.list');
  const { value, status, error } = listed;
  const loops = value?.rows ?? [];
  const starts = path[0] === 'loops' && path[1] === 'new';
  const place = placeOf(path);
  const named = loopAt(loops, place);
  const open = named ?? (place === null && !starts ? (loops[0] ?? null) : null);
  const rows = useMemo(() => loopListRows(value?.rows ?? [], query.q ?? ''), [value, query.q]);
  const selected = open === null ? null : keyOfLoop(open);
  useHandlers({ 'loop.new': () => navigate(hashOf('loops', 'new')) });
  const list = {
    title: 'Loops',
    rows,
    selected,
    draw: (row: LoopListRow) => <LoopListItem row={row} />,
    onSelect: (row: LoopListRow) =>
      row.kind === 'loop' && replaceRoute(withQuery(hashOfLoop(row.loop), { q: query.q ?? '' })),
    head: (
      <>
        <ListSearch of="loops" />
        <ActIcon action="loop.new" icon={Plus} label="Start a loop" active={starts} />
      </>
    ),
    error,
    earlier: listed,
  };
  const nothing = status === 'ready' && loops.length === 0 && place === null;
  if (starts || nothing) {
    const page = <LoopStart first={nothing && !starts} />;
    return <ListView id="loops" front={starts ? 'detail' : 'list'} {...list} detail={page} />;
  }
  const at =
    place?.activationId != null
      ? { runId: place.runId, activationId: place.activationId }
      : open && { runId: open.runId, activationId: open.activationId };
  return (
    <ListView
      id="loops"
      front={path[0] === 'loop' ? 'detail' : 'list'}
      {...list}
      detail={
        at && (
          <LoopPage key={`${at.runId}/${at.activationId}`} at={at} row={open} current={place?.row ?? null} />
        )
      }
    />
  );
}
