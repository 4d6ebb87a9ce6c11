import { z } from 'zod';

type Check = (value: unknown) => boolean;

/** What checks of numbers and texts may contain. */
interface AnyCheck {
  readonly check: string;
  readonly format?: unknown;
  readonly value?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly inclusive?: unknown;
  readonly pattern?: unknown;
}

/**
 * A fast check for a schema: true only if the schema accepts the value. It creates no copies or messages and
 * costs a fraction of a parse. False is no verdict: the schema itself then decides, as it does for features
 * the check does not know.
 */
export function checkOf(schema: z.core.$ZodType): Check {
  const { _zod } = schema as z.core.$ZodTypes;
  const { def } = _zod;
  if (def.type === 'number') return numberCheck(schema, def.checks ?? []);
  if (def.type === 'string') return textCheck(schema, def.checks ?? []);
  if (def.type === 'array') return listCheck(schema, checkOf(def.element), def.checks ?? []);
  if ((def.checks ?? []).length > 0) return bySchema(schema);
  switch (def.type) {
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'null':
      return (value) => value === null;
    case 'literal':
      return oneOf(def.values);
    case 'enum':
      return oneOf(Object.values(def.entries));
    case 'nullable':
      return either([(value) => value === null, checkOf(def.innerType)]);
    case 'optional':
    case 'default':
      return either([(value) => value === undefined, checkOf(def.innerType)]);
    case 'lazy':
      return whenAsked(() => checkOf(def.getter()));
    case 'union':
      return either(def.options.map(checkOf));
    case 'object':
      if (def.catchall === undefined) return fieldsOf(def.shape);
      return def.catchall._zod.def.type === 'never' ? onlyFieldsOf(def.shape) : bySchema(schema);
    case 'record':
      return isPlainText(def.keyType) ? entriesOf(checkOf(def.valueType)) : bySchema(schema);
    default:
      return bySchema(schema);
  }
}

const bySchema =
  (schema: z.core.$ZodType): Check =>
  (value) =>
    z.safeParse(schema, value, { jitless: true }).success;

/** Built on first use, since schemas may contain themselves. */
function whenAsked(make: () => Check): Check {
  let made: Check | null = null;
  return (value) => {
    made ??= make();
    return made(value);
  };
}

function oneOf(values: readonly unknown[]): Check {
  const known = new Set(values);
  return (value) => known.has(value);
}

const either =
  (checks: readonly Check[]): Check =>
  (value) => {
    for (const check of checks) if (check(value)) return true;
    return false;
  };

const everyOf =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return false;
    for (const one of value) if (!check(one)) return false;
    return true;
  };

function listCheck(schema: z.core.$ZodType, ofEach: Check, checks: readonly z.core.$ZodCheck[]): Check {
  let least = 0;
  let most = Number.POSITIVE_INFINITY;
  for (const { _zod } of checks) {
    const { check, minimum, maximum }: AnyCheck = _zod.def;
    if (check === 'min_length' && typeof minimum === 'number') least = Math.max(least, minimum);
    else if (check === 'max_length' && typeof maximum === 'number') most = Math.min(most, maximum);
    else return bySchema(schema);
  }
  const isList = everyOf(ofEach);
  return (value) =>
    isList(value) && (value as unknown[]).length >= least && (value as unknown[]).length <= most;
}

function fieldsOf(shape: Readonly<Record<string, z.core.$ZodType>>): Check {
  const fields = Object.entries(shape).map(([name, schema]) => ({ name, check: checkOf(schema) }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    for (const { name, check } of fields) if (!check(Reflect.get(value, name))) return false;
    return true;
  };
}

/** What has another prototype may have further fields there, about which the schema decides. */
function onlyFieldsOf(shape: Readonly<Record<string, z.core.$ZodType>>): Check {
  const hasFields = fieldsOf(shape);
  const names = new Set(Object.keys(shape));
  return (value) =>
    hasFields(value) &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.keys(value as object).every((name) => names.has(name));
}

const isPlainText = (schema: z.core.$ZodType): boolean => {
  const { def } = schema._zod;
  return def.type === 'string' && (def.checks ?? []).length === 0;
};

/** A parse drops `__proto__`, so records that have it are left to the schema. */
const entriesOf =
  (check: Check): Check =>
  (value) => {
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
      return false;
    for (const [name, one] of Object.entries(value)) if (name === '__proto__' || !check(one)) return false;
    return true;
  };

function textCheck(schema: z.core.$ZodType, checks: readonly z.core.$ZodCheck[]): Check {
  let least = 0;
  let most = Number.POSITIVE_INFINITY;
  const patterns: RegExp[] = [];
  for (const { _zod } of checks) {
    const def: AnyCheck = _zod.def;
    if (def.check === 'min_length' && typeof def.minimum === 'number') least = Math.max(least, def.minimum);
    else if (def.check === 'max_length' && typeof def.maximum === 'number')
      most = Math.min(most, def.maximum);
    else if (
      def.format === 'regex' &&
      def.pattern instanceof RegExp &&
      !def.pattern.global &&
      !def.pattern.sticky
    )
      patterns.push(def.pattern);
    else return bySchema(schema);
  }
  return (value) =>
    typeof value === 'string' &&
    value.length >= least &&
    value.length <= most &&
    patterns.every((pattern) => pattern.test(value));
}

function numberCheck(schema: z.core.$ZodType, checks: readonly z.core.$ZodCheck[]): Check {
  let integer = false;
  const bounds: ((value: number) => boolean)[] = [];
  for (const { _zod } of checks) {
    const { check, format, value: bound, inclusive }: AnyCheck = _zod.def;
    if (check === 'number_format' && format === 'safeint') integer = true;
    else if (check === 'greater_than' && typeof bound === 'number')
      bounds.push(inclusive === true ? (value) => value >= bound : (value) => value > bound);
    else if (check === 'less_than' && typeof bound === 'number')
      bounds.push(inclusive === true ? (value) => value <= bound : (value) => value < bound);
    else return bySchema(schema);
  }
  const isNumber: Check = integer ? Number.isSafeInteger : Number.isFinite;
  return (value) => isNumber(value) && bounds.every((holds) => holds(value as number));
}
