import { randomUUID } from 'node:crypto';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ProjectRow } from '@areas/agents/contract/procedures';
import { unifiedDiff } from '@areas/changes/node/unified-diff';
import { err, fail, ok, type Result } from '@contract/result';
import type { DocumentMigrator, EditsOf } from '@main/core/ports/documents';
import type { StepRegistry } from '@main/core/step/module';
import type { WorkflowMigration } from '../contract/migration';
import { wholeText, workflowPlace } from './texts/place';

export interface MigrationParts {
  readonly migrator: DocumentMigrator;
  readonly registry: StepRegistry;
}

/** A workflow file: its path, and its name for the operator. */
export interface WorkflowFile {
  readonly path: string;
  readonly shown: string;
}

/** Migrates workflow files of earlier versions. The old file is kept beside the new one. */
export class WorkflowMigrations {
  private readonly editsOf: EditsOf;

  constructor(private readonly parts: MigrationParts) {
    this.editsOf = (type, config) => parts.registry.get(type)?.migrate?.(config) ?? [];
  }

  /**
   * The migration's changes to a file; with `apply` they are written atomically. Errors: `not_found`,
   * `validation.yaml`, `validation.completion_mode_removed` if the file's structure does not allow it,
   * `project.not_writable`.
   */
  async migrate({ path, shown }: WorkflowFile, apply: boolean): Promise<Result<WorkflowMigration>> {
    const real = await realpath(path).catch(() => null);
    if (real === null) return fail('not_found', `there is no file ${shown}`);
    const read = await wholeText(real, shown);
    if (!read.ok) return read;
    const { bytes, text: old } = read.value;
    const migrated = this.parts.migrator.migrate(old, this.editsOf);
    if (!migrated.ok) {
      return err({ ...migrated.error, where: { ...migrated.error.where, file: shown } });
    }
    const { text, changes } = migrated.value;
    const result = { text, diff: unifiedDiff(shown, old, text), changes: [...changes], backup: null };
    if (!apply || changes.length === 0) return ok(result);
    const backup = await replace(real, { bytes, text });
    return backup.ok ? ok({ ...result, backup: join(dirname(shown), basename(backup.value)) }) : backup;
  }

  /** The same for a project's file, which must be in its workflows folder. */
  async migrateIn(
    project: ProjectRow,
    { file, apply }: { file: string; apply: boolean },
  ): Promise<Result<WorkflowMigration>> {
    const path = await workflowPlace(project, file);
    return path.ok ? this.migrate({ path: path.value, shown: file }, apply) : path;
  }

  /** Restores the old file, if the new one is unchanged since the migration. */
  async restore(
    project: ProjectRow,
    { file, backup }: { file: string; backup: string },
  ): Promise<Result<Record<string, never>>> {
    const [place, kept] = [await workflowPlace(project, file), await workflowPlace(project, backup)];
    if (!place.ok) return place;
    if (!kept.ok) return kept;
    const tail = kept.value.startsWith(`${place.value}.bak`) ? kept.value.slice(place.value.length) : '';
    if (!BACKUP.test(tail)) return fail('input.invalid', `${backup} is not an old version of ${file}`);
    const [now, old] = await Promise.all([place.value, kept.value].map(textOf));
    const made = this.parts.migrator.migrate(old ?? '', this.editsOf);
    if (!made.ok || made.value.text !== now) {
      const mend = `the old version is in ${backup}`;
      return fail('conflict', `${file} was changed since it was migrated`, { mend });
    }
    return written(file, async () => {
      await rename(kept.value, place.value);
      return {};
    });
  }
}

async function textOf(path: string): Promise<string> {
  const read = await wholeText(path, path);
  return read.ok ? read.value.text : '';
}

const BACKUP = /^\.bak(-\d+)?$/;

/** Keeps the old bytes under a new name, then replaces the file atomically. */
async function replace(
  path: string,
  { bytes, text }: { bytes: Buffer; text: string },
): Promise<Result<string>> {
  return written(path, async () => {
    const { mode } = await stat(path);
    const backup = await keep(path, { bytes, mode });
    const fresh = join(dirname(path), `.${randomUUID()}.tmp`);
    try {
      await writeFile(fresh, text, { flag: 'wx', mode, flush: true });
      await rename(fresh, path);
    } catch (cause) {
      await Promise.all([rm(fresh, { force: true }), rm(backup, { force: true })]);
      throw cause;
    }
    return backup;
  });
}

/** `FILE.bak`, or `FILE.bak-2` and so on if taken: a kept file is never overwritten. */
async function keep(path: string, { bytes, mode }: { bytes: Buffer; mode: number }): Promise<string> {
  for (let count = 1; ; count += 1) {
    const backup = `${path}.bak${count === 1 ? '' : `-${count}`}`;
    try {
      await writeFile(backup, bytes, { flag: 'wx', mode, flush: true });
      return backup;
    } catch (cause) {
      if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
    }
  }
}

async function written<T>(name: string, work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    const mend = 'make its folder writable, or free some space';
    return fail('project.not_writable', `${name} cannot be written: ${cause.message}`, { mend });
  }
}
