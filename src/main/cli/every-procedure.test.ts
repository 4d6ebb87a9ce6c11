import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { coreProcedures } from '@contract/ipc';
import { expect, test } from 'vitest';

/** Teams, loops, sessions and questions: the operator can work on all of them without a window. */
const AREAS = /^(?:team|loop|session|gate|attention)\./;

/** Procedures that have no command or route of their own, with the reason. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  cli: [],
  // `POST /loops` answers with the same problems.
  http: ['loop.preview'],
};

const sources = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

test.each([
  ['cli', import.meta.dirname],
  ['http', join(import.meta.dirname, '..', 'api', 'http')],
])(
  'everything that can be done with teams, loops, sessions and questions can be done by %s',
  (kind, folder) => {
    const text = sources(folder);
    const wanted = Object.keys(coreProcedures).filter((name) => AREAS.test(name));
    const missing = wanted.filter((name) => !text.includes(`'${name}'`));
    expect(missing).toEqual(ELSEWHERE[kind]);
  },
);
