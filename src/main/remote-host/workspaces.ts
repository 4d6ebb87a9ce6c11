import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HostInput, HostOutput } from '@areas/hosts/contract/wire';
import { HOST_FOLDER } from '@areas/hosts/core/probe';
import { messageOf } from '@contract/error-message';
import { fail, ok, type Result } from '@contract/result';

const run = promisify(execFile);
const OUTPUT_CHARS = 512 * 1024;

/** The snapshots are Muster's, and hooks of the operator's configuration do not belong to them. */
const SETTINGS = ['core.hooksPath=/dev/null', 'commit.gpgsign=false', 'gc.auto=0', 'submodule.recurse=false'];
const IDENTITY = {
  GIT_AUTHOR_NAME: 'Muster',
  GIT_AUTHOR_EMAIL: 'muster@localhost',
  GIT_COMMITTER_NAME: 'Muster',
  GIT_COMMITTER_EMAIL: 'muster@localhost',
};

/** One desktop's repositories and folders on this host. Changes of one folder run one after the other. */
export class HostWorkspaces {
  readonly #root: string;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly owner: string,
    private readonly environment: () => Promise<Readonly<Record<string, string>>>,
  ) {
    this.#root = join(homedir(), HOST_FOLDER);
  }

  /** A bare repository for a project. */
  open({ project }: HostInput<'workspace.open'>): Promise<Result<HostOutput<'workspace.open'>>> {
    return this.#doing('The repository could not be made', async () => {
      const repository = this.#repository(project);
      await mkdir(repository, { recursive: true, mode: 0o700 });
      await this.#git(repository, 'init', '--bare', '--quiet');
      return { repository };
    });
  }

  /** Gives a folder the state of a commit, including files of no branch, with this branch and HEAD. */
  put(wish: HostInput<'workspace.put'>): Promise<Result<HostOutput<'workspace.put'>>> {
    return this.#doing('The folder could not be made', async () => {
      const { project, commit, head, branch } = wish;
      const path = this.#folder(wish.folder);
      const git = (...args: string[]) => this.#git(path, ...args);
      const created = !(await exists(join(path, '.git')));
      if (created) {
        await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
        const repository = this.#repository(project);
        await this.#git(repository, 'worktree', 'prune');
        await this.#git(repository, 'worktree', 'add', '--quiet', '--force', '--detach', path, head);
      }
      if (!created && (await this.#state(path)).tree === (await git('rev-parse', `${commit}^{tree}`))) {
        if ((await git('rev-parse', 'HEAD')) === head) return { path };
      }
      // Files that only the former state has are removed, because the index knows them.
      await git('add', '--all');
      await git('read-tree', '--reset', '-u', commit);
      if (branch === null) await git('update-ref', '--no-deref', 'HEAD', head);
      else {
        await git('update-ref', `refs/heads/${branch}`, head);
        await git('symbolic-ref', 'HEAD', `refs/heads/${branch}`);
      }
      await git('read-tree', head);
      return { path };
    });
  }

  /** Saves a folder's state under a ref. */
  take({ folder, ref }: HostInput<'workspace.take'>): Promise<Result<HostOutput<'workspace.take'>>> {
    return this.#doing('The folder could not be read', async () => {
      const path = this.#folder(folder);
      const head = await this.#git(path, 'rev-parse', 'HEAD');
      const { tree } = await this.#state(path);
      const same = tree === (await this.#git(path, 'rev-parse', 'HEAD^{tree}'));
      const commit = same
        ? head
        : await this.#git(path, 'commit-tree', tree, '-p', head, '-m', 'Muster: state on the host');
      await this.#git(path, 'update-ref', ref, commit);
      return { commit, head };
    });
  }

  /** Removes folders of ended runs, after their state was saved in their repository. */
  clean({ keep }: HostInput<'workspace.clean'>): Promise<Result<HostOutput<'workspace.clean'>>> {
    return this.#doing('Folders could not be removed', async () => {
      const removed: string[] = [];
      const names = await readdir(join(this.#root, 'work', this.owner)).catch(() => []);
      for (const name of names) {
        const path = this.#folder(name);
        if (name.endsWith('.files') || keep.some((end) => `${name}-`.includes(`-${end}-`))) continue;
        if (!(await exists(join(path, '.git')))) continue;
        const repository = await this.#git(path, 'rev-parse', '--path-format=absolute', '--git-common-dir');
        const head = await this.#git(path, 'rev-parse', 'HEAD');
        const { tree } = await this.#state(path);
        const commit = await this.#git(path, 'commit-tree', tree, '-p', head, '-m', 'Muster: removed folder');
        await this.#git(path, 'update-ref', `refs/muster/kept/${name}`, commit);
        await this.#git(repository, 'worktree', 'remove', '--force', path);
        await rm(`${path}.files`, { recursive: true, force: true });
        removed.push(name);
      }
      return { removed };
    });
  }

  /** A piece of a file beside a folder. */
  write({ folder, name, data, first }: HostInput<'files.write'>): Promise<Result<HostOutput<'files.write'>>> {
    return this.#doing('The file could not be written', async () => {
      const files = `${this.#folder(folder)}.files`;
      await mkdir(files, { recursive: true, mode: 0o700 });
      const path = join(files, name);
      const bytes = Buffer.from(data, 'base64');
      await (first ? writeFile(path, bytes, { mode: 0o600 }) : appendFile(path, bytes));
      return { path };
    });
  }

  #repository(project: string): string {
    return join(this.#root, 'projects', this.owner, `${project}.git`);
  }

  #folder(name: string): string {
    return join(this.#root, 'work', this.owner, name);
  }

  /** The tree of what is there, without touching the index that programs use. */
  async #state(path: string): Promise<{ tree: string }> {
    const index = await this.#git(path, 'rev-parse', '--path-format=absolute', '--git-path', 'index');
    const own = `${index}.muster-${randomBytes(4).toString('hex')}`;
    try {
      await copyFile(index, own).catch(() => undefined);
      const env = { GIT_INDEX_FILE: own };
      await this.#gitWith(env, path, 'add', '--all');
      return { tree: await this.#gitWith(env, path, 'write-tree') };
    } finally {
      await rm(own, { force: true });
    }
  }

  #git(cwd: string, ...args: string[]): Promise<string> {
    return this.#gitWith({}, cwd, ...args);
  }

  async #gitWith(env: Readonly<Record<string, string>>, cwd: string, ...args: string[]): Promise<string> {
    const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
    const { stdout } = await run('git', [...settings, ...args], {
      cwd,
      maxBuffer: OUTPUT_CHARS,
      env: { ...(await this.environment()), ...IDENTITY, LC_ALL: 'C', ...env },
    });
    return stdout.replace(/\n$/, '');
  }

  #doing<T>(what: string, work: () => Promise<T>): Promise<Result<T>> {
    const done = this.#queue.then(work).then(
      (value) => ok(value),
      (error: unknown) =>
        fail('workspace.failed', `${what} on the host: ${messageOf(error).trim().slice(-400)}`, {
          mend: 'Check its disk and its git.',
        }),
    );
    this.#queue = done;
    return done;
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
