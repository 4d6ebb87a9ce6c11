import { type Edge, type EdgeProps, getBezierPath } from '@xyflow/react';
import { memo } from 'react';
import type { CanvasCable } from '../graph/graph';
import styles from './cable-edge.module.css';
import type { CableFace } from './faces';

type CableData = {
  readonly cable: CanvasCable;
  readonly face: CableFace | null;
  /** For a cable that leads back: the label of its port. */
  readonly label: string | null;
  /** How far below the steps the cable runs. */
  readonly under: number;
};
export type CableEdge = Edge<CableData, 'cable'>;

type Ends = Pick<EdgeProps, 'sourceX' | 'sourceY' | 'targetX' | 'targetY'>;

const OUT = 22;
const ROUND = 10;

/** A cable. A cable that leads back runs below the steps it passes. */
export const CableEdgeView = memo(function CableEdgeView(props: EdgeProps<CableEdge>) {
  const { data, selected, sourcePosition, targetPosition } = props;
  const { sourceX, sourceY, targetX, targetY } = props;
  if (data === undefined) return null;
  const { cable, face } = data;
  const { under } = data;
  const [path] = cable.back
    ? [backPath(props, under)]
    : getBezierPath({ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, curvature: 0.3 });
  return (
    <g
      className={styles.cable}
      data-part="canvas-cable"
      data-state={stateOf(cable, face)}
      data-kind={cable.kind}
      data-selected={selected || undefined}
    >
      <path className={styles.reach} d={path} />
      <path className={styles.line} d={path} />
      {cable.back && (
        <>
          <path
            className={styles.tip}
            d={`M${targetX - 9},${targetY - 4} L${targetX - 3},${targetY} L${targetX - 9},${targetY + 4}`}
          />
          <text className={styles.label} x={(sourceX + targetX) / 2} y={under - 5}>
            {data.label}
          </text>
        </>
      )}
      {stateOf(cable, face) === 'missed' && (
        <path
          className={styles.tip}
          data-part="cable-stop"
          d={`M${sourceX + 10},${sourceY - 6} v12 M${sourceX + 14},${sourceY - 6} v12`}
        />
      )}
      {cable.dangling && (
        <path className={styles.tip} d={`M${targetX - 13},${targetY - 4} l8,8 m0,-8 l-8,8`} />
      )}
    </g>
  );
});

/** The visual state of a cable. */
export const stateOf = (cable: CanvasCable, face: CableFace | null): string =>
  cable.dangling ? 'dangling' : (face?.state ?? (cable.off ? 'missed' : 'plain'));

export function backPath({ sourceX, sourceY, targetX, targetY }: Ends, under: number): string {
  const right = sourceX + OUT;
  const left = targetX - OUT;
  const r = ROUND;
  return [
    `M${sourceX},${sourceY} H${right - r} Q${right},${sourceY} ${right},${sourceY + r}`,
    `V${under - r} Q${right},${under} ${right - r},${under} H${left + r}`,
    `Q${left},${under} ${left},${under - r} V${targetY + r} Q${left},${targetY} ${left + r},${targetY} H${targetX - 3}`,
  ].join(' ');
}
