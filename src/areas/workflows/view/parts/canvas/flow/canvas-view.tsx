import {
  type Connection,
  type FinalConnectionState,
  type NodeChange,
  type OnConnectStartParams,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStoreApi,
  type Viewport,
} from '@xyflow/react';
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { filePoint } from '../edit/places';
import type { CanvasEnd } from '../graph/graph';
import type { Size } from '../graph/ports';
import type { Placement, Point } from '../layout/place';
import { allOf, NOTHING, onlyCable, type Selection } from '../selection';
import { type CableEdge, CableEdgeView } from './cable-edge';
import { type CanvasHandle, Fitted, useCanvasHandle } from './canvas-handle';
import styles from './canvas-view.module.css';
import { type CanvasActs, CanvasContext, type Drawing, DrawingContext, EditableContext } from './context';
import { FarView } from './distant-view';
import { DRAGGED_TYPE } from './dragged-type';
import { type Drawn, elementId, useEdges, useNodes } from './elements';
import { useGradualNodes } from './gradual-nodes';
import { firstView, followed, LEAST_ZOOM, MOST_ZOOM, wholeView } from './initial-view';
import { Overview } from './overview';
import { isFar, SightContext, useSight } from './sight';
import { type StepNode, StepNodeView } from './step-node';
import { type KeptViewport, useViewport } from './use-viewport';

/** How the canvas changes a workflow. */
export interface CanvasEditing {
  /** Why a cable cannot end there; null if it can. */
  readonly whyNot: (from: CanvasEnd, to: CanvasEnd) => string | null;
  /** The same for reconnecting an existing cable. */
  readonly whyNotAgain: (cable: string) => CanvasEditing['whyNot'];
  /** A cable was dropped on a port where it cannot end. */
  readonly onRefused: (why: string) => void;
  readonly onConnect: (from: CanvasEnd, to: CanvasEnd) => void;
  readonly onReconnect: (cable: string, from: CanvasEnd, to: CanvasEnd) => void;
  /** Steps were moved to these positions in the file. Returns whether they were written. */
  readonly onMove: (moves: ReadonlyMap<string, Point>) => Promise<boolean>;
  /** A step type was dropped at this position in the workflow. */
  readonly onDrop: (type: string, at: Point) => void;
}

interface CanvasViewProps extends Omit<Drawn, 'moved' | 'editable' | 'far'> {
  /** The key under which the viewport is saved. */
  readonly place: string;
  readonly label: string;
  readonly acts: CanvasActs;
  readonly onSelect: (selection: Selection) => void;
  readonly onOpen: (key: string) => void;
  readonly handle: RefObject<CanvasHandle | null>;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly editing: CanvasEditing | null;
  readonly active: string | null;
  readonly children: ReactNode;
}

const NODES = { step: StepNodeView };
const EDGES = { cable: CableEdgeView };
const PRO = { hideAttribution: true };
/** The speed is in pixels a frame, while something is dragged at an edge: ports there must not run away from the pointer. */
const MOVING = { minZoom: LEAST_ZOOM, maxZoom: MOST_ZOOM, autoPanSpeed: 3 };
const NO_EDGES: CableEdge[] = [];

/** The canvas is about as large, until it is measured. */
const likelySize = (): Size => ({ width: window.innerWidth / 2, height: window.innerHeight / 2 });

export function CanvasView(props: CanvasViewProps) {
  const viewport = useViewport(props.place, props.active);
  // Only what was measured tells a canvas that is shown as it was from one whose size changed.
  const [size] = useState(() => (viewport.first === null ? likelySize() : null));
  return (
    <ReactFlowProvider {...(size && { initialWidth: size.width, initialHeight: size.height })}>
      <Flow {...props} viewport={viewport} />
    </ReactFlowProvider>
  );
}

type FlowProps = CanvasViewProps & { readonly viewport: KeptViewport };

/** From where the canvas is drawn at first. React Flow would draw the steps near the origin once, whatever is in sight. */
function useFirstView(props: FlowProps) {
  const { viewport, active } = props;
  const store = useStoreApi();
  const viewOf = (size: Size): Viewport =>
    viewport.whole.current ? wholeView(props, size) : firstView(props, size, active);
  const [first] = useState(() => {
    const view = viewport.first ?? viewOf(likelySize());
    store.setState({ transform: [view.x, view.y, view.zoom] });
    return view;
  });
  const show = () => {
    if (active !== null) props.handle.current?.show(active);
  };
  return { first, fitted: { viewport, active, busy: followed(props), viewOf, show } };
}

function Flow(props: FlowProps) {
  const { label, graph, placement, selection, faces, cableFaces, troubles, types } = props;
  const { acts, editing, box, active, viewport } = props;
  const { first, fitted } = useFirstView(props);
  const [moved, setMoved] = useState<ReadonlyMap<string, Point>>(new Map());
  const editable = editing !== null;
  const sight = useSight(graph.steps.length);
  const far = isFar(sight);
  const drawn = useMemo(
    () => ({ graph, placement, moved, selection, faces, cableFaces, troubles, types, editable, far }),
    [graph, placement, moved, selection, faces, cableFaces, troubles, types, editable, far],
  );
  const all = useNodes(drawn);
  const { nodes, pending } = useGradualNodes(all, sight === 'shape');
  const edges = useEdges(drawn);
  const cabling = useCabling(props);
  const changes = useChanges(props, setMoved);
  useCanvasHandle(props);
  const dropping = useDropping(editing);
  const presses = usePresses(props);
  return (
    <CanvasContext.Provider value={acts}>
      <EditableContext.Provider value={editable}>
        <DrawingContext.Provider value={cabling.drawing}>
          <SightContext.Provider value={sight === 'large' ? 'full' : sight}>
            <div
              ref={box}
              className={styles.canvas}
              role="application"
              aria-label={label}
              aria-activedescendant={active === null ? undefined : elementId(active)}
              data-part="canvas"
              data-sight={sight}
              data-nav
              data-focus
              data-drawing={cabling.drawing !== null || undefined}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas is one tab stop
              tabIndex={0}
              onPointerDownCapture={(event) => {
                keepFocus(event);
                if ((event.target as HTMLElement).closest('.react-flow') !== null)
                  viewport.touched.current = true;
              }}
              {...dropping}
            >
              <ReactFlow<StepNode, CableEdge>
                {...changes}
                {...cabling.props}
                {...presses}
                nodes={nodes}
                edges={far ? NO_EDGES : edges}
                nodeTypes={NODES}
                edgeTypes={EDGES}
                proOptions={PRO}
                defaultViewport={first}
                onMoveEnd={viewport.onMoveEnd}
                {...MOVING}
                onlyRenderVisibleElements
                disableKeyboardA11y
                nodesFocusable={false}
                edgesFocusable={false}
                nodesConnectable={editable}
                connectOnClick={false}
                nodesDraggable={editable}
                nodeDragThreshold={3}
                deleteKeyCode={null}
                selectionKeyCode="Shift"
                multiSelectionKeyCode={['Control', 'Meta', 'Shift']}
                zoomOnDoubleClick={false}
                panOnScroll
              >
                {far && <FarView drawn={drawn} nodes={all} edges={edges} pending={pending} />}
                <Fitted {...fitted} />
                {graph.steps.length > 0 && pending.length === 0 && <Overview />}
              </ReactFlow>
              {props.children}
            </div>
          </SightContext.Provider>
        </DrawingContext.Provider>
      </EditableContext.Provider>
    </CanvasContext.Provider>
  );
}

const KEEPS_FOCUS = 'input, select, button, textarea, a, dialog, [data-part="canvas-chooser"]';

/** A press anywhere on the canvas gives it the keyboard focus. */
function keepFocus(event: React.PointerEvent<HTMLDivElement>): void {
  const target = event.target as HTMLElement;
  if (target.closest(KEEPS_FOCUS) === null) event.currentTarget.focus({ preventScroll: true });
}

/** Stable functions: React Flow draws every step again when one of them changes. */
function usePresses(props: FlowProps) {
  const latest = useRef(props);
  latest.current = props;
  const [presses] = useState(() => ({
    onMoveStart: (event: MouseEvent | TouchEvent | null) => {
      if (event !== null) latest.current.viewport.touched.current = true;
    },
    onNodeDoubleClick: (_: unknown, node: StepNode) => latest.current.onOpen(node.id),
    onEdgeClick: (_: unknown, edge: CableEdge) => latest.current.onSelect(onlyCable(edge.id)),
    onPaneClick: () => latest.current.onSelect(NOTHING),
  }));
  return presses;
}

function useChanges(
  { graph, placement, selection, onSelect, editing }: CanvasViewProps,
  setMoved: (moved: ReadonlyMap<string, Point>) => void,
) {
  const latest = useRef({ selection, graph, placement, onSelect, editing });
  latest.current = { selection, graph, placement, onSelect, editing };
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
      if (selected) latest.current.onSelect(allOf(chosen));
    },
    [setMoved],
  );
  const onDragStop = useCallback(() => {
    const { placement, editing } = latest.current;
    const moves = [...moving.current].filter(([key, point]) => differs(placement.at.get(key), point));
    moving.current = new Map();
    if (moves.length === 0 || editing === null) return setMoved(new Map());
    // The written positions arrive with the file; until then the steps stay where they were dropped.
    const written = new Map(moves.map(([key, point]) => [key, filePoint(latest.current, key, point)]));
    void editing.onMove(written).then((done) => {
      if (!done) setMoved(new Map());
    });
  }, [setMoved]);
  useForget(placement, setMoved);
  return {
    onNodesChange,
    onNodeDragStop: onDragStop,
    onSelectionDragStop: onDragStop,
  };
}

/** A new placement contains the written positions. */
function useForget(placement: Placement, setMoved: (moved: ReadonlyMap<string, Point>) => void): void {
  const last = useRef(placement);
  useEffect(() => {
    if (last.current === placement) return;
    last.current = placement;
    setMoved(new Map());
  }, [placement, setMoved]);
}

const differs = (one: Point | undefined, other: Point): boolean =>
  one === undefined || Math.round(one.x) !== Math.round(other.x) || Math.round(one.y) !== Math.round(other.y);

interface Cabling {
  readonly drawing: Drawing | null;
  readonly props: object;
}

const endsOf = ({
  source,
  sourceHandle,
  target,
  targetHandle,
}: Connection | CableEdge): [CanvasEnd, CanvasEnd] => [
  { step: source, port: sourceHandle ?? '' },
  { step: target, port: targetHandle ?? '' },
];

/**
 * Cables that are drawn or led elsewhere by the mouse. Always the same functions: each other one would have React Flow ask
 * all steps whether they look different.
 */
function useCabling({ editing }: CanvasViewProps): Cabling {
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const latest = useRef(editing);
  latest.current = editing;
  /** The rules for the cable one of whose ends is held. */
  const held = useRef<CanvasEditing['whyNot'] | null>(null);
  const [props] = useState(() => {
    const whyNot = (from: CanvasEnd, to: CanvasEnd) =>
      (held.current ?? latest.current?.whyNot)?.(from, to) ?? null;
    const end = (state: FinalConnectionState) => {
      setDrawing(null);
      const { fromHandle, toHandle, isValid } = state;
      if (isValid !== false || fromHandle === null || toHandle === null) return;
      const handles = fromHandle.type === 'source' ? [fromHandle, toHandle] : [toHandle, fromHandle];
      const [from, to] = handles.map(({ nodeId, id }) => ({ step: nodeId, port: id ?? '' }));
      const both = fromHandle.type !== toHandle.type && from !== undefined && to !== undefined;
      latest.current?.onRefused(
        (both ? whyNot(from, to) : null) ?? 'A cable leads from an output to an input',
      );
    };
    return {
      onConnectStart: (_: unknown, { nodeId, handleId, handleType }: OnConnectStartParams) => {
        if (nodeId === null || handleId === null || handleType !== 'source') return;
        const from = { step: nodeId, port: handleId };
        setDrawing({ from, whyNot: (to) => whyNot(from, to) });
      },
      onConnectEnd: (_: unknown, state: FinalConnectionState) => end(state),
      onConnect: (connection: Connection) => latest.current?.onConnect(...endsOf(connection)),
      onReconnectStart: (_: unknown, edge: CableEdge) => {
        held.current = latest.current?.whyNotAgain(edge.id) ?? null;
      },
      onReconnectEnd: () => {
        held.current = null;
      },
      onReconnect: (edge: CableEdge, connection: Connection) =>
        latest.current?.onReconnect(edge.id, ...endsOf(connection)),
      isValidConnection: (connection: Connection | CableEdge) => whyNot(...endsOf(connection)) === null,
      connectionRadius: 24,
    };
  });
  return editing === null ? NO_CABLING : { drawing, props };
}

const NO_CABLING: Cabling = { drawing: null, props: {} };

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
