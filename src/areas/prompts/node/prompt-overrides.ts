import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { folderInProject, written as writing } from '@areas/projects/node/project-write';
import { appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import { validatePrompt } from '../core/validate';
import { PROMPTS_DIR } from './prompt-layers';
import type { PromptLibrary } from './prompt-library';

const BACKUP = /^\.bak(-\d+)?$/;

/**
 * A project's own texts: copied from Muster's, edited, removed and restored. Only `save` overwrites a file,
 * and only if it is unchanged since the operator saw it.
 */
export class PromptOverrides {
  constructor(private readonly library: PromptLibrary) {}

  /** Errors: `not_found`, `conflict` if the file exists, `project.not_writable`. */
  async make(projectPath: string, id: string): Promise<Result<{ file: string; absolutePath: string }>> {
    const found = await this.placeOf(projectPath, id);
    if (!found.ok) return found;
    const { file, path } = found.value;
    const builtin = await this.library.get(null, id);
    if (!builtin.ok) return builtin;
    return written(file, async () => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, builtin.value.text, { flag: 'wx' });
      return { file, absolutePath: path };
    });
  }

  /**
   * Saves a text without problems. Errors: as above, `conflict` if the file has changed since it was read.
   */
  async save(
    projectPath: string,
    { id, text, hash }: { readonly id: string; readonly text: string; readonly hash: string },
  ): Promise<Result<Record<string, never>>> {
    const found = await this.placeOf(projectPath, id);
    if (!found.ok) return found;
    const { file, path } = found.value;
    const own = await ownFile(path, file);
    if (!own.ok) return own;
    const now = await this.library.get(projectPath, id);
    if (!now.ok) return now;
    if (now.value.hash !== hash) return err(changedMeanwhile(file));
    const [problem] = validatePrompt(now.value.schema, text, file);
    if (problem !== undefined) return err({ ...problem, message: `${file}: ${problem.message}` });
    return written(file, async () => {
      const part = `${path}.${randomUUID()}.part`;
      try {
        await writeFile(part, text, { flag: 'wx' });
        await rename(part, path);
      } finally {
        await rm(part, { force: true });
      }
      return {};
    });
  }

  /** Renames the project's text to `FILE.bak`, or `.bak-2` and so on. Errors: as above. */
  async remove(projectPath: string, id: string): Promise<Result<{ backup: string }>> {
    const found = await this.placeOf(projectPath, id);
    if (!found.ok) return found;
    const { file, path } = found.value;
    const own = await ownFile(path, file);
    if (!own.ok) return own;
    return written(file, async () => {
      for (let count = 1; ; count += 1) {
        const backup = `${path}.bak${count === 1 ? '' : `-${count}`}`;
        if (await moved(path, backup)) return { backup: join(dirname(file), basename(backup)) };
      }
    });
  }

  /** Restores a removed text. Errors: as above, `input.invalid` for any other file. */
  async restore(
    projectPath: string,
    { id, backup }: { id: string; backup: string },
  ): Promise<Result<Record<string, never>>> {
    const found = await this.placeOf(projectPath, id);
    if (!found.ok) return found;
    const { file, path } = found.value;
    if (!backup.startsWith(file) || !BACKUP.test(backup.slice(file.length)))
      return fail('input.invalid', `${backup} is not an old version of ${file}`);
    const backupPath = join(projectPath, backup);
    const own = await ownFile(backupPath, backup);
    if (!own.ok) return own;
    const back = await written(file, () => moved(backupPath, path));
    if (!back.ok) return back;
    return back.value ? ok({}) : err(taken(file));
  }

  /** The path of a project's text; refuses folders that are links out of the project. */
  private async placeOf(projectPath: string, id: string): Promise<Result<{ file: string; path: string }>> {
    const known = this.library.find(id);
    if (known === null) return fail('not_found', `there is no prompt ${id}`);
    const folder = join(PROMPTS_DIR, known.set.id);
    const file = join(folder, known.schema.file);
    const inside = await folderInProject(projectPath, folder);
    if (!inside.ok) return inside;
    return ok({ file, path: join(projectPath, file) });
  }
}

/** Only a regular file may be moved: the target of a link may not belong to the project. */
async function ownFile(path: string, file: string): Promise<Result<true>> {
  const facts = await lstat(path).catch(() => null);
  if (facts === null) return fail('not_found', `there is no file ${file}`);
  if (facts.isFile()) return ok(true);
  return fail('input.invalid', `${file} is a link or a folder`, { mend: 'remove it by hand' });
}

/** False if the new name is taken. Not a rename, which would overwrite it. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false;
    throw cause;
  }
  await rm(from);
  return true;
}

const TAKEN = 'edit that file, or remove the override first';
const taken = (file: string) => appError('conflict', `${file} already exists`, { mend: TAKEN });

const changedMeanwhile = (file: string) =>
  appError('conflict', `${file} was changed elsewhere in the meantime`, {
    mend: 'read the file again, then change it',
  });

const written = <T>(file: string, work: () => Promise<T>): Promise<Result<T>> =>
  writing(file, { mend: TAKEN, work });
