import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { TurnChanges } from '@contract/workspace/changes';
import type {
  Cleared,
  HunksWanted,
  HunkToRevert,
  KnownWorktree,
  ReleasedFolder,
  Removed,
  ToClear,
  ToRemove,
  WorkspaceEdits,
  WorkspaceHunks,
} from '../../core/ports/workspace-edits';
import { folderName } from '../../core/ports/workspace-names';
import type {
  DiffWanted,
  MadeWorkspace,
  SnapshotPlace,
  WorkspaceBranch,
  WorkspaceDiff,
  WorkspaceRun,
  Workspaces,
} from '../../core/ports/workspaces';
import { type Checkout, findCheckout, findStore, isFolder } from './checkout';
import { clearBranches, isInCheckout, knownWorktrees } from './clear';
import { copyFolder, fillFolder } from './copied-folder';
import { fileView, MOST_FILES, readHunks, takeDiff } from './diff';
import { restoreSnapshot, revertHunk, undoRevert } from './edits';
import { failure } from './failure';
import { changedFiles } from './file-list';
import { Git } from './git-command';
import { Queue } from './queue';
import { inclusions, reattachFolder, releaseFolder } from './release';
import { removeRun } from './removal';
import { inspect, type Repository } from './repository';
import { findSides } from './sides';
import { isSnapshotName, REFS, setRefs, snapshotCommit, snapshotFacts, takeSnapshot } from './snapshot';
import { ensureWorktree, type WorktreeWish } from './worktree';
import { type ContentParts, populateWorktree } from './worktree-content';

export { scriptsOver } from './scripts';

/** `worktreesDir`: where the worktrees of all runs are made, outside of every project. */
export type WorkspacesOptions = ContentParts;

type Wish = Omit<WorktreeWish, 'uid' | 'worktreesDir' | 'start' | 'folder' | 'moves'> & {
  readonly start: string | null;
};

/**
 * Working folders of runs and what happens in them, by way of git. Where nothing else is told to be, Muster keeps:
 * worktrees below `worktreesDir`, branches `muster/FOLDER`, snapshots as refs `refs/muster/UID/NAME`, its own index
 * and a mark in the git folder of a work tree, and for plain folders a repository `shadow.git` beside them.
 */
export class GitWorkspaces implements Workspaces, WorkspaceEdits {
  readonly #options: WorkspacesOptions;
  /** Worktrees of one repository are made one after the other: git's own locks only fail. */
  readonly #repositories = new Queue();
  /** What reads and changes one folder, one after the other: they share Muster's index of it. */
  readonly #folders = new Queue();

  constructor(options: WorkspacesOptions) {
    this.#options = options;
  }

  async prepare(run: WorkspaceRun): Promise<Result<MadeWorkspace>> {
    if (!(await isFolder(run.projectPath))) return err(noProject(run.projectPath));
    switch (run.mode) {
      case 'folder':
        return this.#folder(run);
      case 'project':
        return this.#project(run);
      case 'worktree':
        return this.#worktree(run, { key: null, base: null, ...beginningOf(run) });
    }
  }

  async branch(run: WorkspaceRun, { key, from }: WorkspaceBranch): Promise<Result<MadeWorkspace>> {
    if (!/^[A-Za-z0-9-]+$/.test(key))
      return err(appError('workspace.failed', `'${key}' cannot name a workspace.`));
    switch (run.mode) {
      case 'folder':
        return this.#copiedFolder(run, { key, from });
      case 'worktree':
        return this.#branchedWorktree(run, { key, from });
      case 'project':
        return err(
          appError('workspace.failed', 'A run that works in the project itself has no second workspace.', {
            mend: "Set 'workspace: worktree' in the workflow, or let its agents work one after the other.",
          }),
        );
    }
  }

  async head(path: string): Promise<string | null> {
    if (!(await isFolder(path))) return null;
    return new Git(path, this.#options.git).maybe('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  }

  async snapshot(place: SnapshotPlace, name: string): Promise<Result<string | null>> {
    if (!isSnapshotName(name)) return err(appError('input.invalid', `'${name}' cannot name a snapshot.`));
    return this.#inFolder(place, 'No snapshot could be taken of', async (checkout) =>
      ok(checkout === null ? null : (await takeSnapshot(checkout, name)).commit),
    );
  }

  async keptSnapshot(place: SnapshotPlace, name: string) {
    if (!isSnapshotName(name)) return null;
    const found = await this.#reading(place, 'No snapshot could be read of', async () => {
      const store = await findStore(place, this.#options);
      return store.ok && store.value !== null ? ok(await snapshotFacts(store.value, name)) : ok(null);
    });
    return found.ok ? found.value : null;
  }

  async changes(
    place: SnapshotPlace,
    { before, after }: { before: string; after: string },
  ): Promise<TurnChanges | null> {
    if (before === after) return { before, after, files: 0, added: 0, removed: 0 };
    const between = { snapshots: [], orEmpty: false };
    const wanted = { place, from: { ...between, commit: before }, to: { ...between, commit: after } };
    try {
      const found = await findSides(wanted, this.#options);
      if (!found.ok || found.value === null) return null;
      const files = await changedFiles(found.value.git, found.value.between);
      const sum = (of: 'added' | 'removed') => files.reduce((all, { change }) => all + (change[of] ?? 0), 0);
      return { before, after, files: files.length, added: sum('added'), removed: sum('removed') };
    } catch {
      return null;
    }
  }

  async diff(wanted: DiffWanted): Promise<Result<WorkspaceDiff | null>> {
    const { place, from, to, file } = wanted;
    return this.#reading(place, 'The changes could not be read in', async () => {
      const store = await findStore(place, this.#options);
      const ended = store.ok && store.value !== null ? await this.#isThere(store.value, to.snapshots) : false;
      const sides: HunksWanted = {
        place,
        from: { ...from, orEmpty: place.run.mode === 'folder' && from.commit === null },
        to: ended ? { ...to, commit: null } : null,
      };
      const found = await findSides(sides, this.#options);
      if (!found.ok || found.value === null) return found.ok ? ok(null) : found;
      const { git, between } = found.value;
      const files = await changedFiles(git, between);
      const diff = await takeDiff(git, between, file);
      const listed = files.slice(0, MOST_FILES).map(({ change }) => change);
      return ok({ diff, files: listed, filesTruncated: files.length > listed.length });
    });
  }

  async hunksOf(wanted: HunksWanted): Promise<Result<WorkspaceHunks>> {
    return this.#reading(wanted.place, 'The changes could not be read in', async () => {
      const found = await findSides(wanted, this.#options);
      if (!found.ok) return found;
      if (found.value === null) return err(noSnapshots(wanted.place.path));
      const { git, between, root } = found.value;
      const all = await changedFiles(git, between);
      const files = (await readHunks(found.value, all)).slice(0, MOST_FILES);
      return ok({ root, files: files.map(fileView), truncated: all.length > files.length });
    });
  }

  async revertHunk(what: HunkToRevert): Promise<Result<{ undo: string }>> {
    const { place } = what.wanted;
    return this.#inFolder(place, 'The hunk could not be taken back in', async (checkout) => {
      const found = await findSides(what.wanted, this.#options);
      if (!found.ok) return found;
      if (checkout === null || found.value === null) return err(noSnapshots(place.path));
      return revertHunk(checkout, found.value, what);
    });
  }

  async undoRevert(
    place: SnapshotPlace,
    what: { readonly uid: string; readonly undo: string },
  ): Promise<Result<{ undo: string }>> {
    return this.#inFolder(place, 'The hunk could not be put back in', async (checkout) =>
      checkout === null ? err(noSnapshots(place.path)) : undoRevert(checkout, what),
    );
  }

  async restore(
    place: SnapshotPlace,
    what: { readonly uid: string; readonly snapshot: string },
  ): Promise<Result<{ undo: string }>> {
    return this.#inFolder(
      place,
      `The snapshot ${what.snapshot} could not be brought back in`,
      async (checkout) =>
        checkout === null ? err(noSnapshots(place.path)) : restoreSnapshot(checkout, what),
    );
  }

  remove(run: WorkspaceRun, what: ToRemove): Promise<Result<Removed>> {
    return this.#repositories.add(run.projectPath, () => removeRun(this.#options, run, what));
  }

  async revive(run: WorkspaceRun, branches: readonly string[]): Promise<Result<readonly string[]>> {
    if (run.mode !== 'worktree' || !(await isFolder(run.projectPath))) return ok([]);
    const again: string[] = [];
    const own = folderName(run, null);
    for (const branch of branches) {
      const folder = basename(branch);
      const key = folder.startsWith(`${own}-`) ? folder.slice(own.length + 1) : null;
      if (branch !== `muster/${folderName(run, key)}`) continue;
      if (await isFolder(join(this.#options.worktreesDir, folder))) continue;
      const made = await this.#worktree(run, { key, start: null, base: null, fill: null });
      if (!made.ok) return made;
      again.push(branch);
    }
    return ok(again);
  }

  async release(
    run: WorkspaceRun,
    made: readonly MadeWorkspace[],
    ended: () => boolean,
  ): Promise<Result<readonly ReleasedFolder[] | null>> {
    const { projectPath } = run;
    const work = async (): Promise<Result<readonly ReleasedFolder[] | null>> => {
      if (!ended() || !(await isFolder(projectPath))) return ok(null);
      const found: Omit<ReleasedFolder, 'includedIn'>[] = [];
      for (const one of made) {
        const root = join(this.#options.worktreesDir, basename(one.branch ?? one.path));
        const left = await this.#folders.add(root, () => releaseFolder(this.#options, run, one));
        if (left !== null) found.push(left);
      }
      return ok(await inclusions(new Git(projectPath, this.#options.git), found));
    };
    return this.#inRepository(projectPath, 'The branches of the run could not be freed in', work);
  }

  async reattach(run: WorkspaceRun, branches: readonly string[]): Promise<Result<void>> {
    return this.#inRepository(
      run.projectPath,
      'The branches of the run cannot be checked out in',
      async () => {
        for (const branch of branches) {
          const root = join(this.#options.worktreesDir, basename(branch));
          const done = await this.#folders.add(root, () => reattachFolder(this.#options, run, branch));
          if (!done.ok) return done;
        }
        return ok(undefined);
      },
    );
  }

  worktrees(): Promise<readonly KnownWorktree[]> {
    return knownWorktrees(this.#options.worktreesDir);
  }

  isInCheckout(projectPath: string, commit: string): Promise<boolean> {
    return isInCheckout(new Git(projectPath, this.#options.git), commit);
  }

  clear(run: WorkspaceRun, what: ToClear): Promise<Result<Cleared>> {
    return this.#inRepository(run.projectPath, 'Worktrees could not be removed in', () =>
      clearBranches(this.#options, run, what),
    );
  }

  #inRepository<T>(path: string, what: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
    return this.#repositories.add(path, () =>
      work().catch((error: unknown) => err(failure(`${what} ${path}`, error, path))),
    );
  }

  async #isThere(git: Git, names: readonly string[]): Promise<boolean> {
    for (const name of names)
      if (isSnapshotName(name) && (await snapshotCommit(git, name)) !== null) return true;
    return false;
  }

  async #folder(run: WorkspaceRun): Promise<Result<MadeWorkspace>> {
    const path = join(run.artifactsDir, 'workspace');
    try {
      if (run.begins !== undefined) await this.#folders.add(path, () => fillFolder(this.#options, run, path));
      await mkdir(path, { recursive: true });
      return ok({ path, branch: null, baseCommit: null });
    } catch (error) {
      return err(failure(`The folder ${path} could not be made`, error, path));
    }
  }

  /** What the operator had not committed when the run began is none of its changes: its beginning is a snapshot. */
  async #project(run: WorkspaceRun): Promise<Result<MadeWorkspace>> {
    const path = run.projectPath;
    const name = `${run.uid}/base`;
    const store = await findStore({ path, run }, this.#options);
    const known = store.ok && store.value !== null ? await snapshotCommit(store.value, name) : null;
    const taken = known === null ? await this.snapshot({ path, run }, name) : ok(known);
    const baseCommit = taken.ok ? taken.value : await this.head(path);
    return ok({ path, branch: null, baseCommit });
  }

  async #copiedFolder(run: WorkspaceRun, { key, from }: WorkspaceBranch): Promise<Result<MadeWorkspace>> {
    const path = join(run.artifactsDir, 'workspaces', key);
    try {
      await this.#folders.add(from, () => copyFolder(from, path));
    } catch (error) {
      return err(failure(`The folder ${path} could not be made`, error, path));
    }
    const name = `${run.uid}/base-${key}`;
    const store = await findStore({ path, run }, this.#options);
    const known = store.ok && store.value !== null ? await snapshotCommit(store.value, name) : null;
    const base = known === null ? await this.snapshot({ path, run }, name) : ok(known);
    return base.ok ? ok({ path, branch: null, baseCommit: base.value }) : base;
  }

  /**
   * The branch begins at the HEAD of the folder that it continues, and what is not committed there is not committed
   * here either. `baseCommit` is the snapshot of that folder, so that a diff from it shows this workspace's own work.
   */
  async #branchedWorktree(run: WorkspaceRun, { key, from }: WorkspaceBranch): Promise<Result<MadeWorkspace>> {
    const place = { path: from, run };
    const base = `${run.uid}/base-${key}`;
    const began = `${run.uid}/began-${key}`;
    const state = await this.#inFolder(place, 'No snapshot could be taken of', async (checkout) => {
      if (checkout === null) return err(noSnapshots(from));
      const [start, fill] = [
        await snapshotCommit(checkout.git, began),
        await snapshotCommit(checkout.git, base),
      ];
      if (start !== null && fill !== null) return ok({ start, fill });
      const taken = await takeSnapshot(checkout, base);
      const head = taken.head ?? taken.commit;
      await setRefs(checkout.git, new Map([[`${REFS}${began}`, head]]));
      return ok({ start: head, fill: taken.commit });
    });
    if (!state.ok) return state;
    const { start, fill } = state.value;
    return this.#worktree(run, { key, start, base: fill, fill: fill === start ? null : fill });
  }

  async #worktree(run: WorkspaceRun, wish: Wish): Promise<Result<MadeWorkspace>> {
    const { worktreesDir, git, moves } = this.#options;
    const folder = folderName(run, wish.key);
    const made = await this.#repositories.add(run.projectPath, async () => {
      const repository: Result<Repository> = await inspect(run.projectPath, git);
      if (!repository.ok) return repository;
      const start = wish.start ?? repository.value.head;
      const worktree = await ensureWorktree(repository.value, {
        ...{ ...wish, start, folder, moves },
        ...{ uid: run.uid, worktreesDir },
      });
      return worktree.ok ? ok({ worktree: worktree.value, prefix: repository.value.prefix }) : worktree;
    });
    if (!made.ok) return made;
    // Beside other runs of the repository: a set-up command may take minutes.
    const path = await populateWorktree(this.#options, run, made.value);
    const { branch, base } = made.value.worktree.marker;
    return path.ok ? ok({ path: path.value, branch, baseCommit: base }) : path;
  }

  #reading<T>(place: SnapshotPlace, what: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
    return this.#folders.add(this.#keyOf(place), () =>
      work().catch((error: unknown) => err(failure(`${what} ${place.path}`, error, place.path))),
    );
  }

  #inFolder<T>(
    place: SnapshotPlace,
    what: string,
    work: (checkout: Checkout | null) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    return this.#reading(place, what, async () => {
      const checkout = await findCheckout(place, this.#options);
      return checkout.ok ? work(checkout.value) : checkout;
    });
  }

  /** The folder that the index is of: a worktree has one for all of its folders. */
  #keyOf({ path }: SnapshotPlace): string {
    const inside = relative(this.#options.worktreesDir, path);
    return inside.startsWith('..') || dirname(inside) === '.'
      ? path
      : join(this.#options.worktreesDir, inside.split(/[/\\]/)[0] ?? '');
  }
}

/** Where the run's own worktree begins; null: at the HEAD of the project. */
function beginningOf({ begins }: WorkspaceRun): Pick<Wish, 'start' | 'fill'> {
  if (begins === undefined) return { start: null, fill: null };
  const start = begins.head ?? begins.commit;
  return { start, fill: begins.commit === start ? null : begins.commit };
}

const noProject = (path: string) =>
  appError('project.not_a_folder', `The project folder ${path} is not there.`, {
    where: { file: path },
    mend: 'Bring the folder back, or add the project again where it lies now.',
  });

const noSnapshots = (path: string) =>
  appError('not_found', `${path} is no repository, so what changed in it is not known.`, {
    where: { file: path },
    mend: "Run 'git init' there, or let the workflow use 'workspace: folder'.",
  });
