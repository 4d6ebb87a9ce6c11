import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, type Result } from '@contract/result';
import type { WorkspaceRun } from '../../../core/ports/workspaces/workspaces';
import { COPIED_FILES_BYTES } from '../../../limits/core-sizes';
import { type CheckoutOptions, findCheckout } from '../checkout';
import { failure } from '../command/failure';
import { presentState } from '../snapshot/present-state';
import { copyIgnored } from './copy-ignored';
import { type Marker, writeMarker } from './marker';
import { type RunScript, runWorktreeScript } from './scripts';
import { fillSubmodules } from './submodules';
import type { Worktree } from './worktree';

export interface ContentParts extends CheckoutOptions {
  readonly runScript: RunScript;
  readonly copyLimitBytes?: number;
}

/** A worktree that is ready. */
interface Populated {
  /** The folder to work in. */
  readonly path: string;
  /** What it lacks, for the operator. */
  readonly notes: readonly string[];
}

/**
 * Adds to a new worktree what its branch lacks: the initial state of files, its submodules, ignored files of the
 * project, and the results of the setup command. Each stage runs once, and again only if a crash interrupted it.
 */
export async function populateWorktree(
  parts: ContentParts,
  run: WorkspaceRun,
  at: { readonly worktree: Worktree; readonly prefix: string },
): Promise<Result<Populated>> {
  const { root, gitDir, git } = at.worktree;
  const path = join(root, at.prefix);
  let { marker } = at.worktree;
  const done = async (step: Marker['done']): Promise<void> => {
    marker = await writeMarker(gitDir, { ...marker, done: step });
  };
  let notes: readonly string[] = [];
  try {
    if (marker.done === 'made') {
      await fill(parts, run, at.worktree);
      if (run.submodules !== false) notes = await fillSubmodules(git, root);
      await done('filled');
    }
    // A project folder that is not committed yet is missing in the worktree.
    await mkdir(path, { recursive: true });
    if (marker.done === 'filled') {
      const copied = await copyIgnored({
        from: run.projectPath,
        to: path,
        globs: run.copy,
        include: '.worktreeinclude',
        limitBytes: parts.copyLimitBytes ?? COPIED_FILES_BYTES,
        ...(parts.git === undefined ? {} : { git: parts.git }),
      });
      if (!copied.ok) return copied;
      await done('copied');
    }
    if (marker.done === 'copied') {
      const { key } = marker;
      const what = run.setup === null ? null : { kind: 'setup' as const, script: run.setup, path, key };
      const setUp = what === null ? ok(undefined) : await runWorktreeScript(parts.runScript, run, what);
      if (!setUp.ok) return setUp;
      await done('set_up');
    }
    return ok({ path, notes });
  } catch (error) {
    return err(failure(`The worktree ${root} could not be set up`, error, root));
  }
}

/**
 * Another state's files, as uncommitted changes: the operator's history gets no commit of Muster's. Files
 * from an interrupted try are overwritten, since no one has worked here yet.
 */
async function fill(parts: ContentParts, run: WorkspaceRun, { root, marker }: Worktree): Promise<void> {
  if (marker.fill === null) return;
  const found = await findCheckout({ path: root, run }, parts);
  if (!found.ok) throw new Error(found.error.message);
  if (found.value === null) return;
  // Creates Muster's index, so that files missing in the state are recognised and removed.
  await presentState(found.value);
  await found.value.own.bytes(['read-tree', '--reset', '-u', marker.fill]);
}
