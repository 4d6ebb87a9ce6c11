import type { Json } from '@contract/ids';
import { useWorkflowFile } from '@renderer/client/hooks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { IconButton } from '@renderer/ui/controls/button';
import { Field as Labelled } from '@renderer/ui/controls/field';
import { Redo2, Undo2 } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { shown } from '../../../contract/apply-edit';
import { isMap, valueAt } from '../../../contract/change';
import { partsOf } from '../../../contract/place';
import type { Field } from './fields/fields';
import { Choices } from './fields/pickers';
import { SchemaField, UnknownKeys } from './fields/schema-field';
import { fileForm, type StepForm, StepFormProvider, useSetValue, useStepForm } from './form-context';
import { Mends } from './mends';
import { Reading } from './reading';
import styles from './step-panel.module.css';
import { useWanted } from './typing/use-problem-field';
import { DRAWN, workflowFields } from './workflow-fields';

interface WorkflowPanelProps {
  readonly projectId: number;
  readonly file: string;
}

/** The form of the workflow itself: its name, its inputs, and the settings of its runs. */
export function WorkflowPanel({ projectId, file }: WorkflowPanelProps) {
  const { open, view } = useWorkflowFile(projectId, file);
  const fields = useMemo(workflowFields, []);
  const { checked } = view;
  const panel = useRef<HTMLElement>(null);
  const wanted = useWanted(panel, { projectId, file, step: WORKFLOW }, checked !== null);
  if (view.error !== null) return <ErrorNote error={view.error} />;
  if (checked === null) return <Reading />;
  const raw: Json = checked.value ?? null;
  const form: StepForm = {
    projectId,
    file,
    step: [],
    help: null,
    fileText: view.text,
    disabled: !view.writable,
    types: [],
    wanted,
    ...fileForm(open, []),
    schemaOf: () => null,
    openStep: () => {},
    valueAt: (path) => valueAt(raw, path),
    problemsAt: (path) => checked.problems.filter(({ where }) => where?.path === shown(path)),
  };
  return (
    <StepFormProvider value={form}>
      <section
        ref={panel}
        className={`${styles.panel} scroll`}
        aria-label="Settings of the workflow"
        data-part="workflow-panel"
      >
        <header className="detail-line">
          <h2 className="cut grow">Settings</h2>
          <IconButton icon={Undo2} label="Undo" disabled={!view.canUndo} onClick={() => void open.undo()} />
          <IconButton icon={Redo2} label="Redo" disabled={!view.canRedo} onClick={() => void open.redo()} />
        </header>
        {!view.writable && <p className="quiet">The file is read-only.</p>}
        {raw !== null && !isMap(raw) ? (
          <p className="quiet">The file cannot be read as a workflow. Correct it under “File”.</p>
        ) : (
          <>
            <Mends
              label="Problems of the workflow"
              at=""
              problems={checked.problems.filter(({ where }) => isWithoutField(where?.path, fields))}
              onMend={form.edit}
              disabled={form.disabled}
            />
            {fields.map((field) =>
              field.key === 'returns' ? (
                <Returns key={field.key} field={field} />
              ) : (
                <SchemaField key={field.key} field={field} path={[field.key]} />
              ),
            )}
            <UnknownKeys fields={[...fields, ...DRAWN_FIELDS]} path={[]} />
          </>
        )}
      </section>
    </StepFormProvider>
  );
}

const WORKFLOW: readonly string[] = [];

/** Whether a problem refers to a key of the workflow that no field shows. */
function isWithoutField(path: string | undefined, fields: readonly Field[]): boolean {
  const [key] = partsOf(path ?? '');
  return typeof key === 'string' && !DRAWN.has(key) && !fields.some((field) => field.key === key);
}

const DRAWN_FIELDS: readonly Field[] = [...DRAWN].map((key) => ({
  key,
  label: key,
  required: false,
  fallback: undefined,
  hint: null,
  of: { kind: 'steps' },
}));

/** A choice of one step of the file. */
function Returns({ field }: { readonly field: Field }) {
  const { valueAt, problemsAt, disabled } = useStepForm();
  const set = useSetValue(['returns']);
  const value = valueAt(['returns']);
  const steps = valueAt(['steps']);
  const options = (Array.isArray(steps) ? steps : []).flatMap((step) => {
    if (!isMap(step) || typeof step.id !== 'string') return [];
    return [{ value: step.id, label: typeof step.title === 'string' ? step.title : step.id }];
  });
  return (
    <Labelled label={field.label} error={problemsAt(['returns'])[0]?.message}>
      {(ids) => (
        <Choices
          ids={ids}
          options={options}
          disabled={disabled}
          required={false}
          none={'The last steps'}
          value={typeof value === 'string' ? value : ''}
          onChange={(id) => void set(id === '' ? undefined : id)}
        />
      )}
    </Labelled>
  );
}
