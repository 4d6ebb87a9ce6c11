import type { ReactNode } from 'react';
import type { ActionSpecs } from '../../client/actions';
import { useHandlers, useSwitch, useWidth } from '../../client/hooks';
import { hashOf, navigate } from '../../client/route';
import { Columns, useFewColumns } from '../../ui/layout/columns';

export const frameActions = {
  'frame.list': { title: 'Show or hide the list', keys: '[', group: 'Everywhere' },
  'frame.side': { title: 'Show or hide the side panel', keys: ']', group: 'Everywhere' },
} as const satisfies ActionSpecs;

declare module '../../client/actions' {
  interface ActionNames extends Record<keyof typeof frameActions, true> {}
}

export interface FrameProps {
  readonly id: string;
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** Drawn only while the side panel is open. */
  readonly side?: (() => ReactNode) | undefined;
  readonly sideOpen?: boolean;
  /** The view shows the side panel now, whatever the operator's setting; `onSideClose` ends that. */
  readonly sideShown?: boolean | undefined;
  readonly onSideClose?: (() => void) | undefined;
  readonly front: 'list' | 'detail';
  /** Initial width; the operator's width is saved. */
  readonly listWidth?: number;
}

/** The columns of a view; their widths and closed state are saved. */
export function Frame(props: FrameProps) {
  const { id, list, detail, side, sideOpen = false, sideShown = false, onSideClose, front } = props;
  const [listWidth, setListWidth] = useWidth(`${id}.list.width`, props.listWidth ?? 320);
  const [sideWidth, setSideWidth] = useWidth(`${id}.side.width`, 340);
  const [listClosed, setListClosed] = useSwitch(`${id}.list.closed`, false);
  const few = useFewColumns();
  // If three columns do not fit, the side panel is shown on demand.
  const [isKeptOpen, setOpen] = useSwitch(`${id}.side.open`, sideOpen && !few);
  const open = isKeptOpen || sideShown;
  const close = () => {
    setOpen(false);
    if (sideShown) onSideClose?.();
  };
  const isCovered = few && side !== undefined && open;
  useHandlers({
    'frame.list': () => {
      if (isCovered) close();
      setListClosed(!isCovered && !listClosed);
    },
    'frame.side': side ? () => (open ? close() : setOpen(true)) : null,
  });
  return (
    <Columns
      id={id}
      list={list}
      detail={detail}
      side={side && open ? side() : undefined}
      listWidth={listWidth}
      sideWidth={sideWidth}
      listClosed={listClosed}
      front={front}
      onBack={() => navigate(hashOf(id))}
      onResize={(column, width) => (column === 'list' ? setListWidth(width) : setSideWidth(width))}
    />
  );
}
