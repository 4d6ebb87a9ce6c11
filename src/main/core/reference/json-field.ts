import { ownValue } from '@contract/own';

/** A field of a JSON object as text, with its type. */
export interface FieldValue {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';
  readonly text: string;
}

/** A text that is a single fenced block, marked json or not. */
const FENCED = /^\s*```(?:json|JSON)?[ \t]*\r?\n([\s\S]*?)\r?\n?```\s*$/;

/** The JSON of a text: the text itself, or the content of its only fenced block. */
export const withoutFence = (text: string): string => FENCED.exec(text)?.[1] ?? text;

/**
 * Reads own fields of the JSON object in a text; null if it is not a JSON object. Numbers keep their written
 * digits, because parsing would round large ones.
 */
export function jsonObject(text: string): { field(name: string): FieldValue | null } | null {
  const source = withoutFence(text);
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return null;
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const object = value as Readonly<Record<string, unknown>>;
  return { field: (name) => fieldOf(object, source, name) };
}

function fieldOf(object: Readonly<Record<string, unknown>>, source: string, name: string): FieldValue | null {
  if (!Object.hasOwn(object, name)) return null;
  const value = ownValue(object, name);
  if (typeof value === 'string') return { type: 'string', text: value };
  if (typeof value === 'boolean') return { type: 'boolean', text: String(value) };
  if (value === null) return { type: 'null', text: '' };
  const text = compact(sourceOf(source, name));
  if (typeof value === 'number') return { type: 'number', text };
  return { type: Array.isArray(value) ? 'array' : 'object', text };
}

/** Offset after the string that begins at `start`, in valid JSON. */
function stringEnd(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x22) return at + 1;
  }
  return json.length;
}

/** The source of a field's value in valid JSON; for a duplicate name the last one, as in a parsed object. */
function sourceOf(source: string, name: string): string {
  let depth = 0;
  let key: string | null = null;
  let start = -1;
  let found = '';
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at];
    if (char === '"') {
      const end = stringEnd(source, at);
      if (depth === 1 && start < 0) key = JSON.parse(source.slice(at, end)) as string;
      at = end - 1;
    } else if (char === '{' || char === '[') depth += 1;
    else if (depth === 1 && start < 0 && char === ':') start = at + 1;
    else if (char === ',' || char === '}' || char === ']') {
      if (depth === 1 && key === name) found = source.slice(start, at);
      if (depth === 1) start = -1;
      if (char !== ',') depth -= 1;
    }
  }
  return found;
}

/** The JSON without white space between tokens. */
function compact(json: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (char === '"') at = stringEnd(json, at) - 1;
    else if (char === ' ' || char === '\n' || char === '\r' || char === '\t') {
      parts.push(json.slice(from, at));
      from = at + 1;
    }
  }
  return `${parts.join('')}${json.slice(from)}`;
}
