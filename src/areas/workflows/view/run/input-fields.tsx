import { Field, Select, TextArea, TextInput } from '@renderer/ui/controls/field';
import styles from './input-fields.module.css';
import type { InputField } from './input-form';

interface InputFieldsProps {
  readonly fields: readonly InputField[];
  readonly onChange: (field: InputField, text: string) => void;
}

/** The inputs of a workflow, each with a control for its type. */
export function InputFields({ fields, onChange }: InputFieldsProps) {
  if (fields.length === 0) return null;
  return (
    <fieldset className={styles.inputs} aria-label="Inputs">
      {fields.map((field) => (
        <OneInput key={field.name} field={field} onChange={(text) => onChange(field, text)} />
      ))}
    </fieldset>
  );
}

interface OneInputProps {
  readonly field: InputField;
  readonly onChange: (text: string) => void;
}

function OneInput({ field: { name, input, value, error }, onChange }: OneInputProps) {
  const optional = input.required === false && input.default === undefined;
  const hint = [input.description, optional ? 'Optional.' : null].filter(Boolean).join(' ');
  return (
    <Field label={name} hint={hint} error={error}>
      {(ids) => {
        const control = {
          ...ids,
          value,
          onChange: (event: { target: { value: string } }) => onChange(event.target.value),
        };
        if (input.type === 'boolean') {
          return (
            <Select {...control}>
              {(value === '' || input.default === undefined) && <option value="">Not set</option>}
              <option value="true">Yes</option>
              <option value="false">No</option>
            </Select>
          );
        }
        if (input.type === 'number')
          return <TextInput {...control} inputMode="decimal" placeholder={String(input.default ?? '')} />;
        return <TextArea {...control} rows={1} />;
      }}
    </Field>
  );
}
