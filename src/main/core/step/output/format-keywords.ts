import { isMap } from '@areas/workflows/contract/change';
import type { Json } from '@contract/ids';
import { ownValue, setOwnValue } from '@contract/own';
import { patternFlaw } from './linear-pattern';

/** A JSON Schema as it is in a workflow file. */
export type JsonSchema = Readonly<Record<string, Json>>;

/** A part of an `output_format` that cannot be enforced, at its path within it. */
interface SchemaFlaw {
  readonly path: string;
  readonly message: string;
  readonly mend: string;
}

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
type TypeName = (typeof TYPES)[number];

/**
 * Annotations that do not affect validity. Includes `default`, which would let a required field be missing.
 */
const NOTES: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['$schema', '$id', '$comment', '$defs', 'definitions'],
]);

const NUMBER = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;
const OF_TYPE: Readonly<Record<TypeName, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: NUMBER,
  integer: NUMBER,
  boolean: [],
  null: [],
};

/** The types that these keywords imply in a schema without a type. */
const INFERRED: readonly TypeName[] = ['object', 'array', 'string', 'number'];

const FORMATS: ReadonlySet<string> = new Set([
  ...['email', 'uri', 'uuid', 'date-time', 'date', 'time', 'duration', 'hostname', 'ipv4', 'ipv6'],
]);

const COUNTS = new Set(['minProperties', 'maxProperties', 'minItems', 'maxItems', 'minLength', 'maxLength']);
const NUMERIC: ReadonlySet<string> = new Set([...NUMBER, ...COUNTS]);

/** More than a person writes, and far below the stack limit. */
const DEEPEST = 50;

/** A copy of `pattern` under a name that zod does not know, so that it passes the keyword to its registry. */
export const LINEAR = 'linearPattern';

interface Reading {
  readonly flaws: SchemaFlaw[];
  readonly definitions: ReadonlyMap<string, Json>;
  readonly depth: number;
}

/**
 * Converts a JSON Schema to a form in which every keyword is enforced: types are explicit, annotations
 * removed. Parts that cannot be enforced are returned as flaws, and must not be used.
 */
export function enforceable(schema: JsonSchema): { schema: JsonSchema; flaws: readonly SchemaFlaw[] } {
  const flaws: SchemaFlaw[] = [];
  const definitions = new Map([
    ...entriesOf(ownValue(schema, 'definitions')),
    ...entriesOf(ownValue(schema, '$defs')),
  ]);
  const reading: Reading = { flaws, definitions, depth: 0 };
  const read = readSchema(schema, '', reading);
  if (definitions.size === 0) return { schema: read, flaws };
  const made: Record<string, Json> = {};
  for (const holder of ['definitions', '$defs'])
    for (const [name, one] of entriesOf(ownValue(schema, holder)))
      setOwnValue(made, name, readSchema(one, `${holder}.${name}`, { ...reading, depth: 1 }) as Json);
  return { schema: { ...read, $defs: made }, flaws };
}

const entriesOf = (value: Json | undefined): [string, Json][] => (isMap(value) ? Object.entries(value) : []);

const NOTHING: JsonSchema = {};

function readSchema(value: Json | JsonSchema, path: string, reading: Reading): JsonSchema {
  const flaw = (at: string, message: string, mend: string): JsonSchema => {
    reading.flaws.push({ path: [path, at].filter((part) => part !== '').join('.'), message, mend });
    return NOTHING;
  };
  if (reading.depth > DEEPEST)
    return flaw('', `it is nested more than ${DEEPEST} levels deep`, 'write a flatter schema');
  if (!isMap(value as Json))
    return flaw('', 'a schema must be an object', 'write for example {type: string}');
  const schema = value as JsonSchema;
  const keys = Object.keys(schema).filter((key) => !NOTES.has(key));
  const alone = (keyword: string): string | undefined => keys.find((key) => key !== keyword);
  for (const kind of ['$ref', 'anyOf', 'oneOf'] as const) {
    if (ownValue(schema, kind) === undefined) continue;
    const beside = alone(kind);
    if (beside !== undefined)
      return flaw(beside, `"${beside}" is not enforced next to "${kind}"`, `write it inside of "${kind}"`);
    return kind === '$ref'
      ? readRef(schema, { path, reading, flaw })
      : readChoice(schema, kind, { path, reading, flaw });
  }
  if (ownValue(schema, 'enum') !== undefined || ownValue(schema, 'const') !== undefined)
    return readLiterals(schema, keys, flaw);
  return readTyped(schema, keys, { path, reading, flaw });
}

interface FormatPlace {
  readonly path: string;
  readonly reading: Reading;
  readonly flaw: (at: string, message: string, mend: string) => JsonSchema;
}

const within = (path: string, part: string): string => (path === '' ? part : `${path}.${part}`);
const deeper = (reading: Reading): Reading => ({ ...reading, depth: reading.depth + 1 });

function readRef(schema: JsonSchema, { reading, flaw }: FormatPlace): JsonSchema {
  const ref = ownValue(schema, '$ref');
  const name = typeof ref === 'string' ? /^#\/(?:\$defs|definitions)\/([^/~%]+)$/.exec(ref)?.[1] : undefined;
  if (name !== undefined && reading.definitions.has(name)) return { $ref: `#/$defs/${name}` };
  return flaw(
    '$ref',
    `there is no definition ${JSON.stringify(ref)}`,
    'refer to an entry of $defs: "#/$defs/NAME"',
  );
}

function readChoice(
  schema: JsonSchema,
  kind: 'anyOf' | 'oneOf',
  { path, reading, flaw }: FormatPlace,
): JsonSchema {
  const options = ownValue(schema, kind);
  if (!Array.isArray(options) || options.length === 0)
    return flaw(kind, `"${kind}" needs a list of schemas`, 'write at least one schema');
  return {
    [kind]: options.map(
      (one, at) => readSchema(one, within(path, `${kind}[${at}]`), deeper(reading)) as Json,
    ),
  };
}

const isLiteral = (value: Json): boolean => value === null || typeof value !== 'object';

function typeOf(value: Json): TypeName {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as TypeName);
}

function readLiterals(schema: JsonSchema, keys: readonly string[], flaw: FormatPlace['flaw']): JsonSchema {
  const kind = ownValue(schema, 'enum') === undefined ? 'const' : 'enum';
  const other = keys.find((key) => key !== kind && key !== 'type');
  if (other !== undefined)
    return flaw(
      other,
      `"${other}" is not enforced next to "${kind}"`,
      `remove it: "${kind}" lists every valid value`,
    );
  const values = kind === 'const' ? [ownValue(schema, 'const') ?? null] : (ownValue(schema, 'enum') ?? null);
  if (!Array.isArray(values) || values.length === 0)
    return flaw(kind, '"enum" needs a list of values', 'write at least one value');
  if (!values.every(isLiteral))
    return flaw(
      kind,
      `"${kind}" can have only texts, numbers, true, false and null`,
      'describe the object with properties',
    );
  const types = typesOf(schema);
  const stray = types.length === 0 ? undefined : values.find((one) => !fits(one, types));
  if (stray !== undefined)
    return flaw(
      kind,
      `${JSON.stringify(stray)} is not of the type ${types.join(' or ')}`,
      'correct the type or the value',
    );
  return { enum: [...new Set(values)] };
}

const fits = (value: Json, types: readonly string[]): boolean =>
  types.includes(typeOf(value)) || (types.includes('integer') && Number.isInteger(value));

function typesOf(schema: JsonSchema): readonly string[] {
  const type = ownValue(schema, 'type');
  if (Array.isArray(type)) return type.map(String);
  return type === undefined ? [] : [String(type)];
}

function readTyped(schema: JsonSchema, keys: readonly string[], place: FormatPlace): JsonSchema {
  const { flaw } = place;
  const named = typesOf(schema);
  const unknown = named.find((one) => !(TYPES as readonly string[]).includes(one));
  if (unknown !== undefined)
    return flaw('type', `there is no type "${unknown}"`, `use one of: ${TYPES.join(', ')}`);
  const types = named.length > 0 ? (named as TypeName[]) : inferred(keys);
  if (types.length === 0)
    return flaw(
      keys[0] ?? '',
      'it has no type, so every answer would be valid',
      `add a type: ${TYPES.join(', ')}`,
    );
  const allowed = new Set(types.flatMap((type) => OF_TYPE[type]));
  for (const key of keys)
    if (key !== 'type' && !allowed.has(key)) flaw(key, refusedBecause(key, types), mendOf(key));
  const options = types.map((type) => readOne(schema, type, place));
  const [only] = options;
  return options.length === 1 && only !== undefined ? only : { anyOf: options as Json[] };
}

const inferred = (keys: readonly string[]): TypeName[] =>
  INFERRED.filter((type) => keys.some((key) => OF_TYPE[type].includes(key))).slice(0, 1);

const refusedBecause = (key: string, types: readonly string[]): string =>
  Object.values(OF_TYPE).some((known) => known.includes(key))
    ? `"${key}" has no effect on the type ${types.join(' or ')}`
    : `the keyword "${key}" cannot be enforced`;

const MENDS: Readonly<Record<string, string>> = {
  nullable: 'write type: [string, "null"]',
  allOf: 'write the parts as one schema',
  patternProperties: 'name the properties, or use additionalProperties with a schema',
};
const mendOf = (key: string): string => ownValue(MENDS, key) ?? 'remove it, and say it in the instruction';

function readOne(schema: JsonSchema, type: TypeName, place: FormatPlace): JsonSchema {
  const made: Record<string, Json> = { type };
  for (const key of OF_TYPE[type]) {
    const value = ownValue(schema, key);
    if (value === undefined) continue;
    const read = readKeyword(key, value, place);
    if (read !== null) setOwnValue(made, key, read);
  }
  if (type === 'object') checkRequired(made, place);
  // An array without items would lose its bounds, and an integer beyond 2^53 would be rejected.
  if (type === 'array') made.items ??= true;
  if (type === 'integer') asWhole(made, place);
  if (made.pattern !== undefined) made[LINEAR] = made.pattern;
  return made;
}

function asWhole(made: Record<string, Json>, { flaw }: FormatPlace): void {
  made.type = 'number';
  if (made.multipleOf !== undefined && !Number.isInteger(made.multipleOf))
    flaw('multipleOf', 'for an integer, it must be a whole number', 'use type: number');
  made.multipleOf ??= 1;
}

function checkRequired(made: Record<string, Json>, { flaw }: FormatPlace): void {
  const properties = made.properties;
  const names = Array.isArray(made.required) ? made.required : [];
  const stray = names.find((name) => !isMap(properties) || ownValue(properties, String(name)) === undefined);
  if (stray !== undefined)
    flaw('required', `"${String(stray)}" is required and not among the properties`, 'add it to properties');
}

/** A keyword's enforced value; null if it has a flaw, which is reported. */
function readKeyword(key: string, value: Json, { path, reading, flaw }: FormatPlace): Json | null {
  const refuse = (message: string, mend: string): null => {
    flaw(key, message, mend);
    return null;
  };
  if (NUMERIC.has(key)) {
    const counts = COUNTS.has(key);
    const good =
      typeof value === 'number' &&
      Number.isFinite(value) &&
      (!counts || (Number.isInteger(value) && value >= 0));
    if (!good || (key === 'multipleOf' && value <= 0))
      return refuse(`"${key}" needs a number`, counts ? 'write a whole number from 0' : 'write a number');
    return value;
  }
  switch (key) {
    case 'properties': {
      if (!isMap(value)) return refuse('"properties" needs an object', 'write name: {type: string}');
      const made: Record<string, Json> = {};
      for (const [name, one] of Object.entries(value))
        setOwnValue(made, name, readSchema(one, within(path, `properties.${name}`), deeper(reading)) as Json);
      return made;
    }
    case 'required':
      return Array.isArray(value) && value.every((name) => typeof name === 'string')
        ? value
        : refuse('"required" needs a list of names', 'write for example [summary]');
    case 'additionalProperties':
    case 'items':
      if (typeof value === 'boolean') return value;
      return readSchema(value, within(path, key), deeper(reading)) as Json;
    case 'uniqueItems':
      return typeof value === 'boolean' ? value : refuse('"uniqueItems" is true or false', 'write true');
    case 'format':
      return typeof value === 'string' && FORMATS.has(value)
        ? value
        : refuse(
            `the format ${JSON.stringify(value)} cannot be enforced`,
            `use one of: ${[...FORMATS].join(', ')}`,
          );
    default: {
      if (typeof value !== 'string') return refuse('"pattern" needs a text', 'write a regular expression');
      const flawed = patternFlaw(value);
      return flawed === null
        ? value
        : refuse(`the pattern ${JSON.stringify(value)}: ${flawed.message}`, flawed.mend);
    }
  }
}
