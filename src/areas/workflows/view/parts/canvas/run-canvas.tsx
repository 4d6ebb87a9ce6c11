import { holdsFocus } from '@areas/runs/view/parts/cards/trail';
import type { RunState } from '@contract/run/state';
import { useHandlers } from '@renderer/client/hooks';
import { useKeptSet, useSessionState } from '@renderer/ui/use-session-state';
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';
import type { CanvasHandle } from './flow/canvas-handle';
import { CanvasView } from './flow/canvas-view';
import { type CanvasCable, type CanvasGraph, canvasGraph } from './graph/graph';
import { usePlacement } from './layout/use-placement';
import { Difference } from './run/difference';
import { type Chosen, type RunFaces, runFaces } from './run/faces';
import { useFrozenPorts } from './run/frozen-definition';
import { RunOutputs } from './run/run-outputs';
import styles from './run-canvas.module.css';
import { type Selection, soleStep } from './selection';
import { Announced, showFound, Toolbar } from './toolbar';
import { useCanvasKeys } from './use-canvas-keys';
import { NOWHERE, useSelection, useToggle, useTypes } from './workflow-canvas';

interface RunCanvasProps {
  /** The run's unique id. */
  readonly uid: string;
  /** The run at the shown moment. */
  readonly state: RunState;
  /** The step that the address names. */
  readonly step: string | null;
  readonly onStep: (key: string | null) => void;
  /** Renders the details of a step, by its key in the run; null if none of it began. */
  readonly drawStep: (key: string | null, title: string) => ReactNode;
  /** What a step of the run gave out on a port. */
  readonly drawOutput: (key: string | null, port: string) => ReactNode;
  /** What crossed a cable, from this step of the run. */
  readonly drawCable: (cable: CanvasCable, from: string | null) => ReactNode;
}

/** Three lines: the step's name, its state, and details. */
const HEIGHT = 74;
const NO_TROUBLES = new Map();

/** A run drawn on its workflow, as the workflow was when the run began. */
export function RunCanvas(props: RunCanvasProps) {
  const { uid, state, step, onStep } = props;
  const types = useTypes();
  const { graph, faces, acts, outputs, toggle } = useRunDrawing(uid, state);
  const placement = usePlacement(graph, HEIGHT);
  const [selection, select] = useSelection(`canvas/${uid}/chosen`, step, onStep);
  const [said, say] = useState('');
  const handle = useRef<CanvasHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const side = useRef<HTMLElement>(null);
  useCanvasKeys({
    graph,
    selection,
    handle,
    box,
    field,
    say,
    onOpen: () => side.current?.focus(),
    placement: placement ?? NOWHERE,
    onSelect: select,
    onToggle: toggle,
  });
  const active = soleStep(selection);
  useHandlers({ 'canvas.outputs': active === null ? null : () => acts.outputs(active) }, () =>
    holdsFocus(box),
  );
  if (placement === null) return null;
  return (
    <div className={styles.runCanvas}>
      <CanvasView
        label={`Canvas of the run ${state.name}`}
        place={`canvas/${uid}`}
        graph={graph}
        placement={placement}
        selection={selection}
        types={types}
        acts={acts}
        handle={handle}
        box={box}
        onOpen={() => side.current?.focus()}
        active={active}
        troubles={NO_TROUBLES}
        faces={faces.steps}
        cableFaces={faces.cables}
        editing={null}
        onSelect={select}
      >
        <Toolbar
          graph={graph}
          field={field}
          onFound={showFound(select, handle)}
          onLeave={() => box.current?.focus()}
        >
          <Difference state={state} />
        </Toolbar>
        {outputs.step && (
          <RunOutputs
            key={outputs.step.key}
            step={outputs.step}
            drawOutput={(port) => props.drawOutput(faces.keys.get(outputs.step?.key ?? '') ?? null, port)}
            onClose={() => {
              outputs.close();
              box.current?.focus();
            }}
          />
        )}
        <Announced said={said} />
      </CanvasView>
      <Side side={side} graph={graph} selection={selection} faces={faces} {...props} />
    </div>
  );
}

const readListed = (kept: unknown): string | null => (typeof kept === 'string' ? kept : null);
const asIs = (listed: string | null): unknown => listed;
const keptChosen = (chosen: Chosen): unknown => [...chosen];
const readChosen = (kept: unknown): Chosen =>
  new Map(
    (Array.isArray(kept) ? kept : []).filter(
      (pair): pair is [string, string] =>
        Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string',
    ),
  );

/** The graph of the run's own definition, with the states from the run. */
function useRunDrawing(uid: string, state: RunState) {
  const { definition, called } = state;
  const [open, setOpen] = useKeptSet(`canvas/${uid}`, () =>
    definition.steps.filter(({ config }) => config?.body !== undefined).map(({ id }) => id),
  );
  const [chosen, setChosen] = useSessionState<Chosen>(`canvas/${uid}/scopes`, readChosen, keptChosen);
  const [listed, list] = useSessionState(`canvas/${uid}/outputs`, readListed, asIs);
  const ports = useFrozenPorts(state);
  const graph = useMemo(
    () => canvasGraph({ ...definition, ports, open, called }),
    [definition, ports, called, open],
  );
  const faces = useFaces(state, graph, chosen);
  const toggle = useToggle(setOpen);
  const acts = useMemo(
    () => ({
      toggle,
      outputs: (key: string) => list(key),
      choose: (key: string, scope: string) => setChosen((now) => new Map(now).set(key, scope)),
    }),
    [toggle, list, setChosen],
  );
  const step = graph.steps.find(({ key }) => key === listed) ?? null;
  return { graph, faces, acts, toggle, outputs: { step, close: () => list(null) } };
}

function useFaces(state: RunState, graph: CanvasGraph, chosen: Chosen): RunFaces {
  const before = useRef<RunFaces | null>(null);
  const faces = useMemo(
    () => runFaces(state, { graph, chosen, before: before.current }),
    [state, graph, chosen],
  );
  before.current = faces;
  return faces;
}

interface SideProps extends Pick<RunCanvasProps, 'drawStep' | 'drawCable'> {
  readonly side: RefObject<HTMLElement | null>;
  readonly graph: CanvasGraph;
  readonly selection: Selection;
  readonly faces: RunFaces;
}

/** The details of the selected step or cable. */
function Side({ side, graph, selection, faces, drawStep, drawCable }: SideProps) {
  const active = soleStep(selection);
  const shown = graph.steps.find(({ key }) => key === active);
  const cable = graph.cables.find(({ key }) => key === selection.cable);
  if (shown === undefined && cable === undefined) return null;
  return (
    <aside ref={side} className={`${styles.side} scroll`} tabIndex={-1} aria-label={shown ? 'Step' : 'Cable'}>
      {shown && drawStep(faces.keys.get(shown.key) ?? null, shown.step?.title ?? shown.id)}
      {cable && drawCable(cable, faces.keys.get(cable.from.step) ?? null)}
    </aside>
  );
}
