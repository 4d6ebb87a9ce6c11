import { LARGEST_NUMBER } from '@contract/bounds';
import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';
import { isMap, type JsonMap } from '../../../../contract/change';
import type { ValuePath } from '../../../../contract/edit';

/** How a value is entered. */
export type FieldKind =
  | { readonly kind: 'text'; readonly long: boolean }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number; readonly isInteger: boolean }
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'profile' }
  /** A file of the project, by its path. */
  | { readonly kind: 'file' }
  /** Another workflow of the project, by the path of its file. */
  | { readonly kind: 'workflow' }
  | { readonly kind: 'files' }
  | { readonly kind: 'reprompts' }
  | { readonly kind: 'list'; readonly item: Field; readonly most: number | null }
  | { readonly kind: 'group'; readonly fields: readonly Field[] }
  /** A map of names to values; `names` is the pattern of valid names. */
  | { readonly kind: 'map'; readonly item: Field; readonly names: string | null }
  /** One of several forms. */
  | { readonly kind: 'union'; readonly options: readonly UnionOption[] }
  /** Steps inside a step. */
  | { readonly kind: 'steps' }
  /** Any value, written as JSON. */
  | { readonly kind: 'json'; readonly list: boolean };

export interface UnionOption {
  readonly label: string;
  /** The only possible value of the option; absent if the value is entered. */
  readonly only?: Json;
  readonly field: Field;
}

export interface Field {
  readonly key: string;
  readonly label: string;
  readonly required: boolean;
  readonly fallback: Json | undefined;
  readonly hint: string | null;
  readonly of: FieldKind;
}

/** Labels that do not follow from their keys. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['acp_profile_id', 'Agent'],
  ['agent_config', 'Agent settings'],
  ['cost_usd', 'Cost'],
  ['env', 'Environment'],
  ['re_prompts', 'Re-prompts'],
  ['separate_outputs', 'Send responses to separate outputs'],
  ['session_persist', 'Keep the conversation for the next activation'],
  ['on_interrupt', 'When Muster is interrupted'],
  ['trigger_rule', 'Runs when'],
  ['when', 'Condition'],
  ['disabled', 'Switched off'],
  ['until', 'Text that ends the loop'],
  ['max_iterations', 'Maximum iterations'],
  ['for_each', 'For each item'],
  ['on_reject', 'Rework after a reject'],
  ['until_command', 'Command that ends the loop'],
  ['until_field', 'Field that ends the loop'],
  ['gate_message', 'Question after each pass'],
  ['interactive', 'Ask the operator after each pass'],
  ['retry_profile', 'Agent of later attempts'],
  ['output_format', 'JSON Schema of the output'],
]);

const PROFILES: ReadonlySet<string> = new Set(['acp_profile_id', 'agent', 'retry_profile']);
const FILES: ReadonlySet<string> = new Set(['instruction_file', 'document']);

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

/** How a list is called among those of other entries: `Re-prompts of agent 2`. */
export function listName(label: string, path: ValuePath): string {
  const at = path.findLastIndex((part, index) => typeof part === 'number' && index < path.length - 1);
  const [list, place] = [path[at - 1], path[at]];
  if (typeof list !== 'string' || typeof place !== 'number') return label;
  return `${label} of ${labelOf(list).replace(/s$/, '').toLowerCase()} ${place + 1}`;
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
  if (schema.type === 'string' && PROFILES.has(key)) return { kind: 'profile' };
  if (schema.type === 'string' && FILES.has(key)) return { kind: 'file' };
  if (schema.type === 'string' && key === 'file') return { kind: 'workflow' };
  const options = list(schema.enum ?? [schema.const ?? null]).filter((one) => typeof one === 'string');
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
      return unionKind(key, schema);
  }
}

function unionKind(key: string, schema: JsonMap): FieldKind {
  const { type } = schema;
  if (Array.isArray(type) && type.every((one) => SCALARS.has(String(one))))
    return { kind: 'text', long: false };
  const options = list(schema.anyOf).map((one): UnionOption => {
    const only = table(one).const;
    const field = fieldOf(key, table(one), true);
    if (only !== undefined) return { label: labelOf(String(only)), only, field };
    return { label: optionLabel(field.of), field };
  });
  return options.length > 1 ? { kind: 'union', options } : { kind: 'json', list: false };
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean']);

function optionLabel(of: FieldKind): string {
  switch (of.kind) {
    case 'group':
      return of.fields.find(({ required }) => required)?.label ?? 'Settings';
    case 'list':
      return 'List';
    case 'number':
      return 'Number';
    case 'switch':
      return 'Yes or no';
    case 'json':
      return of.list ? 'List' : 'JSON';
    default:
      return 'Text';
  }
}

/** The index of the option that matches a value. */
export const optionOf = (options: readonly UnionOption[], value: Json | undefined): number =>
  options.findIndex(({ only, field: { of } }) => {
    if (only !== undefined) return only === value;
    switch (of.kind) {
      case 'group':
      case 'map':
        return isMap(value);
      case 'list':
        return Array.isArray(value);
      case 'number':
        return typeof value === 'number';
      case 'switch':
        return typeof value === 'boolean';
      case 'json':
        return of.list ? Array.isArray(value) : value !== undefined && typeof value !== 'string';
      default:
        return typeof value === 'string';
    }
  });

/** An initial value with all required parts. */
export function freshValue({ of }: Field): Json {
  switch (of.kind) {
    case 'group':
      return Object.fromEntries(
        of.fields.filter(({ required }) => required).map((field) => [field.key, freshValue(field)]),
      );
    case 'list':
      return [];
    case 'map':
      return {};
    case 'number':
      return of.min ?? 0;
    case 'switch':
      return false;
    case 'union':
      return of.options[0]?.only ?? '';
    case 'json':
      return of.list ? [] : {};
    default:
      return '';
  }
}

/**
 * Converts a text to a scalar of a map whose values are strings, numbers or booleans: it keeps the previous
 * type.
 */
export function scalarLike(before: Json | undefined, text: string): Json {
  if (typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function numberKind(schema: JsonMap): FieldKind {
  const isInteger = schema.type === 'integer';
  const above = numberOf(schema.exclusiveMinimum);
  const min = numberOf(schema.minimum) ?? (isInteger && above !== undefined ? above + 1 : undefined);
  const max = numberOf(schema.maximum);
  return {
    kind: 'number',
    isInteger,
    ...(min === undefined || min <= -LARGEST_NUMBER ? {} : { min }),
    ...(max === undefined || max >= LARGEST_NUMBER ? {} : { max }),
  };
}

function listKind(key: string, schema: JsonMap): FieldKind {
  const item = fieldOf(key.replace(/s$/, ''), table(schema.items), true);
  const has = item.of.kind === 'json' || item.of.kind === 'list';
  return has ? { kind: 'json', list: true } : { kind: 'list', item, most: numberOf(schema.maxItems) ?? null };
}

function objectKind(key: string, schema: JsonMap): FieldKind {
  // Steps inside a step are edited as steps.
  if (key === 'body' || ownValue(table(schema.properties), 'steps') !== undefined) return { kind: 'steps' };
  if (schema.properties !== undefined) return { kind: 'group', fields: fieldsOf(schema) };
  const item = fieldOf('value', table(schema.additionalProperties), true);
  const { pattern } = table(schema.propertyNames);
  const names = typeof pattern === 'string' ? pattern : null;
  const fits = item.of.kind === 'text' || item.of.kind === 'group';
  return fits ? { kind: 'map', item, names } : { kind: 'json', list: false };
}

/** 525600 as "525,600". */
const grouped = (value: number): string => value.toLocaleString('en');

function hintOf(of: FieldKind, fallback: Json | undefined): string | null {
  const parts: string[] = [];
  if (of.kind === 'number') {
    if (of.min !== undefined && of.max !== undefined) parts.push(`${grouped(of.min)} to ${grouped(of.max)}`);
    else if (of.min !== undefined) parts.push(`At least ${grouped(of.min)}`);
    else if (of.max !== undefined) parts.push(`At most ${grouped(of.max)}`);
  }
  // A choice marks its default among its options.
  const saysDefault =
    typeof fallback === 'string' ? fallback !== '' && of.kind !== 'choice' : typeof fallback === 'number';
  if (saysDefault) parts.push(`${fallback} where it is empty`);
  return parts.length === 0 ? null : `${parts.join('. ')}.`;
}

/** Keys that the schema does not know; they stay unchanged in the file. */
export const unknownKeys = (value: Json | undefined, fields: readonly Field[]): string[] =>
  Object.keys(table(value)).filter((key) => !fields.some((field) => field.key === key));

/** The keys that every step has besides its configuration. */
export const STEP_FIELDS: readonly Field[] = fieldsOf({
  type: 'object',
  properties: {
    title: { type: 'string' },
    disabled: { type: 'boolean' },
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
    output_format: { type: 'object' },
  },
});
