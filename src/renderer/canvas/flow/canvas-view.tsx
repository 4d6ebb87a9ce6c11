import {
  type Connection,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { CanvasEnd, CanvasGraph } from '../graph/graph';
import type { Placement, Point } from '../layout/place';
import { allOf, NOTHING, onlyCable, type Selection } from '../selection';
import { type CableEdge, CableEdgeView } from './cable-edge';
import styles from './canvas-view.module.css';
import { type CanvasActs, CanvasContext, type Drawing, DrawingContext, EditableContext } from './context';
import { type Drawn, elementId, useEdges, useNodes } from './elements';
import { Overview } from './overview';
import { type StepNode, StepNodeView } from './step-node';

/** What the canvas does to a workflow. */
export interface CanvasEditing {
  /** Why a cable cannot lead there; null where it can. */
  readonly whyNot: (from: CanvasEnd, to: CanvasEnd) => string | null;
  readonly onConnect: (from: CanvasEnd, to: CanvasEnd) => void;
  readonly onReconnect: (cable: string, from: CanvasEnd, to: CanvasEnd) => void;
  /** Steps were moved to these places of the file. */
  readonly onMove: (moves: ReadonlyMap<string, Point>) => void;
  /** A step type was dropped, at this place of the workflow. */
  readonly onDrop: (type: string, at: Point) => void;
}

export interface CanvasHandle {
  readonly fit: () => void;
  readonly zoom: (by: number) => void;
  /** Brings a step into sight. */
  readonly show: (key: string) => void;
  /** The middle of what is seen, as a place of the workflow. */
  readonly middle: () => Point;
}

export interface CanvasViewProps extends Omit<Drawn, 'moved' | 'editable'> {
  readonly label: string;
  readonly acts: CanvasActs;
  readonly onSelect: (selection: Selection) => void;
  readonly onOpen: (key: string) => void;
  readonly handle: RefObject<CanvasHandle | null>;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly editing: CanvasEditing | null;
  readonly active: string | null;
  readonly children?: ReactNode;
}

const NODES = { step: StepNodeView };
const EDGES = { cable: CableEdgeView };
const FIT = { padding: 0.12, maxZoom: 1 };
const PRO = { hideAttribution: true };
export const DRAGGED_TYPE = 'application/x-muster-step';

export function CanvasView(props: CanvasViewProps) {
  return (
    <ReactFlowProvider>
      <Flow {...props} />
    </ReactFlowProvider>
  );
}

function Flow(props: CanvasViewProps) {
  const { label, graph, placement, selection, faces, cableFaces, troubles, types } = props;
  const { acts, editing, box, active } = props;
  const [moved, setMoved] = useState<ReadonlyMap<string, Point>>(new Map());
  const editable = editing !== null;
  const drawn = useMemo(
    () => ({ graph, placement, moved, selection, faces, cableFaces, troubles, types, editable }),
    [graph, placement, moved, selection, faces, cableFaces, troubles, types, editable],
  );
  const nodes = useNodes(drawn);
  const edges = useEdges(drawn);
  const cabling = useCabling(props);
  const changes = useChanges(props, setMoved);
  useCanvasHandle(props);
  const dropping = useDropping(editing);
  const touched = useRef(false);
  return (
    <CanvasContext.Provider value={acts}>
      <EditableContext.Provider value={editable}>
        <DrawingContext.Provider value={cabling.drawing}>
          <div
            ref={box}
            className={styles.canvas}
            role="application"
            aria-label={label}
            aria-activedescendant={active === null ? undefined : elementId(active)}
            data-part="canvas"
            data-nav
            data-focus
            data-drawing={cabling.drawing !== null || undefined}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas is one stop of Tab
            tabIndex={0}
            onPointerDownCapture={keepFocus}
            {...dropping}
          >
            <ReactFlow<StepNode, CableEdge>
              {...changes}
              {...cabling.props}
              nodes={nodes}
              edges={edges}
              nodeTypes={NODES}
              edgeTypes={EDGES}
              proOptions={PRO}
              fitView
              fitViewOptions={FIT}
              minZoom={0.05}
              maxZoom={2}
              onlyRenderVisibleElements
              disableKeyboardA11y
              nodesFocusable={false}
              edgesFocusable={false}
              nodesConnectable={editable}
              nodesDraggable={editable}
              nodeDragThreshold={3}
              deleteKeyCode={null}
              selectionKeyCode="Shift"
              multiSelectionKeyCode={['Control', 'Meta', 'Shift']}
              zoomOnDoubleClick={false}
              panOnScroll
              onMoveStart={(event) => {
                if (event !== null) touched.current = true;
              }}
              onNodeDoubleClick={(_, node) => props.onOpen(node.id)}
            >
              <Far box={box} />
              <Fitted touched={touched} />
              <Overview />
            </ReactFlow>
            {props.children}
          </div>
        </DrawingContext.Provider>
      </EditableContext.Provider>
    </CanvasContext.Provider>
  );
}

/** A press on the canvas brings the keys to it, wherever on it. */
function keepFocus(event: React.PointerEvent<HTMLDivElement>): void {
  const target = event.target as HTMLElement;
  if (target.closest('input, select, button, textarea, a, [role="dialog"]') === null)
    event.currentTarget.focus({ preventScroll: true });
}

/** All of it stays in sight while its place changes its size, until the operator moves it. */
function Fitted({ touched }: { touched: RefObject<boolean> }) {
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  useEffect(() => {
    if (width > 0 && height > 0 && !touched.current) void flow.fitView(FIT);
  }, [flow, width, height, touched]);
  return null;
}

/** From far away, only shapes are drawn. */
function Far({ box }: { box: RefObject<HTMLDivElement | null> }) {
  const far = useStore((state) => state.transform[2] < 0.4);
  box.current?.toggleAttribute('data-far', far);
  return null;
}

function useChanges(
  { graph, placement, selection, onSelect, editing }: CanvasViewProps,
  setMoved: (moved: ReadonlyMap<string, Point>) => void,
) {
  const latest = useRef({ selection, graph, placement });
  latest.current = { selection, graph, placement };
  const moving = useRef(new Map<string, Point>());
  const onNodesChange = useCallback(
    (changes: NodeChange<StepNode>[]) => {
      const chosen = new Set(latest.current.selection.steps);
      let selected = false;
      for (const change of changes) {
        if (change.type === 'position' && change.position && change.dragging)
          moving.current.set(change.id, change.position);
        if (change.type !== 'select') continue;
        selected = true;
        if (change.selected) chosen.add(change.id);
        else chosen.delete(change.id);
      }
      if (moving.current.size > 0) setMoved(new Map(moving.current));
      if (selected) onSelect(allOf(chosen));
    },
    [onSelect, setMoved],
  );
  const onDragStop = useCallback(() => {
    const { placement } = latest.current;
    const moves = [...moving.current].filter(([key, point]) => differs(placement.at.get(key), point));
    moving.current = new Map();
    if (moves.length > 0)
      editing?.onMove(new Map(moves.map(([key, point]) => [key, filePoint(latest.current, key, point)])));
    // The written places come with the file; until then the steps stay where they were let go.
    if (moves.length === 0) setMoved(new Map());
  }, [editing, setMoved]);
  useForget(graph, setMoved);
  return {
    onNodesChange,
    onNodeDragStop: onDragStop,
    onSelectionDragStop: onDragStop,
    onEdgeClick: (_: unknown, edge: CableEdge) => onSelect(onlyCable(edge.id)),
    onPaneClick: () => onSelect(NOTHING),
  };
}

/** Another graph has the places that were written. */
function useForget(graph: CanvasGraph, setMoved: (moved: ReadonlyMap<string, Point>) => void): void {
  const last = useRef(graph);
  if (last.current !== graph) {
    last.current = graph;
    setMoved(new Map());
  }
}

const differs = (one: Point | undefined, other: Point): boolean =>
  one === undefined || Math.round(one.x) !== Math.round(other.x) || Math.round(one.y) !== Math.round(other.y);

/** The place as the file has it: from the origin of the body that the step stands in. */
export function filePoint(
  { graph, placement }: { readonly graph: CanvasGraph; readonly placement: Placement },
  key: string,
  { x, y }: Point,
): Point {
  const parent = graph.steps.find((step) => step.key === key)?.parent ?? null;
  const origin = (parent === null ? undefined : placement.origins.get(parent)) ?? { x: 0, y: 0 };
  return { x: Math.round(x - origin.x), y: Math.round(y - origin.y) };
}

interface Cabling {
  readonly drawing: Drawing | null;
  readonly props: object;
}

function useCabling({ editing }: CanvasViewProps): Cabling {
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  if (editing === null) return { drawing: null, props: {} };
  const ends = ({
    source,
    sourceHandle,
    target,
    targetHandle,
  }: Connection | CableEdge): [CanvasEnd, CanvasEnd] => [
    { step: source, port: sourceHandle ?? '' },
    { step: target, port: targetHandle ?? '' },
  ];
  const begin = (from: CanvasEnd) => setDrawing({ from, whyNot: (to) => editing.whyNot(from, to) });
  return {
    drawing,
    props: {
      onConnectStart: (
        _: unknown,
        {
          nodeId,
          handleId,
          handleType,
        }: { nodeId: string | null; handleId: string | null; handleType: string | null },
      ) => {
        if (nodeId && handleId && handleType === 'source') begin({ step: nodeId, port: handleId });
      },
      onConnectEnd: () => setDrawing(null),
      onConnect: (connection: Connection) => editing.onConnect(...ends(connection)),
      onReconnect: (edge: CableEdge, connection: Connection) =>
        editing.onReconnect(edge.id, ...ends(connection)),
      isValidConnection: (connection: Connection | CableEdge) => editing.whyNot(...ends(connection)) === null,
      connectionRadius: 24,
    },
  };
}

function useCanvasHandle({ handle, placement, graph }: CanvasViewProps): void {
  const flow = useReactFlow<StepNode, CableEdge>();
  const box = useStore((state) => state.domNode);
  useImperativeHandle(
    handle,
    () => ({
      fit: () => void flow.fitView(FIT),
      zoom: (by) => void flow.zoomTo(flow.getZoom() * by),
      middle: () => {
        const { left, top, width, height } = (box ?? document.body).getBoundingClientRect();
        return flow.screenToFlowPosition({ x: left + width / 2, y: top + height / 2 });
      },
      show: (key) => {
        const node = flow.getInternalNode(key);
        const size = placement.sizes.get(key);
        if (node === undefined || size === undefined) return;
        const { x, y } = node.internals.positionAbsolute;
        const { left, top, width, height } = (box ?? document.body).getBoundingClientRect();
        const zoom = flow.getZoom();
        const from = flow.flowToScreenPosition({ x, y });
        const inside =
          from.x > left + 24 &&
          from.y > top + 56 &&
          from.x + size.width * zoom < left + width - 24 &&
          from.y + size.height * zoom < top + height - 24;
        if (inside && zoom >= 0.4) return;
        const group = graph.steps.find((step) => step.key === key)?.open === true;
        const down = group ? 60 : size.height / 2;
        void flow.setCenter(x + Math.min(size.width, 400) / 2, y + down, { zoom: Math.max(zoom, 0.6) });
      },
    }),
    [flow, box, placement, graph],
  );
}

function useDropping(editing: CanvasEditing | null) {
  const flow = useReactFlow();
  if (editing === null) return {};
  return {
    onDragOver: (event: React.DragEvent) => {
      if (!event.dataTransfer.types.includes(DRAGGED_TYPE)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    },
    onDrop: (event: React.DragEvent) => {
      const type = event.dataTransfer.getData(DRAGGED_TYPE);
      if (type === '') return;
      event.preventDefault();
      editing.onDrop(type, flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }));
    },
  };
}
