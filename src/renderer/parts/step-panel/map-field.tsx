import { isMap } from '@contract/workflow/change';
import type { ValuePath } from '@contract/workflow/edit';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../ui/button';
import { Field as Labelled, TextInput } from '../../ui/field';
import { type Field, scalarLike } from './fields';
import { useStepForm } from './form-context';
import styles from './step-panel.module.css';
import { TextField } from './text-field';

/** Names with values: of an environment, or of the inputs of a called workflow. */
export function MapField({ field, path }: { readonly field: Field; readonly path: ValuePath }) {
  const { valueAt, problemsAt, disabled, edit, step } = useStepForm();
  const value = valueAt(path);
  const entries = isMap(value) ? Object.entries(value) : [];
  const [name, setName] = useState('');
  const place = (key: string) => ({ step: [...step], path: [...path, key] });
  const taken = entries.some(([key]) => key === name.trim());
  const add = async () => {
    if (name.trim() === '' || taken) return;
    const done = await edit([{ kind: 'value.set', ...place(name.trim()), value: '' }]);
    if (done === 'written') setName('');
  };
  const [problem] = problemsAt(path);
  return (
    <section className={styles.list} aria-label={field.label}>
      <h3>{field.label}</h3>
      {problem && <p className="field-error">{problem.message}</p>}
      <ul>
        {entries.map(([key, one]) => (
          <li key={key} className={styles.entry}>
            <div className={styles.entryHead}>
              <span className="grow mono">{key}</span>
              <IconButton
                icon={X}
                label={`Remove ${key}`}
                disabled={disabled}
                onClick={() => void edit([{ kind: 'value.unset', ...place(key) }])}
              />
            </div>
            <Labelled label="Value" error={problemsAt([...path, key])[0]?.message}>
              {() => (
                <TextField
                  label={`Value of ${key}`}
                  path={[...path, key]}
                  value={typeof one === 'object' ? JSON.stringify(one) : String(one)}
                  long={false}
                  disabled={disabled || typeof one === 'object'}
                  problem={problemsAt([...path, key])[0]?.message}
                  onCommit={(text) =>
                    edit(
                      [{ kind: 'value.set', ...place(key), value: scalarLike(one, text) }],
                      JSON.stringify(place(key)),
                    )
                  }
                />
              )}
            </Labelled>
          </li>
        ))}
      </ul>
      <form
        className={styles.entryHead}
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <TextInput
          aria-label={`New name in ${field.label.toLowerCase()}`}
          placeholder="Name"
          value={name}
          disabled={disabled}
          aria-invalid={taken}
          onChange={({ target }) => setName(target.value)}
        />
        <Button icon={Plus} type="submit" disabled={disabled || name.trim() === '' || taken}>
          Add
        </Button>
      </form>
    </section>
  );
}
