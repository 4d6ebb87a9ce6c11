/**
 * `npm run soak [-- --times 10] [--seed N] [part of a path ...]`: the property tests with new inputs, and that many
 * times as many as each property names, of which other test runs try a tenth. A failure prints the seed that reproduces it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { foreground } from '../lib/foreground.mjs';
import { modules, root } from '../lib/paths.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '10' }, seed: { type: 'string' } },
});
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
const files = readdirSync(join(root, 'src'), { recursive: true })
  .map((name) => join('src', name))
  .filter(
    (name) =>
      /\.test\.tsx?$/.test(name) && readFileSync(join(root, name), 'utf8').includes("from 'fast-check'"),
  )
  .filter((name) => positionals.length === 0 || positionals.some((part) => name.includes(part)));
console.log(`${files.length} files, ${values.times} times as many inputs, seed ${seed}`);
process.chdir(root);
await foreground(process.execPath, [modules('vitest', 'vitest.mjs'), 'run', '--testTimeout=0', ...files], {
  ...process.env,
  MUSTER_PROPERTY_SEED: seed,
  MUSTER_PROPERTY_TIMES: values.times,
  VITEST_REPORT: '.cache/reports/soak.json',
});
