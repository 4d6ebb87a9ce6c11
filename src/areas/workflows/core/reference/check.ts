import type { Problem } from '@contract/errors';
import { comparisonFlaw } from './condition/check';
import { type Comparison, comparisonsOf } from './condition/condition';
import { parseCondition } from './condition/parse';
import type { Template } from './expand';
import { type FoundReference, type Reference, SCOPED, written } from './reference';
import { scriptProblems } from './script/check';

/** A problem at an offset of a text. */
export interface TextProblem extends Pick<Problem, 'code' | 'severity' | 'message' | 'mend'> {
  readonly offset: number;
}

/** What a text may refer to. */
export interface KnownNames {
  /** The step that contains the text. */
  readonly step: string;
  readonly steps: readonly string[];
  isStep(id: string): boolean;
  /** Whether a step has ended before this one may start. */
  isUpstream(id: string): boolean;
  /** Whether `$LOOP_PREV` can read it as of the previous pass. */
  isPrevious(id: string): boolean;
  /** The declared fields of its output; null: any field may be read. */
  declared(id: string): readonly string[] | null;
  /** Whether its whole output is an agent's free text. */
  isFreeText(id: string): boolean;
  readonly inputs: readonly string[];
  /** Variables available in this text in addition to the built-in ones. */
  readonly variables: readonly string[];
}

/** All problems of a template, with their positions. */
export function templateProblems(template: Template, names: KnownNames): readonly TextProblem[] {
  const found = referencesOf(template).flatMap((one) => referenceProblem(one, names) ?? []);
  if (template.kind === 'text') return found;
  return [...found, ...scriptProblems(template.text, template.placed)];
}

/** All problems of a condition. */
export function conditionProblems(text: string, names: KnownNames): readonly TextProblem[] {
  const parsed = parseCondition(text);
  if (parsed.ok) return comparisonsOf(parsed.value).flatMap((one) => comparisonProblem(one, names) ?? []);
  const { code, message, mend, where } = parsed.error;
  const unreadable = `the condition cannot be read: ${message}`;
  return [
    {
      offset: (where?.column ?? 1) - 1,
      code,
      severity: 'error',
      message: unreadable,
      ...(mend ? { mend } : {}),
    },
  ];
}

/** A condition needs a known value: a reference that would be empty in a text is an error here. */
function comparisonProblem(comparison: Comparison, names: KnownNames): TextProblem | null {
  const { found } = comparison;
  const problem = referenceProblem(found, names);
  if (problem !== null) return { ...problem, severity: 'error' };
  const flaw = comparisonFlaw(comparison, names);
  return flaw === null
    ? null
    : { code: 'validation.condition', severity: 'error', ...flaw, offset: found.start };
}

function referencesOf(template: Template): readonly FoundReference[] {
  if (template.kind === 'script') return template.placed.map(({ found }) => found);
  return template.pieces.flatMap((piece) => ('found' in piece ? [piece.found] : []));
}

type ProblemText = Omit<TextProblem, 'offset'>;

function referenceProblem({ reference, start }: FoundReference, names: KnownNames): TextProblem | null {
  const problem = problemOf(reference, names);
  return problem === null ? null : { ...problem, offset: start };
}

function problemOf(reference: Reference, names: KnownNames): ProblemText | null {
  const name = written(reference);
  switch (reference.kind) {
    case 'output':
    case 'status':
    case 'error':
      return stepProblem(reference, names);
    case 'input':
      if (names.inputs.includes(reference.name)) return null;
      return {
        code: 'validation.reference',
        severity: 'error',
        message: `${name}: the workflow has no such input`,
        mend: oneOf(names.inputs) ?? 'declare it under inputs',
      };
    case 'variable':
      if (!SCOPED.some((one) => one === reference.name) || names.variables.includes(reference.name))
        return null;
      return {
        code: 'validation.reference',
        severity: 'error',
        message: `${name} has no value in this text`,
        mend: `write \\${name} to use it as text`,
      };
  }
}

function stepProblem(
  reference: Extract<Reference, { kind: 'output' | 'status' | 'error' }>,
  names: KnownNames,
): ProblemText | null {
  const { step, previous } = reference;
  const name = written(reference);
  if (previous && names.isPrevious(step)) return null;
  if (previous)
    return {
      code: 'validation.reference',
      severity: 'error',
      message: `${name}: $LOOP_PREV has a value only inside a loop`,
    };
  if (!names.isStep(step)) {
    const wholeOutput = reference.kind === 'output' && reference.field === null;
    const message = wholeOutput
      ? `${name}: there is no step "${step}"; it will be empty`
      : `${name}: there is no step "${step}"`;
    const others = names.steps.filter((id) => id !== names.step);
    const mend = nearest(step, others) ?? `write \\${name} to use it as text`;
    return { code: 'validation.reference', severity: wholeOutput ? 'warning' : 'error', message, mend };
  }
  if (names.isUpstream(step)) return fieldProblem(reference, names.declared(step));
  const why =
    step === names.step ? 'a step cannot read its own output' : `"${step}" may not have run by then`;
  return {
    code: 'validation.reference_upstream',
    severity: 'error',
    message: `${name}: ${why}`,
    mend: step === names.step ? 'refer to a step before it' : `add a cable from "${step}" to "${names.step}"`,
  };
}

/** A field that the producer's output never has. */
function fieldProblem(
  reference: Extract<Reference, { kind: 'output' | 'status' | 'error' }>,
  declared: readonly string[] | null,
): ProblemText | null {
  if (reference.kind !== 'output' || reference.field === null) return null;
  if (declared === null || declared.includes(reference.field)) return null;
  return {
    code: 'validation.reference_field',
    severity: 'error',
    message: `${written(reference)}: the output of "${reference.step}" declares no field "${reference.field}"`,
    mend: oneOf(declared) ?? 'add it to output_format.properties',
  };
}

const oneOf = (known: readonly string[]): string | undefined =>
  known.length === 0 ? undefined : `use one of: ${known.slice(0, 12).join(', ')}`;

/** The step that the author may have meant. */
function nearest(step: string, known: readonly string[]): string | null {
  const plain = (id: string) => id.toLowerCase().replace(/[-_]/g, '');
  const meant = known.find((id) => plain(id) === plain(step));
  if (meant !== undefined) return `did you mean $${meant}.output?`;
  return oneOf(known) ?? null;
}
