import { jsonIn } from '@areas/workflows/core/reference/json-text';
import { type AppError, appError } from '@contract/errors';
import { findingsOf, libraryWords } from '@contract/findings';
import { ownValue } from '@contract/own';
import { z } from 'zod';
import { enforceable, type JsonSchema, LINEAR } from './format-keywords';
import { LinearPattern, MOST_WORK } from './linear-pattern';

/** A required format for answers: a JSON Schema, compiled for checking. */
export interface OutputFormat {
  /** The fields declared by its properties; null if there are none, and every field may be read. */
  readonly declared: readonly string[] | null;
  /** Appended to the prompt whose answer is checked. */
  readonly instruction: string;
  /** The JSON of an answer as written, or its problems. */
  read(answer: string): { readonly json: string } | { readonly faults: readonly string[] };
}

/** Larger answers are rejected before parsing. */
const LONGEST = 20_000_000;
/** Maximum nesting of an answer, since checking is recursive. */
const DEEPEST = 500;
const MOST_FAULTS = 20;

/** The fields that a schema declares, even if it has errors elsewhere. */
export function declaredFields(schema: JsonSchema | undefined): readonly string[] | null {
  const properties = ownValue(schema, 'properties');
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return null;
  return Object.keys(properties);
}

/** Only for a schema without flaws. */
export function outputFormat(schema: JsonSchema): OutputFormat {
  const patterns = new LinearPatterns();
  let checker: z.ZodType | null = null;
  return {
    declared: declaredFields(schema),
    instruction: formatInstruction(schema),
    read(answer) {
      checker ??= z.fromJSONSchema(enforceable(schema).schema as Parameters<typeof z.fromJSONSchema>[0], {
        registry: patterns,
      });
      patterns.begin();
      const read = readAnswer(answer, checker);
      return patterns.isSpent ? TOO_LONG_FOR_PATTERNS : read;
    },
  };
}

const TOO_LONG_FOR_PATTERNS = {
  faults: ['texts that must match a pattern are too long to check; give shorter ones'],
};

/** Runs each `pattern` of a schema that zod converts on the linear-time engine. */
class LinearPatterns extends z.core.$ZodRegistry<Record<string, unknown>> {
  #left = MOST_WORK;

  begin(): void {
    this.#left = MOST_WORK;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }

  override add<S extends z.core.$ZodType>(schema: S, ...[meta]: [Record<string, unknown>?]): this {
    const pattern = ownValue(meta, LINEAR);
    if (typeof pattern === 'string')
      for (const check of schema._zod.def.checks ?? []) {
        const { def } = check._zod;
        if ('pattern' in def && 'format' in def && def.format === 'regex')
          def.pattern = new LinearPattern(pattern, (work) => {
            this.#left -= work;
            return this.#left >= 0;
          });
      }
    return this;
  }
}

const formatInstruction = (schema: JsonSchema): string =>
  [
    'End with your answer as JSON that is valid by this JSON Schema, in one fenced block, and write nothing after it:',
    '',
    '```json',
    JSON.stringify(schema, null, 2),
    '```',
  ].join('\n');

/** The error of a step whose answer is invalid. */
export const invalidOutput = (faults: readonly string[]): AppError =>
  appError('step.output_invalid', `the answer is not valid by its output_format: ${faults.join('; ')}`, {
    mend: 'say more in the instruction about the form of the answer, or let the step be retried with on: all',
  });

/** The repair prompt after an invalid answer, in the same session. */
export const repairPrompt = (faults: readonly string[], format: OutputFormat): string =>
  [
    'Your last answer cannot be used, because it does not have the form that was asked for:',
    '',
    ...faults.map((fault) => `- ${fault}`),
    '',
    `Do not do the work again. Give the same answer in the right form.\n\n${format.instruction}`,
  ].join('\n');

function readAnswer(answer: string, checker: z.ZodType): ReturnType<OutputFormat['read']> {
  if (answer.length > LONGEST)
    return { faults: [`the answer has ${answer.length} characters; at most ${LONGEST} are read`] };
  const json = jsonIn(answer);
  if (json === null)
    return { faults: ['the answer is no JSON, and does not end with a fenced block of JSON'] };
  if (depthOf(json.text) > DEEPEST)
    return { faults: [`the JSON is nested more than ${DEEPEST} levels deep`] };
  const checked = checker.safeParse(json.value);
  if (checked.success) return { json: json.text.trim() };
  const faults = [
    ...new Set(
      findingsOf(checked.error, libraryWords).map(({ path, message }) => problemText(path, message)),
    ),
  ];
  const more = faults.length - MOST_FAULTS;
  return { faults: [...faults.slice(0, MOST_FAULTS), ...(more > 0 ? [`and ${more} more`] : [])] };
}

/** Zod's message for a number with decimals, because integers of any size are checked as multiples of 1. */
const WHOLE = /multiple of 1$/;

function problemText(path: string, message: string): string {
  const words = WHOLE.test(message) ? 'expected a whole number' : message;
  return path === '' ? words : `${path}: ${words}`;
}

/** How many brackets of valid JSON are in each other. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === 0x22) {
      for (at += 1; at < json.length && json.charCodeAt(at) !== 0x22; at += 1)
        if (json.charCodeAt(at) === 0x5c) at += 1;
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return deepest;
}
