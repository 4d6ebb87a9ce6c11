import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { ProjectRow } from '@contract/catalog/procedures';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { listGuarded } from '../guarded-files/read';
import { DELETED_WORKFLOW_MS } from '../limits/core';
import { folderInProject, written } from './project-write';
import { wholeText, workflowPlace } from './workflow-texts/place';

interface BinParts {
  /** Where deleted files are kept. */
  readonly folder: string;
  now(): number;
  project(projectId: number): Pick<ProjectRow, 'path'> | null;
  changed(projectId: number): void;
}

/** The name of a kept file: nothing else in the folder is touched. */
const KEPT = /^[0-9a-f-]{36}\.yaml$/;

interface Deleted {
  readonly projectId: number;
  readonly file: string;
}

/** Deletes workflow files, and brings them back. */
export class WorkflowBin {
  constructor(private readonly parts: BinParts) {}

  /** Errors: `not_found`, `input.invalid`, `project.not_writable`. */
  async remove({ projectId, file }: Deleted): Promise<Result<{ kept: string }>> {
    const project = this.parts.project(projectId);
    if (project === null) return err(appError('not_found', `there is no project ${projectId}`));
    const place = await workflowPlace(project, file);
    const read = place.ok ? await wholeText(place.value, file) : place;
    if (!place.ok || !read.ok) return read as Result<never>;
    const kept = randomUUID();
    const done = await written(file, {
      mend: 'try again',
      work: async () => {
        const { mode } = await stat(place.value);
        await mkdir(this.parts.folder, { recursive: true, mode: 0o700 });
        const copy = this.pathOf(kept);
        await writeFile(copy, read.value.bytes, { flag: 'wx', flush: true });
        await chmod(copy, mode & 0o7777);
        // Of a link only the link goes.
        await rm(resolve(project.path, file));
      },
    });
    if (!done.ok) return done;
    this.parts.changed(projectId);
    await this.clean();
    return ok({ kept });
  }

  /** Errors: `not_found`, `input.invalid`, `conflict` where there is such a file again, `project.not_writable`. */
  async restore({
    projectId,
    file,
    kept,
  }: Deleted & { kept: string }): Promise<Result<Record<string, never>>> {
    const project = this.parts.project(projectId);
    if (project === null) return err(appError('not_found', `there is no project ${projectId}`));
    const folder = await folderInProject(project.path, join('.muster', 'workflows'));
    if (!folder.ok) return folder;
    const path = resolve(project.path, file);
    if (dirname(path) !== folder.value)
      return err(appError('input.invalid', `${file} is no workflow file of this project`));
    const copy = this.pathOf(kept);
    const read = await wholeText(copy, file);
    if (!read.ok) return read;
    const done = await written(file, {
      mend: 'delete or rename the file that is there now',
      work: async () => {
        const { mode } = await lstat(copy);
        await mkdir(folder.value, { recursive: true });
        await writeFile(path, read.value.bytes, { flag: 'wx', flush: true });
        await chmod(path, mode & 0o7777);
        await rm(copy);
      },
    });
    if (!done.ok) return done;
    this.parts.changed(projectId);
    return ok({});
  }

  /** Deletes what was kept long enough. What cannot be deleted now is tried again the next time. */
  async clean(): Promise<void> {
    const { folder, now } = this.parts;
    const names = await listGuarded(dirname(folder), basename(folder));
    for (const name of names.filter((one) => KEPT.test(one))) {
      const path = join(folder, name);
      const { mtimeMs } = await lstat(path).catch(() => ({ mtimeMs: now() }));
      if (now() - mtimeMs > DELETED_WORKFLOW_MS) await rm(path, { force: true }).catch(() => undefined);
    }
  }

  private pathOf(kept: string): string {
    return join(this.parts.folder, `${kept}.yaml`);
  }
}
