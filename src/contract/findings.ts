import type { z } from 'zod';

/** One thing that a schema has against a value. */
export interface Finding {
  /** `steps[1].config.re_prompts[0]`. */
  readonly path: string;
  readonly message: string;
  /** Set where the flaw is that nothing has this name there. */
  readonly unknownKey: string | null;
}

type Issue = z.core.$ZodIssue;

/**
 * All that a schema has against a value, each by its own path: every unknown key, and where a value may be one of several
 * things, what is wrong with it as the one that it is meant to be.
 */
export const findingsOf = (error: z.ZodError): Finding[] => error.issues.flatMap((issue) => found(issue, []));

/** The first of them as a sentence that begins with its path. */
export function firstFinding(error: z.ZodError): string {
  const [first] = findingsOf(error);
  if (first === undefined) return 'not valid';
  return first.path === '' ? first.message : `${first.path}: ${first.message}`;
}

function found(issue: Issue, around: readonly PropertyKey[]): Finding[] {
  const path = [...around, ...issue.path];
  const plain = (message: string): Finding[] => [{ path: written(path), message, unknownKey: null }];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: written([...path, key]),
      message: `the key "${key}" is not known here`,
      unknownKey: key,
    }));
  }
  if (issue.code !== 'invalid_union') return plain(issue.message);
  // A kind that the union does not have: zod's own words call it a discriminator.
  if ('options' in issue && issue.options !== undefined && issue.options.length > 0)
    return plain(`expected ${listed(issue.options.map((option) => JSON.stringify(String(option))))}`);
  const meant = issue.errors.filter((branch) => !branch.every(isOtherKind));
  const [closest] = meant.sort((one, other) => one.length - other.length);
  if (closest !== undefined) return closest.flatMap((inner) => found(inner, path));
  const kinds = issue.errors.flatMap((branch) => branch.flatMap(kindOf));
  return plain(kinds.length === 0 ? issue.message : `expected ${[...new Set(kinds)].join(' or ')}`);
}

const MOST_LISTED = 12;

function listed(kinds: readonly string[]): string {
  const shown = kinds.slice(0, MOST_LISTED).join(' or ');
  return kinds.length > MOST_LISTED ? `${shown} or one of ${kinds.length - MOST_LISTED} others` : shown;
}

/** The value is not even of the kind that the schema is about. */
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
