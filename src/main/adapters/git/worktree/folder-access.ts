import { dirname, join, relative } from 'node:path';
import { appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { SnapshotPlace } from '../../../core/ports/workspaces/workspaces';
import { type Checkout, findCheckout } from '../checkout';
import { failure } from '../command/failure';
import { Queue } from '../command/queue';
import { isSnapshotName, takeSnapshot } from '../snapshot/snapshot';
import type { ContentParts } from './worktree-content';

/** `worktreesDir`: the parent of all runs' worktrees, outside of every project. */
export type WorkspacesOptions = ContentParts;

/** Serialises access to folders and repositories: git's own locks only fail, so work waits here. */
export class FolderAccess {
  /** Worktrees of one repository are created one after the other. */
  readonly repositories = new Queue();
  /** Reads and changes of one folder run one after the other, because they share Muster's index. */
  readonly folders = new Queue();

  constructor(readonly options: WorkspacesOptions) {}

  inRepository<T>(path: string, what: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
    return this.repositories.add(path, () =>
      work().catch((error: unknown) => err(failure(`${what} ${path}`, error, path))),
    );
  }

  reading<T>(place: SnapshotPlace, what: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
    return this.folders.add(this.#keyOf(place), () =>
      work().catch((error: unknown) => err(failure(`${what} ${place.path}`, error, place.path))),
    );
  }

  inFolder<T>(
    place: SnapshotPlace,
    what: string,
    work: (checkout: Checkout | null) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    return this.reading(place, what, async () => {
      const checkout = await findCheckout(place, this.options);
      return checkout.ok ? work(checkout.value) : checkout;
    });
  }

  /** The folder that the index belongs to: a worktree has one for all of its folders. */
  #keyOf({ path }: SnapshotPlace): string {
    const inside = relative(this.options.worktreesDir, path);
    return inside.startsWith('..') || dirname(inside) === '.'
      ? path
      : join(this.options.worktreesDir, inside.split(/[/\\]/)[0] ?? '');
  }

  async snapshot(place: SnapshotPlace, name: string): Promise<Result<string | null>> {
    if (!isSnapshotName(name)) return fail('input.invalid', `'${name}' cannot name a snapshot.`);
    return this.inFolder(place, 'No snapshot could be taken of', async (checkout) =>
      ok(checkout === null ? null : (await takeSnapshot(checkout, name)).commit),
    );
  }
}

export const noSnapshots = (path: string) =>
  appError('not_found', `${path} is not a repository, so its changes are unknown.`, {
    where: { file: path },
    mend: "Run 'git init' there, or let the workflow use 'workspace: folder'.",
  });
