import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { trackedFiles } from '../lib/files.mjs';
import { root } from '../lib/paths.mjs';

const folder = join(root, '.cache', 'mutants');

/**
 * A copy of the sources, uncommitted changes included. Faults are planted only there, so that no kill leaves
 * one in the sources. The next run replaces what is left of it.
 */
export function makeCopy() {
  rmSync(folder, { recursive: true, force: true });
  const folders = new Set();
  for (const file of trackedFiles()) {
    const to = join(folder, file);
    if (!folders.has(dirname(to))) mkdirSync(dirname(to), { recursive: true });
    folders.add(dirname(to));
    copyFileSync(join(root, file), to);
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
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
