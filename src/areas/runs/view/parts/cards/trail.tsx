import type { ActionId, Handlers } from '@renderer/client/actions';
import { useHandlers } from '@renderer/client/hooks';
import { Stack, type StackHandle, type StackRow } from '@renderer/ui/lists/stack';
import { type ReactNode, type RefObject, useRef } from 'react';

interface TrailProps<Row extends StackRow> {
  readonly label: string;
  /** Names the part for tests. */
  readonly part: string;
  readonly className: string | undefined;
  readonly rows: readonly Row[];
  /** The row that the address names. */
  readonly current: string | null;
  readonly draw: (row: Row) => ReactNode;
  readonly handle: RefObject<StackHandle | null>;
  /** The element around all rows. */
  readonly box?: RefObject<HTMLDivElement | null>;
  readonly live: boolean;
  /** The row to show first; otherwise the end of a live trail, or the beginning. */
  readonly first?: string | null;
  /** The actions that go to the next and the previous row. */
  readonly keys: readonly [next: ActionId, previous: ActionId];
  /** The rows at which these keys stop. */
  readonly isStop: (row: Row) => boolean;
  readonly onGo: (row: Row) => void;
  /** Further actions while the focus is here. */
  readonly handlers?: Handlers<ActionId>;
}

/** Events row by row: the row in the address is marked, and keys move from one to the next. */
export function Trail<Row extends StackRow>(props: TrailProps<Row>) {
  const { label, part, className, rows, current, draw, handle, live, first } = props;
  const ownHandle = useRef<HTMLDivElement>(null);
  const box = props.box ?? ownHandle;
  useTrailKeys(props, box);
  return (
    <div ref={box} className={className} data-part={part} data-nav>
      <Stack
        label={label}
        rows={rows}
        handle={handle}
        live={live}
        first={first ?? null}
        draw={(row) => (
          <div
            className={row.key === current ? 'current' : ''}
            aria-current={row.key === current ? 'location' : undefined}
          >
            {draw(row)}
          </div>
        )}
      />
    </div>
  );
}

/** Starts from the row in the address, otherwise from the one at the upper edge. */
function useTrailKeys<Row extends StackRow>(
  { rows, current, handle, keys, isStop, onGo, handlers }: TrailProps<Row>,
  box: RefObject<HTMLDivElement | null>,
): void {
  const step = (by: 1 | -1) => () => {
    const from = current ?? handle.current?.top();
    const at = rows.findIndex(({ key }) => key === from);
    const to =
      by === 1
        ? rows.find((row, index) => index > at && isStop(row))
        : rows.findLast((row, index) => index < at && isStop(row));
    if (to !== undefined) onGo(to);
  };
  const [next, previous] = keys;
  useHandlers({ ...handlers, [next]: step(1), [previous]: step(-1) }, () => holdsFocus(box));
}

export const holdsFocus = (box: RefObject<HTMLElement | null>): boolean =>
  box.current?.contains(document.activeElement) === true;
