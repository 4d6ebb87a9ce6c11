import { MiniMap } from '@xyflow/react';
import { memo, useEffect, useState } from 'react';
import styles from './canvas-view.module.css';
import type { StepNode } from './step-node';

/** A minimap of the workflow that marks the visible part. */
export const Overview = memo(function Overview() {
  const drawn = useDrawn();
  if (!drawn) return null;
  return (
    <MiniMap<StepNode>
      className={styles.overview}
      style={SIZE}
      pannable
      zoomable
      ariaLabel="Overview of the workflow"
      nodeClassName={miniOf}
      nodeBorderRadius={12}
      bgColor="var(--surface)"
      maskColor="var(--mini-mask)"
    />
  );
});

/** Whether the canvas itself was painted: it comes before its minimap. */
function useDrawn(): boolean {
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setDrawn(true));
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return drawn;
}

const SIZE = { width: 144, height: 96 };
const MINI = {
  running: styles.miniRunning,
  waits: styles.miniWaits,
  failed: styles.miniFailed,
  done: styles.miniDone,
  grey: '',
};
const miniOf = ({ data }: StepNode): string => `${styles.mini} ${MINI[data.face?.word.tone ?? 'grey']}`;
