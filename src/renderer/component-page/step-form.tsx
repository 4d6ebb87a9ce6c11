import { applyEdit } from '@areas/workflows/contract/apply-edit';
import { valueAt } from '@areas/workflows/contract/change';
import { fieldsOf } from '@areas/workflows/view/parts/step-panel/fields/fields';
import { Fields } from '@areas/workflows/view/parts/step-panel/fields/schema-field';
import { type StepForm, StepFormProvider } from '@areas/workflows/view/parts/step-panel/form-context';
import type { Problem } from '@contract/errors';
import type { Json } from '@contract/ids';
import { useRef, useState } from 'react';

interface StepFormPartProps {
  /** The schema of the configuration. */
  readonly schema: Json;
  readonly config: Json;
  readonly problems: readonly Problem[];
}

/** The form of one step, on a workflow that is in no file. */
export function StepFormPart({ schema, config, problems }: StepFormPartProps) {
  const [workflow, setWorkflow] = useState<Json>({ steps: [{ id: 'work', type: 'step.part', config }] });
  // The current value, even before it is rendered.
  const newest = useRef(workflow);
  const inStep = ['steps', 0] as const;
  const form: StepForm = {
    projectId: 1,
    file: 'part.yaml',
    fileText: '',
    help: null,
    step: ['work'],
    types: [],
    schemaOf: () => schema,
    openStep: () => undefined,
    disabled: false,
    wanted: null,
    valueAt: (path) => valueAt(workflow, [...inStep, ...path]),
    now: (path) => valueAt(newest.current, [...inStep, ...path]),
    problemsAt: (path) => problems.filter(({ where }) => where?.path === path.join('.')),
    edit: async (edits, _, holds = () => true) => {
      if (!holds()) return 'failed';
      newest.current = edits.reduce<Json>((before, edit) => {
        const next = applyEdit(before, edit);
        return next.ok ? next.value : before;
      }, newest.current);
      setWorkflow(newest.current);
      return 'written';
    },
  };
  return (
    <StepFormProvider value={form}>
      <section className="fields" aria-label="Configuration">
        <h2>Configuration</h2>
        <Fields fields={fieldsOf(schema)} path={['config']} />
      </section>
      <output data-part="written">{JSON.stringify(form.valueAt(['config']))}</output>
    </StepFormProvider>
  );
}
