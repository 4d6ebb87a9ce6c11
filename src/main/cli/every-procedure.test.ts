import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { coreProcedures } from '@contract/ipc';
import { expect, test } from 'vitest';

/**
 * Teams, loops, sessions, gates and questions over documents: the operator can do everything without a
 * window.
 */
const AREAS = /^(?:team|loop|session|gate|attention|rlm|home|spend)\./;

/** Procedures without a command or route of their own, with the reason. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  // A question's documents are printed when it is asked, and `rlm trace` has the texts around a quotation.
  // `muster spend --csv` prints the export, which a shell can redirect; remote callers have no use for a
  // path.
  cli: ['spend.export', 'rlm.preview', 'rlm.excerpt'],
  // `POST /loops` answers with the same problems.
  http: ['spend.export', 'loop.preview'],
};

const src = join(import.meta.dirname, '..', '..');
const IN_PLATFORM = { cli: /^main\/cli\//, http: /^main\/api\/http\// };
const IN_ROOMS = {
  cli: /^(?:areas|features)\/[^/]+\/node\/commands\//,
  http: /^(?:areas|features)\/[^/]+\/node\/routes(?:\/|\.ts$)/,
};

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((name) => name.split(sep).join('/'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
const textOf = (place: RegExp): string =>
  files
    .filter((name) => place.test(name))
    .map((name) => readFileSync(join(src, name), 'utf8'))
    .join('\n');

test.each(['cli', 'http'] as const)(
  'everything that can be done with teams, loops, sessions and questions can be done by %s',
  (kind) => {
    const text = textOf(IN_PLATFORM[kind]) + textOf(IN_ROOMS[kind]);
    const wanted = Object.keys(coreProcedures).filter((name) => AREAS.test(name));
    const missing = wanted.filter((name) => !text.includes(`'${name}'`));
    expect(missing).toEqual(ELSEWHERE[kind]);
  },
);
