import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { trackedFiles } from '../lib/files.mjs';
import { lives } from '../lib/lives.mjs';
import { root } from '../lib/paths.mjs';

const folder = join(root, '.cache', 'mutants');

/**
 * A copy of the sources, uncommitted changes included. Faults are planted only there, so that no kill leaves
 * one in the sources.
 */
export function makeCopy() {
  removeLeftovers();
  const copy = join(folder, String(process.pid));
  const folders = new Set();
  for (const file of trackedFiles()) {
    const to = join(copy, file);
    if (!folders.has(dirname(to))) mkdirSync(dirname(to), { recursive: true });
    folders.add(dirname(to));
    copyFileSync(join(root, file), to);
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
  return copy;
}

/** A killed run could not remove its copy. */
function removeLeftovers() {
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (!lives(Number(name))) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Plants a fault in the copy; the result takes it back. */
export function plant(copy, mutant) {
  const path = join(copy, mutant.file);
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, planted(before, mutant));
  return () => writeFileSync(path, before);
}

/** How often a text occurs in another one. */
export const occurrences = (text, part) => text.split(part).length - 1;

export function planted(text, { file, find, replace }) {
  const count = occurrences(text, find);
  if (count !== 1) throw new Error(`the text occurs ${count} times in ${file}`);
  return text.replace(find, () => replace);
}
