import { join } from 'node:path';
import { appError } from '@contract/errors';
import { own, setOwn } from '@contract/own';
import { err, ok, type Result } from '@contract/result';
import type { RunEventOf } from '@contract/run/events';
import type { InputDefinition, WorkflowDefinition } from '@contract/workflow/definition';
import { readTextFile } from './text-file';

/** What references stand for that only the world knows when a run starts. */
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

/** The values of a workflow's inputs as text: those that were given, then the defaults. */
function inputValues(
  { inputs = {} }: WorkflowDefinition,
  given: Readonly<Record<string, string>>,
): Result<Record<string, string>> {
  const unknown = Object.keys(given).find((name) => own(inputs, name) === undefined);
  if (unknown !== undefined) {
    const names = Object.keys(inputs).join(', ');
    const mend = names === '' ? 'it has no inputs' : `its inputs are: ${names}`;
    return err(appError('input.invalid', `the workflow has no input "${unknown}"`, { mend }));
  }
  const values: Record<string, string> = {};
  for (const [name, input] of Object.entries(inputs)) {
    const value = own(given, name) ?? (input.default === undefined ? null : String(input.default));
    if (value === null && input.required !== false) {
      const about = input.description === undefined ? '' : ` (${input.description})`;
      const mend = `give it with --input ${name}=VALUE`;
      return err(appError('input.invalid', `the input "${name}"${about} is missing`, { mend }));
    }
    if (value !== null && !fits(value, input.type))
      return err(appError('input.invalid', `the input "${name}" is no ${input.type}: ${value}`));
    setOwn(values, name, value ?? '');
  }
  return ok(values);
}

function fits(value: string, type: InputDefinition['type']): boolean {
  if (type === 'boolean') return value === 'true' || value === 'false';
  return type === 'string' || /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value);
}

/** The branch that is checked out in a project; null where none is, or where the folder is no repository of its own. */
async function checkedOutBranch(projectPath: string): Promise<string | null> {
  const head = await readTextFile(join(projectPath, '.git', 'HEAD'), projectPath);
  if (head === null || 'trouble' in head) return null;
  return /^ref: refs\/heads\/(.+?)\s*$/.exec(head.text)?.[1] ?? null;
}
