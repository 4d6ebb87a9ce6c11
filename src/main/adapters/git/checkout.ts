import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { SnapshotPlace } from '../../core/ports/workspaces/workspaces';
import { failure } from './command/failure';
import { Git, gitMessage } from './command/git-command';
import type { GitRunner } from './command/run-git';
import type { CheckoutMoves } from './moves';
import { linkProblem, rootOf } from './worktree-link';

/** A folder with snapshots: its work tree, where the snapshots are kept, and Muster's own index. */
export interface Checkout {
  /** At the root of the work tree, with the operator's index. */
  readonly git: Git;
  /** The same with Muster's index, which persists between snapshots so that unchanged files are skipped. */
  readonly own: Git;
  readonly top: string;
  readonly gitDir: string;
  readonly indexFile: string;
  /** The snapshots' part of the work tree; empty: the whole. */
  readonly scope: string;
  /** A separate repository of Muster's beside a plain folder, so that nothing is written into the folder. */
  readonly shadow: boolean;
  /** The name of a Muster worktree among the refs; null if Muster did not create the work tree. */
  readonly folder: string | null;
  readonly moves: CheckoutMoves;
}

export interface CheckoutOptions {
  readonly worktreesDir: string;
  readonly git?: GitRunner;
  readonly moves: CheckoutMoves;
}

export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );

export const shadowDir = (artifactsDir: string): string => join(artifactsDir, 'shadow.git');

/** Null if the folder cannot have snapshots: the project itself, without a repository. */
export async function findCheckout(
  place: SnapshotPlace,
  options: CheckoutOptions,
): Promise<Result<Checkout | null>> {
  const root = place.run.mode === 'worktree' ? await worktreeAt(place.path, options) : null;
  const problem = root === null ? null : await linkProblem(root);
  if (problem !== null) return err(problem);
  if (!(await isFolder(place.path)))
    return fail('not_found', `The workspace cannot be read: the folder ${place.path} is gone.`, {
      where: { file: place.path },
      mend: 'Restore the folder, then resume the run.',
    });
  try {
    if (place.run.mode === 'folder') return ok(await shadowCheckout(place, options));
    return await repositoryCheckout(place, options);
  } catch (error) {
    return err(failure(`git cannot read ${place.path}`, error, place.path));
  }
}

async function worktreeAt(path: string, { worktreesDir }: CheckoutOptions): Promise<string | null> {
  return rootOf(path, await realpath(worktreesDir).catch(() => worktreesDir)) ?? rootOf(path, worktreesDir);
}

async function shadowCheckout(place: SnapshotPlace, options: CheckoutOptions): Promise<Checkout> {
  const gitDir = shadowDir(place.run.artifactsDir);
  const top = await realpath(place.path);
  const git = new Git(top, options.git, { GIT_DIR: gitDir, GIT_WORK_TREE: top });
  if (!(await isFolder(gitDir))) await makeShadow(gitDir, options);
  const placed = { scope: '', shadow: true, folder: null, moves: options.moves };
  return { ...withIndex({ git, gitDir, top, options }), top, gitDir, ...placed };
}

/** Created atomically, since several folders of a run may need it at the same time. */
async function makeShadow(gitDir: string, options: CheckoutOptions): Promise<void> {
  await mkdir(dirname(gitDir), { recursive: true });
  const making = await mkdtemp(`${gitDir}.`);
  // Without templates: no hooks, no excludes.
  await new Git(making, options.git).text('init', '--quiet', '--bare', '--template=', making);
  await rename(making, gitDir).catch(async (error: unknown) => {
    await rm(making, { recursive: true, force: true });
    if (!(await isFolder(gitDir))) throw error;
  });
}

async function repositoryCheckout(
  place: SnapshotPlace,
  options: CheckoutOptions,
): Promise<Result<Checkout | null>> {
  const here = new Git(place.path, options.git);
  const args = ['rev-parse', '--show-toplevel', '--absolute-git-dir', '--show-prefix'];
  const found = await here.inRepository(...args).catch((error: unknown) => {
    // The worktree's repository no longer exists.
    if (place.run.mode === 'worktree' && /not a git repository/i.test(gitMessage(error))) return null;
    throw error;
  });
  if (found === null) return place.run.mode === 'project' ? ok(null) : err(notOurs(place.path));
  const [toplevel = '', gitDir = '', prefix = ''] = found.split('\n');
  const top = await realpath(toplevel);
  const ours = await isOurs(top, options);
  // A worktree that lost its link may be inside another repository, which Muster must not touch.
  if (place.run.mode === 'worktree' && !ours) return err(notOurs(place.path));
  const scope = ours ? '' : prefix.replace(/\/$/, '');
  const folder = ours ? basename(top) : null;
  const git = new Git(top, options.git);
  const placed = { scope, shadow: false, folder, moves: options.moves };
  return ok({ ...withIndex({ git, gitDir, top, options }), top, gitDir, ...placed });
}

async function isOurs(top: string, { worktreesDir }: CheckoutOptions): Promise<boolean> {
  const dir = await realpath(worktreesDir).catch(() => null);
  return dir !== null && dirname(top) === dir;
}

const notOurs = (path: string) =>
  appError('not_found', `${path} is no longer a worktree.`, {
    where: { file: path },
    mend: 'Its branch and snapshots are still in the project’s repository.',
  });

/** Two Muster instances on one project use separate indexes, so that neither waits for the other's lock. */
function withIndex(at: {
  readonly git: Git;
  readonly gitDir: string;
  readonly top: string;
  readonly options: CheckoutOptions;
}): Pick<Checkout, 'git' | 'own' | 'indexFile'> {
  const name = createHash('sha256').update(`${at.options.worktreesDir}\0${at.top}`).digest('hex');
  const indexFile = join(at.gitDir, `muster-${name.slice(0, 12)}.index`);
  return { git: at.git, own: at.git.with({ GIT_INDEX_FILE: indexFile }), indexFile };
}

/** Where snapshots can be read even if their folder is gone: the project's repository. */
export async function findStore(place: SnapshotPlace, options: CheckoutOptions): Promise<Result<Git | null>> {
  const found = await findCheckout(place, options);
  if (found.ok) return ok(found.value?.git ?? null);
  const { mode, projectPath, artifactsDir } = place.run;
  if (mode === 'folder') {
    const gitDir = shadowDir(artifactsDir);
    return (await isFolder(gitDir)) ? ok(new Git(gitDir, options.git, { GIT_DIR: gitDir })) : found;
  }
  if (mode === 'project' || !(await isFolder(projectPath))) return found;
  const git = new Git(projectPath, options.git);
  return (await git.maybe('rev-parse', '--git-dir')) === null ? found : ok(git);
}
