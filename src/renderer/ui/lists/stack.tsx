import { measureElement, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, type RefObject, useCallback, useEffect, useImperativeHandle, useRef } from 'react';
import { Button } from '../controls/button';
import { useFollowedEnd } from './followed-end';
import { RowBoundary } from './row-boundary';
import styles from './stack.module.css';

export interface StackRow {
  readonly key: string;
  /** Estimated height until the row has been drawn. */
  readonly guess: number;
}

export interface StackHandle {
  reveal(key: string): void;
  /** Scrolls to the end, and follows it while it grows. */
  follow(): void;
  /** The row at the upper edge. */
  top(): string | null;
}

interface StackProps<Row extends StackRow> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly draw: (row: Row) => ReactNode;
  readonly handle?: RefObject<StackHandle | null>;
  /** The end is growing: a reader at the end stays there. */
  readonly live?: boolean;
  /** The row to show first; otherwise the end if it is live, or the beginning. */
  readonly first?: string | null;
  /** As high as its rows, up to this CSS length; absent: it fills its place. */
  readonly most?: string | undefined;
  /** Learns which row is at the upper edge. */
  readonly onTop?: (key: string | null) => void;
  /** The estimates are right but for a few rows: heights are read after the layout, never before it. */
  readonly exact?: boolean;
  /** What covers the upper edge of a revealed row, in pixels. */
  readonly coveredOf?: (row: Row) => number;
}

/**
 * The height of a row while the end is followed. A new row has its estimate until the frame is laid out; then
 * the virtualizer's observer reports its height before painting. Measuring earlier would lay out the page
 * again.
 */
function measuredInFrame(
  element: Element,
  entry: ResizeObserverEntry | undefined,
  virtual: Virtualizer<HTMLElement, Element>,
): number {
  if (entry) return measureElement(element, entry, virtual);
  const index = virtual.indexFromElement(element);
  return virtual.itemSizeCache.get(virtual.options.getItemKey(index)) ?? virtual.options.estimateSize(index);
}

/** Blocks of any height in a column; only visible ones are drawn. */
export function Stack<Row extends StackRow>({
  label,
  rows,
  draw,
  handle,
  live = false,
  first,
  most,
  onTop,
  coveredOf,
  exact = false,
}: StackProps<Row>) {
  const { scroller, content, held, hold, handlers } = useFollowedEnd(live);
  const covered = useRef(0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rows[index]?.guess ?? 80,
    getItemKey: useKeyOf(rows),
    measureElement: exact || (live && !held) ? measuredInFrame : measureElement,
    overscan: 4,
    scrollPaddingStart: covered.current,
    paddingEnd: most === undefined ? 24 : 0,
  });
  const top = onTop && keyAt(rows, virtual, scroller.current);
  useEffect(() => onTop?.(top ?? null), [onTop, top]);
  const total = virtual.getTotalSize();
  const reveal = useCallback(
    (key: string) => {
      const index = rows.findIndex((row) => row.key === key);
      const row = rows[index];
      if (row === undefined) return;
      hold(true);
      covered.current = coveredOf?.(row) ?? 0;
      virtual.options.scrollPaddingStart = covered.current;
      virtual.scrollToIndex(index, { align: 'start' });
    },
    [rows, virtual, hold, coveredOf],
  );
  useImperativeHandle(handle, () => ({
    reveal,
    follow: () => hold(false),
    top: () => keyAt(rows, virtual, scroller.current),
  }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the initial position
  useEffect(() => {
    if (first) reveal(first);
    else if (!live) hold(true);
  }, [first]);
  return (
    <div className="stack" style={most === undefined ? undefined : { height: `min(${total}px, ${most})` }}>
      <section
        ref={scroller}
        className="scroll stack-scroll"
        data-part="stack"
        aria-label={label}
        data-live={live || undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by key
        tabIndex={0}
        {...handlers}
      >
        <div ref={content} style={{ height: total, position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <div
                  key={item.key}
                  ref={virtual.measureElement}
                  data-index={item.index}
                  className="stack-row"
                  style={{
                    transform: `translateY(${item.start}px)`,
                    containIntrinsicBlockSize: `auto ${item.size}px`,
                  }}
                >
                  <RowBoundary row={row} draw={draw} />
                </div>
              )
            );
          })}
        </div>
      </section>
      {live && held && (
        <Button className={styles.toEnd} icon={ArrowDown} onClick={() => hold(false)}>
          Follow
        </Button>
      )}
    </div>
  );
}

/** A stable function while the keys are the same: a new one causes all positions to be computed again. */
function useKeyOf<Row extends StackRow>(rows: readonly Row[]): (index: number) => string | number {
  const known = useRef<{ rows: readonly Row[]; keyOf: (index: number) => string | number } | null>(null);
  if (known.current === null || !sameKeys(known.current.rows, rows))
    known.current = { rows, keyOf: (index) => rows[index]?.key ?? index };
  return known.current.keyOf;
}

const sameKeys = (before: readonly StackRow[], now: readonly StackRow[]): boolean =>
  before.length === now.length && now.every(({ key }, index) => key === before[index]?.key);

function keyAt<Row extends StackRow>(
  rows: readonly Row[],
  virtual: { getVirtualItemForOffset(offset: number): { index: number } | undefined },
  element: HTMLElement | null,
): string | null {
  const item = virtual.getVirtualItemForOffset(element?.scrollTop ?? 0);
  return item === undefined ? null : (rows[item.index]?.key ?? null);
}
