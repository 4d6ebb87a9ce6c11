import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Git } from '../command/git-command';

/**
 * Hides Muster's own files from `git add --all` and from snapshots, with patterns in the repository's
 * `info/exclude`, which is never committed and is shared by all its worktrees.
 */
export async function excludeFromGit(git: Git, patterns: readonly string[]): Promise<void> {
  const path = await git.maybe('rev-parse', '--path-format=absolute', '--git-path', 'info/exclude');
  if (path === null || path === '') return;
  const text = await readFile(path, 'utf8').catch(() => '');
  const present = new Set(text.split(/\r?\n/));
  const missing = patterns.filter((pattern) => !present.has(pattern));
  if (missing.length === 0) return;
  await mkdir(dirname(path), { recursive: true });
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  // Appended, never rewritten: the file is the operator's.
  await writeFile(path, `${start}${missing.join('\n')}\n`, { flag: 'a' });
}

/** A pattern that matches only this path. */
export const literalPattern = (path: string): string => `/${path.replace(/[\\*?[\] #!]/g, '\\$&')}`;
