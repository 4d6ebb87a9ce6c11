import { messageOf } from '@contract/error-message';
import { ownValue, setOwnValue } from '@contract/own';
import { type AgentProfile, newAgentProfileSchema } from '../contract/profile';
import { type FieldSpec, fieldsOf, type Kind } from './fields';

/** The content of the form: a text for each field, true or false for a checkbox. */
export type Values = Readonly<Record<string, string | boolean>>;

type Parsed =
  | { readonly ok: true; readonly profile: AgentProfile }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

/** Converts a profile to form values. */
export function toValues(profile: AgentProfile): Values {
  const facts: Record<string, unknown> = profile;
  return Object.fromEntries(
    fieldsOf[profile.kind].map((spec) => [spec.name, show(spec, ownValue(facts, spec.name))]),
  );
}

function show(spec: FieldSpec, value: unknown): string | boolean {
  switch (spec.input) {
    case 'check':
      return value === true;
    case 'lines':
      return Array.isArray(value) ? value.join('\n') : '';
    case 'pairs':
      return Object.entries(value ?? {})
        .map(([name, text]) => `${name}=${text}`)
        .join('\n');
    case 'json':
      if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
      return JSON.stringify(value, null, 2);
    default:
      return value === undefined || value === null ? '' : String(value);
  }
}

/** An empty form; defaults of the schema fill the fields that are not shown. */
export const emptyValues = (kind: Kind): Values =>
  toValues({ kind, ...START, ...STARTS[kind] } as unknown as AgentProfile);

const START = { permissions: 'ask', max_sessions: 4 };
const STARTS: Record<Kind, Record<string, unknown>> = {
  acp: {},
  gateway: { api: 'openai' },
  scripted: {},
  cli: {},
};

/** The unsaved changes of a form; empty if they cannot be parsed. */
export function readEdits(kept: string): Values {
  try {
    const value: unknown = JSON.parse(kept === '' ? '{}' : kept);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    const known = Object.entries(value).filter(([, one]) => ['string', 'boolean'].includes(typeof one));
    return Object.fromEntries(known);
  } catch {
    return {};
  }
}

/** Serializes only the changed fields, so that the others follow what is saved elsewhere. */
export function writeEdits(initial: Values, now: Values): string {
  const changed = Object.entries(now).filter(([name, value]) => value !== ownValue(initial, name));
  return changed.length === 0 ? '' : JSON.stringify(Object.fromEntries(changed));
}

/** Parses the form. Errors are reported at their fields. */
export function parseValues(kind: Kind, values: Values): Parsed {
  const errors: Record<string, string> = {};
  const raw: Record<string, unknown> = { kind };
  for (const spec of fieldsOf[kind]) {
    const read = readField(spec, ownValue(values, spec.name) ?? '');
    if ('error' in read) setOwnValue(errors, spec.name, read.error);
    else if (read.value !== undefined) setOwnValue(raw, spec.name, read.value);
  }
  const parsed = newAgentProfileSchema.safeParse(raw);
  if (parsed.success && Object.keys(errors).length === 0) return { ok: true, profile: parsed.data };
  for (const issue of parsed.error?.issues ?? []) {
    // Errors on fields of a gateway's other APIs are reported at those fields.
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
    const name = String(issue.path[0] ?? unknown ?? 'id');
    const rest = issue.path.slice(1).join('.');
    if (ownValue(errors, name) === undefined)
      setOwnValue(
        errors,
        name,
        `${rest === '' ? '' : `${rest}: `}${wordsOf(issue.message, ownValue(values, name))}`,
      );
  }
  return { ok: false, errors };
}

const wordsOf = (message: string, value: string | boolean | undefined): string =>
  value === '' || value === undefined ? 'Enter a value.' : message;

type Read = { readonly value: unknown } | { readonly error: string };

function readField(spec: FieldSpec, value: string | boolean): Read {
  if (typeof value === 'boolean') return { value };
  const text = value.trim();
  switch (spec.input) {
    case 'lines':
      return { value: spec.optional === true && text === '' ? undefined : linesOf(value) };
    case 'pairs':
      return readPairs(value);
    case 'json':
      return text === '' ? { value: spec.optional === true ? undefined : [] } : readJson(text);
    case 'number':
      return text === '' ? { value: spec.name === 'silence_minutes' ? null : undefined } : readNumber(text);
    default:
      return { value: text === '' && spec.optional === true ? undefined : text };
  }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function readNumber(text: string): Read {
  const value = Number(text);
  return Number.isFinite(value) ? { value } : { error: `“${text}” is not a number.` };
}

function readPairs(text: string): Read {
  const pairs: [string, string][] = [];
  for (const line of linesOf(text)) {
    const at = line.indexOf('=');
    if (at < 1) return { error: `“${line}” is not in the form NAME=value.` };
    pairs.push([line.slice(0, at).trim(), line.slice(at + 1)]);
  }
  return { value: Object.fromEntries(pairs) };
}

function readJson(text: string): Read {
  try {
    return { value: JSON.parse(text) };
  } catch (cause) {
    return { error: `No JSON: ${messageOf(cause)}` };
  }
}
