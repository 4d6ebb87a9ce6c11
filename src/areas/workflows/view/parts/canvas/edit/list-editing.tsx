import type { WorkflowDetail } from '@areas/agents/contract/procedures';
import { plural } from '@renderer/client/format';
import { useQuery, useWorkflowFile } from '@renderer/client/hooks';
import { Button } from '@renderer/ui/controls/button';
import type { MenuItem } from '@renderer/ui/controls/menu';
import { type ReactNode, useRef, useState } from 'react';
import type { Cable, StepDefinition } from '../../../../contract/definition';
import type { Placement } from '../layout/place';
import { useBack, useOpenStep } from '../open-panel';
import { allOf, NOTHING, type Selection } from '../selection';
import { useDrawn } from '../use-drawn';
import { type Bench, type CanvasQuestion, copySteps, group, redo, remove, undo } from './acts';
import { QuestionView } from './canvas-questions';
import { cableMenu, stepMenu } from './list-acts';
import styles from './list-editing.module.css';
import { useListKeys, useShown } from './list-keys';
import { usePaste } from './use-editing';

/** What the list of steps offers: the actions of the canvas, for operators who cannot see it. */
export interface ListActs {
  /** The newest text, as far as it can be parsed. */
  readonly level: { readonly steps: StepDefinition[]; readonly cables: Cable[] };
  readonly selected: ReadonlySet<string>;
  /** Empty if the file or the step cannot be changed here. */
  readonly ofStep: (key: string) => readonly MenuItem[];
  readonly ofCable: (parent: string | null, cable: Cable) => readonly MenuItem[];
}

interface ListEditingProps {
  readonly projectId: number;
  readonly file: string;
  readonly value: WorkflowDetail;
  readonly onOpen: (key: string) => void;
  readonly children: (acts: ListActs) => ReactNode;
}

const NOWHERE: Placement = { at: new Map(), sizes: new Map(), origins: new Map() };
const ALL_OPEN = { has: () => true };
const NO_TYPES: readonly never[] = [];
const NONE: ReadonlySet<string> = new Set();

interface Question {
  readonly canvasQuestion: CanvasQuestion;
  readonly selection: Selection;
}

/** The list of a workflow's steps with all actions of the canvas. */
export function ListEditing({ projectId, file, value, onOpen, children }: ListEditingProps) {
  const { open, view } = useWorkflowFile(projectId, file);
  const { graph, document, level } = useDrawn(value, view, ALL_OPEN);
  const types = useQuery('step.types', {}).value ?? NO_TYPES;
  const [said, say] = useState('');
  const [question, put] = useState<Question | null>(null);
  const [marked, mark] = useState(NONE);
  const box = useRef<HTMLDivElement>(null);
  const { goTo, goBack } = useShown(box);
  const openPanel = useOpenStep(onOpen);
  const opened = useRef<string | null>(null);
  const openStep = (key: string) => {
    opened.current = key;
    openPanel(key);
  };
  useBack(() => goBack(opened.current));
  const able = view.writable && view.checked !== null;
  const selected = new Set([...marked].filter((key) => graph.steps.some((step) => step.key === key)));
  const benchOf = (selection: Selection): Bench => ({
    projectId,
    file,
    open,
    view,
    document,
    graph,
    placement: NOWHERE,
    types,
    say,
    selection,
    here: [...selection.steps][0] ?? null,
    onSelect: ({ steps }) => {
      mark(NONE);
      goTo([...steps][0] ?? null);
    },
    onRenamed: (_, to) => goTo(to),
    showLater: () => {},
    ask: (canvasQuestion) => put(canvasQuestion && { canvasQuestion, selection }),
  });
  const toggle = (key: string) => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    mark(next);
    say(`${plural(next.size, 'step')} selected`);
  };
  useListKeys({ box, able: able && question === null, graph, benchOf });
  usePaste(() => (able ? benchOf(NOTHING) : null), box);
  const menu = { benchOf, onOpen: openStep, selected, onSelected: toggle };
  return (
    <div ref={box}>
      {able && <Tools view={view} whole={benchOf(NOTHING)} some={benchOf(allOf(selected))} />}
      {view.checked !== null && !view.writable && <p className="quiet">The file is read-only.</p>}
      {question !== null && (
        <div className={styles.over}>
          <QuestionView
            key={JSON.stringify(question.canvasQuestion)}
            question={question.canvasQuestion}
            bench={benchOf(question.selection)}
            onClose={() => {
              put(null);
              goBack([...question.selection.steps][0] ?? null);
            }}
          />
        </div>
      )}
      {children({
        level,
        selected,
        ofStep: (key) => (able ? stepMenu(key, menu) : []),
        ofCable: (parent, cable) => (able ? cableMenu(parent, cable, benchOf) : []),
      })}
      <div className="hidden-text" role="status" aria-live="polite" data-part="list-said">
        {said}
      </div>
    </div>
  );
}

interface ToolsProps {
  readonly view: Bench['view'];
  readonly whole: Bench;
  /** With the selected steps. */
  readonly some: Bench;
}

function Tools({ view, whole, some }: ToolsProps) {
  const { size } = some.selection.steps;
  return (
    <div className={styles.tools} role="toolbar" aria-label="Steps">
      <Button onClick={() => whole.ask({ kind: 'type' })}>Add a step</Button>
      {(view.canUndo || view.canRedo) && (
        <>
          <Button disabled={!view.canUndo} onClick={() => void undo(whole)}>
            Undo
          </Button>
          <Button disabled={!view.canRedo} onClick={() => void redo(whole)}>
            Redo
          </Button>
        </>
      )}
      {size > 0 && (
        <>
          <span className="quiet">{plural(size, 'step')} selected</span>
          <Button onClick={() => void copySteps(some)}>Copy</Button>
          <Button disabled={size < 2} onClick={() => void group(some)}>
            Make a sub-workflow
          </Button>
          <Button onClick={() => void remove(some)}>Remove</Button>
        </>
      )}
    </div>
  );
}
