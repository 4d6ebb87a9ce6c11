import type { WorkflowDetail } from '@areas/agents/contract/procedures';
import type { WorkflowFileView } from '@renderer/client/files/workflow-file';
import { useQuery, useWorkflowFile } from '@renderer/client/hooks';
import { ActIcon } from '@renderer/parts/controls/act';
import { useKeptSet, useSessionState } from '@renderer/ui/use-session-state';
import { AlignStartVertical, Group, LayoutGrid, Plus, PowerOff, Redo2, Trash2, Undo2 } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CanvasQuestion } from './edit/acts';
import { QuestionView } from './edit/canvas-questions';
import { useEditing } from './edit/use-editing';
import type { CanvasHandle } from './flow/canvas-handle';
import { CanvasView } from './flow/canvas-view';
import type { CanvasGraph } from './graph/graph';
import { STEP_HEIGHT } from './graph/ports';
import type { Placement } from './layout/place';
import { usePlacement } from './layout/use-placement';
import { useBack, useOpenStep } from './open-panel';
import { keptSelection, onlyStep, readSelection, type Selection, soleStep } from './selection';
import { Announced, showFound, Toolbar } from './toolbar';
import { stepAt, useCanvasKeys } from './use-canvas-keys';
import { useDrawn } from './use-drawn';
import { useJumpOnCanvas } from './use-jump';
import styles from './workflow-canvas.module.css';

interface WorkflowCanvasProps {
  readonly projectId: number;
  readonly file: string;
  readonly value: WorkflowDetail;
  /** The step that the address names. */
  readonly step: string | null;
  readonly onStep: (key: string | null) => void;
}

/** A workflow file, to view and edit. */
export function WorkflowCanvas({ projectId, file, value, step, onStep }: WorkflowCanvasProps) {
  const { open: source, view } = useWorkflowFile(projectId, file);
  const [open, setOpen] = useKeptSet(`canvas/${projectId}/${file}`);
  const { graph, troubles, document, name } = useDrawn(value, view, open);
  const placed = usePlacement(graph, STEP_HEIGHT);
  const placement = placed ?? NOWHERE;
  const [selection, select] = useSelection(`canvas/${projectId}/${file}/chosen`, step, onStep);
  const [said, say] = useState('');
  const handle = useRef<CanvasHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const { acts, outputs } = useStepActs(useToggle(setOpen));
  const openStep = useOpenStep(onStep);
  const types = useQuery('step.types', {}).value ?? NO_TYPES;
  const base = { graph, placement, selection, handle, box, say, onSelect: select };
  useCanvasKeys({ ...base, field, onOpen: openStep, onToggle: acts.toggle });
  const { bench, question, close, editing } = useEditing({
    ...base,
    projectId,
    file,
    open: source,
    view,
    document,
    here: stepAt({ graph, selection }),
    types,
    onRenamed: useRenamed(setOpen, select),
  });
  outputs.current = (step) => bench.ask({ kind: 'outputs', step });
  useBack(() => box.current?.focus());
  useJumpOnCanvas({ projectId, file, graph, placed, open, setOpen, handle, select });
  if (placed === null) return null;
  const over = question && <QuestionView question={question} bench={bench} onClose={close} />;
  const inside = question === null || !DIALOGS.has(question.kind);
  return (
    <>
      <CanvasView
        label={`Canvas of ${name}`}
        place={`canvas/${projectId}/${file}`}
        graph={graph}
        placement={placement}
        selection={selection}
        troubles={troubles}
        acts={acts}
        handle={handle}
        box={box}
        editing={editing}
        types={titles(types)}
        faces={null}
        cableFaces={null}
        active={soleStep(selection)}
        onSelect={select}
        onOpen={openStep}
      >
        <Over
          graph={graph}
          selection={selection}
          field={field}
          box={box}
          said={said}
          view={view}
          editable={editing !== null}
          onFound={showFound(select, handle)}
        />
        {inside && over}
      </CanvasView>
      {!inside && over}
    </>
  );
}

interface OverProps {
  readonly graph: CanvasGraph;
  readonly selection: Selection;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly box: RefObject<HTMLElement | null>;
  readonly said: string;
  readonly view: WorkflowFileView;
  readonly editable: boolean;
  readonly onFound: (key: string) => void;
}

/** The overlay of the canvas: the tools, and a report of the last action. */
function Over({ graph, selection, field, box, said, view, editable, onFound }: OverProps) {
  return (
    <>
      <Toolbar graph={graph} field={field} onFound={onFound} onLeave={() => box.current?.focus()}>
        {editable && <EditingTools view={view} several={selection.steps.size > 1} />}
        {view.checked !== null && !view.writable && <span className="quiet">The file is read-only.</span>}
      </Toolbar>
      {graph.steps.length === 0 && (
        <p className={`quiet ${styles.nothing}`}>There are no steps yet.{editable && ' Use “Add a step”.'}</p>
      )}
      <Announced said={said} />
    </>
  );
}

interface EditingToolsProps {
  readonly view: WorkflowFileView;
  /** Whether several steps are selected. */
  readonly several: boolean;
}

/** Undo and redo appear once something was changed here. */
function EditingTools({ view, several }: EditingToolsProps) {
  const { canUndo, canRedo } = view;
  return (
    <div className={styles.tools}>
      <ActIcon action="canvas.add" icon={Plus} label="Add a step" />
      <ActIcon action="canvas.remove" icon={Trash2} label="Remove the selection" />
      <ActIcon action="canvas.switch" icon={PowerOff} label="Switch the selection off or on" />
      <ActIcon action="canvas.arrange" icon={LayoutGrid} label="Arrange all steps" />
      {several && (
        <>
          <ActIcon action="canvas.align" icon={AlignStartVertical} label="Align the selected steps" />
          <ActIcon action="canvas.group" icon={Group} label="Make a sub-workflow of the selected steps" />
        </>
      )}
      {(canUndo || canRedo) && (
        <>
          <ActIcon action="canvas.undo" icon={Undo2} label="Undo" disabled={!canUndo} />
          <ActIcon action="canvas.redo" icon={Redo2} label="Redo" disabled={!canRedo} />
        </>
      )}
    </div>
  );
}

/**
 * The actions of a drawn step. Stable while the canvas is shown: otherwise every step would be drawn again.
 */
function useStepActs(toggle: (key: string) => void) {
  const outputs = useRef((_: string) => {});
  const acts = useMemo(
    () => ({ toggle, choose: () => {}, outputs: (key: string) => outputs.current(key) }),
    [toggle],
  );
  return { acts, outputs };
}

const NO_TYPES: readonly never[] = [];
/** Questions with a window of their own. */
const DIALOGS: ReadonlySet<CanvasQuestion['kind']> = new Set(['rename', 'remove', 'group', 'place']);

/** A renamed step stays selected, and its open bodies stay open. */
function useRenamed(setOpen: SetOpen, select: (selection: Selection) => void) {
  return useCallback(
    (from: string, to: string) => {
      const moved = (key: string) =>
        key === from || key.startsWith(`${from}/`) ? to + key.slice(from.length) : key;
      setOpen((open) => new Set([...open].map(moved)));
      select(onlyStep(to));
    },
    [setOpen, select],
  );
}

export const NOWHERE: Placement = { at: new Map(), sizes: new Map(), origins: new Map() };

const made = new WeakMap<object, ReadonlyMap<string, string>>();

function titles(
  types: readonly { readonly type: string; readonly title: string }[],
): ReadonlyMap<string, string> {
  const known = made.get(types) ?? new Map(types.map(({ type, title }) => [type, title]));
  made.set(types, known);
  return known;
}

/** The names of all step types. */
export const useTypes = (): ReadonlyMap<string, string> =>
  titles(useQuery('step.types', {}).value ?? NO_TYPES);

type SetOpen = (open: (now: ReadonlySet<string>) => ReadonlySet<string>) => void;

export function useToggle(setOpen: SetOpen) {
  return useCallback(
    (key: string) =>
      setOpen((open) => {
        const next = new Set(open);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
    [setOpen],
  );
}

/** The selection; a single selected step is in the address. */
export function useSelection(
  place: string,
  step: string | null,
  onStep: (key: string | null) => void,
): [Selection, (selection: Selection) => void] {
  const [selection, setSelection] = useSessionState(
    place,
    (kept) => (step === null ? readSelection(kept) : onlyStep(step)),
    keptSelection,
  );
  const sole = soleStep(selection);
  useEffect(() => {
    if (step !== null) setSelection((now) => (soleStep(now) === step ? now : onlyStep(step)));
  }, [step, setSelection]);
  const select = useCallback(
    (next: Selection) => {
      setSelection(next);
      const one = soleStep(next);
      if (one !== sole) onStep(one);
    },
    [sole, onStep, setSelection],
  );
  return [selection, select];
}
