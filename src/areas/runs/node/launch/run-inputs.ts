import { dirname, join, resolve } from 'node:path';
import type { WorkflowDefinition } from '@areas/workflows/contract/definition';
import { inputValues } from '@areas/workflows/contract/input-values';
import { ok, type Result } from '@contract/result';
import type { RunEventOf } from '@contract/run/events';
import { readTextFile } from '@main/services/text-file';

/** Values of references that are only known from the environment at a run's start. */
export async function freezeReferences(
  definition: WorkflowDefinition,
  projectPath: string,
  given: Readonly<Record<string, string>>,
): Promise<Result<NonNullable<RunEventOf<'run.started'>['references']>>> {
  const inputs = inputValues(definition, given);
  if (!inputs.ok) return inputs;
  const baseBranch = definition.base_branch ?? (await checkedOutBranch(projectPath));
  return ok({ baseBranch, docsDir: definition.docs_dir ?? 'docs/', inputs: inputs.value });
}

/** The branch checked out in a project; null if none, or if the folder is in no repository. */
async function checkedOutBranch(projectPath: string): Promise<string | null> {
  for (let folder = projectPath; ; folder = dirname(folder)) {
    const head = await headIn(folder);
    if (head !== null) return /^ref: refs\/heads\/(.+?)\s*$/.exec(head)?.[1] ?? null;
    if (dirname(folder) === folder) return null;
  }
}

/** The HEAD of the repository whose `.git` is in this folder: the folder itself, or a file that names it. */
async function headIn(folder: string): Promise<string | null> {
  const pointer = await textIn(folder, '.git');
  const named = /^gitdir:\s*(.+?)\s*$/m.exec(pointer ?? '')?.[1];
  return named === undefined ? textIn(folder, join('.git', 'HEAD')) : textIn(resolve(folder, named), 'HEAD');
}

async function textIn(root: string, path: string): Promise<string | null> {
  const read = await readTextFile(join(root, path), root);
  return read === null || 'trouble' in read ? null : read.text;
}
