import { realpath } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { ProjectRow } from '@areas/agents/contract/procedures';
import { fail, ok, type Result } from '@contract/result';
import { readGuarded } from '@main/guarded-files/read';
import { TEXT_FILE_BYTES } from '@main/limits/core-sizes';

/**
 * The path, with links resolved, of a file in the project's workflows folder; refuses links out of the
 * project.
 */
export async function workflowPlace(
  project: Pick<ProjectRow, 'path'>,
  file: string,
): Promise<Result<string>> {
  const path = resolve(project.path, file);
  const folder = join(project.path, '.muster', 'workflows') + sep;
  const refused = fail('input.invalid', `${file} is not a workflow file of this project`);
  if (!path.startsWith(folder)) return refused;
  const real = await realpath(path).catch(() => null);
  if (real === null) return fail('not_found', `there is no file ${file}`);
  const root = (await realpath(project.path)) + sep;
  return real.startsWith(root) ? ok(real) : refused;
}

/** A file's bytes and text; refused if writing the text would not restore the same bytes. */
export async function wholeText(
  real: string,
  shown: string,
): Promise<Result<{ readonly bytes: Buffer; readonly text: string }>> {
  const read = await readGuarded({ root: dirname(real), path: real, most: TEXT_FILE_BYTES });
  if (read === null) return fail('not_found', `there is no file ${shown}`);
  if ('trouble' in read)
    return fail('input.invalid', `${shown} is not read: ${read.trouble}`, { mend: read.mend });
  const { bytes } = read;
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes))
    return fail('input.invalid', `${shown} is not in UTF-8`, { mend: 'save it as UTF-8' });
  return ok({ bytes, text });
}
