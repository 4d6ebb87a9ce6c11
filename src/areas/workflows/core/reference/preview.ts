import { setOwnValue } from '@contract/own';
import { ok, type Result } from '@contract/result';
import { conditionProblems, type KnownNames, type TextProblem, templateProblems } from './check';
import { comparisonsOf } from './condition/condition';
import { evaluateCondition } from './condition/evaluate';
import { parseCondition } from './condition/parse';
import { templatesIn } from './expand';
import { type FoundReference, type Reference, written } from './reference';
import { expandScript } from './script/expand';
import { expandText } from './text';
import { readShown, type StepValue, type Values } from './values';

/** How a text is evaluated. */
type TextKind = 'text' | 'script' | 'condition';

/** Texts at a path, with what they may refer to. `[]` and `*` in the path stand for any entry. */
export interface TextPlace {
  readonly path: string;
  readonly kind: TextKind;
  readonly names: KnownNames;
}

/** The result of a text. */
interface Previewed {
  readonly text: string;
  readonly env: Readonly<Record<string, string>>;
}

interface ReadText {
  readonly references: readonly FoundReference[];
  readonly problems: readonly TextProblem[];
  expand(lookup: (reference: Reference) => Result<string>): Result<Previewed>;
}

/** Evaluates a text as its step would. It need not be in a workflow yet. */
export function readText(text: string, kind: TextKind, names: KnownNames): ReadText {
  if (kind === 'condition') return readCondition(text, names);
  const [template] = templatesIn({ text }, [{ path: 'text', kind }]);
  if (template === undefined) return { references: [], problems: [], expand: () => ok({ text, env: {} }) };
  const problems = templateProblems(template, names);
  if (template.kind === 'script') {
    const { placed } = template;
    return {
      references: placed.map(({ found }) => found),
      problems,
      expand(lookup) {
        const made = expandScript({ script: text, placed }, ({ reference }) => lookup(reference));
        return made.ok ? ok({ text: made.value.script, env: made.value.env }) : made;
      },
    };
  }
  const { pieces } = template;
  return {
    references: pieces.flatMap((piece) => ('found' in piece ? [piece.found] : [])),
    problems,
    expand(lookup) {
      const made = expandText(pieces, ({ reference }) => lookup(reference));
      return made.ok ? ok({ text: made.value, env: {} }) : made;
    },
  };
}

function readCondition(text: string, names: KnownNames): ReadText {
  const parsed = text.trim() === '' ? null : parseCondition(text);
  if (parsed === null) return { references: [], problems: [], expand: () => ok({ text: '', env: {} }) };
  const problems = conditionProblems(text, names);
  if (!parsed.ok) return { references: [], problems, expand: () => parsed };
  return {
    references: comparisonsOf(parsed.value).map(({ found }) => found),
    problems,
    expand(lookup) {
      const held = evaluateCondition(parsed.value, lookup);
      return held.ok ? ok({ text: String(held.value), env: {} }) : held;
    },
  };
}

interface Sources {
  readonly names: KnownNames;
  /** A run's values; null if there is none. */
  readonly run: Values | null;
  /** The default of an input. */
  defaultOf(input: string): string | null;
}

/**
 * Looks references up in a run, and uses a sample if the run has no value; `samples` collects the names of
 * those. References that cannot have a value stay as written; their problem is reported.
 */
export function previewLookup(
  { names, run, defaultOf }: Sources,
  samples: Set<string>,
): (reference: Reference) => Result<string> {
  const sampled = (reference: Reference): Result<string> => {
    const text = sampleOf(reference, { names, defaultOf });
    if (text !== null) samples.add(written(reference));
    return ok(text ?? written(reference));
  };
  return (reference) => {
    if (run === null) return sampled(reference);
    if ('step' in reference && !names.isStep(reference.step)) return sampled(reference);
    const values = {
      ...run,
      step: (id: string, previous: boolean) => declaredNow(run.step(id, previous), names.declared(id)),
    };
    const value = 'step' in reference ? values.step(reference.step, reference.previous) : null;
    if (reference.kind === 'output' && value?.status !== 'succeeded') return sampled(reference);
    const read = readShown(reference, values);
    return read.ok ? ok(read.value.text) : sampled(reference);
  };
}

/** The fields may have been declared after the run. */
const declaredNow = (value: StepValue | null, declared: StepValue['declared']): StepValue | null =>
  value === null ? null : { ...value, declared };

function sampleOf(reference: Reference, { names, defaultOf }: Omit<Sources, 'run'>): string | null {
  switch (reference.kind) {
    case 'output': {
      const { step, field } = reference;
      if (!names.isStep(step)) return null;
      if (field !== null) return `<${field} of ${step}>`;
      return sampleOutput(step, names.declared(step));
    }
    case 'status':
      return names.isStep(reference.step) ? 'succeeded' : null;
    case 'error':
      return names.isStep(reference.step) ? `<error of ${reference.step}>` : null;
    case 'input':
      if (!names.inputs.includes(reference.name)) return null;
      return defaultOf(reference.name) ?? `<${reference.name}>`;
    case 'variable':
      return `<${reference.name}>`;
  }
}

function sampleOutput(step: string, declared: readonly string[] | null): string {
  if (declared === null) return `<output of ${step}>`;
  const fields: Record<string, string> = {};
  for (const field of declared) setOwnValue(fields, field, `<${field} of ${step}>`);
  return JSON.stringify(fields);
}
