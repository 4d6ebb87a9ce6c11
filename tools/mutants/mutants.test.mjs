import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root } from '../lib/paths.mjs';
import { occurrences, planted } from './copy.mjs';
import { mutants } from './list.mjs';

const textOf = (file) => readFileSync(join(root, file), 'utf8');
const places = mutants.map(({ name, file, find, replace, tests }) => [name, { file, find, replace, tests }]);

test.each(places)('the text of the fault "%s" occurs once in its file', (_, { file, find }) => {
  expect(occurrences(textOf(file), find), `adapt its entry in tools/mutants/faults: ${file}`).toBe(1);
});

test.each(places)('the fault "%s" is a program that can be run, and not the one without it', (_, mutant) => {
  const text = planted(textOf(mutant.file), mutant);
  expect(text).not.toBe(textOf(mutant.file));
  const { diagnostics } = ts.transpileModule(text, { fileName: mutant.file, reportDiagnostics: true });
  expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
});

test('every fault has a name of its own and tests that exist', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  for (const { name, tests } of mutants) {
    expect(tests.length, name).toBeGreaterThan(0);
    for (const file of tests) expect(existsSync(join(root, file)), file).toBe(true);
  }
});
