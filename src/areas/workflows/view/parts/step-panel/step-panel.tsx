import type { Json } from '@contract/ids';
import { useQuery, useWorkflowFile } from '@renderer/client/hooks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Button, IconButton } from '@renderer/ui/controls/button';
import { Question } from '@renderer/ui/controls/dialog';
import { Field as Labelled } from '@renderer/ui/controls/field';
import { Fold } from '@renderer/ui/layout/fold';
import { Empty } from '@renderer/ui/layout/note';
import { CircleHelp, Power, PowerOff, Redo2, Undo2, X } from 'lucide-react';
import { type KeyboardEvent, Suspense, useMemo, useRef } from 'react';
import { pathOfStep, shown } from '../../../contract/apply-edit';
import { isMap, valueAt } from '../../../contract/change';
import type { StepPath, ValuePath, WorkflowEdit } from '../../../contract/edit';
import type { MendableProblem } from '../../../contract/editing';
import { switchEdit } from '../canvas/edit/switching';
import { fieldsOf, STEP_FIELDS } from './fields/fields';
import { Fields, SchemaField, UnknownKeys } from './fields/schema-field';
import { TextField } from './fields/text-field';
import { fileForm, type StepForm, StepFormProvider } from './form-context';
import { Mends } from './mends';
import type { OwnPanels } from './own-panel';
import { Reading } from './reading';
import styles from './step-panel.module.css';
import { useWanted } from './typing/use-problem-field';

interface StepPanelProps {
  readonly projectId: number;
  readonly file: string;
  /** The step: the ids of the enclosing steps, then its own. */
  readonly step: StepPath;
  /** Called when a step got another id, which may be after another step was selected. */
  readonly onRenamed?: ((from: StepPath, to: StepPath) => void) | undefined;
  /** Shows another step, such as one of a body. */
  readonly onOpen?: ((step: StepPath) => void) | undefined;
  /** Panels of step types that have their own. */
  readonly panels: OwnPanels;
  readonly onClose?: () => void;
}

/**
 * The form of one step. Every change is one edit of the file, and can be undone. Another step gets a new
 * form; a renamed step keeps its form, and the text being typed.
 */
export function StepPanel(props: StepPanelProps) {
  const { projectId, file, step } = props;
  const { open } = useWorkflowFile(projectId, file);
  const shownAs = useRef({ form: 0, open, step });
  const { form, open: before, step: last } = shownAs.current;
  if (before !== open || last.join('/') !== step.join('/')) {
    const renamed = before === open && open.nowAt(last).join('/') === step.join('/');
    shownAs.current = { form: renamed ? form : form + 1, open, step };
  }
  return <PanelOf key={shownAs.current.form} {...props} />;
}

function PanelOf({ projectId, file, step: chosen, panels, onRenamed, onOpen, onClose }: StepPanelProps) {
  const { open, view } = useWorkflowFile(projectId, file);
  // The file has the step's new name before the address does.
  const step = open.nowAt(chosen);
  const types = useQuery('step.types', {}).value ?? [];
  const { checked } = view;
  const value: Json = checked?.value ?? null;
  const path = pathOfStep(value, step);
  const raw = path === null ? undefined : valueAt(value, path);
  const type = isMap(raw) ? types.find((one) => one.type === raw.type) : undefined;
  const fields = useMemo(() => fieldsOf(type?.configSchema ?? {}), [type]);
  const { help, answered } = useTemplateHelp({
    projectId,
    file,
    step,
    text: checked === null ? null : view.text,
  });
  const panel = useRef<HTMLElement>(null);
  const wanted = useWanted(panel, { projectId, file, step }, checked !== null && answered && path !== null);
  if (view.error !== null) return <ErrorNote error={view.error} />;
  if (checked === null || !answered) return <Reading />;
  if (path === null || !isMap(raw))
    return (
      <Empty icon={CircleHelp} title="The step is not in the file">
        It was removed or renamed, or the file cannot be read.
      </Empty>
    );
  const form: StepForm = {
    projectId,
    file,
    step,
    help,
    wanted,
    types,
    ...fileForm(open, step),
    fileText: view.text,
    disabled: !view.writable,
    schemaOf: (name) => types.find((one) => one.type === name)?.configSchema ?? null,
    openStep: (other) => onOpen?.(other),
    valueAt: (inner) => valueAt(raw, inner),
    problemsAt: (inner: ValuePath) =>
      checked.problems.filter((problem) => problem.where?.path === shown([...path, ...inner])),
  };
  const id = step.at(-1) ?? '';
  const Own = panels.get(type?.type ?? '');
  return (
    <StepFormProvider value={form}>
      <section
        ref={panel}
        className={styles.panel}
        aria-label={`Step ${id}`}
        data-part="step-panel"
        onKeyDown={(event) => onUndoKey(event, open)}
      >
        <header className="detail-line">
          <h2 className="cut grow">{typeof raw.title === 'string' ? raw.title : id}</h2>
          <Switch form={form} step={step} isOff={raw.disabled === true} />
          <IconButton icon={Undo2} label="Undo" disabled={!view.canUndo} onClick={() => void open.undo()} />
          <IconButton icon={Redo2} label="Redo" disabled={!view.canRedo} onClick={() => void open.redo()} />
          {onClose && <IconButton icon={X} label="Close the step" onClick={onClose} />}
        </header>
        <p className="quiet">
          {type?.description ?? `Muster knows no step of the type ${String(raw.type)}.`}
        </p>
        <StepMends problems={checked.problems} at={shown(path)} form={form} />
        {!view.writable && <p className="quiet">The file is read-only.</p>}
        <NameField form={form} onRenamed={onRenamed} />
        {Own === undefined ? (
          <Fields fields={fields} path={['config']} />
        ) : (
          <Suspense fallback={<div aria-busy="true" />}>
            <Own fields={fields} />
            <UnknownKeys fields={fields} path={['config']} />
          </Suspense>
        )}
        <Fold
          head={<span>Timing and conditions</span>}
          open={STEP_FIELDS.some(({ key }) => key === wanted?.path[0])}
        >
          {STEP_FIELDS.map((field) => (
            <SchemaField key={field.key} field={field} path={[field.key]} />
          ))}
        </Fold>
      </section>
    </StepFormProvider>
  );
}

interface SwitchProps {
  readonly form: StepForm;
  readonly step: StepPath;
  readonly isOff: boolean;
}

const Switch = ({ form, step, isOff }: SwitchProps) => (
  <IconButton
    icon={isOff ? Power : PowerOff}
    label={isOff ? 'Switch on' : 'Switch off'}
    disabled={form.disabled}
    onClick={() => void form.edit([switchEdit(step, isOff)])}
  />
);

/** Ctrl+Z and Ctrl+Shift+Z anywhere in the panel; in a text field they are handled by the field. */
function onUndoKey(event: KeyboardEvent, open: ReturnType<typeof useWorkflowFile>['open']): void {
  if (isText(event.nativeEvent.composedPath()[0])) return;
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
  event.preventDefault();
  void (event.shiftKey ? open.redo() : open.undo());
}

interface StepMendsProps {
  readonly problems: readonly MendableProblem[];
  /** The path of the step. */
  readonly at: string;
  readonly form: StepForm;
}

const StepMends = ({ problems, at, form }: StepMendsProps) => (
  <Mends
    label="Problems of the step"
    at={at}
    problems={problems.filter(({ where }) => isWithin(where?.path, at))}
    onMend={form.edit}
    disabled={form.disabled}
  />
);

/** The id of the step. */
function NameField({ form, onRenamed }: { readonly form: StepForm } & Pick<StepPanelProps, 'onRenamed'>) {
  const { step, disabled } = form;
  const id = step.at(-1) ?? '';
  const rename = (text: string): readonly WorkflowEdit[] => {
    const fresh = text.trim();
    return fresh === id || fresh === '' ? [] : [{ kind: 'step.rename', step: [...step], id: fresh }];
  };
  return (
    <Labelled label="Name" hint="Cables and references are updated.">
      {({ id: control }) => (
        <TextField
          id={control}
          label="Name"
          path={['id']}
          long={false}
          whole
          disabled={disabled}
          refusable
          edits={rename}
          onWritten={(fresh) => onRenamed?.(step, [...step.slice(0, -1), fresh.trim()])}
        />
      )}
    </Labelled>
  );
}

const isText = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLElement && target.isContentEditable);

/** What the templates of a step may refer to; the help for the previous text while the new one is loading. */
function useTemplateHelp({
  projectId,
  file,
  step,
  text,
}: Pick<StepPanelProps, 'projectId' | 'file' | 'step'> & { readonly text: string | null }) {
  const { value, status } = useQuery(
    'workflow.templates',
    text === null ? null : { projectId, file, step: [...step], text },
  );
  const last = useRef({ help: value, answered: false });
  if (status !== 'loading') last.current = { help: value ?? last.current.help, answered: true };
  return last.current;
}

const isWithin = (path: string | undefined, place: string): boolean =>
  path === place || path?.startsWith(`${place}.`) === true;

/**
 * Questions to the operator before a change is written. A view shows them once, beside what changes the file.
 */
export function Questions({ projectId, file }: Pick<StepPanelProps, 'projectId' | 'file'>) {
  const { open, view } = useWorkflowFile(projectId, file);
  const { shared, conflict } = view;
  if (shared !== null)
    return (
      <Question
        title="Change the other places too?"
        onClose={() => open.answerShared(false)}
        footer={
          <>
            <Button onClick={() => open.answerShared(false)}>Leave it</Button>
            <Button tone="primary" onClick={() => open.answerShared(true)}>
              Change all
            </Button>
          </>
        }
      >
        <p className="quiet">{shared.error.message}</p>
      </Question>
    );
  if (conflict === null) return null;
  return (
    <Question
      title="The file was changed in the same place"
      onClose={() => void open.answerConflict('theirs')}
      footer={
        <>
          <Button onClick={() => void open.answerConflict('theirs')}>Keep the file</Button>
          <Button
            tone="primary"
            disabled={conflict.mine === null}
            onClick={() => void open.answerConflict('mine')}
          >
            Save my version
          </Button>
        </>
      }
    >
      <p className="quiet">Nothing is saved yet. Undo restores the version you replace.</p>
      <h3>The file now</h3>
      <pre className={styles.text}>{conflict.theirs.text}</pre>
      {conflict.mine !== null && (
        <>
          <h3>My version</h3>
          <pre className={styles.text}>{conflict.mine}</pre>
        </>
      )}
    </Question>
  );
}
