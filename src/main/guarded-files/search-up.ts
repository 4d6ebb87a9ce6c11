import { delimiter, dirname } from 'node:path';

/** The folder and its parents, as far as git would look for a repository: not from `GIT_CEILING_DIRECTORIES` on. */
export function* foldersUp(folder: string): Generator<string> {
  const ceilings = process.env.GIT_CEILING_DIRECTORIES?.split(delimiter) ?? [];
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    const parent = dirname(at);
    if (parent === at || ceilings.includes(parent)) return;
  }
}
