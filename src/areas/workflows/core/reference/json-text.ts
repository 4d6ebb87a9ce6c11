import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';

/** A field of a JSON object as text, with its type. */
interface FieldValue {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';
  readonly text: string;
}

/** A text that is a single fenced block, marked json or not. */
const FENCED = /^\s*```(?:json|JSON)?[ \t]*\r?\n([\s\S]*?)\r?\n?```\s*$/;

/** The JSON of a text: the text itself, or the content of its only fenced block. */
const withoutFence = (text: string): string => FENCED.exec(text)?.[1] ?? text;

/** A JSON value with its source, in which numbers keep their written digits. */
interface JsonText {
  readonly text: string;
  readonly value: Json;
}

/** The JSON in an answer: the whole of it, or the fenced block with which it ends. */
export function jsonIn(answer: string): JsonText | null {
  const whole = parsed(withoutFence(answer));
  if (whole !== null) return whole;
  const lines = answer.trimEnd().split(/\r\n|\r|\n/);
  if (!/^\s*(`{3,}|~{3,})\s*$/.test(lines.at(-1) ?? '')) return null;
  const open = lines.findLastIndex(
    (line, at) => at < lines.length - 1 && /^\s*(`{3,}|~{3,})\s*\w*\s*$/.test(line),
  );
  return open < 0 ? null : parsed(lines.slice(open + 1, -1).join('\n'));
}

function parsed(text: string): JsonText | null {
  try {
    return { text, value: JSON.parse(text) as Json };
  } catch {
    return null;
  }
}

/**
 * Reads own fields of the JSON object in a text; null if it is not a JSON object. Numbers keep their written
 * digits, because parsing would round large ones.
 */
export function jsonObject(text: string): { field(name: string): FieldValue | null } | null {
  const json = jsonIn(text);
  const value = json?.value;
  if (json === null || value == null || typeof value !== 'object' || Array.isArray(value)) return null;
  return { field: (name) => fieldOf(value, json.text, name) };
}

/** The elements of the JSON list in a text: strings as they are, others in their source; null if it is no list. */
export function jsonItems(text: string): readonly string[] | null {
  const json = jsonIn(text);
  if (json === null || !Array.isArray(json.value)) return null;
  const sources = elementsOf(json.text);
  return json.value.map((value, at) => (typeof value === 'string' ? value : compact(sources[at] ?? '')));
}

/** JSON for a value in which some parts are JSON already. */
export class RawJson {
  constructor(readonly text: string) {}
}
export type WithRaw = Json | RawJson | readonly WithRaw[] | { readonly [key: string]: WithRaw };

export function jsonText(value: WithRaw): string {
  if (value instanceof RawJson) return compact(value.text);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${jsonText(one)}`);
  return `{${fields.join(',')}}`;
}

/** JSON as content of an output; as text where a parsed value would lose digits of its numbers. */
export function jsonContent(text: string): Json {
  const value = JSON.parse(text) as Json;
  return numbersOf(text).every((digits) => String(Number(digits)) === digits)
    ? value
    : { merged_content: text, output_json: text };
}

function numbersOf(json: string): string[] {
  const found: string[] = [];
  const number = /-?\d[\d.eE+-]*/y;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    number.lastIndex = at;
    const digits = char === '"' ? undefined : number.exec(json)?.[0];
    if (char === '"') at = stringEnd(json, at) - 1;
    else if (digits !== undefined) {
      found.push(digits);
      at += digits.length - 1;
    }
  }
  return found;
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

/** The sources of the elements of a list in valid JSON. */
function elementsOf(source: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at];
    if (char === '"') at = stringEnd(source, at) - 1;
    else if (char === '{' || char === '[') {
      depth += 1;
      if (depth === 1) start = at + 1;
    } else if (char === ',' || char === '}' || char === ']') {
      if (depth === 1) found.push(source.slice(start, at));
      if (depth === 1) start = at + 1;
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
