import type { Json } from '@contract/ids';
import type { ValuePath } from '@contract/workflow/edit';
import { useState } from 'react';
import { Field as Labelled } from '../../ui/field';
import type { Field } from './fields';
import { useSetValue, useStepForm } from './form-context';
import { TextField } from './text-field';
import type { Committed } from './typing';

/** A value of any form, written as JSON when the field is left. */
export function JsonField({ field, path }: { readonly field: Field; readonly path: ValuePath }) {
  const { valueAt, problemsAt, disabled } = useStepForm();
  const set = useSetValue(path);
  const [wrong, setWrong] = useState<string | null>(null);
  const value = valueAt(path);
  const [problem] = problemsAt(path);
  const commit = async (text: string): Promise<Committed> => {
    const read = readJson(text);
    setWrong(read.ok ? null : 'This is no JSON. It is not written yet.');
    return read.ok ? set(read.value) : 'failed';
  };
  return (
    <Labelled
      label={field.label}
      hint="JSON. It is written when you leave the field."
      error={wrong ?? problem?.message}
    >
      {({ id }) => (
        <TextField
          {...{ id, path, disabled, label: field.label, long: true, whole: true, code: true }}
          value={value === undefined ? '' : JSON.stringify(value, null, 2)}
          problem={wrong ?? problem?.message}
          onCommit={commit}
        />
      )}
    </Labelled>
  );
}

/** No text is no value. */
function readJson(
  text: string,
): { readonly ok: true; readonly value: Json | undefined } | { readonly ok: false } {
  if (text.trim() === '') return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) as Json };
  } catch {
    return { ok: false };
  }
}
