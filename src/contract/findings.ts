import type { z } from 'zod';
import { ownValue } from './own';

/** One violation of a schema. */
export interface Finding {
  /** `steps[1].config.re_prompts[0]`. */
  readonly path: string;
  readonly message: string;
  /** Set if the problem is an unknown key. */
  readonly unknownKey: string | null;
}

type Issue = z.core.$ZodIssue;

interface Words {
  message(issue: Issue): string;
  kind(name: string): string;
}

/** Wording for people. */
const plainWords: Words = { message: inWords, kind: (name) => kindName(name) };
/** The library's wording. Agents get it, and recorded prompts must not change. */
export const libraryWords: Words = { message: ({ message }) => message, kind: (name) => name };

/**
 * All violations of a schema, each with its own path. Includes every unknown key. For a union, the errors of
 * the member that the value is meant to be.
 */
export const findingsOf = (error: z.ZodError, words: Words = plainWords): Finding[] =>
  error.issues.flatMap((issue) => found(issue, [], words));

/** The first violation as a sentence that begins with its path. */
export function firstFinding(error: z.ZodError): string {
  const [first] = findingsOf(error);
  if (first === undefined) return 'not valid';
  return first.path === '' ? first.message : `${first.path}: ${first.message}`;
}

function found(issue: Issue, around: readonly PropertyKey[], words: Words): Finding[] {
  const path = [...around, ...issue.path];
  const plain = (message: string): Finding[] => [{ path: written(path), message, unknownKey: null }];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: written([...path, key]),
      message: `the key "${key}" is not known here`,
      unknownKey: key,
    }));
  }
  if (issue.code !== 'invalid_union') return plain(words.message(issue));
  // An unknown kind of the union: zod's own words call it a discriminator.
  if ('options' in issue && issue.options !== undefined && issue.options.length > 0)
    return plain(`expected ${listed(issue.options.map((option) => JSON.stringify(String(option))))}`);
  const meant = issue.errors.filter((branch) => !branch.every(isOtherKind));
  const [closest] = meant.sort((one, other) => one.length - other.length);
  if (closest !== undefined) return closest.flatMap((inner) => found(inner, path, words));
  const kinds = issue.errors.flatMap((branch) => branch.flatMap(kindOf)).map(words.kind);
  return plain(kinds.length === 0 ? issue.message : `expected ${[...new Set(kinds)].join(' or ')}`);
}

/** Messages of the library; none of our schemas' messages begins like this. */
const OF_LIBRARY = /^(Invalid|Too (small|big))/;
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  undefined: 'nothing',
};
const kindName = (kind: string): string => ownValue(KINDS, kind) ?? kind;

function inWords(issue: Issue): string {
  if (!OF_LIBRARY.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type': {
      const received = /received (\w+)$/.exec(issue.message)?.[1] ?? '';
      const expected = kindName(issue.expected);
      if (received === 'undefined') return `is missing; expected ${expected}`;
      return received === '' ? `expected ${expected}` : `expected ${expected}, not ${kindName(received)}`;
    }
    case 'invalid_key':
      return issue.issues[0]?.message ?? issue.message;
    case 'invalid_value':
      return `expected ${listed(issue.values.map((value) => JSON.stringify(value)))}`;
    case 'too_small':
      return `expected ${bound(issue.origin, Number(issue.minimum), issue.inclusive === false ? 'more than' : 'at least')}`;
    case 'too_big':
      return `expected ${bound(issue.origin, Number(issue.maximum), issue.inclusive === false ? 'less than' : 'at most')}`;
    default:
      return issue.message;
  }
}

/** `at least 1`, `at most 10 characters`. */
function bound(origin: string, limit: number, how: string): string {
  const [one, many] = { string: ['character', 'characters'], array: ['entry', 'entries'] }[origin] ?? [
    '',
    '',
  ];
  return `${how} ${limit} ${limit === 1 ? one : many}`.trim();
}

const MOST_LISTED = 12;

function listed(kinds: readonly string[]): string {
  const shown = kinds.slice(0, MOST_LISTED).join(' or ');
  return kinds.length > MOST_LISTED ? `${shown} or one of ${kinds.length - MOST_LISTED} others` : shown;
}

/** The value has the wrong type altogether. */
const isOtherKind = (issue: Issue): boolean => issue.path.length === 0 && kindOf(issue).length > 0;

function kindOf(issue: Issue): string[] {
  if (issue.code === 'invalid_type') return [issue.expected];
  return issue.code === 'invalid_value' ? issue.values.map((value) => JSON.stringify(value)) : [];
}

const written = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
