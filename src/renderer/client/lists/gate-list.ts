import type { GateRow } from '@areas/gates/contract/procedures';
import type { Result } from '@contract/result';
import { READ_TOGETHER_MS } from '../../limits';
import { Cell } from '../store';
import type { Reading } from '../wire/query';
import { gateKey } from './gate-key';

interface Source {
  readonly fetch: () => Promise<Result<readonly GateRow[]>>;
  readonly follow: (heard: (rows: readonly GateRow[]) => void, lost: () => void) => () => void;
}

interface Which {
  readonly status: 'open' | 'closed';
  /** Maximum number of gates per read. */
  readonly most: number;
}
const loading: Reading<never> = { status: 'loading', value: null, error: null };

/** Gates of all runs: open ones, longest waiting first; or closed ones, newest first. */
export function gateList(source: Source, { status, most }: Which): Cell<Reading<readonly GateRow[]>> {
  const isOpen = status === 'open';
  const belongs = (row: GateRow) => (row.status === 'open') === isOpen;
  const order = (a: GateRow, b: GateRow) =>
    isOpen ? a.openedAt - b.openedAt : (b.closedAt ?? 0) - (a.closedAt ?? 0);
  let reads = 0;
  /** There may be more open gates than were read. */
  let cut = false;
  let later: ReturnType<typeof setTimeout> | null = null;
  const show = (rows: readonly GateRow[]) => {
    const sorted = [...rows].sort(order);
    cell.set({ status: 'ready', value: isOpen ? sorted : sorted.slice(0, most), error: null });
  };
  /** Pushed gates beyond a truncated page: they stay until a push reports them closed. */
  const beyond = (page: readonly GateRow[]): readonly GateRow[] => {
    const last = page.at(-1);
    if (!cut || last === undefined) return [];
    const known = new Set(page.map(gateKey));
    return (cell.get().value ?? []).filter((row) => order(row, last) >= 0 && !known.has(gateKey(row)));
  };
  const read = async (others: typeof beyond = () => []) => {
    reads += 1;
    const mine = reads;
    const result = await source.fetch();
    if (mine !== reads) return;
    cut = isOpen && result.ok && result.value.length >= most;
    if (result.ok) show([...result.value, ...others(result.value)]);
    else cell.update((last) => ({ ...last, status: 'failed', error: result.error }));
  };
  const readLater = () => {
    later ??= setTimeout(() => {
      later = null;
      void read(beyond);
    }, READ_TOGETHER_MS);
  };
  const merge = (rows: readonly GateRow[]) => {
    const { value, status } = cell.get();
    // Whether a push is missing can be known only by reading.
    if (value === null || status !== 'ready') return void read();
    const changed = new Set(rows.map(gateKey));
    show([...value.filter((row) => !changed.has(gateKey(row))), ...rows.filter(belongs)]);
    if (cut) readLater();
  };
  const cell: Cell<Reading<readonly GateRow[]>> = new Cell<Reading<readonly GateRow[]>>(loading, () => {
    void read();
    const end = source.follow(merge, () => void read());
    return () => {
      end();
      if (later !== null) clearTimeout(later);
      later = null;
    };
  });
  return cell;
}
