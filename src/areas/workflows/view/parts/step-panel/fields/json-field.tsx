import type { Json } from '@contract/ids';
import { Field as Labelled } from '@renderer/ui/controls/field';
import { useState } from 'react';
import type { ValuePath } from '../../../../contract/edit';
import { useSetting, useStepForm } from '../form-context';
import type { Field } from './fields';
import { TextField } from './text-field';

/** A value of any form, as JSON; it is written when the field loses the focus. */
export function JsonField({ field, path }: { readonly field: Field; readonly path: ValuePath }) {
  const { problemsAt, disabled } = useStepForm();
  const setting = useSetting(path);
  const [wrong, setWrong] = useState<string | null>(null);
  const [problem] = problemsAt(path);
  const edits = (text: string) => {
    const read = readJson(text);
    setWrong(read.ok ? null : 'This is not JSON. It is not saved yet.');
    return read.ok ? setting(read.value) : null;
  };
  return (
    <Labelled
      label={field.label}
      hint="JSON, saved when you leave the field."
      error={wrong ?? problem?.message}
    >
      {({ id }) => (
        <TextField
          id={id}
          path={path}
          disabled={disabled}
          label={field.label}
          long={true}
          whole={true}
          code={true}
          textOf={indented}
          problem={wrong ?? problem?.message}
          edits={edits}
        />
      )}
    </Labelled>
  );
}

const indented = (value: Json | undefined): string =>
  value === undefined ? '' : JSON.stringify(value, null, 2);

/** An empty text means no value. */
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
