import { GateInPlace } from '@areas/gates/view/parts/gate-in-place';
import { Chained } from '@areas/sessions/view/parts/chain';
import type { GateState, RunState } from '@contract/run/state';
import type { ActionId } from '@renderer/client/actions';
import { useHandlers } from '@renderer/client/hooks';
import { Glyph } from '@renderer/ui/controls/icon';
import type { StackHandle, StackRow } from '@renderer/ui/lists/stack';
import { Hand } from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
import styles from './card-trail.module.css';
import { holdsFocus, Trail } from './trail';

interface CardTrailProps<Row extends StackRow> {
  readonly label: string;
  /** Names the part for tests. */
  readonly part: string;
  readonly state: Pick<RunState, 'gates' | 'status'>;
  readonly rows: readonly Row[];
  /** The row that the address names. */
  readonly current: string | null;
  /** The expanded row. */
  readonly open: string | null;
  readonly handle: RefObject<StackHandle | null>;
  readonly keys: readonly [next: ActionId, previous: ActionId];
  /** The action that expands and collapses a card, and the prefix of the cards' keys. */
  readonly opens: { readonly action: ActionId; readonly prefix: string };
  readonly isStop: (row: Row) => boolean;
  readonly onGo: (key: string) => void;
  readonly onToggle: (key: string) => void;
  /** `only`: the one open gate, whose keys work. */
  readonly draw: (row: Row, only: number | null) => ReactNode;
}

/** Cards of a run in a column, one of them expanded, with the gates between them. */
export function CardTrail<Row extends StackRow>(props: CardTrailProps<Row>) {
  const { label, part, state, rows, current, open, handle, keys, opens, isStop, onGo, onToggle, draw } =
    props;
  const box = useRef<HTMLDivElement>(null);
  const first = useRef(current);
  const key = current ?? open;
  useHandlers(
    { [opens.action]: key?.startsWith(opens.prefix) ? () => onToggle(key) : null },
    () => holdsFocus(box) && document.activeElement?.closest('button, a, input, textarea') == null,
  );
  const waiting = Object.values(state.gates).filter(({ status }) => status === 'open');
  const only = waiting.length === 1 ? (waiting[0]?.id ?? null) : null;
  return (
    <Trail
      label={label}
      part={part}
      className={styles.cardTrail ?? ''}
      rows={rows}
      current={current}
      handle={handle}
      box={box}
      live={state.status !== 'finished'}
      first={first.current}
      keys={keys}
      isStop={isStop}
      onGo={(row) => onGo(row.key)}
      draw={(row) => draw(row, only)}
    />
  );
}

interface GateCardProps {
  readonly runId: number;
  readonly runName: string;
  readonly gate: GateState;
  readonly only: number | null;
}

/** A gate between the cards. */
export function GateCard({ runId, runName, gate, only }: GateCardProps) {
  return (
    <Chained mark={<Glyph of={Hand} size={11} />} tone={gate.status === 'open' ? 'waits' : 'grey'}>
      <GateInPlace runId={runId} runName={runName} gate={gate} keys={gate.id === only} />
    </Chained>
  );
}
