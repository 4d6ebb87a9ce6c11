import { type AppError, appError } from '@contract/errors';
import { ownValue, setOwnValue } from '@contract/own';
import { err, ok, type Result } from '@contract/result';
import type { InputDefinition, WorkflowDefinition } from './definition';

type Inputs = Pick<WorkflowDefinition, 'inputs'>;

/** A problem with one value. */
export interface InputProblem {
  readonly name: string;
  readonly kind: 'unknown' | 'missing' | 'type';
  readonly error: AppError;
}

/** The values of a workflow's inputs as text: given values, else defaults. Returns all problems too. */
export function readInputs(
  { inputs = {} }: Inputs,
  given: Readonly<Record<string, string>>,
): { values: Record<string, string>; problems: InputProblem[] } {
  const values: Record<string, string> = {};
  const names = Object.keys(inputs);
  const problems = Object.keys(given)
    .filter((name) => ownValue(inputs, name) === undefined)
    .map((name) => unknownInput(name, names));
  for (const [name, input] of Object.entries(inputs)) {
    const value = ownValue(given, name) ?? (input.default === undefined ? null : String(input.default));
    if (value === null && input.required !== false) problems.push(missingInput(name, input));
    else if (value !== null && !fitsInput(value, input)) problems.push(mistypedInput(name, value, input));
    else setOwnValue(values, name, value ?? '');
  }
  return { values, problems };
}

/** Like `readInputs`, but fails with the first problem. */
export function inputValues(
  definition: Inputs,
  given: Readonly<Record<string, string>>,
): Result<Record<string, string>> {
  const { values, problems } = readInputs(definition, given);
  return problems[0] === undefined ? ok(values) : err(problems[0].error);
}

export function fitsInput(value: string, { type }: Pick<InputDefinition, 'type'>): boolean {
  if (type === 'boolean') return value === 'true' || value === 'false';
  return type === 'string' || /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value);
}

const wrong = (message: string, mend?: string): AppError =>
  appError('input.invalid', message, mend === undefined ? {} : { mend });

function unknownInput(name: string, names: readonly string[]): InputProblem {
  const mend = names.length === 0 ? 'it has no inputs' : `its inputs are: ${names.join(', ')}`;
  return { name, kind: 'unknown', error: wrong(`the workflow has no input "${name}"`, mend) };
}

function missingInput(name: string, { description }: InputDefinition): InputProblem {
  const about = description === undefined ? '' : ` (${description})`;
  const mend = `give it with --input ${name}=VALUE`;
  return { name, kind: 'missing', error: wrong(`the input "${name}"${about} is missing`, mend) };
}

const mistypedInput = (name: string, value: string, { type }: InputDefinition): InputProblem => ({
  name,
  kind: 'type',
  error: wrong(`the input "${name}" is not a ${type}: ${value}`),
});
