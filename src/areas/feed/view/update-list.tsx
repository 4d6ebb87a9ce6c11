import type { FeedWindowView } from '@renderer/client/lists/feed-window';
import { type ReactNode, useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { UpdateRow } from '../contract/procedures';
import { type Places, seen, topOf, totalOf } from './places';
import styles from './update-list.module.css';

interface UpdateListProps {
  readonly view: FeedWindowView<UpdateRow>;
  readonly selected: number | null;
  readonly draw: (row: UpdateRow, previous: UpdateRow | undefined) => ReactNode;
  readonly onSelect: (row: UpdateRow) => void;
  readonly onOpen: (row: UpdateRow) => void;
  readonly onNewest: () => void;
  readonly onOldest: () => void;
  readonly readOlder: () => void;
  readonly readNewer: () => void;
}

/** Height of two lines with their padding. */
export const ROW = 52;
/** Number of rows drawn beyond the visible ones. */
const BESIDE = 8;
/** More rows are loaded this close to the end of those in memory. */
const NEAR = 60;

/** All updates, of which a window is in memory and the visible ones are drawn. */
export function UpdateList(props: UpdateListProps) {
  const { view, selected, draw } = props;
  const { rows } = view;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const index = rows.findIndex((row) => row.id === selected);
  const places: Places = { base: view.base, count: rows.length, height: ROW };
  useStaying(scroller, view);
  const { from, to } = useSeen(scroller, places, view);
  useShown(scroller, { places, index, selected });
  useReading(props, { from, to });
  const drawn = rows.slice(from, to);
  return (
    <>
      <Announced row={rows[index]} />
      <div
        ref={scroller}
        className={`list scroll ${styles.feedScroll}`}
        data-part="feed-scroll"
        role="feed"
        aria-label="Updates"
        // Until the first rows have been read and measured, a feed has no articles.
        aria-busy={drawn.length === 0 || undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys go to the list
        tabIndex={0}
        onKeyDown={(event) => moveByKey(event, props, index)}
      >
        <div role="presentation" style={{ height: totalOf(places), position: 'relative' }}>
          {drawn.map((row, offset) => {
            const at = from + offset;
            const isCurrent = at === index;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the list
              <article
                key={row.id}
                id={`${id}-${row.id}`}
                aria-label={labelOf(row)}
                aria-current={isCurrent ? 'true' : undefined}
                aria-setsize={-1}
                aria-posinset={at + 1}
                className={`list-row ${isCurrent ? 'selected' : ''}`}
                style={{ height: ROW, transform: `translateY(${topOf(places, at)}px)` }}
                onClick={() => props.onSelect(row)}
                onDoubleClick={() => props.onOpen(row)}
              >
                {draw(row, rows[at - 1])}
              </article>
            );
          })}
        </div>
      </div>
    </>
  );
}

const labelOf = ({ runName, text }: UpdateRow): string => `${runName}: ${text.split('\n', 1)[0]}`;

/** Announces the selected update to screen readers: the list keeps the focus. */
const Announced = ({ row }: { row: UpdateRow | undefined }) => (
  <div className="hidden-text" role="status" aria-live="polite">
    {row ? `${labelOf(row)}. ${row.text.split('\n').at(-1)}` : ''}
  </div>
);

type Scroller = React.RefObject<HTMLDivElement | null>;

/** Keeps the visible rows in place; a reader of the newest row stays at the newest row. */
function useStaying(scroller: Scroller, { base, moved, place, newer }: FeedWindowView<UpdateRow>): void {
  const before = useRef({ moved: 0, place: -1 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const by = moved - before.current.moved;
    const elsewhere = place.count !== before.current.place;
    const follows = element.scrollTop < 4 && !newer;
    before.current = { moved, place: place.count };
    if (elsewhere && place.at === 'last') element.scrollTop = element.scrollHeight;
    else if (elsewhere) element.scrollTop = base * ROW;
    else if (by !== 0 && !follows) element.scrollTop += by * ROW;
  });
}

/** The rows to draw. Rendered again only when they change. */
function useSeen(
  scroller: Scroller,
  places: Places,
  view: FeedWindowView<UpdateRow>,
): { from: number; to: number } {
  const [range, setRange] = useState({ from: 0, to: 0 });
  const latest = useRef(places);
  latest.current = places;
  const look = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, clientHeight } = element;
    const now = seen(latest.current, scrollTop, scrollTop + clientHeight);
    const from = Math.max(0, now.from - BESIDE);
    const to = Math.min(latest.current.count, now.to + BESIDE);
    setRange((last) => (last.from === from && last.to === to ? last : { from, to }));
  }, [scroller]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows
  useLayoutEffect(look, [look, view]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      watcher.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [look, scroller]);
  return range;
}

interface Shown {
  readonly places: Places;
  readonly index: number;
  readonly selected: number | null;
}

/** Scrolls to the row just selected. */
function useShown(scroller: Scroller, { places, index, selected }: Shown): void {
  const isThere = index >= 0;
  const top = useRef(0);
  top.current = topOf(places, index);
  // biome-ignore lint/correctness/useExhaustiveDependencies: not when rows are added or removed around it
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || !isThere) return;
    const { scrollTop, clientHeight } = element;
    if (top.current < scrollTop) element.scrollTop = top.current;
    else if (top.current + ROW > scrollTop + clientHeight)
      element.scrollTop = top.current + ROW - clientHeight;
  }, [selected, isThere]);
}

function useReading(
  { view, readOlder, readNewer }: UpdateListProps,
  { from, to }: { from: number; to: number },
): void {
  const { rows, older, newer } = view;
  useEffect(() => {
    if (rows.length === 0 || to === 0) return;
    if (older && to >= rows.length - NEAR) readOlder();
    else if (newer && from <= NEAR) readNewer();
  }, [from, to, rows, older, newer, readOlder, readNewer]);
}

function moveByKey(event: React.KeyboardEvent, props: UpdateListProps, index: number): void {
  const { rows } = props.view;
  const step = (by: number) => {
    const row = rows[index + by];
    if (row) props.onSelect(row);
  };
  const row = rows[index];
  if (event.key === 'Enter' && row && event.target === event.currentTarget) props.onOpen(row);
  else if (event.key === 'ArrowDown') step(1);
  else if (event.key === 'ArrowUp') step(-1);
  else if (event.key === 'Home') props.onNewest();
  else if (event.key === 'End') props.onOldest();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
