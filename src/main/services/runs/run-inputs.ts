import { join } from 'node:path';
import { ok, type Result } from '@contract/result';
import type { RunEventOf } from '@contract/run/events';
import type { WorkflowDefinition } from '@contract/workflow/definition';
import { inputValues } from '@contract/workflow/input-values';
import { readTextFile } from '../text-file';

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

/** The branch checked out in a project; null if none, or if the folder is not a repository root. */
async function checkedOutBranch(projectPath: string): Promise<string | null> {
  const head = await readTextFile(join(projectPath, '.git', 'HEAD'), projectPath);
  if (head === null || 'trouble' in head) return null;
  return /^ref: refs\/heads\/(.+?)\s*$/.exec(head.text)?.[1] ?? null;
}
