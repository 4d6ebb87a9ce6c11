import type { Json } from '@contract/ids';
import { ownValue, setOwnValue } from '@contract/own';
import type { JsonSchema } from '@main/core/step/output/format-keywords';
import { isMap } from '../../contract/change';

const DEEPEST = 20;

/** The smallest answer that most schemas accept; patterns and formats are ignored. */
function sampleOf(schema: JsonSchema, root: JsonSchema = schema, depth = 0): Json {
  const number = (key: string): number | null => {
    const value = ownValue(schema, key);
    return typeof value === 'number' ? value : null;
  };
  const inner = (one: Json | undefined): Json => (isMap(one) ? sampleOf(one, root, depth + 1) : 'sample');
  if (depth > DEEPEST) return null;
  const ref = ownValue(schema, '$ref');
  if (typeof ref === 'string') {
    const [, holder = '', name = ''] = /^#\/([^/]+)\/(.+)$/.exec(ref) ?? [];
    const definitions = ownValue(root, holder);
    return inner(isMap(definitions) ? ownValue(definitions, name) : undefined);
  }
  const [first] = [ownValue(schema, 'enum'), ownValue(schema, 'anyOf'), ownValue(schema, 'oneOf')].filter(
    Array.isArray,
  );
  const option = first?.[0];
  if (option !== undefined) return ownValue(schema, 'enum') === first ? option : inner(option);
  const constant = ownValue(schema, 'const');
  if (constant !== undefined) return constant;
  const type = ownValue(schema, 'type');
  const properties = ownValue(schema, 'properties');
  switch (Array.isArray(type) ? type[0] : (type ?? (isMap(properties) ? 'object' : undefined))) {
    case 'object': {
      const made: { [key: string]: Json } = {};
      for (const [name, one] of Object.entries(isMap(properties) ? properties : {}))
        setOwnValue(made, name, inner(one));
      return made;
    }
    case 'array':
      return Array.from({ length: Math.max(1, number('minItems') ?? 1) }, () =>
        inner(ownValue(schema, 'items')),
      );
    case 'number':
    case 'integer':
      return number('minimum') ?? Math.min((number('exclusiveMinimum') ?? 0) + 1, number('maximum') ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'sample'.padEnd(number('minLength') ?? 0, '.').slice(0, number('maxLength') ?? undefined);
  }
}

/**
 * A scripted agent's answer: valid by the schema in its prompt, or an approval if the prompt asks for one.
 */
export function sampleAnswer(prompt: string): string {
  const blocks = [...prompt.matchAll(/^```json\n([\s\S]*?)\n```$/gm)].map(([, text]) => text ?? '');
  const last = blocks.at(-1);
  if (last === undefined) return '(sample answer)';
  try {
    const schema: Json = JSON.parse(last);
    if (isMap(schema)) return JSON.stringify(sampleOf(schema));
  } catch {
    // The form of a review's decision is not JSON.
    if (last.includes('"approve" | "revise"')) return '```json\n{"decision": "approve", "findings": []}\n```';
  }
  return '(sample answer)';
}
