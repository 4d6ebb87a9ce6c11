import { Position } from '@xyflow/react';
import { useMemo, useRef } from 'react';
import type { CanvasGraph, CanvasStep } from '../graph/graph';
import { portAt, shownPorts } from '../graph/ports';
import { GROUP_HEAD, lowestBetween, type Placement, type Point } from '../layout/place';
import type { Selection } from '../selection';
import type { CableEdge } from './cable-edge';
import type { CableFace, StepFace, StepTrouble } from './faces';
import type { StepNode, StepNodeData } from './step-node';

export interface Drawn {
  readonly graph: CanvasGraph;
  readonly placement: Placement;
  /** Where steps are while they are moved. */
  readonly moved: ReadonlyMap<string, Point>;
  readonly selection: Selection;
  readonly faces: ReadonlyMap<string, StepFace> | null;
  readonly cableFaces: ReadonlyMap<string, CableFace> | null;
  readonly troubles: ReadonlyMap<string, StepTrouble>;
  /** The names of step types. */
  readonly types: ReadonlyMap<string, string>;
  readonly editable: boolean;
}

/** The id of a step's element, for `aria-activedescendant`. */
export const elementId = (key: string): string => `canvas-${key}`;

/** A node is the same object as long as nothing of it changed: only the others are drawn again. */
export function useNodes(drawn: Drawn): StepNode[] {
  const known = useRef(new Map<string, StepNode>());
  return useMemo(() => {
    const next = new Map<string, StepNode>();
    for (const step of drawn.graph.steps) {
      const made = nodeOf(drawn, step);
      if (made === null) continue;
      const last = known.current.get(step.key);
      next.set(step.key, last !== undefined && sameNode(last, made) ? last : made);
    }
    known.current = next;
    return [...next.values()];
  }, [drawn]);
}

function nodeOf(drawn: Drawn, step: CanvasStep): StepNode | null {
  const { placement, moved, selection, faces, troubles, types, editable } = drawn;
  const size = placement.sizes.get(step.key);
  const position = moved.get(step.key) ?? placement.at.get(step.key);
  if (size === undefined || position === undefined) return null;
  const face = faces?.get(step.key) ?? null;
  const type = types.get(step.step?.type ?? '') ?? step.step?.type ?? '';
  const data: StepNodeData = {
    ...{ step, size, type, face, trouble: troubles.get(step.key) ?? null, run: faces !== null },
  };
  return {
    ...{ id: step.key, type: 'step', position, data, ...size, handles: handlesOf(step, size) },
    // Only what is in sight is drawn, and so measured: the whole is fitted by these.
    measured: size,
    ...(step.parent === null ? {} : { parentId: step.parent }),
    selected: selection.steps.has(step.key),
    draggable: editable && step.step !== null,
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
      ...{ id: name, type: 'target' as const, position: Position.Left },
      ...{ x: -3, y: portAt(index, inputs.length, height) - 3, width: 7, height: 7 },
    })),
    ...outputs.map(({ name }, index) => ({
      ...{ id: name, type: 'source' as const, position: Position.Right },
      ...{ x: size.width - 4, y: portAt(index, outputs.length, height) - 3, width: 7, height: 7 },
    })),
  ];
}

const sameNode = (one: StepNode, other: StepNode): boolean =>
  one.selected === other.selected &&
  one.draggable === other.draggable &&
  one.zIndex === other.zIndex &&
  one.ariaLabel === other.ariaLabel &&
  one.position.x === other.position.x &&
  one.position.y === other.position.y &&
  one.data.step === other.data.step &&
  one.data.face === other.data.face &&
  one.data.type === other.data.type &&
  one.data.trouble?.text === other.data.trouble?.text &&
  one.width === other.width &&
  one.height === other.height;

/** What a step is called aloud: its name, its type, and how it stands. */
export function spokenStep({ step, type, face, trouble }: StepNodeData): string {
  if (step.step === null) return `${step.id}: there is no such step`;
  const words = [
    step.step.title ?? step.id,
    type,
    face === null ? null : face.word.word,
    face?.note ?? null,
    trouble === null ? null : `${trouble.severity}: ${trouble.text}`,
  ];
  return words.filter((word) => word !== null && word !== '').join(', ');
}

export function useEdges({ graph, placement, selection, cableFaces, editable }: Drawn): CableEdge[] {
  const known = useRef(new Map<string, CableEdge>());
  const labels = useMemo(() => portLabels(graph), [graph]);
  return useMemo(() => {
    const next = new Map<string, CableEdge>();
    for (const cable of graph.cables) {
      if (!placement.at.has(cable.from.step) || !placement.at.has(cable.to.step)) continue;
      const face = cableFaces?.get(cable.key) ?? null;
      const label = cable.back ? (labels.get(`${cable.from.step}.${cable.from.port}`) ?? null) : null;
      const selected = selection.cable === cable.key;
      const under = cable.back ? lowestBetween(graph, placement, cable) : 0;
      const last = known.current.get(cable.key);
      const same =
        last?.data?.cable === cable &&
        last.selected === selected &&
        last.data.under === under &&
        last.data.face?.state === face?.state &&
        last.reconnectable === editable;
      next.set(
        cable.key,
        same
          ? last
          : {
              ...{ id: cable.key, type: 'cable', data: { cable, face, label, under }, selected },
              ...{ source: cable.from.step, sourceHandle: cable.from.port },
              ...{ target: cable.to.step, targetHandle: cable.to.port },
              ...{ reconnectable: editable, zIndex: 1 },
            },
      );
    }
    known.current = next;
    return [...next.values()];
  }, [graph, placement, selection.cable, cableFaces, labels, editable]);
}

const portLabels = ({ steps }: CanvasGraph): ReadonlyMap<string, string> =>
  new Map(steps.flatMap(({ key, outputs }) => outputs.map(({ name, label }) => [`${key}.${name}`, label])));
