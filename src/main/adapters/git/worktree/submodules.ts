import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, GitError, readable } from '../command/git-command';
import { SUBMODULE } from '../moves/files';

interface Submodule {
  readonly name: string;
  /** Relative to its parent's root. */
  readonly path: string;
  /** Its repository in the project, which holds its objects; null if the project has not initialised it. */
  readonly store: string | null;
}

/** The submodules of the checkout of `git`, whose repositories are in `modules`. */
async function submodulesOf(git: Git, root: string, modules: string): Promise<Submodule[]> {
  const links = new Set(
    (await git.records(['ls-files', '-z', '-s']))
      .filter((entry) => entry.startsWith(SUBMODULE))
      .map((entry) => readable(entry.slice(entry.indexOf('\t') + 1))),
  );
  if (links.size === 0) return [];
  const listed = await git.maybe(
    'config',
    '-z',
    '-f',
    join(root, '.gitmodules'),
    '--get-regexp',
    '^submodule\\..*\\.path$',
  );
  const named = new Map<string, string>();
  for (const entry of (listed ?? '').split('\0')) {
    const [key = '', path = ''] = entry.split('\n');
    const name = key.slice('submodule.'.length, -'.path'.length);
    // Git itself refuses a name that leads out of its folder.
    if (name !== '' && !name.split(/[/\\]/).includes('..')) named.set(path, name);
  }
  return Promise.all(
    [...links].map(async (path) => {
      const name = named.get(path) ?? path;
      const store = join(modules, name);
      const there = named.has(path) && (await stat(join(store, 'HEAD')).catch(() => null)) !== null;
      return { name, path, store: there ? store : null };
    }),
  );
}

/** The folder with the repositories of a checkout's submodules. */
const modulesOf = async (git: Git): Promise<string> =>
  join(await git.text('rev-parse', '--path-format=absolute', '--git-common-dir'), 'modules');

/**
 * Fills the submodules of a new worktree, with those inside them, from the objects that the project has: without a
 * network, and without a change of the project's configuration. Returns why some stay empty.
 */
export async function fillSubmodules(git: Git, root: string): Promise<string[]> {
  return fill(git, root, { modules: await modulesOf(git), above: '' });
}

async function fill(
  git: Git,
  root: string,
  { modules, above }: { readonly modules: string; readonly above: string },
): Promise<string[]> {
  const notes: string[] = [];
  for (const { name, path, store } of await submodulesOf(git, root, modules)) {
    const shown = `${above}${path}`;
    if (store === null) {
      notes.push(
        `The submodule ${shown} is empty here, because the project has not initialised it. Run git submodule update --init --recursive in the project.`,
      );
      continue;
    }
    try {
      const from = ['-c', `submodule.${name}.url=${store}`, '-c', 'protocol.file.allow=always'];
      await git.text(...from, 'submodule', '--quiet', 'update', '--init', '--checkout', '--', path);
      const inside = git.at(join(root, path));
      const url = await git.maybe('config', '--get', `submodule.${name}.url`);
      if (url !== null) await inside.maybe('remote', 'set-url', 'origin', url);
      const deeper = { modules: join(store, 'modules'), above: `${shown}/` };
      notes.push(...(await fill(inside, join(root, path), deeper)));
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      notes.push(`The submodule ${shown} could not be filled from the project's objects: ${error.message}`);
    }
  }
  return notes;
}

/** The submodules of a worktree that hold what the project does not have: changed files or commits of their own. */
export async function submodulesWithWork(git: Git, root: string): Promise<string[]> {
  return withWork(git, root, { modules: await modulesOf(git), above: '' });
}

async function withWork(
  git: Git,
  root: string,
  { modules, above }: { readonly modules: string; readonly above: string },
): Promise<string[]> {
  const found: string[] = [];
  for (const { path, store } of await submodulesOf(git, root, modules)) {
    const place = join(root, path);
    const open = await lstat(join(place, '.git')).then(
      () => true,
      () => false,
    );
    if (!open) continue;
    const inside = git.at(place);
    if (store === null || (await hasOwnWork(inside, git.at(store))))
      found.push(`${above}${path} (submodule)`);
    else
      found.push(
        ...(await withWork(inside, place, { modules: join(store, 'modules'), above: `${above}${path}/` })),
      );
  }
  return found;
}

/** Where anything cannot be read, there may be work. */
async function hasOwnWork(inside: Git, store: Git): Promise<boolean> {
  const changed = await inside.maybe('status', '--porcelain', '--ignore-submodules=none');
  const tips = await inside.maybe('for-each-ref', '--format=%(objectname)');
  // Also commits that no branch has, which its HEAD left.
  const heads = await inside.maybe('log', '--walk-reflogs', '--format=%H', 'HEAD');
  if (changed !== '' || tips === null || heads === null) return true;
  for (const tip of new Set(`${heads}\n${tips}`.split('\n').filter((line) => line !== '')))
    if ((await store.maybe('cat-file', '-e', tip)) === null) return true;
  return false;
}
