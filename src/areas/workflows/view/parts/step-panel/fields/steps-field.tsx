import type { Json } from '@contract/ids';
import { Button } from '@renderer/ui/controls/button';
import { FieldError, Field as Labelled } from '@renderer/ui/controls/field';
import { CornerDownRight } from 'lucide-react';
import { isMap } from '../../../../contract/change';
import type { ValuePath } from '../../../../contract/edit';
import { useSetValue, useStepForm } from '../form-context';
import styles from '../step-panel.module.css';
import { type Field, listName } from './fields';
import { Choices } from './pickers';

/** The steps inside a step: each opens its own form. */
export function StepsField({ field, path }: { readonly field: Field; readonly path: ValuePath }) {
  const { valueAt, problemsAt, disabled, openStep, step } = useStepForm();
  const steps = stepsOf(valueAt([...path, 'steps']));
  const output = valueAt([...path, 'output']);
  const set = useSetValue([...path, 'output']);
  const [problem] = problemsAt(path);
  return (
    <section className={styles.list} aria-label={listName(field.label, path)}>
      <h3>{field.label}</h3>
      {problem && <FieldError>{problem.message}</FieldError>}
      <ul>
        {steps.map(({ id, title }) => (
          <li key={id}>
            <Button tone="ghost" icon={CornerDownRight} onClick={() => openStep([...step, id])}>
              {title}
            </Button>
          </li>
        ))}
      </ul>
      {steps.length === 0 ? (
        <p className="quiet">No steps yet. Add them on the canvas.</p>
      ) : (
        <Labelled label="Step with the output" error={problemsAt([...path, 'output'])[0]?.message}>
          {(ids) => (
            <Choices
              ids={ids}
              disabled={disabled}
              required={false}
              none={'The last steps'}
              value={typeof output === 'string' ? output : ''}
              options={steps.map(({ id, title }) => ({ value: id, label: title }))}
              onChange={(id) => void set(id === '' ? undefined : id)}
            />
          )}
        </Labelled>
      )}
    </section>
  );
}

const stepsOf = (value: Json | undefined): { id: string; title: string }[] =>
  (Array.isArray(value) ? value : []).flatMap((step) => {
    if (!isMap(step) || typeof step.id !== 'string') return [];
    return [{ id: step.id, title: typeof step.title === 'string' ? step.title : step.id }];
  });
