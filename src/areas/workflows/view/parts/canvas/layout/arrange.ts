import { LAYOUT_WORKER_IDLE_MS } from '@renderer/limits';
import ELK, { type ELK as Elk, type ElkNode } from 'elkjs/lib/elk-api.js';
import type { Arrange, Point } from './place';

let elk: Elk | null = null;
let pending = 0;
let idle: ReturnType<typeof setTimeout> | null = null;

const started = (): Elk => {
  elk ??= new ELK({
    workerFactory: () => new Worker(new URL('./elk.worker.ts', import.meta.url), { type: 'module' }),
  });
  return elk;
};

function stop(): void {
  idle = null;
  elk?.terminateWorker();
  elk = null;
}

const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.spacing.nodeNode': '40',
  'elk.spacing.edgeNode': '20',
  'elk.layered.spacing.nodeNodeBetweenLayers': '64',
  'elk.spacing.componentComponent': '48',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.nodePlacement.favorStraightEdges': 'true',
};

/** Lays out steps in layers from left to right, in a worker. */
export const arrange: Arrange = async ({ nodes, edges }) => {
  if (idle !== null) clearTimeout(idle);
  pending += 1;
  try {
    const children = nodes.map(({ id, size, inputs, outputs }): ElkNode => {
      const port = (side: 'WEST' | 'EAST') => (one: { name: string; y: number }) => ({
        id: `${side} ${id} ${one.name}`,
        width: 0,
        height: 0,
        y: one.y,
        x: side === 'WEST' ? 0 : size.width,
        layoutOptions: { 'elk.port.side': side },
      });
      return {
        id,
        width: size.width,
        height: size.height,
        ports: [...inputs.map(port('WEST')), ...outputs.map(port('EAST'))],
        layoutOptions: { 'elk.portConstraints': 'FIXED_POS' },
      };
    });
    const laid = await started().layout({
      id: 'root',
      layoutOptions: OPTIONS,
      children,
      edges: edges.map(({ from, to }, index) => ({
        id: `edge ${index}`,
        sources: [`EAST ${from.step} ${from.port}`],
        targets: [`WEST ${to.step} ${to.port}`],
      })),
    });
    return new Map(
      laid.children?.map(({ id, x = 0, y = 0 }): [string, Point] => [
        id,
        { x: Math.round(x), y: Math.round(y) },
      ]),
    );
  } finally {
    pending -= 1;
    if (pending === 0) idle = setTimeout(stop, LAYOUT_WORKER_IDLE_MS);
  }
};
