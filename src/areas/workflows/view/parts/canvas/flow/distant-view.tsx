import { getBezierPath, Position, ViewportPortal } from '@xyflow/react';
import { memo, useMemo } from 'react';
import type { Point } from '../layout/place';
import { backPath, type CableEdge, stateOf } from './cable-edge';
import styles from './cable-edge.module.css';
import type { Drawn } from './elements';
import { lookOfStep, type StepNode, type StepNodeData } from './step-node';
import shapes from './step-node.module.css';

interface FarViewProps extends FarCablesProps, FarShapesProps {}

/** What is drawn of a workflow from far away besides the elements of its steps. */
export function FarView({ drawn, nodes, edges, pending }: FarViewProps) {
  return (
    <>
      {pending.length > 0 && <FarShapes {...{ nodes, pending }} />}
      <FarCables {...{ drawn, nodes, edges }} />
    </>
  );
}

interface FarCablesProps {
  readonly drawn: Pick<Drawn, 'graph' | 'placement' | 'moved'>;
  readonly nodes: readonly StepNode[];
  readonly edges: readonly CableEdge[];
}

/**
 * All cables at a far zoom. Neighbouring cables of one look share a path: separate paths cost one element
 * each, and a single path would be repainted whole for each cable that looks different.
 */
function FarCables({ drawn: { graph, placement, moved }, nodes, edges }: FarCablesProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: nodes and edges lie elsewhere when one of these changes
  const paths = useMemo(() => pathsOf(nodes, edges), [graph, placement, moved]);
  const looks = useMemo(() => looksOf(paths, edges), [paths, edges]);
  return (
    <ViewportPortal>
      <svg className={styles.far} aria-hidden="true">
        {looks.map(({ key, ...look }) => (
          <FarCable key={key} {...look} />
        ))}
      </svg>
    </ViewportPortal>
  );
}

interface Look {
  readonly key: string;
  readonly state: string;
  readonly kind: string;
  readonly selected: boolean;
  readonly path: string;
}

const FarCable = memo(function FarCable({ state, kind, selected, path }: Omit<Look, 'key'>) {
  const part = selected ? { 'data-part': 'canvas-cable', 'data-selected': true } : {};
  return (
    <g className={styles.cable} data-state={state} data-kind={kind} {...part}>
      <path className={styles.line} d={path} />
    </g>
  );
});

/** Cables per path: they are adjacent in the file and mostly near each other. */
const TOGETHER = 20;

function looksOf(paths: ReadonlyMap<string, string>, edges: readonly CableEdge[]): readonly Look[] {
  const looks = new Map<string, Look>();
  for (const [index, { id, data, selected = false }] of edges.entries()) {
    const path = paths.get(id);
    if (data === undefined || path === undefined) continue;
    const { kind } = data.cable;
    const state = stateOf(data.cable, data.face);
    const key = `${selected ? 'selected' : Math.floor(index / TOGETHER)} ${state} ${kind}`;
    looks.set(key, { key, state, kind, selected, path: (looks.get(key)?.path ?? '') + path });
  }
  return [...looks.values()];
}

function pathsOf(nodes: readonly StepNode[], edges: readonly CableEdge[]): ReadonlyMap<string, string> {
  const places = portPlaces(nodes);
  const paths = new Map<string, string>();
  for (const { id, data, source, sourceHandle, target, targetHandle } of edges) {
    const from = places.get(`source ${source} ${sourceHandle}`);
    const to = places.get(`target ${target} ${targetHandle}`);
    if (data === undefined || from === undefined || to === undefined) continue;
    const ends = { sourceX: from.x, sourceY: from.y, targetX: to.x, targetY: to.y };
    const sides = { sourcePosition: Position.Right, targetPosition: Position.Left, curvature: 0.3 };
    paths.set(id, data.cable.back ? backPath(ends, data.under) : getBezierPath({ ...ends, ...sides })[0]);
  }
  return paths;
}

/** Where the cables of each port end, from the origin of the whole. */
function portPlaces(nodes: readonly StepNode[]): ReadonlyMap<string, Point> {
  const origins = originsOf(nodes);
  const places = new Map<string, Point>();
  for (const { id, handles = [] } of nodes) {
    const origin = origins.get(id) ?? { x: 0, y: 0 };
    for (const { id: port, type, x, y, width = 0, height = 0 } of handles)
      places.set(`${type} ${id} ${port}`, {
        x: origin.x + x + (type === 'source' ? width : 0),
        y: origin.y + y + height / 2,
      });
  }
  return places;
}

/** Where steps stand, from the origin of the whole. A step stands before those of its body. */
function originsOf(nodes: readonly StepNode[]): ReadonlyMap<string, Point> {
  const origins = new Map<string, Point>();
  for (const { id, parentId, position } of nodes) {
    const around = origins.get(parentId ?? '') ?? { x: 0, y: 0 };
    origins.set(id, { x: around.x + position.x, y: around.y + position.y });
  }
  return origins;
}

interface FarShapesProps {
  readonly nodes: readonly StepNode[];
  /** The nodes that are drawn here. */
  readonly pending: readonly StepNode[];
}

/** Steps whose elements React Flow has not made yet, as they look from far away. */
function FarShapes({ nodes, pending }: FarShapesProps) {
  const origins = useMemo(() => originsOf(nodes), [nodes]);
  return (
    <ViewportPortal>
      {pending.map((node) => {
        const { x, y } = origins.get(node.id) ?? node.position;
        return <FarShape key={node.id} data={node.data} x={x} y={y} />;
      })}
    </ViewportPortal>
  );
}

const FarShape = memo(function FarShape({ data, x, y }: { data: StepNodeData } & Point) {
  const { className, ...look } = lookOfStep(data, false);
  const { width, height } = data.size;
  return (
    <div
      {...look}
      className={`${className} ${shapes.shape}`}
      style={{ width, height, transform: `translate(${x}px, ${y}px)` }}
      data-part="canvas-shape"
      aria-hidden="true"
    />
  );
});
