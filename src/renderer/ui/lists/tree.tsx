import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Glyph } from '../controls/icon';
import { RowBoundary } from './row-boundary';
import styles from './tree.module.css';

interface TreeRow {
  readonly key: string;
  readonly height: number;
  /** Counts from 1. */
  readonly level: number;
  /** Null if it has no children. */
  readonly open: boolean | null;
}

interface TreeProps<Row extends TreeRow> {
  readonly label: string;
  /** The visible rows: children of a collapsed one are left out. */
  readonly rows: readonly Row[];
  readonly draw: (row: Row) => ReactNode;
  readonly onOpen: (row: Row) => void;
  readonly onToggle: (row: Row, open: boolean) => void;
  /** The row that what is beside the tree shows: the cursor goes there when it changes. */
  readonly cursor?: string | null;
}

const OVERSCAN = 8;

/** A tree that draws only its visible rows. One tab stop; arrows move, expand and collapse, Enter opens. */
export function Tree<Row extends TreeRow>({
  label,
  rows,
  draw,
  onOpen,
  onToggle,
  cursor: shown = null,
}: TreeProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [cursor, setCursor] = useState<string | null>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rows[index]?.height ?? 30,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: OVERSCAN,
  });
  const heights = rows.reduce((sum, { height }) => sum + height, rows.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have other heights
  useEffect(() => virtual.measure(), [heights]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another row beside the tree moves the cursor
  useEffect(() => {
    const index = rows.findIndex(({ key }) => key === shown);
    if (index < 0 || shown === null) return;
    setCursor(shown);
    virtual.scrollToIndex(index, { align: 'auto' });
  }, [shown]);
  const found = rows.findIndex(({ key }) => key === cursor);
  const at = Math.max(found, 0);
  const move = (index: number) => {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (row === undefined) return;
    setCursor(row.key);
    virtual.scrollToIndex(rows.indexOf(row), { align: 'auto' });
  };
  return (
    <div
      ref={scroller}
      className={`${styles.tree} scroll`}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={rows.length > 0 ? `${id}-${at}` : undefined}
      onKeyDown={(event) => moveByKey(event, { rows, at, move, onOpen, onToggle })}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return (
            row && (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the tree
              // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names the item
              <div
                key={item.key}
                id={`${id}-${item.index}`}
                role="treeitem"
                aria-level={row.level}
                aria-expanded={row.open ?? undefined}
                aria-selected={item.index === at}
                aria-current={row.key === shown ? 'location' : undefined}
                className={styles.treeRow}
                style={{
                  height: item.size,
                  transform: `translateY(${item.start}px)`,
                  paddingInlineStart: `${Math.min(row.level - 1, 8) * 12}px`,
                }}
                onClick={() => {
                  setCursor(row.key);
                  onOpen(row);
                }}
              >
                <Toggle open={row.open} onToggle={(open) => onToggle(row, open)} />
                <RowBoundary row={row} draw={draw} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

interface ToggleProps {
  readonly open: boolean | null;
  readonly onToggle: (open: boolean) => void;
}

function Toggle({ open, onToggle }: ToggleProps) {
  if (open === null) return <span />;
  return (
    <button
      type="button"
      className={styles.treeToggle}
      tabIndex={-1}
      aria-label={open ? 'Close' : 'Open'}
      onClick={(event) => {
        event.stopPropagation();
        onToggle(!open);
      }}
    >
      <Glyph of={ChevronRight} size={13} />
    </button>
  );
}

interface Moves<Row extends TreeRow> {
  readonly rows: readonly Row[];
  readonly at: number;
  readonly move: (index: number) => void;
  readonly onOpen: (row: Row) => void;
  readonly onToggle: (row: Row, open: boolean) => void;
}

function moveByKey<Row extends TreeRow>(event: KeyboardEvent, moves: Moves<Row>): void {
  if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!act(event.key, moves)) return;
  event.preventDefault();
  event.stopPropagation();
}

function act<Row extends TreeRow>(key: string, moves: Moves<Row>): boolean {
  const { rows, at, move, onOpen } = moves;
  const row = rows[at];
  if (row === undefined) return false;
  if (key === 'ArrowDown') move(at + 1);
  else if (key === 'ArrowUp') move(at - 1);
  else if (key === 'Home') move(0);
  else if (key === 'End') move(rows.length - 1);
  else if (key === 'Enter') onOpen(row);
  else if (key === 'ArrowRight') inwards(row, moves);
  else if (key === 'ArrowLeft') outwards(row, moves);
  else return false;
  return true;
}

/** Expands a row; from an expanded one moves to its first child. */
function inwards<Row extends TreeRow>(row: Row, { at, move, onToggle }: Moves<Row>): void {
  if (row.open === false) onToggle(row, true);
  else if (row.open === true) move(at + 1);
}

/** Collapses a row; from a collapsed one moves to its parent. */
function outwards<Row extends TreeRow>(row: Row, { rows, at, move, onToggle }: Moves<Row>): void {
  if (row.open === true) return onToggle(row, false);
  move(rows.findLastIndex(({ level }, index) => index < at && level < row.level));
}
