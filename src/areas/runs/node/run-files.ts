import { mkdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, realpath, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Attachment } from '@areas/sessions/contract/session';
import { mimeOf } from '@areas/sessions/node/mime';
import { appError } from '@contract/errors';
import { setOwnValue } from '@contract/own';
import { err, fail, ok, type Result } from '@contract/result';
import type { Plan } from '@main/core/engine/plan/plan';
import { allSteps } from '@main/core/engine/plan/tree';
import { sizeGuarded } from '@main/guarded-files/read';

interface AttachedFile {
  /** As named by the operator or step. */
  readonly file: string;
  readonly source: string;
  readonly bytes: number;
}

interface FilesFrom {
  readonly attachments: readonly string[];
  readonly projectPath: string;
  readonly artifactsDir: string;
}

interface FrozenFiles {
  readonly attachments: Attachment[];
  readonly files: Record<string, Attachment>;
}

/**
 * Copies the operator's attachments and the files named by steps into the run's own folder, which makes the
 * run independent of them. Checks all before creating the folder; if the copying fails, the folder is
 * removed.
 */
export async function freezeFiles(plan: Plan, from: FilesFrom): Promise<Result<FrozenFiles>> {
  const named = allSteps(plan).flatMap((step) => step.bound.files.map(({ file }) => file));
  const wanted: AttachedFile[] = [];
  for (const file of from.attachments) {
    const source = resolve(from.projectPath, file);
    const facts = statSync(source, { throwIfNoEntry: false });
    if (facts === undefined || !facts.isFile()) return err(missing(file));
    wanted.push({ file, source, bytes: facts.size });
  }
  // The operator may attach any file; a project's workflow may name only files of the project.
  for (const file of new Set(named)) {
    const found = await sizeGuarded(from.projectPath, resolve(from.projectPath, file));
    if (found === null) return err(missing(file));
    if ('trouble' in found) return err(unusable(file, found.trouble));
    wanted.push({ file, source: found.real, bytes: found.size });
  }
  try {
    return ok(await copied(wanted, from));
  } catch (cause) {
    await dropRunFolder(from.artifactsDir);
    const full = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
    const code = full ? 'store.disk_full' : 'project.not_writable';
    return fail(code, `the run's folder ${from.artifactsDir} cannot be written: ${String(cause)}`, {
      mend: full ? 'free some disk space' : 'check its permissions',
    });
  }
}

/** Removes everything of a run that did not start. */
export const dropRunFolder = (artifactsDir: string): Promise<void> =>
  rm(artifactsDir, { recursive: true, force: true }).catch(() => undefined);

const missing = (file: string) =>
  appError('validation.file_missing', `there is no file ${file}`, {
    where: { file },
    mend: 'attach a file that exists',
  });

const unusable = (file: string, trouble: string) =>
  appError('validation.file_missing', `${file} cannot be used: ${trouble}`, {
    where: { file },
    mend: 'name a file inside the project',
  });

async function copied(
  wanted: readonly AttachedFile[],
  { attachments, artifactsDir }: FilesFrom,
): Promise<FrozenFiles> {
  const folder = join(artifactsDir, 'attachments');
  mkdirSync(join(artifactsDir, 'artifacts'), { recursive: true, mode: 0o700 });
  if (wanted.length > 0) await mkdir(folder, { recursive: true });
  const frozen: FrozenFiles = { attachments: [], files: {} };
  // A file that the operator attaches and a step names is copied once, so that it is recognised as the same.
  const copies = new Map<string, Attachment>();
  for (const [index, { file, source, bytes }] of wanted.entries()) {
    const name = basename(file);
    const path = join(folder, `${index + 1}-${name}`);
    const real = await realpath(source);
    const attachment = copies.get(real) ?? { path, name, mime: mimeOf(source), bytes };
    if (!copies.has(real)) await copyFile(source, path);
    copies.set(real, attachment);
    if (index < attachments.length) frozen.attachments.push(attachment);
    else setOwnValue(frozen.files, file, attachment);
  }
  return frozen;
}
