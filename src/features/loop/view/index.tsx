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
import { LoopListItem } from './list-row';
import { LoopPage } from './page/loop-page';
import { hashOfLoop, placeOf } from './place';
import { keyOfLoop, loopAt, loopListRows } from './rows';
import { LoopStart } from './start/start-page';

/** The loops of all runs: their stories, their attempts, and where they wait. */
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
  useListNav({
    rows,
    selected,
    onSelect: (row) => row.kind === 'loop' && replaceRoute(hashOfLoop(row.loop)),
  });
  useHandlers({ 'loop.new': () => navigate(hashOf('loops', 'new')) });
  const list = (
    <section className="pane" aria-label="Loops">
      <header className="pane-head">
        <TextInput
          type="search"
          aria-label="Search the loops"
          placeholder="Search"
          value={query.q ?? ''}
          onChange={(event) => setQuery({ q: event.target.value })}
        />
        <ActIcon action="loop.new" icon={Plus} label="Start a loop" active={starts} />
      </header>
      {error && <ErrorNote error={error} />}
      <RowList
        label="Loops"
        rows={rows}
        selected={selected}
        draw={(row) => <LoopListItem row={row} />}
        onSelect={(row) => row.kind === 'loop' && replaceRoute(hashOfLoop(row.loop))}
        onOpen={openDetail}
      />
      <ShowEarlier of={listed} />
    </section>
  );
  const nothing = status === 'ready' && loops.length === 0 && place === null;
  if (starts || nothing) {
    const page = <LoopStart first={nothing && !starts} />;
    return <Frame id="loops" front={starts ? 'detail' : 'list'} list={list} detail={page} />;
  }
  const at =
    place?.activationId != null
      ? { runId: place.runId, activationId: place.activationId }
      : open && { runId: open.runId, activationId: open.activationId };
  return (
    <Frame
      id="loops"
      front={path[0] === 'loop' ? 'detail' : 'list'}
      list={list}
      detail={
        at && (
          <LoopPage key={`${at.runId}/${at.activationId}`} at={at} row={open} current={place?.row ?? null} />
        )
      }
    />
  );
}
