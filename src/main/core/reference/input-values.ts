import { appError } from '@contract/errors';
import { own, setOwn } from '@contract/own';
import { err, ok, type Result } from '@contract/result';
import type { InputDefinition, WorkflowDefinition } from '@contract/workflow/definition';

/** The values of a workflow's inputs as text: those that were given, then the defaults. */
export function inputValues(
  { inputs = {} }: Pick<WorkflowDefinition, 'inputs'>,
  given: Readonly<Record<string, string>>,
): Result<Record<string, string>> {
  const unknown = Object.keys(given).find((name) => own(inputs, name) === undefined);
  if (unknown !== undefined) {
    const names = Object.keys(inputs).join(', ');
    const mend = names === '' ? 'it has no inputs' : `its inputs are: ${names}`;
    return err(appError('input.invalid', `the workflow has no input "${unknown}"`, { mend }));
  }
  const values: Record<string, string> = {};
  for (const [name, input] of Object.entries(inputs)) {
    const value = own(given, name) ?? (input.default === undefined ? null : String(input.default));
    if (value === null && input.required !== false) {
      const about = input.description === undefined ? '' : ` (${input.description})`;
      const mend = `give it with --input ${name}=VALUE`;
      return err(appError('input.invalid', `the input "${name}"${about} is missing`, { mend }));
    }
    if (value !== null && !fits(value, input.type))
      return err(appError('input.invalid', `the input "${name}" is no ${input.type}: ${value}`));
    setOwn(values, name, value ?? '');
  }
  return ok(values);
}

function fits(value: string, type: InputDefinition['type']): boolean {
  if (type === 'boolean') return value === 'true' || value === 'false';
  return type === 'string' || /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value);
}
