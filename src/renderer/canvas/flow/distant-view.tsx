import { getBezierPath, Position, ViewportPortal } from '@xyflow/react';
import { memo, useMemo } from 'react';
import { backPath, type CableEdge, stateOf } from './cable-edge';
import styles from './cable-edge.module.css';
import type { Drawn } from './elements';
import type { StepNode } from './step-node';

interface FarCablesProps {
  readonly drawn: Pick<Drawn, 'graph' | 'placement' | 'moved'>;
  readonly nodes: readonly StepNode[];
  readonly edges: readonly CableEdge[];
}

/**
 * All cables seen from far away: neighbours of one look share a path, where each on its own costs an element to lay out.
 * One path for all would be painted again as a whole for each cable that looks different.
 */
export function FarCables({ drawn: { graph, placement, moved }, nodes, edges }: FarCablesProps) {
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

/** Cables in one path: they follow each other in the file, and mostly lie near each other. */
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

/** Where the cables of each port end, from the origin of the whole. A step is before those of its body. */
function portPlaces(nodes: readonly StepNode[]): ReadonlyMap<string, { x: number; y: number }> {
  const origins = new Map<string, { x: number; y: number }>();
  const places = new Map<string, { x: number; y: number }>();
  for (const { id, parentId, position, handles = [] } of nodes) {
    const around = origins.get(parentId ?? '') ?? { x: 0, y: 0 };
    const origin = { x: around.x + position.x, y: around.y + position.y };
    origins.set(id, origin);
    for (const { id: port, type, x, y, width = 0, height = 0 } of handles)
      places.set(`${type} ${id} ${port}`, {
        x: origin.x + x + (type === 'source' ? width : 0),
        y: origin.y + y + height / 2,
      });
  }
  return places;
}
