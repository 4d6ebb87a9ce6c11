import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { DeletedWorkflow, ProjectRow } from '@areas/agents/contract/procedures';
import { folderInProject, written } from '@areas/projects/node/project-write';
import { fail, ok, type Result } from '@contract/result';
import { listGuarded, readGuarded } from '@main/guarded-files/read';
import { DELETED_WORKFLOW_MS } from '@main/limits/core';
import { z } from 'zod';
import { wholeText, workflowPlace } from './texts/place';

interface BinParts {
  /** The folder for deleted files. */
  readonly folder: string;
  now(): number;
  project(projectId: number): Pick<ProjectRow, 'path'> | null;
  projects(): readonly Pick<ProjectRow, 'id' | 'path'>[];
  changed(projectId: number): void;
}

/** A kept file, or the note with its original place: nothing else in the folder is touched. */
const KEPT = /^[0-9a-f-]{36}\.(?:yaml|json)$/;

/**
 * A kept file's original place. Projects are identified by folder, because a project that is removed and
 * added again gets another id.
 */
const noteSchema = z.object({ project: z.string(), file: z.string(), deletedAt: z.number() });
/** A note contains two paths. */
const MOST_OF_NOTE = 65_536;

interface Deleted {
  readonly projectId: number;
  readonly file: string;
}

/** Deletes workflow files, and restores them. */
export class WorkflowBin {
  constructor(private readonly parts: BinParts) {}

  /** Errors: `not_found`, `input.invalid`, `project.not_writable`. */
  async remove({ projectId, file }: Deleted): Promise<Result<{ kept: string }>> {
    const project = this.parts.project(projectId);
    if (project === null) return fail('not_found', `there is no project ${projectId}`);
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
        const note = { project: project.path, file, deletedAt: this.parts.now() };
        await writeFile(this.noteOf(kept), JSON.stringify(note), { flag: 'wx' });
        await writeFile(copy, read.value.bytes, { flag: 'wx', flush: true });
        await chmod(copy, mode & 0o7777);
        // For a link, only the link is deleted.
        await rm(resolve(project.path, file));
      },
    });
    if (!done.ok) return done;
    this.parts.changed(projectId);
    await this.clean();
    return ok({ kept });
  }

  /** The files that can be restored into listed projects, latest first. */
  async deleted(): Promise<DeletedWorkflow[]> {
    const { folder, now } = this.parts;
    const ids = new Map(this.parts.projects().map(({ id, path }) => [path, id]));
    const names = new Set(await listGuarded(dirname(folder), basename(folder)));
    const found: DeletedWorkflow[] = [];
    for (const name of names) {
      const kept = name.slice(0, -'.json'.length);
      if (!KEPT.test(name) || !name.endsWith('.json') || !names.has(`${kept}.yaml`)) continue;
      const read = await readGuarded({ root: folder, path: join(folder, name), most: MOST_OF_NOTE });
      const note = noteSchema.safeParse(read !== null && 'bytes' in read ? parsed(read.bytes) : null);
      const projectId = note.success ? ids.get(note.data.project) : undefined;
      if (!note.success || projectId === undefined) continue;
      const { file, deletedAt } = note.data;
      const keptUntil = deletedAt + DELETED_WORKFLOW_MS;
      if (keptUntil > now()) found.push({ projectId, file, kept, deletedAt, keptUntil });
    }
    return found.sort((a, b) => b.deletedAt - a.deletedAt);
  }

  /** Errors: `not_found`, `input.invalid`, `conflict` if the file exists again, `project.not_writable`. */
  async restore({
    projectId,
    file,
    kept,
  }: Deleted & { kept: string }): Promise<Result<Record<string, never>>> {
    const project = this.parts.project(projectId);
    if (project === null) return fail('not_found', `there is no project ${projectId}`);
    const folder = await folderInProject(project.path, join('.muster', 'workflows'));
    if (!folder.ok) return folder;
    const path = resolve(project.path, file);
    if (dirname(path) !== folder.value)
      return fail('input.invalid', `${file} is not a workflow file of this project`);
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
        await rm(this.noteOf(kept), { force: true });
      },
    });
    if (!done.ok) return done;
    this.parts.changed(projectId);
    return ok({});
  }

  /** Deletes files whose retention has ended. Failures are retried next time. */
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

  private noteOf(kept: string): string {
    return join(this.parts.folder, `${kept}.json`);
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}
