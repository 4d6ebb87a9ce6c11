import { messageOf } from '@contract/error-message';
import { type Document, isNode, visit } from 'yaml';
import { keepDigits } from './digits';

/** Why a document with correct syntax has no value, and where. */
interface AliasTrouble {
  readonly offset: number;
  readonly message: string;
  readonly mend: string;
}

/** Maximum aliases of one anchor: more would expand without limit when read. */
const MOST_ALIASES = 100;

/**
 * A document's value. Reports an alias (`*name`) without an anchor or inside its own anchor, and aliases that
 * together would make the value too large.
 */
export function meaningOf(document: Document): {
  readonly value: unknown;
  readonly troubles: readonly AliasTrouble[];
} {
  const troubles: AliasTrouble[] = [];
  let first = 0;
  visit(document, {
    Alias(_key, alias, path) {
      const offset = alias.range?.[0] ?? 0;
      first ||= offset;
      const { source } = alias;
      const named = alias.resolve(document);
      if (named === undefined)
        troubles.push({
          offset,
          message: `*${source} refers to an anchor &${source} that does not exist before it`,
          mend: `to use it as text, put it in quotes:  "*${source}"`,
        });
      else if (path.some((around) => isNode(around) && around === named))
        troubles.push({
          offset,
          message: `*${source} is inside its own anchor`,
          mend: 'replace the alias with its content',
        });
    },
  });
  if (troubles.length > 0) return { value: null, troubles };
  try {
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    keepDigits(document, value);
    return { value, troubles: [] };
  } catch (cause) {
    const message = `its aliases expand to too much: ${messageOf(cause)}`;
    return {
      value: null,
      troubles: [{ offset: first, message, mend: 'replace the aliases with their content' }],
    };
  }
}
