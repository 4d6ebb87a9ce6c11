import { mkdir, readdir, realpath, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { gitMessage, type Repository } from './repository';

export interface WorktreeWish {
  readonly uid: string;
  readonly name: string;
  readonly worktreesDir: string;
}

export interface Worktree {
  readonly path: string;
  readonly branch: string;
  readonly baseCommit: string;
}

/** Letters and digits of the run's name, short enough for a path on any system. */
export function shortName(name: string): string {
  const plain = name.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
  const words = plain.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return (
    words
      .replace(/^-+|-+$/g, '')
      .slice(0, 24)
      .replace(/-+$/, '') || 'run'
  );
}

/** Makes the run's worktree, or finds the one that was made before a crash. */
export async function prepareWorktree(repository: Repository, wish: WorktreeWish): Promise<Result<Worktree>> {
  const folder = `${shortName(wish.name)}-${wish.uid.slice(-8).toLowerCase()}`;
  const branch = `muster/${folder}`;
  try {
    await mkdir(wish.worktreesDir, { recursive: true });
    const root = join(await realpath(wish.worktreesDir), folder);
    const found = await isWhole(repository, root, branch);
    if (!found) await add(repository, root, branch);
    const baseCommit = await baseOf(repository, branch);
    const path = join(root, repository.prefix);
    // A project folder that is not committed yet is not in the worktree.
    if (repository.prefix !== '') await mkdir(path, { recursive: true });
    return ok({ path, branch, baseCommit });
  } catch (error) {
    const message = gitMessage(error);
    const full = /ENOSPC|no space left/i.test(message);
    return err(
      appError(
        full ? 'store.disk_full' : 'workspace.failed',
        `The worktree ${folder} could not be made: ${message}`,
        {
          where: { file: wish.worktreesDir },
          ...(full ? { mend: 'Make room on the disk.' } : {}),
        },
      ),
    );
  }
}

async function isWhole(repository: Repository, root: string, branch: string): Promise<boolean> {
  const list = await repository.git.raw('worktree', 'list', '--porcelain');
  const entry = list.split('\n\n').find((one) => one.split('\n').includes(`worktree ${root}`));
  // A worktree whose making was cut off is still locked as "initializing".
  if (!entry?.split('\n').includes(`branch refs/heads/${branch}`) || /^locked initializing/m.test(entry))
    return false;
  try {
    const top = (await repository.at(root).raw('rev-parse', '--show-toplevel')).trim();
    return (await realpath(top)) === root;
  } catch {
    return false;
  }
}

/** What stands in the way is put aside, never deleted: it may hold an agent's work. */
async function putAside(root: string): Promise<void> {
  let content: string[];
  try {
    content = await readdir(root);
  } catch {
    return;
  }
  if (content.length === 0) return;
  for (let number = 1; ; number += 1) {
    const aside = `${root}.aside-${number}`;
    const taken = await realpath(aside).then(
      () => true,
      () => false,
    );
    if (!taken) return rename(root, aside);
  }
}

async function add(repository: Repository, root: string, branch: string): Promise<void> {
  const { git, head } = repository;
  await putAside(root);
  // Without --quiet: simple-git takes a failure without words for a success.
  const exists = await git.raw('rev-parse', '--verify', `refs/heads/${branch}`).then(
    () => true,
    () => false,
  );
  // Twice: also over an entry that is locked because its making was cut off.
  const force = ['--force', '--force'];
  if (exists) await git.raw('worktree', 'add', ...force, root, branch);
  else await git.raw('worktree', 'add', ...force, '-b', branch, root, head);
}

/** Where the branch left the project's; the same after a crash, whatever was committed on either meanwhile. */
async function baseOf(repository: Repository, branch: string): Promise<string> {
  try {
    return (await repository.git.raw('merge-base', repository.head, `refs/heads/${branch}`)).trim();
  } catch {
    return (await repository.git.raw('rev-parse', '--verify', `refs/heads/${branch}^{commit}`)).trim();
  }
}
