import { type AppError, appError } from '@contract/errors';
import { setOwnValue } from '@contract/own';
import { err, ok, type Result } from '@contract/result';
import { type FoundReference, written } from '../reference';
import type { PlacedReference } from './place';

interface ExpandedScript {
  readonly script: string;
  /** The values, by the names that the script reads. */
  readonly env: Readonly<Record<string, string>>;
}

const NAME = 'MUSTER_REF_';

/**
 * Replaces each reference with the expansion of a variable, quoted for its context. The values go into the
 * environment, never into the script.
 */
export function expandScript(
  { script, placed, first = 1 }: { script: string; placed: readonly PlacedReference[]; first?: number },
  lookup: (found: FoundReference) => Result<string>,
): Result<ExpandedScript> {
  const names = new Map<string, string>();
  const env: Record<string, string> = {};
  const parts: string[] = [];
  let from = 0;
  for (const { found, quoting } of placed) {
    const key = written(found.reference);
    let name = names.get(key);
    if (name === undefined) {
      const value = lookup(found);
      if (!value.ok) return value;
      if (value.value.includes('\0')) return err(hasNul(key));
      name = `${NAME}${names.size + first}`;
      names.set(key, name);
      setOwnValue(env, name, value.value);
    }
    parts.push(script.slice(from, found.start), quoting === 'bare' ? `"\${${name}}"` : `\${${name}}`);
    from = found.end;
  }
  return ok({ script: `${parts.join('')}${script.slice(from)}`, env });
}

const hasNul = (reference: string): AppError =>
  appError('reference.nul', `${reference}: its text has a NUL character, which commands cannot take`, {
    mend: 'let the step output text without NUL characters',
  });
