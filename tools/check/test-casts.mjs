/**
 * Refuses `as unknown as` and `as never` in tests: such a double no longer fails to compile when the type that it stands
 * for changes. `double` (`src/contract/testing`) takes parts of a type, and `unchecked` a value of a wrong shape.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trackedFiles } from '../lib/files.mjs';
import { root } from '../lib/paths.mjs';

const CAST = /\bas (?:unknown as\b|never(?=[\s;,)\]}.]*$|[;,)\]}]))/;
const COMMENT = /^\s*(?:\/?\*|\/\/)/;
const isTest = (file) =>
  /^(?:src|e2e|tools|bench)\/.*\.tsx?$/.test(file) && /\.(?:test|spec)\.tsx?$|\/testing\/|^e2e\//.test(file);

/** Throws if a test has such a cast. Returns the number of files that were read. */
export function checkTestCasts() {
  const files = trackedFiles().filter(isTest);
  const found = files.flatMap((file) => castProblems(file, readFileSync(join(root, file), 'utf8')));
  if (found.length > 0) throw new Error(found.join('\n'));
  return `${files.length} files`;
}

export function castProblems(file, text) {
  return text
    .split('\n')
    .flatMap((line, index) =>
      COMMENT.test(line) || !CAST.test(line) ? [] : [`${file}:${index + 1}: use double or unchecked instead`],
    );
}

/** Each cast, and words that only look like one. */
export function testCastsSelfTest() {
  const planted = [
    ['const state = { gates } as unknown as RunState;', 1],
    ['  run({} as never, { words });', 1],
    ['const none = {} as never;', 1],
    ["test('a folder is listed as never made ready', () => {});", 0],
    ['// as never made ready, as unknown as it is', 0],
    ['const row = { id: 1 } as RunRow;', 0],
  ];
  const wrong = planted.filter(([text, count]) => castProblems('src/a.test.ts', text).length !== count);
  if (wrong.length > 0)
    throw new Error(`the check of casts missed or invented a fault: ${JSON.stringify(wrong)}`);
  return planted.length;
}
