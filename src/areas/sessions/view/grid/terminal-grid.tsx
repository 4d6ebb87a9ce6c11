import { TerminalPane } from '@areas/terminals/view/parts/terminal-pane';
import { plural } from '@renderer/client/format';
import { useHandlers, useRoute } from '@renderer/client/hooks';
import { formatRoute, hashOf, navigate, replaceRoute, setQuery } from '@renderer/client/route';
import { registry } from '@renderer/client/wire/window';
import { ActButton, ActIcon } from '@renderer/parts/controls/act';
import { Marked } from '@renderer/parts/marks/marks';
import { terminalWord } from '@renderer/parts/words/status-words';
import { IconButton } from '@renderer/ui/controls/button';
import { Empty } from '@renderer/ui/layout/note';
import { LayoutGrid, ListTree, Maximize2, Minimize2, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Workplace } from '../../contract/procedures';
import { columnsFor, type GridCell, gridCells, lastSpan, nextCell } from './cells';
import styles from './terminal-grid.module.css';

interface GridProps {
  readonly places: readonly Workplace[];
  /** Null: of all runs. */
  readonly runId: number | null;
}

/** All live terminals, of a run or of all, side by side; a key shows one at full size. */
export function TerminalGrid({ places, runId }: GridProps) {
  const { query } = useRoute();
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const cells = gridCells(places, runId, kept);
  const seen = cells.map((cell) => cell.key).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `seen` stands for the cells, which are new objects in each rendering
  useEffect(() => setKept((before) => new Set([...before, ...cells.map((cell) => cell.key)])), [seen]);
  const putAway = (key: string) => setKept(new Set([...kept].filter((one) => one !== key)));
  const full = cells.find((cell) => cell.key === query.full) ?? null;
  const shown = full ? [full] : cells;
  const grid = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  useGridKeys({ grid: grid.current, cells, current, full: full !== null });
  const run = places.find((place) => place.runId === runId);
  return (
    <article className="pane terminal-grid" data-part="terminal-grid" aria-label="Terminals in a grid">
      <header className="pane-head">
        <h2 className="cut">{run ? run.runName : 'All runs'}</h2>
        <span className="faint">{plural(cells.length, 'terminal')}</span>
        <span className="grow" />
        <RunSwitch places={places} runId={runId} current={current} />
        {cells.length > 1 && (
          <ActIcon
            action="grid.full"
            icon={full ? Minimize2 : Maximize2}
            label={full ? 'Show all again' : 'Show one in full'}
          />
        )}
      </header>
      {cells.length === 0 ? (
        <Empty icon={LayoutGrid} title="No live terminals">
          Terminals of running commands and agents appear here side by side.
        </Empty>
      ) : (
        <Cells refTo={grid} cells={shown} full={full !== null} onFocus={setCurrent} onPutAway={putAway} />
      )}
    </article>
  );
}

function RunSwitch({ places, runId, current }: GridProps & { current: string | null }) {
  const first = Number(current?.split('/')[0] ?? places.find((place) => place.terminals.length > 0)?.runId);
  const toRun = runId === null && Number.isFinite(first) && first > 0;
  useHandlers({
    'grid.run': toRun
      ? () => replaceRoute(hashOf('sessions', 'grid', first))
      : runId === null
        ? null
        : () => replaceRoute(hashOf('sessions', 'grid')),
  });
  if (!toRun && runId === null) return null;
  return (
    <ActButton action="grid.run" tone="ghost" icon={ListTree}>
      {runId === null ? 'One run only' : 'All runs'}
    </ActButton>
  );
}

interface KeysProps {
  readonly grid: HTMLElement | null;
  readonly cells: readonly GridCell[];
  readonly current: string | null;
  readonly full: boolean;
}

function useGridKeys({ grid, cells, current, full }: KeysProps): void {
  const cellOf = (key: string | null) =>
    [...(grid?.querySelectorAll<HTMLElement>('[data-cell]') ?? [])].find((one) => one.dataset.cell === key);
  const first = current ?? cells[0]?.key ?? null;
  const inside = () => document.activeElement?.closest('[data-part="terminal-grid"]') != null;
  const move = (by: 1 | -1) => () => {
    const next = nextCell(cells, current, by);
    if (!next) return;
    if (full) setQuery({ full: next.key });
    else cellOf(next.key)?.focus();
  };
  useHandlers({ 'grid.next': move(1), 'grid.previous': move(-1) }, inside);
  useHandlers({
    'grid.full': first === null ? null : () => setQuery({ full: full ? '' : first }),
    'terminal.focus': () => {
      const cell = cellOf(first) ?? grid?.querySelector<HTMLElement>('[data-cell]');
      if (cell) focusTerminal(cell);
    },
  });
}

/** Focuses a cell's terminal; if it is not drawn yet, as soon as it is, unless the focus has moved. */
function focusTerminal(cell: HTMLElement): void {
  const terminal = () => cell.querySelector('textarea');
  if (terminal()) return terminal()?.focus();
  cell.focus();
  const observer = new MutationObserver(() => {
    if (terminal() === null) return;
    observer.disconnect();
    if (document.activeElement === cell) terminal()?.focus();
  });
  observer.observe(cell, { childList: true, subtree: true });
}

interface CellsProps {
  readonly refTo: React.RefObject<HTMLDivElement | null>;
  readonly cells: readonly GridCell[];
  readonly full: boolean;
  readonly onFocus: (key: string) => void;
  readonly onPutAway: (key: string) => void;
}

function Cells({ refTo, cells, full, onFocus, onPutAway }: CellsProps) {
  const [width, setWidth] = useState(1000);
  useEffect(() => {
    const element = refTo.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [refTo]);
  const columns = columnsFor(cells.length, width);
  return (
    <div
      ref={refTo}
      className={`${styles.gridCells} scroll`}
      data-nav
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {cells.map((cell, index) => (
        <Cell
          key={cell.key}
          cell={cell}
          span={index === cells.length - 1 ? lastSpan(cells.length, columns) : 1}
          full={full}
          onFocus={onFocus}
          onPutAway={onPutAway}
        />
      ))}
    </div>
  );
}

type CellProps = Omit<CellsProps, 'refTo' | 'cells'> & { readonly cell: GridCell; readonly span: number };

/** One terminal of the grid. A cell out of view has no connection to its terminal. */
function Cell({ cell, span, full, onFocus, onPutAway }: CellProps) {
  const { key, place, terminal } = cell;
  const element = useRef<HTMLElement>(null);
  const [inSight, setInSight] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((entries) =>
      setInSight(entries.at(-1)?.isIntersecting === true),
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  const ended = terminal.state !== 'running';
  return (
    <section
      ref={element}
      className={styles.gridCell}
      data-part="grid-cell"
      data-cell={key}
      data-focus
      style={{ gridColumn: `span ${span}` }}
      aria-label={`${terminal.title} of ${place.runName}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: j and k go from cell to cell
      tabIndex={0}
      onFocus={() => onFocus(key)}
      onKeyDownCapture={(event) => {
        // Leaves the terminal, but not the grid.
        if (!registry.isWhole('terminal.leave', event.nativeEvent)) return;
        event.preventDefault();
        event.stopPropagation();
        element.current?.focus();
      }}
    >
      <header>
        <Marked word={terminalWord(terminal)} markOnly />
        <span className="mono cut grow" title={terminal.title}>
          {terminal.title}
        </span>
        <span className={`faint cut note ${styles.gridRun}`}>{place.runName}</span>
        <IconButton
          icon={full ? Minimize2 : Maximize2}
          label={full ? 'Show all again' : `Show ${terminal.title} in full`}
          onClick={() => setQuery({ full: full ? '' : key })}
        />
        {ended && (
          <IconButton
            icon={X}
            label={`Put ${terminal.title} out of the grid`}
            onClick={() => onPutAway(key)}
          />
        )}
      </header>
      {inSight && (
        <TerminalPane
          runId={place.runId}
          name={terminal.name}
          place={place}
          row={terminal}
          bare
          active={false}
        />
      )}
    </section>
  );
}

export function GridButton({ on }: { on: boolean }) {
  return (
    <ActIcon
      action="sessions.grid"
      icon={LayoutGrid}
      label={on ? 'Show one session again' : 'Show all live terminals in a grid'}
      active={on}
    />
  );
}

/** Opens the grid, and returns from it to the previous address. */
export function toggleGrid(on: boolean): void {
  if (!on) navigate(formatRoute({ path: ['sessions', 'grid'], query: {} }));
  else if (window.history.length > 1) window.history.back();
  else navigate(hashOf('sessions'));
}
