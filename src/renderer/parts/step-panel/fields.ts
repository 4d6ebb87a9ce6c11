import type { Json } from '@contract/ids';
import { own } from '@contract/own';
import { isMap, type JsonMap } from '@contract/workflow/change';

/** How a value is entered. */
export type FieldKind =
  | { readonly kind: 'text'; readonly long: boolean }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number; readonly whole: boolean }
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'profile' }
  | { readonly kind: 'files' }
  | { readonly kind: 'reprompts' }
  | { readonly kind: 'list'; readonly item: Field; readonly most: number | null }
  | { readonly kind: 'group'; readonly fields: readonly Field[] }
  /** Names with values. */
  | { readonly kind: 'map'; readonly item: Field }
  /** What has no form: shown as it stands in the file. */
  | { readonly kind: 'yaml' };

export interface Field {
  readonly key: string;
  readonly label: string;
  readonly required: boolean;
  readonly fallback: Json | undefined;
  readonly hint: string | null;
  readonly of: FieldKind;
}

/** Names that a key does not say by itself. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['acp_profile_id', 'Agent'],
  ['agent_config', 'Agent settings'],
  ['env', 'Environment'],
  ['re_prompts', 'Re-prompts'],
  ['separate_outputs', 'Send responses to separate outputs'],
  ['session_persist', 'Keep the conversation for the next activation'],
  ['on_interrupt', 'When Muster is interrupted'],
  ['trigger_rule', 'Runs when'],
  ['when', 'Condition'],
  ['until', 'Text that ends the loop'],
  ['max_iterations', 'Most iterations'],
  ['for_each', 'For each item'],
]);

const LONG: ReadonlySet<string> = new Set([
  ...[
    'instruction',
    'instruction_override',
    'handoff_instruction',
    'prompt',
    'message',
    'script',
    'topic',
    'text',
  ],
  ...['target', 'input', 'gate_message', 'description', 'reason', 'until_command', 'request'],
]);

export function labelOf(key: string): string {
  const words = key.replaceAll('_', ' ');
  return LABELS.get(key) ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const table = (value: Json | undefined): JsonMap => (isMap(value) ? value : {});
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const numberOf = (value: Json | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** The fields of an object's JSON Schema. */
export function fieldsOf(schema: Json): Field[] {
  const required = new Set(list(table(schema).required));
  return Object.entries(table(table(schema).properties)).map(([key, inner]) =>
    fieldOf(key, table(inner), required.has(key)),
  );
}

function fieldOf(key: string, schema: JsonMap, required: boolean): Field {
  const real = withoutNull(schema);
  const fallback = schema.default === null ? undefined : schema.default;
  const of = kindOf(key, real);
  return { key, label: labelOf(key), required, fallback, hint: hintOf(of, fallback), of };
}

/** `null` is what an absent key means. */
function withoutNull(schema: JsonMap): JsonMap {
  const { type } = schema;
  if (Array.isArray(type)) {
    const [only, ...more] = type.filter((one) => one !== 'null');
    return more.length === 0 && only !== undefined ? { ...schema, type: only } : schema;
  }
  const left = list(schema.anyOf).filter((one) => table(one).type !== 'null');
  return left.length === 1 ? { ...schema, ...table(left[0]), anyOf: [] } : schema;
}

function kindOf(key: string, schema: JsonMap): FieldKind {
  if (key === 're_prompts') return { kind: 'reprompts' };
  if (key === 'attachments') return { kind: 'files' };
  if (key === 'acp_profile_id') return { kind: 'profile' };
  const options = list(schema.enum).filter((one) => typeof one === 'string');
  if (options.length > 0) return { kind: 'choice', options };
  switch (schema.type) {
    case 'string':
      return { kind: 'text', long: LONG.has(key) };
    case 'boolean':
      return { kind: 'switch' };
    case 'integer':
    case 'number':
      return numberKind(schema);
    case 'array':
      return listKind(key, schema);
    case 'object':
      return objectKind(key, schema);
    default:
      return { kind: 'yaml' };
  }
}

function numberKind(schema: JsonMap): FieldKind {
  const whole = schema.type === 'integer';
  const above = numberOf(schema.exclusiveMinimum);
  const min = numberOf(schema.minimum) ?? (whole && above !== undefined ? above + 1 : undefined);
  const max = numberOf(schema.maximum);
  return {
    ...{ kind: 'number', whole },
    ...(min === undefined ? {} : { min }),
    ...(max === undefined || max >= Number.MAX_SAFE_INTEGER ? {} : { max }),
  };
}

function listKind(key: string, schema: JsonMap): FieldKind {
  const item = fieldOf(key.replace(/s$/, ''), table(schema.items), true);
  const has = item.of.kind === 'yaml' || item.of.kind === 'list';
  return has ? { kind: 'yaml' } : { kind: 'list', item, most: numberOf(schema.maxItems) ?? null };
}

function objectKind(key: string, schema: JsonMap): FieldKind {
  // Steps in a step are edited as steps.
  if (key === 'body' || own(table(schema.properties), 'steps') !== undefined) return { kind: 'yaml' };
  if (schema.properties !== undefined) return { kind: 'group', fields: fieldsOf(schema) };
  const item = fieldOf('value', table(schema.additionalProperties), true);
  return item.of.kind === 'text' ? { kind: 'map', item } : { kind: 'yaml' };
}

function hintOf(of: FieldKind, fallback: Json | undefined): string | null {
  const parts: string[] = [];
  if (of.kind === 'number') {
    if (of.min !== undefined && of.max !== undefined) parts.push(`${of.min} to ${of.max}`);
    else if (of.min !== undefined) parts.push(`At least ${of.min}`);
    else if (of.max !== undefined) parts.push(`At most ${of.max}`);
  }
  if (typeof fallback === 'number' || (typeof fallback === 'string' && fallback !== ''))
    parts.push(`${fallback} where it is empty`);
  return parts.length === 0 ? null : `${parts.join('. ')}.`;
}

/** Keys that the schema does not know; they stay in the file as they are. */
export const unknownKeys = (value: Json | undefined, fields: readonly Field[]): string[] =>
  Object.keys(table(value)).filter((key) => !fields.some((field) => field.key === key));

/** The keys that every step has beside its configuration. */
export const STEP_FIELDS: readonly Field[] = fieldsOf({
  type: 'object',
  properties: {
    title: { type: 'string' },
    when: { type: 'string' },
    trigger_rule: {
      type: 'string',
      enum: ['all_success', 'one_success', 'none_failed_min_one_success', 'all_done'],
    },
    on_interrupt: { type: 'string', enum: ['ask', 'retry', 'fail'] },
    timeout_minutes: { type: 'number', exclusiveMinimum: 0, maximum: 525_600 },
    retry: {
      type: 'object',
      properties: {
        max_attempts: { type: 'integer', minimum: 1, maximum: 100 },
        delay_seconds: { type: 'number', default: 5 },
        on: { type: 'string', enum: ['transient', 'all'], default: 'transient' },
      },
      required: ['max_attempts'],
    },
  },
});
