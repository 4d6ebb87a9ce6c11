/**
 * The checks that need types, on one compiled program: types, lookups by names from outside, and the examples of
 * CONTRIBUTING.md, as if they were in the sources. It runs in a process of its own, because it computes for a long time.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { planted } from '../examples/index.mjs';
import { root } from '../lib/paths.mjs';
import { Compiler, importsOf } from './compiler.mjs';
import { OWN_KEYS_HINT, outsideKeys, ownKeysSelfTest } from './own-keys.mjs';

const compiler = new Compiler();
const faults = [];
const sources = new Map();
let count = 0;
for (const { project, files, config } of compiler.projects()) {
  faults.push(...compiler.projectProblems(project), ...compiler.problems(project, files));
  if (config !== 'tools/tsconfig/tests.json')
    faults.push(...outsideKeys(compiler, project, files).map((one) => `${one}\n  ${OWN_KEYS_HINT}`));
  sources.set(config, files);
  count += files.length;
}
const examples = planted();
const changed = new Set(compiler.plant(examples));
for (const { project, files, config } of compiler.projects()) {
  const affected = files.filter((file) =>
    isAffected(relative(root, file), sources.get(config).includes(file)),
  );
  const found = compiler.problems(project, affected);
  faults.push(...found.map((one) => `with the examples of CONTRIBUTING.md: ${one}`));
}
compiler.close();
if (faults.length > 0) {
  console.error([...new Set(faults)].join('\n'));
  process.exitCode = 1;
} else console.log(`${count} files; ${ownKeysSelfTest()} unsafe lookups proven by planted violations`);

/** Whether an example could break a file: its own files, registries, and what imports a registry. */
function isAffected(file, wasThere) {
  if (!wasThere || changed.has(file)) return true;
  const text = readFileSync(join(root, file), 'utf8');
  return importsOf(file, text).some((name) =>
    ['.ts', '.tsx', '/index.ts'].some((ending) => changed.has(`${name}${ending}`)),
  );
}
