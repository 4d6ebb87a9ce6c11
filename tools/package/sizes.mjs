/** What a download weighs: each packed file above 1 MB, and the growth of a package since its size was recorded. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/paths.mjs';

const MB = 1024 * 1024;
const RECORD = join(root, 'tools', 'package', 'sizes.json');
const MOST_GROWTH = 1.05;

/** Files above 1 MB, the largest first: { path, bytes }. */
export const largeFiles = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((path) => ({ path, stats: statSync(join(folder, path)) }))
    .filter(({ stats }) => stats.isFile() && stats.size > MB)
    .map(({ path, stats }) => ({ path, bytes: stats.size }))
    .toSorted((a, b) => b.bytes - a.bytes);

/** The sentence about one package; `grown` where it is more than 5 % above the recorded size, or none is recorded. */
export function compareSize(name, bytes, recorded) {
  const now = `${name}: ${(bytes / MB).toFixed(1)} MB`;
  if (recorded === undefined) return { grown: true, line: `${now}, no size is recorded (--record)` };
  const percent = (bytes / recorded - 1) * 100;
  const grown = bytes > recorded * MOST_GROWTH;
  return { grown, line: `${now}, ${percent >= 0 ? '+' : ''}${percent.toFixed(1)} % of the recorded size` };
}

/** Prints all of it. `packages`: paths by name. Returns whether no package has grown. */
export function checkSizes(unpacked, packages, { record }) {
  for (const { path, bytes } of largeFiles(unpacked))
    console.log(`${(bytes / MB).toFixed(1).padStart(7)} MB  ${path}`);
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8'));
  const sizes = Object.fromEntries(
    Object.entries(packages).map(([name, path]) => [name, statSync(path).size]),
  );
  if (record) {
    const all = Object.entries({ ...recorded, ...sizes }).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
    writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
  }
  const found = Object.entries(sizes).map(([name, bytes]) =>
    compareSize(name, bytes, record ? bytes : recorded[name]),
  );
  for (const { line } of found) console.log(line);
  return found.every(({ grown }) => !grown);
}
