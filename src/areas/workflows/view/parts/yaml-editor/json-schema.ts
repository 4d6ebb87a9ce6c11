import { ownValue } from '@contract/own';
import type { CursorPlace } from './place';

/** A JSON Schema that was not validated. */
export type Schema = { readonly [key: string]: unknown };

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the editor knows besides the text. */
export interface Knowledge {
  readonly workflow: Schema;
  readonly types: readonly { readonly type: string; readonly title: string; readonly config: Schema }[];
  /** Ids of agent profiles. */
  readonly agents: readonly string[];
  readonly steps: readonly string[];
  readonly inputs: readonly string[];
  /** `step.port`, for the ends of cables. */
  readonly outputs: readonly string[];
  readonly inlets: readonly string[];
}

interface FoundSchema {
  readonly schema: Schema;
  /** The root for `$ref`. */
  readonly root: Schema;
}

/** The schemas that may hold at a place: of alternatives all of them. */
export function schemasAt({ path, beside }: CursorPlace, knowledge: Knowledge): Schema[] {
  let found = alternatives({ schema: knowledge.workflow, root: knowledge.workflow });
  path.forEach((part, index) => {
    const type = part === 'config' ? beside[index]?.get('type') : undefined;
    const config = knowledge.types.find((one) => one.type === type)?.config;
    if (config !== undefined) found = alternatives({ schema: config, root: config });
    else if (part === 'steps' && index > 0)
      found = alternatives({
        schema: ownValue(propertiesOf(knowledge.workflow), 'steps') as Schema,
        root: knowledge.workflow,
      });
    else found = found.flatMap((one) => inside(one, part));
  });
  return found.map(({ schema }) => schema);
}

export const propertiesOf = (schema: Schema): Schema => {
  const properties = ownValue(schema, 'properties');
  return isSchema(properties) ? properties : {};
};

function inside({ schema, root }: FoundSchema, part: string): FoundSchema[] {
  const next =
    part === '[]'
      ? ownValue(schema, 'items')
      : (ownValue(propertiesOf(schema), part) ?? ownValue(schema, 'additionalProperties'));
  return isSchema(next) ? alternatives({ schema: next, root }) : [];
}

const MOST_REFERENCES = 20;

function alternatives({ schema, root }: FoundSchema, depth = 0): FoundSchema[] {
  if (depth > MOST_REFERENCES || !isSchema(schema)) return [];
  const ref = ownValue(schema, '$ref');
  if (typeof ref === 'string') {
    let target: unknown = root;
    for (const part of ref.replace(/^#\/?/, '').split('/').filter(Boolean))
      target = isSchema(target) ? ownValue(target, part) : undefined;
    return isSchema(target) ? alternatives({ schema: target, root }, depth + 1) : [];
  }
  const options = ownValue(schema, 'anyOf') ?? ownValue(schema, 'oneOf');
  if (!Array.isArray(options)) return [{ schema, root }];
  return options.flatMap((option) => alternatives({ schema: option as Schema, root }, depth + 1));
}
