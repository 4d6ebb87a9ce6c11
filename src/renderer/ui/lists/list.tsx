import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './list.module.css';
import { extended, NO_PICKS, type Picks, toggled } from './picks';
import { RowBoundary } from './row-boundary';

export interface ListRow {
  readonly key: string;
  readonly height: number;
  /** A heading is drawn but cannot be selected. */
  readonly heading?: boolean;
}

export interface ListProps<Row extends ListRow> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly selected: string | null;
  readonly draw: (row: Row) => ReactNode;
  readonly onSelect: (row: Row) => void;
  /** What a click does, if not the same as an arrow. */
  readonly onClick?: ((row: Row) => void) | undefined;
  readonly onOpen?: (row: Row) => void;
  /** Called near the end of the rows, to load more. */
  readonly onEnd?: (() => void) | undefined;
  /** Smaller than 1 for dense rows. */
  readonly scale?: number;
  /** Several rows can be picked: Space, Shift with an arrow, a click with Shift or Ctrl. */
  readonly picking?: Picking | undefined;
}

interface Picking {
  readonly picks: Picks;
  readonly onPick: (picks: Picks) => void;
}

const OVERSCAN = 8;

/** A long list that draws only its visible rows. One tab stop; arrows move, Enter opens. */
export function List<Row extends ListRow>(props: ListProps<Row>) {
  const { label, rows, selected, draw, onOpen, onEnd, scale = 1, picking } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => Math.round((rows[index]?.height ?? 30) * scale),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: OVERSCAN,
  });
  const heights = rows.length > 0 ? `${scale} ${rows[0]?.height} ${rows.at(-1)?.height}` : '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another density means other heights
  useEffect(() => virtual.measure(), [heights]);
  const at = rows.findIndex((row) => row.key === selected);
  const isThere = at >= 0;
  const place = useRef(at);
  place.current = at;
  // Not for a new position of the same row: rows that arrive above it must not scroll a reader who looks elsewhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `selected` is the reason to scroll
  useEffect(() => {
    if (isThere) virtual.scrollToIndex(place.current, { align: 'auto' });
  }, [selected, isThere, virtual]);
  const items = virtual.getVirtualItems();
  const lastSeen = items.at(-1)?.index ?? 0;
  // Headings arrive before their rows have been read.
  const isBusy = rows.length > 0 && !items.some(({ index }) => rows[index]?.heading !== true);
  useEffect(() => {
    if (rows.length > 0 && lastSeen >= rows.length - OVERSCAN - 1) onEnd?.();
  }, [lastSeen, rows.length, onEnd]);
  return (
    <div
      ref={scroller}
      className="list scroll"
      data-part="list"
      role="listbox"
      aria-label={label}
      aria-busy={isBusy || undefined}
      aria-multiselectable={picking === undefined ? undefined : true}
      tabIndex={0}
      aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
      onKeyDown={(event) => moveByKey(event, props, at)}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          const place = { height: item.size, transform: `translateY(${item.start}px)` };
          return row.heading ? (
            <div key={item.key} role="presentation" className={styles.listHeading} style={place}>
              <RowBoundary row={row} draw={draw} />
            </div>
          ) : (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the list
            // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the option
            <div
              key={item.key}
              id={`${id}-${item.index}`}
              role="option"
              aria-selected={isPicked(picking, row.key) ?? item.index === at}
              aria-setsize={rows.length}
              aria-posinset={item.index + 1}
              className={`list-row ${item.index === at ? 'selected' : ''} ${isPicked(picking, row.key) ? 'picked' : ''}`}
              style={place}
              onClick={(event) => click(event, props, row)}
              onDoubleClick={() => onOpen?.(row)}
            >
              <RowBoundary row={row} draw={draw} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Null: nothing is picked, and the current row is the selected one. */
const isPicked = (picking: Picking | undefined, key: string): boolean | null =>
  picking === undefined || picking.picks.keys.size === 0 ? null : picking.picks.keys.has(key);

function click<Row extends ListRow>(event: MouseEvent, props: ListProps<Row>, row: Row): void {
  const { rows, selected, onSelect, onClick = onSelect, picking } = props;
  if (picking === undefined || !(event.shiftKey || event.ctrlKey || event.metaKey)) {
    picking?.onPick(NO_PICKS);
    onClick(row);
    return;
  }
  const { picks, onPick } = picking;
  onPick(
    event.shiftKey ? extended(picks, rows, { current: selected, to: row.key }) : toggled(picks, row.key),
  );
}

/** Space picks the current row, Shift with an arrow extends, Esc drops all. Returns whether it was such a key. */
function pickByKey<Row extends ListRow>(event: KeyboardEvent, props: ListProps<Row>, at: number): boolean {
  const { rows, selected, onSelect, picking } = props;
  const row = rows[at];
  if (picking === undefined || row === undefined || event.ctrlKey || event.metaKey || event.altKey)
    return false;
  const { picks, onPick } = picking;
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
  const next = by !== null && event.shiftKey ? stepFrom(rows, at, by) : null;
  if (event.key === ' ') onPick(toggled(picks, row.key));
  else if (next !== null) {
    onPick(extended(picks, rows, { current: selected, to: next.key }));
    onSelect(next);
  } else if (event.key === 'Escape' && picks.keys.size > 0) onPick(NO_PICKS);
  else return false;
  return true;
}

function moveByKey<Row extends ListRow>(event: KeyboardEvent, props: ListProps<Row>, at: number): void {
  const { rows, onSelect, onOpen } = props;
  const row = rows[at];
  if (pickByKey(event, props, at)) {
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  // With a modifier, Enter is a key of the page.
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key === 'Enter' && isPlain && row && event.target === event.currentTarget) onOpen?.(row);
  else if (event.key === 'ArrowDown') select(stepFrom(rows, at, 1));
  else if (event.key === 'ArrowUp') select(stepFrom(rows, at, -1));
  else if (event.key === 'Home') select(stepFrom(rows, -1, 1));
  else if (event.key === 'End') select(stepFrom(rows, rows.length, -1));
  else return;
  event.preventDefault();
  event.stopPropagation();

  function select(next: Row | null): void {
    if (next) onSelect(next);
  }
}

/** The next selectable row from an index in a direction. */
export function stepFrom<Row extends ListRow>(rows: readonly Row[], at: number, by: 1 | -1): Row | null {
  for (let index = at + by; index >= 0 && index < rows.length; index += by) {
    const row = rows[index];
    if (row && !row.heading) return row;
  }
  return null;
}
