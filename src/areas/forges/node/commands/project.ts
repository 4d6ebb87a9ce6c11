import { resolve } from 'node:path';
import type { ProjectRow } from '@areas/agents/contract/procedures';
import { projectFolder } from '@areas/projects/node/project-folder';
import { fail, type Result } from '@contract/result';
import { startInProject } from '@main/api/start-in-project';
import type { Context } from '@main/cli/command';
import type { Link } from '@main/cli/link/link';

export const folderOf = (context: Context, project: string | undefined): string =>
  project === undefined ? projectFolder(resolve(context.cwd, 'x')) : resolve(context.cwd, project);

/** Asks about the project of the current folder, which is not added for a question. */
export async function askInProject<T>(
  context: Context,
  project: string | undefined,
  about: (link: Link, project: ProjectRow) => Promise<Result<T>>,
): Promise<Result<T>> {
  const link = await context.open({ mode: 'reading' });
  if (!link.ok) return link;
  const begin = (row: ProjectRow) => about(link.value, row);
  return startInProject(link.value, folderOf(context, project), { begin, hasBegun: () => false });
}

/** The number in `42` or `#42`. */
export function numberIn(word: string | undefined): Result<number> {
  const digits = /^#?(\d{1,9})$/.exec(word ?? '')?.[1];
  return digits === undefined
    ? fail('input.invalid', `"${word ?? ''}" is not the number of an issue`, { mend: 'a number such as 42' })
    : { ok: true, value: Number(digits) };
}
