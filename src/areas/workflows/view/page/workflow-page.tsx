import type { WorkflowDetail, WorkflowRow } from '@areas/agents/contract/procedures';
import type { WorkflowFileView } from '@renderer/client/files/workflow-file';
import { useHandlers, useQuery, useRoute, useWorkflowFile } from '@renderer/client/hooks';
import { jumps } from '@renderer/client/keys/jump';
import { setQuery } from '@renderer/client/route';
import { ActButton, ActIcon } from '@renderer/parts/controls/act';
import { copyAddress } from '@renderer/parts/controls/copy';
import { ErrorNote, openInEditor } from '@renderer/parts/problems/error-note';
import { Ago } from '@renderer/parts/text/ago';
import { Button } from '@renderer/ui/controls/button';
import { Tabs } from '@renderer/ui/controls/tabs';
import { Link, PanelRight, SquarePen } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect } from 'react';
import { isMap } from '../../contract/change';
import { FileActs } from '../file/file-acts';
import { FileProblems } from '../file/file-problems';
import { isOld, Migration, OldFile } from '../file/migration';
import { useSettingsKey } from './side';
import { StepList } from './step-list';
import styles from './workflow-page.module.css';

/** With its packages, which are loaded only once a file is opened. */
const Editor = lazy(async () => ({ default: (await import('../file/file-editor')).FileEditor }));

/** One workflow file: its description, its problems, its steps and its text. */
export function WorkflowPage({ row }: { row: WorkflowRow }) {
  const { query } = useRoute();
  const { value, error } = useQuery('workflow.get', { projectId: row.projectId, file: row.file });
  const old = isOld(row);
  const empty = isEmpty(useWorkflowFile(row.projectId, row.file).view);
  const broken = value !== null && value.definition === null && !empty;
  useSettingsKey();
  const shown = shownOf(query.show, { old, broken });
  const path = value?.absolutePath;
  // A jump that no view has handled is dropped with its file.
  useEffect(() => () => jumps.set(null), []);
  useHandlers({
    'workflow.edit': path ? () => openInEditor(path) : null,
    'workflow.text': () => setQuery({ show: NEXT[shown] }),
    'workflow.migrate': old ? () => setQuery({ show: 'migration' }) : null,
    'workflow.copy': () => copyAddress('workflow', row.projectId, row.file),
  });
  return (
    <article className="pane workflow-page" aria-label={`Workflow ${row.name}`}>
      <header className="detail-head">
        <div className="detail-line">
          <h1 className="cut reads" title={row.name}>
            {row.name}
          </h1>
          <span className="grow" />
          <ActButton action="workflow.edit" icon={SquarePen}>
            Open in the editor
          </ActButton>
          <FileActs row={row} />
          <ActIcon action="workflow.copy" icon={Link} label="Copy the address of the workflow" />
          <ActIcon action="frame.side" icon={PanelRight} label="Show or hide the run panel" />
        </div>
        <p className="head-facts quiet">
          <span className="mono cut">{row.file}</span>
          <span>
            changed <Ago at={row.changedAt} />
          </span>
        </p>
        {row.description && <p className={`reads quiet ${styles.workflowDescription}`}>{row.description}</p>}
      </header>
      {error && <ErrorNote error={error} />}
      <div className={styles.workflowTabs}>
        <Tabs
          label="Show"
          value={shown}
          tabs={[
            { id: 'canvas', label: 'Canvas' },
            { id: 'steps', label: 'List', count: row.steps.length },
            { id: 'text', label: 'File' },
            ...(old ? [{ id: 'migration', label: 'Migration' }] : []),
          ]}
          onChange={(show) => setQuery({ show })}
        />
      </div>
      {shown === 'canvas' ? (
        <CanvasBody row={row} value={value} />
      ) : (
        <Body row={row} value={value} shown={shown} />
      )}
    </article>
  );
}

interface BodyProps {
  readonly row: WorkflowRow;
  readonly value: WorkflowDetail | null;
}

function Body({ row, value, shown }: BodyProps & { readonly shown: Shown }) {
  return (
    <div className={`scroll ${styles.workflowBody}`} data-focus tabIndex={-1}>
      {shown !== 'text' && <FileProblems row={row} value={value} />}
      {isOld(row) && shown !== 'migration' && <OldFile />}
      {shown === 'text' && (
        <Suspense>
          <Editor key={row.file} row={row} />
        </Suspense>
      )}
      {value && shown === 'steps' && <ListPane row={row} value={value} />}
      {value && shown === 'migration' && <Migration value={value} />}
    </div>
  );
}

/** With the actions of the canvas, which are loaded when a list is first shown. */
const ListEditing = lazy(async () => ({
  default: (await import('../parts/canvas/edit/list-editing')).ListEditing,
}));

function ListPane({ row, value }: { row: WorkflowRow; value: WorkflowDetail }) {
  const { projectId, file } = row;
  const { view } = useWorkflowFile(projectId, file);
  if (!isDrawable(view, value)) return <NotDrawn />;
  return (
    <Suspense fallback={<StepList value={value} acts={null} />}>
      <ListEditing projectId={projectId} file={file} value={value} onOpen={(step) => setQuery({ step })}>
        {(acts) => <StepList value={value} acts={acts} />}
      </ListEditing>
    </Suspense>
  );
}

function CanvasBody({ row, value }: BodyProps) {
  return (
    <>
      {isOld(row) && <OldFile />}
      {value ? <CanvasPane row={row} value={value} /> : <div className={styles.noCanvas} aria-busy="true" />}
      {/* Below the canvas: problems appear and disappear with each edit, and must not move the steps under
         the pointer. */}
      <FileProblems row={row} value={value} className={`scroll ${styles.canvasProblems}`} />
    </>
  );
}

/** Loaded when a canvas is first shown: nothing else needs the drawing code. */
const WorkflowCanvas = lazy(async () => ({
  default: (await import('../parts/canvas/workflow-canvas')).WorkflowCanvas,
}));

function CanvasPane({ row, value }: { row: WorkflowRow; value: WorkflowDetail }) {
  const { projectId, file } = row;
  const { query } = useRoute();
  const { view } = useWorkflowFile(projectId, file);
  const onStep = useCallback((key: string | null) => setQuery({ step: key ?? '' }), []);
  if (!isDrawable(view, value))
    return (
      <div className={styles.noCanvas}>
        <NotDrawn />
      </div>
    );
  return (
    <Suspense fallback={<div className={styles.noCanvas} aria-busy="true" />}>
      <WorkflowCanvas
        projectId={projectId}
        file={file}
        value={value}
        step={query.step || null}
        onStep={onStep}
      />
    </Suspense>
  );
}

/** A text of comments and empty lines only. */
const isBlank = (text: string): boolean => /^\uFEFF?(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*(?:#.*)?$/.test(text);

/** An empty file, or a workflow whose last step was removed: not a valid workflow, but drawn all the same. */
const isEmpty = ({ checked, checkedText }: WorkflowFileView): boolean => {
  if (checked === null) return false;
  const { value } = checked;
  return isMap(value) ? Array.isArray(value.steps) && value.steps.length === 0 : isBlank(checkedText);
};

/** Whether steps can be drawn, and so be added. */
const isDrawable = ({ checked, checkedText }: WorkflowFileView, value: WorkflowDetail): boolean =>
  checked === null ? value.definition !== null : isMap(checked.value) || isBlank(checkedText);

/** Shown in place of the steps of a file that is no workflow. */
function NotDrawn() {
  return (
    <div className={styles.notDrawn}>
      <p className="quiet">
        The file cannot be read as a workflow, so there is nothing to draw yet. Correct its text.
      </p>
      <Button onClick={() => setQuery({ show: 'text' })}>Show the file</Button>
    </div>
  );
}

type Shown = 'canvas' | 'steps' | 'text' | 'migration';
const NEXT: Readonly<Record<Shown, Shown>> = {
  canvas: 'steps',
  steps: 'text',
  text: 'canvas',
  migration: 'canvas',
};

/** The requested part, if it exists; a file that is no definition is shown as text. */
function shownOf(part: string | undefined, { old, broken }: { old: boolean; broken: boolean }): Shown {
  if (part === 'migration' && old) return part;
  if (part === 'text' || part === 'steps' || part === 'canvas') return part;
  return broken ? 'text' : 'canvas';
}
