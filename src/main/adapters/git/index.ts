import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { Workspaces } from '../../core/ports/ports';
import { gitAt, inspect } from './repository';
import { prepareWorktree } from './worktree';

export interface WorkspacesOptions {
  /** Where the worktrees of all runs are made. Outside of every project. */
  readonly worktreesDir: string;
  /** The git to use; by default the one on PATH. */
  readonly git?: string;
}

type Wanted = Parameters<Workspaces['prepare']>[0];
type Prepared = Awaited<ReturnType<Workspaces['prepare']>>;

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** Working folders of runs, by way of git. */
export class GitWorkspaces implements Workspaces {
  readonly #options: WorkspacesOptions;
  /** Worktrees of one repository are made one after the other: git's own locks only fail. */
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(options: WorkspacesOptions) {
    this.#options = options;
  }

  async prepare(run: Wanted): Promise<Prepared> {
    if (!(await isFolder(run.projectPath))) {
      return err(
        appError('project.not_a_folder', `The project folder ${run.projectPath} is not there.`, {
          where: { file: run.projectPath },
          mend: 'Bring the folder back, or add the project again where it lies now.',
        }),
      );
    }
    switch (run.mode) {
      case 'folder':
        return this.#folder(run);
      case 'project':
        return ok({ path: run.projectPath, branch: null, baseCommit: await this.head(run.projectPath) });
      case 'worktree':
        return this.#inTurn(run.projectPath, () => this.#worktree(run));
    }
  }

  async head(path: string): Promise<string | null> {
    if (!(await isFolder(path))) return null;
    try {
      return (await gitAt(path, this.#options.git).raw('rev-parse', '--verify', 'HEAD^{commit}')).trim();
    } catch {
      return null;
    }
  }

  async #folder(run: Wanted): Promise<Prepared> {
    const path = join(run.artifactsDir, 'workspace');
    try {
      await mkdir(path, { recursive: true });
      return ok({ path, branch: null, baseCommit: null });
    } catch (error) {
      return err(
        appError('workspace.failed', `The folder ${path} could not be made: ${(error as Error).message}`),
      );
    }
  }

  async #worktree(run: Wanted): Promise<Prepared> {
    const repository = await inspect(run.projectPath, this.#options.git);
    if (!repository.ok) return repository;
    return prepareWorktree(repository.value, {
      uid: run.uid,
      name: run.name,
      worktreesDir: this.#options.worktreesDir,
    });
  }

  async #inTurn<T>(key: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
    const before = this.#queues.get(key) ?? Promise.resolve();
    const mine = before.then(work);
    const settled = mine.catch(() => {});
    this.#queues.set(key, settled);
    try {
      return await mine;
    } finally {
      if (this.#queues.get(key) === settled) this.#queues.delete(key);
    }
  }
}
