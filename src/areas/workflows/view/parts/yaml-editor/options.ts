import { ownValue } from '@contract/own';
import { isSchema, type Knowledge, propertiesOf, type Schema, schemasAt } from './json-schema';
import { type CursorPlace, placeAt } from './place';

/** A completion at the cursor. */
interface Option {
  readonly label: string;
  /** The inserted text, if it is more than the label. */
  readonly apply?: string;
  readonly detail?: string;
  readonly info?: string;
}

interface Options {
  /** How many characters before the cursor are replaced. */
  readonly typed: number;
  readonly options: readonly Option[];
}

const REFERENCE = /(?<!\\)\$[A-Za-z_]?[\w.-]*$/;

/** The completions at the cursor; null if there are none. */
export function optionsAt(text: string, offset: number, knowledge: Knowledge): Options | null {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const [reference] = REFERENCE.exec(line) ?? [];
  if (reference !== undefined) return { typed: reference.length, options: references(knowledge) };
  const place = placeAt(text, offset);
  if (place === null || place.kind === 'text') return null;
  const options = place.kind === 'key' ? keys(place, knowledge) : values(place, knowledge);
  return options.length === 0 ? null : { typed: place.typed.length, options };
}

const BUILT_IN = ['ARGUMENTS', 'ARTIFACTS_DIR', 'WORKFLOW_ID', 'BASE_BRANCH', 'DOCS_DIR'];
const SCOPED = ['ITEM', 'LOOP_PREV_OUTPUT', 'LOOP_USER_INPUT', 'REJECTION_REASON'];

const references = ({ steps, inputs }: Knowledge): Option[] => [
  ...steps.map((id) => ({ label: `$${id}.output`, detail: 'output of a step' })),
  ...inputs.map((name) => ({ label: `$INPUTS.${name}`, detail: 'input' })),
  ...[...BUILT_IN, ...SCOPED].map((name) => ({ label: `$${name}` })),
];

function keys(place: CursorPlace, knowledge: Knowledge): Option[] {
  const there = place.beside.at(-1) ?? new Map();
  const found = new Map<string, Option>();
  for (const schema of schemasAt(place, knowledge)) {
    for (const [key, property] of Object.entries(propertiesOf(schema))) {
      if (there.has(key) || found.has(key) || !isSchema(property)) continue;
      found.set(key, keyOption(key, property, schema));
    }
  }
  return [...found.values()];
}

function keyOption(key: string, property: Schema, around: Schema): Option {
  const required = ownValue(around, 'required');
  const needed = Array.isArray(required) && required.includes(key) ? 'required' : null;
  const type = ownValue(property, 'type');
  const description = ownValue(property, 'description');
  const nested = type === 'object' || type === 'array';
  return {
    label: key,
    apply: nested ? `${key}:` : `${key}: `,
    detail: [typeof type === 'string' ? type : null, needed].filter((one) => one !== null).join(', '),
    ...(typeof description === 'string' ? { info: description } : {}),
  };
}

function values(place: CursorPlace, knowledge: Knowledge): Option[] {
  const { path, key } = place;
  const [list] = path.slice(-2);
  if (key === 'type' && list === 'steps' && path.at(-1) === '[]')
    return knowledge.types.map(({ type, title }) => ({ label: type, detail: title }));
  if (key === 'acp_profile_id') return knowledge.agents.map((label) => ({ label, detail: 'agent' }));
  if (list === 'cables' && key === 'from') return knowledge.outputs.map((label) => ({ label }));
  if (list === 'cables' && key === 'to') return knowledge.inlets.map((label) => ({ label }));
  if (key === 'returns' || key === 'output')
    return knowledge.steps.map((label) => ({ label, detail: 'step' }));
  const schemas = schemasAt(
    { ...place, path: [...path, key ?? ''], beside: [...place.beside, new Map()] },
    knowledge,
  );
  return [...new Set(schemas.flatMap(literals))].map((label) => ({ label }));
}

function literals(schema: Schema): string[] {
  const options = ownValue(schema, 'enum');
  if (Array.isArray(options)) return options.map(String);
  const literal = ownValue(schema, 'const');
  if (literal !== undefined) return [String(literal)];
  return ownValue(schema, 'type') === 'boolean' ? ['true', 'false'] : [];
}
