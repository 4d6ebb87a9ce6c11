/**
 * `npm run mutants [-- --list] [--all] [part of a path or name ...]`: plants each listed fault in a copy of the
 * sources and runs the tests that must notice it; with `--all`, all unit and adapter tests. Fails if one
 * survives, or if its text is no longer in the sources.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../lib/paths.mjs';
import { makeCopy, occurrences, plant } from './copy.mjs';
import { mutants } from './list.mjs';
import { failures } from './run-tests.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, all: { type: 'boolean' } },
});
const chosen = mutants.filter(
  ({ file, name }) =>
    positionals.length === 0 || positionals.some((part) => `${file} ${name}`.includes(part)),
);

/** Where a fault is planted; null if its text does not occur exactly once. */
function lineOf({ file, find }) {
  const text = readFileSync(join(root, file), 'utf8');
  return occurrences(text, find) === 1 ? text.slice(0, text.indexOf(find)).split('\n').length : null;
}

const placeOf = (mutant) => `${mutant.file}:${lineOf(mutant) ?? '?'}`;

function list() {
  for (const mutant of chosen)
    console.log(`${placeOf(mutant)}\n  ${mutant.name}\n  ${mutant.tests.join('\n  ')}`);
  console.log(`${chosen.length} faults`);
}

/** The tests must pass without any fault: otherwise a failure says nothing about one. */
async function passesWithout(copy) {
  const files = [...new Set(chosen.flatMap(({ tests }) => tests))];
  console.log(`without a fault: ${files.length} test files`);
  const { titles, trouble } = await failures(copy, files);
  for (const one of [...titles, ...trouble]) console.log(`  FAILED ${one}`);
  return titles.length === 0 && trouble.length === 0;
}

async function verdict(copy, mutant) {
  if (lineOf(mutant) === null)
    return { word: 'GONE', by: 'its text is not once in the file: adapt the list' };
  const takeBack = plant(copy, mutant);
  try {
    const { titles, trouble } = await failures(copy, values.all ? null : mutant.tests);
    if (titles.length > 0) return { word: 'noticed', by: titles[0] };
    return trouble.length > 0 ? { word: 'BROKEN', by: trouble[0] } : { word: 'SURVIVED', by: '' };
  } finally {
    takeBack();
  }
}

async function run() {
  const copy = makeCopy();
  if (!values.all && !(await passesWithout(copy))) return false;
  const words = new Map();
  for (const mutant of chosen) {
    const { word, by } = await verdict(copy, mutant);
    words.set(word, (words.get(word) ?? 0) + 1);
    console.log(
      `${word.padEnd(8)} ${mutant.name}\n         ${placeOf(mutant)}${by === '' ? '' : `\n         by: ${by}`}`,
    );
  }
  console.log([...words].map(([word, count]) => `${count} ${word}`).join(', '));
  return [...words.keys()].every((word) => word === 'noticed');
}

if (values.list) list();
else process.exitCode = (await run()) ? 0 : 1;
