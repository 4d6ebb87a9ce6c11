import { stepWords } from '@renderer/parts/words/status-words';
import { Position } from '@xyflow/react';
import { useMemo, useRef } from 'react';
import type { CanvasGraph, CanvasStep } from '../graph/graph';
import { portAt, type Size, shownPorts } from '../graph/ports';
import { GROUP_HEAD, lowestBetween, type Placement, type Point } from '../layout/place';
import type { Selection } from '../selection';
import type { CableEdge } from './cable-edge';
import type { CableFace, StepFace, StepTrouble } from './faces';
import type { StepNode, StepNodeData } from './step-node';

export interface Drawn {
  readonly graph: CanvasGraph;
  readonly placement: Placement;
  /** Positions of steps while they are dragged. */
  readonly moved: ReadonlyMap<string, Point>;
  readonly selection: Selection;
  readonly faces: ReadonlyMap<string, StepFace> | null;
  readonly cableFaces: ReadonlyMap<string, CableFace> | null;
  readonly troubles: ReadonlyMap<string, StepTrouble>;
  /** The names of step types. */
  readonly types: ReadonlyMap<string, string>;
  readonly editable: boolean;
  /** Whether only shapes are drawn. */
  readonly far: boolean;
}

/** The id of a step's element, for `aria-activedescendant`. */
export const elementId = (key: string): string => `canvas-${key}`;

/** A node stays the same object while nothing in it changed: only changed nodes are drawn again. */
export function useNodes(drawn: Drawn): StepNode[] {
  const known = useRef<Known<StepNode>>(NONE);
  return useMemo(() => {
    const next = drawn.graph.steps.flatMap((step) => {
      const look = lookOf(drawn, step);
      if (look === null) return [];
      const last = known.current.byId.get(step.key);
      return last !== undefined && isDrawnAs(last, look) ? last : nodeOf(look);
    });
    known.current = keptAll(known.current, next);
    return known.current.all;
  }, [drawn]);
}

interface Known<T> {
  readonly byId: ReadonlyMap<string, T>;
  readonly all: T[];
}

const NONE = { byId: new Map<string, never>(), all: [] };

/** Returns the known list if every element is the same: React Flow then has nothing to update. */
function keptAll<T extends { readonly id: string }>(known: Known<T>, next: T[]): Known<T> {
  const same = next.length === known.all.length && next.every((one, index) => one === known.all[index]);
  return same ? known : { byId: new Map(next.map((one) => [one.id, one])), all: next };
}

/** Everything that the node of a step depends on. */
interface Look {
  readonly step: CanvasStep;
  readonly size: Size;
  readonly position: Point;
  readonly face: StepFace | null;
  readonly run: boolean;
  readonly trouble: StepTrouble | null;
  readonly type: string;
  readonly selected: boolean;
  readonly draggable: boolean;
  readonly far: boolean;
}

function lookOf(drawn: Drawn, step: CanvasStep): Look | null {
  const { placement, moved, selection, faces, troubles, types, editable, far } = drawn;
  const size = placement.sizes.get(step.key);
  const position = moved.get(step.key) ?? placement.at.get(step.key);
  if (size === undefined || position === undefined) return null;
  return {
    step,
    size,
    position,
    run: faces !== null,
    face: faces?.get(step.key) ?? null,
    trouble: troubles.get(step.key) ?? null,
    type: types.get(step.step?.type ?? '') ?? step.step?.type ?? '',
    selected: selection.steps.has(step.key),
    draggable: editable && step.step !== null,
    far,
  };
}

const isDrawnAs = (node: StepNode, look: Look): boolean =>
  // React Flow drops the handles of a node that it measures without ports. A new node object restores them.
  node.data.far === look.far &&
  node.data.step === look.step &&
  node.data.face === look.face &&
  node.data.run === look.run &&
  node.data.type === look.type &&
  node.data.trouble?.text === look.trouble?.text &&
  node.data.trouble?.severity === look.trouble?.severity &&
  node.selected === look.selected &&
  node.draggable === look.draggable &&
  node.position.x === look.position.x &&
  node.position.y === look.position.y &&
  node.width === look.size.width &&
  node.height === look.size.height;

function nodeOf(look: Look): StepNode {
  const { step, size, position, face, run, trouble, type, selected, draggable, far } = look;
  const data: StepNodeData = { step, size, type, face, trouble, run, far };
  return {
    id: step.key,
    type: 'step',
    position,
    data,
    ...size,
    handles: handlesOf(step, size),
    // Only visible nodes are drawn and measured: fitting the whole workflow uses these sizes.
    measured: size,
    ...(step.parent === null ? {} : { parentId: step.parent }),
    selected,
    draggable,
    selectable: step.step !== null,
    zIndex: step.open ? 0 : 1,
    ariaLabel: spokenStep(data),
    domAttributes: { id: elementId(step.key), role: 'group', 'aria-roledescription': 'step' } as never,
  };
}

function handlesOf(step: CanvasStep, size: { width: number; height: number }) {
  const height = step.open ? GROUP_HEAD + 24 : size.height;
  const inputs = shownPorts(step.inputs);
  const outputs = shownPorts(step.outputs);
  return [
    ...inputs.map(({ name }, index) => ({
      id: name,
      type: 'target' as const,
      position: Position.Left,
      x: -3,
      y: portAt(index, inputs.length, height) - 3,
      width: 7,
      height: 7,
    })),
    ...outputs.map(({ name }, index) => ({
      id: name,
      type: 'source' as const,
      position: Position.Right,
      x: size.width - 4,
      y: portAt(index, outputs.length, height) - 3,
      width: 7,
      height: 7,
    })),
  ];
}

/** The accessible name of a step: its name, type and state. */
function spokenStep({ step, type, face, trouble }: StepNodeData): string {
  if (step.step === null) return `${step.id}: there is no such step`;
  const words = [
    step.step.title ?? step.id,
    type,
    step.off && face?.word !== stepWords.off ? stepWords.off.word : null,
    face === null ? null : face.word.word,
    face?.note ?? null,
    trouble === null ? null : `${trouble.severity}: ${trouble.text}`,
  ];
  return words.filter((word) => word !== null && word !== '').join(', ');
}

export function useEdges({ graph, placement, selection, cableFaces, editable }: Drawn): CableEdge[] {
  const known = useRef<Known<CableEdge>>(NONE);
  const labels = useMemo(() => portLabels(graph), [graph]);
  const ways = useMemo(() => waysBack(graph, placement), [graph, placement]);
  return useMemo(() => {
    const next = graph.cables.flatMap((cable): CableEdge[] => {
      if (!placement.at.has(cable.from.step) || !placement.at.has(cable.to.step)) return [];
      const face = cableFaces?.get(cable.key) ?? null;
      const selected = selection.cable === cable.key;
      const under = ways.get(cable.key) ?? 0;
      const last = known.current.byId.get(cable.key);
      if (
        last?.data?.cable === cable &&
        last.selected === selected &&
        last.data.under === under &&
        last.data.face?.state === face?.state &&
        last.reconnectable === editable
      )
        return [last];
      const label = cable.back ? (labels.get(`${cable.from.step}.${cable.from.port}`) ?? null) : null;
      return [
        {
          id: cable.key,
          type: 'cable',
          data: { cable, face, label, under },
          selected,
          source: cable.from.step,
          sourceHandle: cable.from.port,
          target: cable.to.step,
          targetHandle: cable.to.port,
          reconnectable: editable,
          zIndex: 1,
        },
      ];
    });
    known.current = keptAll(known.current, next);
    return known.current.all;
  }, [graph, placement, selection.cable, cableFaces, labels, ways, editable]);
}

/** How far below the steps each cable that leads back runs, by its key. */
const waysBack = (graph: CanvasGraph, placement: Placement): ReadonlyMap<string, number> =>
  new Map(
    graph.cables.flatMap((cable): [string, number][] =>
      cable.back ? [[cable.key, lowestBetween(graph, placement, cable)]] : [],
    ),
  );

const portLabels = ({ steps }: CanvasGraph): ReadonlyMap<string, string> =>
  new Map(steps.flatMap(({ key, outputs }) => outputs.map(({ name, label }) => [`${key}.${name}`, label])));
