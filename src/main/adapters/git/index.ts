import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { TurnChanges } from '@areas/changes/contract/changes';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { ChangedFile, ChangeSearched, FileWanted } from '../../core/ports/workspaces/changed-content';
import type {
  ChangeToRetake,
  Cleared,
  FolderEdit,
  HunksWanted,
  HunkToRevert,
  KnownWorktree,
  ReleasedFolder,
  Removed,
  ToClear,
  ToRemove,
  WorkspaceEdits,
  WorkspaceHunks,
} from '../../core/ports/workspaces/workspace-edits';
import type {
  DiffWanted,
  FolderState,
  MadeWorkspace,
  SnapshotPlace,
  WorkspaceBranch,
  WorkspaceDiff,
  WorkspaceRun,
  Workspaces,
} from '../../core/ports/workspaces/workspaces';
import { findCheckout, findStore, isFolder } from './checkout';
import { Git } from './command/git-command';
import { readChangedFile, searchChange } from './diff/changed-content';
import { fileView, listed, readHunks, takeDiff } from './diff/diff';
import { type DiffRange, findSides } from './diff/diff-sides';
import { restoreSnapshot, revertHunk, undoRevert } from './diff/edits';
import { changedFiles } from './diff/file-list';
import { holdsTaken, retakeChange } from './diff/retake';
import { sentences } from './snapshot/git-state';
import { isSnapshotName, snapshotCommit, snapshotFacts } from './snapshot/snapshot';
import { clearBranches, isInCheckout, knownWorktrees } from './worktree/clear';
import { FolderAccess, noSnapshots, type WorkspacesOptions } from './worktree/folder-access';
import { folderState } from './worktree/folder-state';
import { plantedPrograms } from './worktree/planted-programs';
import { inclusions, noting, reattachFolder, releaseFolder } from './worktree/release';
import { removeRun } from './worktree/removal';
import { headOf, WorkspaceMaker } from './worktree/workspace-maker';
import { linkProblem, rootOf } from './worktree-link';

export type { WorkspacesOptions } from './worktree/folder-access';
export { scriptsOver } from './worktree/scripts';

/**
 * Runs' working folders and snapshots, implemented with git. By default Muster keeps worktrees below
 * `worktreesDir`; branches `muster/FOLDER`, or `muster-runs/FOLDER` where the operator has a branch `muster`; snapshots as refs `refs/muster/UID/NAME`; its own index and a
 * mark in a work tree's git folder; and for plain folders a repository `shadow.git` beside them.
 */
export class GitWorkspaces implements Workspaces, WorkspaceEdits {
  readonly #access: FolderAccess;
  readonly #maker: WorkspaceMaker;

  constructor(private readonly options: WorkspacesOptions) {
    this.#access = new FolderAccess(options);
    this.#maker = new WorkspaceMaker(this.#access);
  }

  prepare(run: WorkspaceRun): Promise<Result<MadeWorkspace>> {
    return this.#maker.prepare(run);
  }

  branch(run: WorkspaceRun, from: WorkspaceBranch): Promise<Result<MadeWorkspace>> {
    return this.#maker.branch(run, from);
  }

  revive(run: WorkspaceRun, branches: readonly string[]): Promise<Result<readonly string[]>> {
    return this.#maker.revive(run, branches);
  }

  async readable({ path, run }: SnapshotPlace): Promise<Result<void>> {
    const dir = await realpath(this.options.worktreesDir).catch(() => this.options.worktreesDir);
    const root = run.mode === 'worktree' ? rootOf(path, dir) : null;
    const problem = root === null ? null : await linkProblem(root);
    return problem === null ? ok(undefined) : err(problem);
  }

  head(path: string): Promise<string | null> {
    return headOf(path, this.options);
  }

  snapshot(place: SnapshotPlace, name: string): Promise<Result<string | null>> {
    return this.#access.snapshot(place, name);
  }

  async keptSnapshot(place: SnapshotPlace, name: string) {
    if (!isSnapshotName(name)) return null;
    const found = await this.#access.reading(place, 'No snapshot could be read of', async () => {
      const store = await findStore(place, this.options);
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
      const found = await findSides(wanted, this.options);
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
    return this.#access.reading(place, 'The changes could not be read in', async () => {
      const store = await findStore(place, this.options);
      const ended = store.ok && store.value !== null ? await this.#isThere(store.value, to.snapshots) : false;
      const sides: HunksWanted = {
        place,
        from: { ...from, orEmpty: place.run.mode === 'folder' && from.commit === null },
        to: ended ? { ...to, commit: null } : null,
      };
      const found = await findSides(sides, this.options);
      if (!found.ok || found.value === null) return found.ok ? ok(null) : found;
      const { git, between } = found.value;
      const all = await changedFiles(git, between);
      const files = listed(all);
      const state = await this.#stateOf(place);
      return ok({ diff: await takeDiff(git, { between, all }, file), files, notes: sentences(state) });
    });
  }

  fileOf(wanted: HunksWanted, file: FileWanted): Promise<Result<ChangedFile>> {
    return this.#inChange(wanted, (range) => readChangedFile(range, file));
  }

  searchIn(wanted: HunksWanted, text: string): Promise<Result<ChangeSearched>> {
    return this.#inChange(wanted, async (range) => ok(await searchChange(range, text)));
  }

  #inChange<T>(wanted: HunksWanted, read: (range: DiffRange) => Promise<Result<T>>): Promise<Result<T>> {
    return this.#access.reading(wanted.place, 'The changes could not be read in', async () => {
      const found = await findSides(wanted, this.options);
      if (!found.ok) return found;
      return found.value === null ? err(noSnapshots(wanted.place.path)) : read(found.value);
    });
  }

  hunksOf(wanted: HunksWanted): Promise<Result<WorkspaceHunks>> {
    return this.#inChange(wanted, async (range) => {
      const { git, between, root, alive } = range;
      const all = await changedFiles(git, between);
      listed(all);
      const one = all.find(({ change }) => change.path === wanted.only) ?? null;
      if (wanted.only !== undefined && one === null) return err(unchanged(wanted.only));
      const files = await readHunks(range, all, { one });
      const [from = '', to = ''] = (
        await git.text('rev-parse', `${between.from}^{tree}`, `${between.to}^{tree}`)
      ).split('\n');
      return ok({ root, alive, files: files.map(fileView), from, to });
    });
  }

  async revertHunk(what: HunkToRevert): Promise<Result<FolderEdit>> {
    const { place } = what.wanted;
    return this.#access.inFolder(place, 'The hunk could not be taken back in', async (checkout) => {
      const found = await findSides(what.wanted, this.options);
      if (!found.ok) return found;
      if (checkout === null || found.value === null) return err(noSnapshots(place.path));
      return revertHunk(checkout, found.value, what);
    });
  }

  async undoRevert(
    place: SnapshotPlace,
    what: { readonly uid: string; readonly undo: string },
  ): Promise<Result<FolderEdit>> {
    return this.#access.inFolder(place, 'The hunk could not be put back in', async (checkout) =>
      checkout === null ? err(noSnapshots(place.path)) : undoRevert(checkout, what),
    );
  }

  async restore(
    place: SnapshotPlace,
    what: { readonly uid: string; readonly snapshot: string },
  ): Promise<Result<FolderEdit>> {
    return this.#access.inFolder(
      place,
      `The snapshot ${what.snapshot} could not be brought back in`,
      async (checkout) =>
        checkout === null ? err(noSnapshots(place.path)) : restoreSnapshot(checkout, what),
    );
  }

  state(place: SnapshotPlace): Promise<Result<FolderState | null>> {
    return this.#access.reading(place, 'The state of git could not be read in', async () =>
      ok(await this.#stateOf(place)),
    );
  }

  /** Null if the folder is gone or has no repository: there is a diff of its snapshots all the same. */
  async #stateOf(place: SnapshotPlace): Promise<FolderState | null> {
    const found = await findCheckout(place, this.options);
    return found.ok && found.value !== null ? folderState(found.value) : null;
  }

  async retake(what: ChangeToRetake): Promise<Result<WorkspaceDiff | null>> {
    return this.#access.inFolder(what.place, 'The changes could not be read in', async (checkout) =>
      checkout === null ? err(noSnapshots(what.place.path)) : retakeChange(checkout, what),
    );
  }

  async holdsTaken(
    place: SnapshotPlace,
    edit: Pick<FolderEdit, 'before' | 'after'>,
  ): Promise<boolean | null> {
    const held = await this.#access.inFolder(place, 'The changes could not be read in', async (checkout) =>
      ok(checkout === null ? false : await holdsTaken(checkout, edit)),
    );
    return held.ok ? held.value : null;
  }

  remove(run: WorkspaceRun, what: ToRemove): Promise<Result<Removed>> {
    return this.#access.repositories.add(run.projectPath, () => removeRun(this.options, run, what));
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
        const root = join(this.options.worktreesDir, basename(one.branch ?? one.path));
        const released = await this.#access.folders.add(root, () => releaseFolder(this.options, run, one));
        if (released !== null) found.push(released);
      }
      const git = new Git(projectPath, this.options.git);
      const planted = found.length === 0 ? null : await plantedPrograms(git, run.artifactsDir);
      const noted = found.map((one, index) => (index === 0 && planted !== null ? noting(one, planted) : one));
      return ok(await inclusions(git, noted));
    };
    return this.#access.inRepository(projectPath, 'The branches of the run could not be freed in', work);
  }

  async reattach(run: WorkspaceRun, branches: readonly string[]): Promise<Result<void>> {
    return this.#access.inRepository(
      run.projectPath,
      'The branches of the run cannot be checked out in',
      async () => {
        for (const branch of branches) {
          const root = join(this.options.worktreesDir, basename(branch));
          const done = await this.#access.folders.add(root, () => reattachFolder(this.options, run, branch));
          if (!done.ok) return done;
        }
        return ok(undefined);
      },
    );
  }

  worktrees(): Promise<readonly KnownWorktree[]> {
    return knownWorktrees(this.options.worktreesDir);
  }

  isInCheckout(projectPath: string, commit: string): Promise<boolean> {
    return isInCheckout(new Git(projectPath, this.options.git), commit);
  }

  clear(run: WorkspaceRun, what: ToClear): Promise<Result<Cleared>> {
    return this.#access.inRepository(run.projectPath, 'Worktrees could not be removed in', () =>
      clearBranches(this.options, run, what),
    );
  }

  async #isThere(git: Git, names: readonly string[]): Promise<boolean> {
    for (const name of names)
      if (isSnapshotName(name) && (await snapshotCommit(git, name)) !== null) return true;
    return false;
  }
}

const unchanged = (path: string) =>
  appError('not_found', `${path} is not among the changed files.`, {
    mend: 'Read the changes again: the folder has changed since.',
  });
