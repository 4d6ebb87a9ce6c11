import { mkdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import { branchesOf, folderName } from '../../../core/ports/workspaces/workspace-names';
import type { MadeWorkspace, WorkspaceBranch, WorkspaceRun } from '../../../core/ports/workspaces/workspaces';
import { findStore, isFolder } from '../checkout';
import { failure } from '../command/failure';
import { Git } from '../command/git-command';
import { inspect, type Repository } from '../repository';
import { REFS, setRefs, snapshotCommit, takeSnapshot } from '../snapshot/snapshot';
import { linkProblem, repairLink } from '../worktree-link';
import { copyFolder, fillFolder } from './copied-folder';
import { type FolderAccess, noSnapshots, type WorkspacesOptions } from './folder-access';
import { notePrograms } from './planted-programs';
import { ensureWorktree, type WorktreeWish } from './worktree';
import { populateWorktree } from './worktree-content';

type Wish = Omit<WorktreeWish, 'uid' | 'worktreesDir' | 'start' | 'folder' | 'moves'> & {
  readonly start: string | null;
};

/** Creates the working folders of runs and their branches. */
export class WorkspaceMaker {
  readonly #options: WorkspacesOptions;

  constructor(private readonly access: FolderAccess) {
    this.#options = access.options;
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
    if (!/^[A-Za-z0-9-]+$/.test(key)) return fail('workspace.failed', `'${key}' cannot name a workspace.`);
    switch (run.mode) {
      case 'folder':
        return this.#copiedFolder(run, { key, from });
      case 'worktree':
        return this.#branchedWorktree(run, { key, from });
      case 'project':
        return fail('workspace.failed', 'A run that works in the project itself has no second workspace.', {
          mend: "Set 'workspace: worktree' in the workflow, or let its agents work one after the other.",
        });
    }
  }

  async revive(run: WorkspaceRun, branches: readonly string[]): Promise<Result<readonly string[]>> {
    if (run.mode !== 'worktree' || !(await isFolder(run.projectPath))) return ok([]);
    const again: string[] = [];
    const ownName = folderName(run, null);
    for (const branch of branches) {
      const folder = basename(branch);
      const key = folder.startsWith(`${ownName}-`) ? folder.slice(ownName.length + 1) : null;
      if (!branchesOf(folderName(run, key)).includes(branch)) continue;
      const root = join(
        await realpath(this.#options.worktreesDir).catch(() => this.#options.worktreesDir),
        folder,
      );
      const before = await linkProblem(root);
      if (before === null) continue;
      if (before.code === 'workspace.unreadable') {
        const project = new Git(run.projectPath, this.#options.git);
        const still = await this.access.repositories.add(run.projectPath, () => repairLink(project, root));
        if (still !== null) return err(still);
        again.push(branch);
        continue;
      }
      const made = await this.#worktree(run, { key, start: null, base: null, fill: null });
      if (!made.ok) return made;
      again.push(branch);
    }
    return ok(again);
  }

  async #folder(run: WorkspaceRun): Promise<Result<MadeWorkspace>> {
    const path = join(run.artifactsDir, 'workspace');
    try {
      if (run.begins !== undefined)
        await this.access.folders.add(path, () => fillFolder(this.#options, run, path));
      await mkdir(path, { recursive: true });
      return ok({ path, branch: null, baseCommit: null });
    } catch (error) {
      return err(failure(`The folder ${path} could not be created`, error, path));
    }
  }

  /** Uncommitted changes from before the run are not the run's: its beginning is a snapshot. */
  async #project(run: WorkspaceRun): Promise<Result<MadeWorkspace>> {
    const path = run.projectPath;
    const name = `${run.uid}/base`;
    const store = await findStore({ path, run }, this.#options);
    const known = store.ok && store.value !== null ? await snapshotCommit(store.value, name) : null;
    const taken = known === null ? await this.access.snapshot({ path, run }, name) : ok(known);
    const baseCommit = taken.ok ? taken.value : await headOf(path, this.#options);
    return ok({ path, branch: null, baseCommit });
  }

  async #copiedFolder(run: WorkspaceRun, { key, from }: WorkspaceBranch): Promise<Result<MadeWorkspace>> {
    const path = join(run.artifactsDir, 'workspaces', key);
    try {
      await this.access.folders.add(from, () => copyFolder(from, path));
    } catch (error) {
      return err(failure(`The folder ${path} could not be created`, error, path));
    }
    const name = `${run.uid}/base-${key}`;
    const store = await findStore({ path, run }, this.#options);
    const known = store.ok && store.value !== null ? await snapshotCommit(store.value, name) : null;
    const base = known === null ? await this.access.snapshot({ path, run }, name) : ok(known);
    return base.ok ? ok({ path, branch: null, baseCommit: base.value }) : base;
  }

  /**
   * The branch starts at the HEAD of the folder that it continues; uncommitted changes there stay uncommitted
   * here. `baseCommit` is that folder's snapshot, so that a diff from it shows only this workspace's work.
   */
  async #branchedWorktree(run: WorkspaceRun, { key, from }: WorkspaceBranch): Promise<Result<MadeWorkspace>> {
    const place = { path: from, run };
    const base = `${run.uid}/base-${key}`;
    const began = `${run.uid}/began-${key}`;
    const state = await this.access.inFolder(place, 'No snapshot could be taken of', async (checkout) => {
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
    const made = await this.access.repositories.add(run.projectPath, async () => {
      const repository: Result<Repository> = await inspect(run.projectPath, git);
      if (!repository.ok) return repository;
      const start = wish.start ?? repository.value.head;
      await notePrograms(repository.value.git, run.artifactsDir);
      const worktree = await ensureWorktree(repository.value, {
        ...wish,
        start,
        folder,
        moves,
        uid: run.uid,
        worktreesDir,
      });
      return worktree.ok ? ok({ worktree: worktree.value, prefix: repository.value.prefix }) : worktree;
    });
    if (!made.ok) return made;
    // Does not block other runs of the repository: a setup command may take minutes.
    const ready = await populateWorktree(this.#options, run, made.value);
    const { branch, base } = made.value.worktree.marker;
    return ready.ok ? ok({ ...ready.value, branch, baseCommit: base }) : ready;
  }
}

/** The start of the run's own worktree; null: the project's HEAD. */
function beginningOf({ begins }: WorkspaceRun): Pick<Wish, 'start' | 'fill'> {
  if (begins === undefined) return { start: null, fill: null };
  const start = begins.head ?? begins.commit;
  return { start, fill: begins.commit === start ? null : begins.commit };
}

/** The commit checked out in a folder; null if there is none. */
export async function headOf(path: string, { git }: Pick<WorkspacesOptions, 'git'>): Promise<string | null> {
  if (!(await isFolder(path))) return null;
  return new Git(path, git).maybe('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
}

const noProject = (path: string) =>
  appError('project.not_a_folder', `The project folder ${path} does not exist.`, {
    where: { file: path },
    mend: 'Restore the folder, or add the project again from its new place.',
  });
