import type { Json } from '@contract/ids';
import { Button, IconButton } from '@renderer/ui/controls/button';
import { FieldError, Field as Labelled, TextInput } from '@renderer/ui/controls/field';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { isMap } from '../../../../contract/change';
import type { ValuePath } from '../../../../contract/edit';
import { useStepForm } from '../form-context';
import styles from '../step-panel.module.css';
import { type Field, type FieldKind, freshValue, listName, scalarLike } from './fields';
import { TextField } from './text-field';

interface MapFieldProps {
  readonly field: Field;
  readonly path: ValuePath;
  readonly of: FieldKind & { kind: 'map' };
  /** Renders an entry that is not a scalar. */
  readonly entry: (item: Field, path: ValuePath) => ReactNode;
}

/** A map of names to values: an environment, the inputs of a called workflow, or a workflow's own inputs. */
export function MapField({ field, path, of, entry }: MapFieldProps) {
  const { valueAt, problemsAt, disabled, edit, step } = useStepForm();
  const value = valueAt(path);
  const entries = isMap(value) ? Object.entries(value) : [];
  const [name, setName] = useState('');
  const place = (key: string) => ({ step: [...step], path: [...path, key] });
  const wanted = name.trim();
  const wrong = entries.some(([key]) => key === wanted)
    ? 'This name already exists'
    : wanted !== '' && of.names !== null && !new RegExp(of.names).test(wanted)
      ? 'A name starts with a letter and has letters, digits and _ only'
      : null;
  const add = async () => {
    if (wanted === '' || wrong !== null) return;
    const fresh = of.item.of.kind === 'group' ? freshValue(of.item) : '';
    const done = await edit([{ kind: 'value.set', ...place(wanted), value: fresh }]);
    if (done === 'written') setName('');
  };
  const [problem] = problemsAt(path);
  return (
    <section className={styles.list} aria-label={listName(field.label, path)}>
      <h3>{field.label}</h3>
      {field.hint !== null && <p className="quiet note">{field.hint}</p>}
      {problem && <FieldError>{problem.message}</FieldError>}
      <ul>
        {entries.map(([key, one]) => (
          <li key={key} className={styles.entry} aria-label={key}>
            <div className={styles.entryHead}>
              <span className="grow mono">{key}</span>
              <IconButton
                icon={X}
                label={`Remove ${key}`}
                disabled={disabled}
                onClick={() => void edit([{ kind: 'value.unset', ...place(key) }])}
              />
            </div>
            {of.item.of.kind === 'group' ? (
              entry(of.item, [...path, key])
            ) : (
              <MapValue name={key} path={[...path, key]} value={one} />
            )}
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
          aria-invalid={wrong !== null}
          title={wrong ?? undefined}
          onChange={({ target }) => setName(target.value)}
        />
        <Button icon={Plus} type="submit" disabled={disabled || wanted === '' || wrong !== null}>
          Add
        </Button>
      </form>
      {wrong !== null && (
        <p className="field-error" role="status">
          {wrong}
        </p>
      )}
    </section>
  );
}

interface MapValueProps {
  readonly name: string;
  readonly path: ValuePath;
  readonly value: Json;
}

function MapValue({ name, path, value }: MapValueProps) {
  const { problemsAt, disabled, step } = useStepForm();
  const place = { step: [...step], path: [...path] };
  const problem = problemsAt(path)[0]?.message;
  const single = typeof value !== 'object';
  return (
    <Labelled label="Value" error={problem}>
      {() => (
        <TextField
          label={`Value of ${name}`}
          path={path}
          problem={problem}
          textOf={scalarText}
          long={false}
          disabled={disabled || !single}
          edits={(text) => [{ kind: 'value.set', ...place, value: scalarLike(value, text) }]}
        />
      )}
    </Labelled>
  );
}

const scalarText = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
