import { ArrowLeft, PanelRight } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Group, Panel, Separator, usePanelRef } from 'react-resizable-panels';
import { Glyph } from '../controls/icon';
import styles from './columns.module.css';
import separators from './separator.module.css';

interface ColumnsProps {
  readonly id: string;
  readonly list: ReactNode;
  readonly detail: ReactNode;
  readonly side: ReactNode;
  readonly listWidth: number;
  readonly sideWidth: number;
  readonly listClosed: boolean;
  /** The column shown if there is space for only one. */
  readonly front: 'list' | 'detail';
  readonly onResize: (column: 'list' | 'side', width: number) => void;
  readonly onBack: () => void;
}

const NARROW = '(max-width: 760px)';
const MEDIUM = '(max-width: 1080px)';

/** List, detail and an optional side panel. In a narrow window one of them at a time. */
export function Columns(props: ColumnsProps) {
  const { id, list, detail, side, listWidth, sideWidth, listClosed, onResize } = props;
  const narrow = useMedia(NARROW);
  const medium = useFewColumns();
  const listPanel = usePanelRef();
  const sidePanel = usePanelRef();
  if (narrow) return <OneColumn {...props} />;
  // If three columns do not fit, the side panel replaces the list.
  const showList = !listClosed && !(medium && side);
  return (
    <Group
      id={id}
      className={styles.columns}
      orientation="horizontal"
      onLayoutChanged={(_, meta) => {
        if (!meta.isUserInteraction) return;
        if (listPanel.current) onResize('list', Math.round(listPanel.current.getSize().inPixels));
        if (sidePanel.current) onResize('side', Math.round(sidePanel.current.getSize().inPixels));
      }}
    >
      {showList && (
        <>
          <Panel
            id="list"
            panelRef={listPanel}
            className={`${styles.column} column-list`}
            data-part="column-list"
            defaultSize={listWidth}
            minSize={200}
            maxSize={560}
            groupResizeBehavior="preserve-pixel-size"
          >
            {list}
          </Panel>
          <Separator className={separators.separator} aria-label="Width of the list" />
        </>
      )}
      <Panel
        id="detail"
        className={`${styles.column} ${styles.columnDetail}`}
        data-part="column-detail"
        minSize={320}
      >
        {detail}
      </Panel>
      {side && (
        <>
          <Separator className={separators.separator} aria-label="Width of the side panel" />
          <Panel
            id="side"
            panelRef={sidePanel}
            className={`${styles.column} ${styles.columnSide}`}
            data-part="column-side"
            defaultSize={sideWidth}
            minSize={240}
            maxSize={720}
            groupResizeBehavior="preserve-pixel-size"
          >
            {side}
          </Panel>
        </>
      )}
    </Group>
  );
}

function OneColumn({ list, detail, side, front, onBack }: ColumnsProps) {
  const [sideInFront, setSideInFront] = useState(false);
  if (front === 'list')
    return (
      <div className={`${styles.columns} ${styles.narrow}`} data-part="narrow">
        {list}
      </div>
    );
  return (
    <div className={`${styles.columns} ${styles.narrow}`} data-part="narrow">
      <div className={styles.back}>
        <button type="button" className="with-icon" onClick={onBack}>
          <Glyph of={ArrowLeft} size={14} /> Back to the list
        </button>
        <span className="grow" />
        {side && (
          <button type="button" className="with-icon" onClick={() => setSideInFront(!sideInFront)}>
            {sideInFront ? 'Show the detail' : 'Show the side panel'} <Glyph of={PanelRight} size={14} />
          </button>
        )}
      </div>
      {side && sideInFront ? side : detail}
    </div>
  );
}

/** Whether the window is too narrow for three columns. */
export const useFewColumns = (): boolean => useMedia(MEDIUM);

export function useMedia(query: string): boolean {
  const [fits, setFits] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const media = window.matchMedia(query);
    const heard = () => setFits(media.matches);
    heard();
    media.addEventListener('change', heard);
    return () => media.removeEventListener('change', heard);
  }, [query]);
  return fits;
}
