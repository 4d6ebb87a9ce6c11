/** Texts that every run has by name; each is also an environment variable of its commands. */
export const BUILT_IN = ['ARGUMENTS', 'ARTIFACTS_DIR', 'WORKFLOW_ID', 'BASE_BRANCH', 'DOCS_DIR'] as const;

/** Variables of certain templates only: in a loop, in an answer to a reject, in an item of a fan-out. */
export const SCOPED = ['LOOP_USER_INPUT', 'LOOP_PREV_OUTPUT', 'REJECTION_REASON', 'ITEM'] as const;

export type ScopedVariable = (typeof SCOPED)[number];
type VariableName = (typeof BUILT_IN)[number] | ScopedVariable;

/** The target of `$name...`. `previous` reads a loop's previous pass (`$LOOP_PREV.step.output`). */
export type Reference =
  | {
      readonly kind: 'output';
      readonly step: string;
      readonly field: string | null;
      readonly previous: boolean;
    }
  | { readonly kind: 'status' | 'error'; readonly step: string; readonly previous: boolean }
  | { readonly kind: 'input'; readonly name: string }
  | { readonly kind: 'variable'; readonly name: VariableName };

/** A reference with its source text. */
export interface FoundReference {
  readonly reference: Reference;
  /** Offset of the `$`. */
  readonly start: number;
  /** Offset after the last character. */
  readonly end: number;
}

/** Names that no step may have: `$INPUTS.output` must be unambiguous. */
export const RESERVED_IDS: ReadonlySet<string> = new Set([...BUILT_IN, ...SCOPED, 'INPUTS', 'LOOP_PREV']);

const VARIABLES: ReadonlySet<string> = new Set([...BUILT_IN, ...SCOPED]);

const STEP_ID = '[A-Za-z_][A-Za-z0-9_-]*';
const FIELD = '[A-Za-z_][A-Za-z0-9_]*';
const BORDER = '(?![A-Za-z0-9_])';

/**
 * `$LOOP_PREV.step.output.field`, `$step.output.field` or `$step.output`; the last name ends at a word
 * boundary.
 */
const OUTPUT = new RegExp(`\\$(LOOP_PREV\\.)?(${STEP_ID})\\.output${BORDER}(?:\\.(${FIELD})${BORDER})?`, 'y');
const STATUS = new RegExp(`\\$(LOOP_PREV\\.)?(${STEP_ID})\\.status${BORDER}`, 'y');
const ERROR = new RegExp(`\\$(LOOP_PREV\\.)?(${STEP_ID})\\.error${BORDER}`, 'y');
const INPUT = new RegExp(`\\$INPUTS\\.(${FIELD})`, 'y');
const VARIABLE = /\$([A-Z][A-Z0-9_]*)(?![A-Za-z0-9_])/y;

/**
 * The reference that begins at a `$`, or null. `$step.status` is a reference only in conditions: in a text it
 * stays unchanged.
 */
export function referenceAt(
  text: string,
  start: number,
  where: 'template' | 'condition' = 'template',
): FoundReference | null {
  const at = (pattern: RegExp) => {
    pattern.lastIndex = start;
    return pattern.exec(text);
  };
  const input = at(INPUT);
  if (input?.[1] !== undefined)
    return found({ kind: 'input', name: input[1] }, start, start + input[0].length);
  const output = at(OUTPUT);
  if (output?.[2] !== undefined) {
    const [whole, previous, step, field = null] = output;
    return found(
      { kind: 'output', step, field, previous: previous !== undefined },
      start,
      start + whole.length,
    );
  }
  const status = where === 'condition' ? at(STATUS) : null;
  if (status?.[2] !== undefined) {
    const [whole, previous, step] = status;
    return found({ kind: 'status', step, previous: previous !== undefined }, start, start + whole.length);
  }
  const error = at(ERROR);
  if (error?.[2] !== undefined) {
    const [whole, previous, step] = error;
    return found({ kind: 'error', step, previous: previous !== undefined }, start, start + whole.length);
  }
  const variable = at(VARIABLE);
  if (variable?.[1] === undefined || !VARIABLES.has(variable[1])) return null;
  return found({ kind: 'variable', name: variable[1] as VariableName }, start, start + variable[0].length);
}

const found = (reference: Reference, start: number, end: number): FoundReference => ({
  reference,
  start,
  end,
});

/** The reference in source form. */
export function written(reference: Reference): string {
  switch (reference.kind) {
    case 'output': {
      const { step, field, previous } = reference;
      return `${previous ? '$LOOP_PREV.' : '$'}${step}.output${field === null ? '' : `.${field}`}`;
    }
    case 'status':
    case 'error':
      return `${reference.previous ? '$LOOP_PREV.' : '$'}${reference.step}.${reference.kind}`;
    case 'input':
      return `$INPUTS.${reference.name}`;
    case 'variable':
      return `$${reference.name}`;
  }
}
