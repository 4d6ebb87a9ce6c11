import type { RunState } from '@contract/run/state';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { type CanvasHandle, CanvasView } from './flow/canvas-view';
import { type CanvasCable, type CanvasGraph, canvasGraph } from './graph/graph';
import { usePlacement } from './layout/use-placement';
import { type Chosen, type RunFaces, runFaces } from './run/faces';
import styles from './run-canvas.module.css';
import { onlyStep, soleStep } from './selection';
import { Toolbar } from './toolbar';
import { useCanvasKeys } from './use-canvas-keys';
import { NOWHERE, useSelection, useToggle, useTypes } from './workflow-canvas';

interface RunCanvasProps {
  /** The run at the moment that is shown. */
  readonly state: RunState;
  /** The step that the address names. */
  readonly step: string | null;
  readonly onStep: (key: string | null) => void;
  /** What is told of a step, by its key in the run; null where nothing of it began. */
  readonly drawStep: (key: string | null, title: string) => ReactNode;
  /** What crossed a cable that ends at these keys of the run. */
  readonly drawCable: (cable: CanvasCable, from: string | null) => ReactNode;
}

/** Three lines: what the step is called, how it stands, and what more there is to say. */
const HEIGHT = 74;
const NO_PORTS = {};
const NO_TROUBLES = new Map();

/** A run on the picture of its workflow, as the workflow was when the run began. */
export function RunCanvas({ state, step, onStep, drawStep, drawCable }: RunCanvasProps) {
  const { definition, called } = state;
  const types = useTypes();
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(definition.steps.filter(({ config }) => config?.body !== undefined).map(({ id }) => id)),
  );
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const graph = useMemo(
    () => canvasGraph({ ...definition, ports: NO_PORTS, open, called }),
    [definition, called, open],
  );
  const faces = useFaces(state, graph, chosen);
  const placement = usePlacement(graph, HEIGHT);
  const [selection, select] = useSelection(step, onStep);
  const [said, say] = useState('');
  const handle = useRef<CanvasHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const side = useRef<HTMLElement>(null);
  const toggle = useToggle(setOpen);
  const acts = useMemo(
    () => ({
      toggle,
      choose: (key: string, scope: string) => setChosen((now) => new Map(now).set(key, scope)),
    }),
    [toggle],
  );
  const onOpen = () => side.current?.focus();
  useCanvasKeys({
    ...{ graph, selection, handle, box, field, say, onOpen },
    ...{ placement: placement ?? NOWHERE, onSelect: select, onToggle: toggle },
  });
  if (placement === null) return null;
  const sole = soleStep(selection);
  const shown = graph.steps.find(({ key }) => key === sole);
  const cable = graph.cables.find(({ key }) => key === selection.cable);
  return (
    <div className={styles.runCanvas}>
      <CanvasView
        label={`Canvas of the run ${state.name}`}
        {...{ graph, placement, selection, types, acts, handle, box, onOpen }}
        troubles={NO_TROUBLES}
        faces={faces.steps}
        cableFaces={faces.cables}
        editing={null}
        active={sole}
        onSelect={select}
      >
        <Toolbar
          graph={graph}
          field={field}
          onFound={(key) => {
            select(onlyStep(key));
            handle.current?.show(key);
          }}
          onLeave={() => box.current?.focus()}
        />
        <div className="hidden-text" role="status" aria-live="polite">
          {said}
        </div>
      </CanvasView>
      {(shown || cable) && (
        <aside
          ref={side}
          className={`${styles.side} scroll`}
          tabIndex={-1}
          aria-label={shown ? 'Step' : 'Cable'}
        >
          {shown && drawStep(faces.keys.get(shown.key) ?? null, shown.step?.title ?? shown.id)}
          {cable && drawCable(cable, faces.keys.get(cable.from.step) ?? null)}
        </aside>
      )}
    </div>
  );
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
