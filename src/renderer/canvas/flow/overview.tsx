import { MiniMap } from '@xyflow/react';
import styles from './canvas-view.module.css';
import type { StepNode } from './step-node';

/** All of the workflow, small: where what is seen lies in it. */
export function Overview() {
  return (
    <MiniMap<StepNode>
      className={styles.overview}
      style={SIZE}
      pannable
      zoomable
      ariaLabel="Overview of the workflow"
      nodeClassName={({ data }) => `${styles.mini} ${MINI[data.face?.word.tone ?? 'grey']}`}
      nodeBorderRadius={12}
      bgColor="var(--surface)"
      maskColor="var(--mini-mask)"
    />
  );
}

const SIZE = { width: 144, height: 96 };
const MINI = {
  running: styles.miniRunning,
  waits: styles.miniWaits,
  failed: styles.miniFailed,
  done: styles.miniDone,
  grey: '',
};
