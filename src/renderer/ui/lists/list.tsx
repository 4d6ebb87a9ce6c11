import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './list.module.css';
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
}

const OVERSCAN = 8;

/** A long list that draws only its visible rows. One tab stop; arrows move, Enter opens. */
export function List<Row extends ListRow>(props: ListProps<Row>) {
  const { label, rows, selected, draw, onSelect, onOpen, onEnd, scale = 1 } = props;
  const { onClick = onSelect } = props;
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
              aria-selected={item.index === at}
              aria-setsize={rows.length}
              aria-posinset={item.index + 1}
              className={`list-row ${item.index === at ? 'selected' : ''}`}
              style={place}
              onClick={() => onClick(row)}
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

function moveByKey<Row extends ListRow>(event: React.KeyboardEvent, props: ListProps<Row>, at: number): void {
  const { rows, onSelect, onOpen } = props;
  const row = rows[at];
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
