import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import {
  type CutText,
  cutWords,
  isCut,
  type LargeText,
  type MarkedText,
  type WholeText,
  withMark,
} from '@contract/whole-text';
import type { StepStatus } from '../../contract/trial';
import { jsonObject } from './json-text';
import { type Reference, written } from './reference';

/** What references can read of a step. */
export interface StepValue {
  readonly status: StepStatus;
  readonly output: MarkedText;
  /** Why it failed. */
  readonly error?: string;
  /** Fields declared by its `output_format`; null if it has none. */
  readonly declared: readonly string[] | null;
}

/** The source of values: a run, or sample values from a file. */
export interface Values {
  /** Null: no step has this id. */
  step(id: string, previous: boolean): StepValue | null;
  /** Null: there is no such variable. */
  variable(name: string): WholeText | null;
  input(name: string): WholeText | null;
  /** The text of a file. */
  read(text: LargeText): Result<string>;
}

interface Read {
  readonly text: MarkedText;
  readonly warning: string | null;
}

interface ReadText extends Omit<Read, 'text'> {
  readonly text: string;
}

/** A reference's whole text, for a reader that decides on it: a condition, a script, a list of items. */
export function readWhole(reference: Reference, values: Values): Result<ReadText> {
  const read = readReference(reference, values);
  if (!read.ok) return read;
  const { text, warning } = read.value;
  if (isCut(text)) return refuseCut(reference, text);
  const whole = opened(text, values);
  return whole.ok ? ok({ text: whole.value, warning }) : whole;
}

/** A reference's text, for a reader that a mark can tell that it is cut: an agent, the operator. */
export function readShown(reference: Reference, values: Values): Result<ReadText> {
  const read = readReference(reference, values);
  if (!read.ok) return read;
  const { text, warning } = read.value;
  const whole = opened(isCut(text) ? text.shown : text, values);
  if (!whole.ok) return whole;
  return ok({ text: isCut(text) ? withMark({ ...text, shown: whole.value }) : whole.value, warning });
}

const opened = (text: WholeText, values: Values): Result<string> =>
  typeof text === 'string' ? ok(text) : values.read(text);

const refuseCut = (reference: Reference, text: CutText): Result<never> =>
  fail({ code: 'reference.cut' }, reference, `it needs the whole output, and this is the ${cutWords(text)}`);

/** A reference's text, or the reason why its step fails (seed 002, "Node output references"). */
function readReference(reference: Reference, values: Values): Result<Read> {
  switch (reference.kind) {
    case 'output':
      return outputOf(reference, values);
    case 'status': {
      const step = values.step(reference.step, reference.previous);
      if (step === null && reference.previous) return ok({ text: 'not_run', warning: null });
      return step === null ? unknownStep(reference) : ok({ text: step.status, warning: null });
    }
    case 'error': {
      const step = values.step(reference.step, reference.previous);
      if (step === null && !reference.previous) return unknownStep(reference);
      return ok({ text: step?.error ?? '', warning: null });
    }
    case 'input':
      return known(reference, values.input(reference.name));
    case 'variable':
      return known(reference, values.variable(reference.name));
  }
}

type OutputReference = Extract<Reference, { kind: 'output' }>;

function outputOf(reference: OutputReference, values: Values): Result<Read> {
  const { field } = reference;
  const step = values.step(reference.step, reference.previous);
  const plain = (text: MarkedText, warning: string | null = null) => ok({ text, warning });
  // A loop's first pass has no previous one.
  if (step === null && reference.previous) return plain('');
  if (step === null) {
    if (field !== null) return unknownStep(reference);
    return plain('', `${written(reference)}: there is no step "${reference.step}", so it is empty`);
  }
  if (step.status === 'failed' || step.status === 'cancelled' || step.status === 'rejected')
    return fail(
      { code: 'reference.producer_failed' },
      reference,
      `the step "${reference.step}" ${was(step.status)}`,
    );
  if (step.status !== 'succeeded') {
    if (field === null) return plain('');
    return fail({ code: 'reference.not_run' }, reference, `the step "${reference.step}" has not run`);
  }
  if (field === null) return plain(step.output);
  if (isCut(step.output)) return refuseCut(reference, step.output);
  const output = opened(step.output, values);
  return output.ok ? fieldOf({ ...reference, field }, { ...step, output: output.value }) : output;
}

function fieldOf(
  reference: OutputReference & { field: string },
  step: Omit<StepValue, 'output'> & { readonly output: string },
): Result<Read> {
  const { field } = reference;
  if (step.declared !== null && !step.declared.includes(field)) {
    const fields = step.declared.join(', ');
    const mend = fields === '' ? 'add it to output_format.properties' : `use one of: ${fields}`;
    const why = `output_format declares no field "${field}"`;
    return fail({ code: 'reference.undeclared_field', mend }, reference, why);
  }
  const object = jsonObject(step.output);
  if (object === null) {
    const mend = `declare an output_format at "${reference.step}", or use $${reference.step}.output`;
    const why = `the output of "${reference.step}" is not a JSON object`;
    return fail({ code: 'reference.not_json', mend }, reference, why);
  }
  const value = object.field(field);
  // A declared field may be absent; an undeclared one must exist.
  if (value === null && step.declared === null)
    return fail({ code: 'reference.missing_field' }, reference, `the output has no field "${field}"`);
  if (value?.type === 'null' && step.declared === null) return ok({ text: 'null', warning: null });
  return ok({ text: value?.text ?? '', warning: null });
}

function known(reference: Reference, value: WholeText | null): Result<Read> {
  if (value !== null) return ok({ text: value, warning: null });
  return fail({ code: 'reference.no_value' }, reference, 'this run has no value with this name');
}

const unknownStep = (
  reference: OutputReference | Extract<Reference, { kind: 'status' | 'error' }>,
): Result<never> =>
  fail({ code: 'reference.unknown_step' }, reference, `there is no step "${reference.step}"`);

const was = (status: 'failed' | 'cancelled' | 'rejected'): string =>
  status === 'failed' ? 'failed' : `was ${status}`;

type ReferenceCode = Extract<AppError['code'], `reference.${string}`>;

const MENDS: Readonly<Record<ReferenceCode, string>> = {
  'reference.unknown_step': 'correct the name of the step',
  'reference.not_run': 'let this step run only where that one has run, with when or trigger_rule',
  'reference.producer_failed': 'resume the run to retry the step, or use its status in when, and its error',
  'reference.not_json': 'let the step output a JSON object',
  'reference.undeclared_field': 'add it to output_format.properties',
  'reference.missing_field': 'declare the field in the output_format of the step, or correct its name',
  'reference.not_a_number': 'compare it by == or !=, or let the step give a number there',
  'reference.no_value': 'give the run this value, or remove the reference',
  'reference.nul': 'let the step output text without NUL characters',
  'reference.cut': 'let the step print less, or raise its output_limit',
  'reference.unreadable': 'run the step again',
};

interface Failure {
  readonly code: ReferenceCode;
  readonly mend?: string;
}

const fail = ({ code, mend = MENDS[code] }: Failure, reference: Reference, why: string): Result<never> =>
  err(appError(code, `${written(reference)}: ${why}`, { mend }));
