import { Check, Field, Select, TextArea, TextInput } from '@renderer/ui/controls/field';
import type { FieldSpec } from './fields';

interface ProfileFieldProps {
  readonly spec: FieldSpec;
  readonly value: string | boolean;
  readonly error: string | undefined;
  readonly disabled: boolean;
  /** Suggestions while typing; any other text is also accepted. */
  readonly offered: readonly string[] | undefined;
  readonly onChange: (value: string | boolean) => void;
}

export function ProfileField({ spec, value, error, disabled, offered = [], onChange }: ProfileFieldProps) {
  const text = typeof value === 'string' ? value : '';
  return (
    <Field label={spec.label} hint={spec.input === 'check' ? null : spec.hint} error={error}>
      {(ids) => {
        const shared = { ...ids, disabled };
        switch (spec.input) {
          case 'check':
            return (
              <Check
                {...shared}
                checked={value === true}
                onChange={(event) => onChange(event.target.checked)}
              >
                {spec.hint}
              </Check>
            );
          case 'choice':
            return (
              <Select {...shared} value={text} onChange={(event) => onChange(event.target.value)}>
                {spec.choices?.map((choice) => (
                  <option key={choice.value} value={choice.value}>
                    {choice.label}
                  </option>
                ))}
              </Select>
            );
          case 'lines':
          case 'pairs':
          case 'json':
            return (
              <TextArea
                {...shared}
                className="mono"
                rows={1}
                value={text}
                onChange={(event) => onChange(event.target.value)}
              />
            );
          case 'area':
            return (
              <TextArea
                {...shared}
                rows={4}
                value={text}
                onChange={(event) => onChange(event.target.value)}
              />
            );
          case 'text':
          case 'number':
            return (
              <>
                <TextInput
                  {...shared}
                  inputMode={spec.input === 'number' ? 'decimal' : undefined}
                  className={spec.input === 'number' ? 'short' : ''}
                  list={offered.length > 0 ? `${ids.id}-offered` : undefined}
                  value={text}
                  onChange={(event) => onChange(event.target.value)}
                />
                {offered.length > 0 && (
                  <datalist id={`${ids.id}-offered`}>
                    {offered.map((one) => (
                      <option key={one} value={one} />
                    ))}
                  </datalist>
                )}
              </>
            );
        }
      }}
    </Field>
  );
}
