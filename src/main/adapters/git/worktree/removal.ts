import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { err, ok, type Result } from '@contract/result';
import type { Removed, ToRemove } from '../../../core/ports/workspaces/workspace-edits';
import type { WorkspaceRun } from '../../../core/ports/workspaces/workspaces';
import { findCheckout, isFolder } from '../checkout';
import { failure } from '../command/failure';
import { Git } from '../command/git-command';
import { KEPT, lastName, REFS, setRefs, takeSnapshot } from '../snapshot/snapshot';
import { discardInterrupted, listWorktrees, markOf } from './interrupted-worktrees';
import { readMarker } from './marker';
import { runWorktreeScript } from './scripts';
import { submodulesWithWork } from './submodules';
import type { ContentParts } from './worktree-content';

/**
 * Removes what Muster created in the project's repository for a run, but nothing that is not kept elsewhere.
 */
export async function removeRun(
  parts: ContentParts,
  run: WorkspaceRun,
  { unfinished, teardown }: ToRemove,
): Promise<Result<Removed>> {
  const git = new Git(run.projectPath, parts.git);
  if (run.mode === 'folder') return ok({ notes: [], kept: [] });
  const notes: string[] = [];
  try {
    if (!(await isFolder(run.projectPath)) || (await git.inRepository('rev-parse', '--git-dir')) === null)
      return ok({
        notes: [`${run.projectPath} is no longer a repository: nothing was removed from it.`],
        kept: [],
      });
    for (const root of await worktreesOf(git, run, parts)) {
      const removed = await removeWorktree(parts, run, { root, teardown });
      if (!removed.ok) return removed;
      notes.push(...removed.value);
    }
    const dir = await realpath(parts.worktreesDir).catch(() => null);
    for (const branch of dir === null ? [] : unfinished) {
      const root = join(dir ?? '', basename(branch));
      if ((await markOf(root)) === null) await discardInterrupted(git, root);
    }
    return ok({ notes, kept: await dropSnapshots(git, run.uid) });
  } catch (error) {
    return err(failure(`Muster’s data in ${run.projectPath} could not be removed`, error, run.projectPath));
  }
}

/**
 * Work that is on no branch gets a ref that no run owns; all other refs of the run are deleted. Their objects
 * remain until git's garbage collection: `git fsck --unreachable --no-reflogs` finds them.
 */
async function dropSnapshots(git: Git, uid: string): Promise<string[]> {
  const mine = `${REFS}${uid}/`;
  const last = REFS + lastName(uid, '');
  const listed = await git.text('for-each-ref', '--format=%(refname) %(objectname)', mine);
  const changes = new Map<string, string | null>();
  const keptAs: string[] = [];
  for (const line of listed.split('\n').filter((one) => one !== '')) {
    const [ref = '', commit = ''] = line.split(' ');
    changes.set(ref, null);
    if (!ref.startsWith(last) || (await isOnBranch(git, commit))) continue;
    const keptRef = KEPT + ref.slice(last.length);
    changes.set(keptRef, commit);
    keptAs.push(keptRef);
  }
  await setRefs(git, changes);
  return keptAs;
}

async function isOnBranch(git: Git, commit: string): Promise<boolean> {
  const named = ['refs/heads', 'refs/tags', 'refs/remotes'];
  const list = ['for-each-ref', '--count=1', '--format=%(refname)', '--contains', commit, ...named];
  return (await git.text(...list)) !== '';
}

/** By Muster's mark in each, not by its name. */
async function worktreesOf(git: Git, run: WorkspaceRun, parts: ContentParts): Promise<string[]> {
  const dir = await realpath(parts.worktreesDir).catch(() => null);
  if (dir === null || run.mode !== 'worktree') return [];
  const list = await listWorktrees(git, dir);
  const roots = list.split('\n').flatMap((line) => (line.startsWith('worktree ') ? [line.slice(9)] : []));
  const mine: string[] = [];
  for (const root of roots) {
    if (dirname(root) !== dir || !(await isFolder(root))) continue;
    const gitDir = await git.at(root).maybe('rev-parse', '--absolute-git-dir');
    const marker = gitDir === null ? null : await readMarker(gitDir);
    if (marker?.uid === run.uid) mine.push(root);
  }
  return mine;
}

export async function removeWorktree(
  parts: ContentParts,
  run: WorkspaceRun,
  at: { readonly root: string; readonly teardown: string | null },
): Promise<Result<string[]>> {
  const { root } = at;
  const found = await findCheckout({ path: root, run }, parts);
  if (!found.ok) return found;
  const checkout = found.value;
  if (checkout === null) return ok([]);
  const last = await takeSnapshot(checkout, `${run.uid}/removed-${basename(root)}`);
  const held = [
    ...last.leftOut.map(({ path, why }) => `${path} (${why})`),
    ...(await submodulesWithWork(new Git(root, parts.git), root)),
  ];
  if (held.length > 0) {
    const what = held.slice(0, 5).join(', ');
    return ok([`${root} was not removed: a snapshot cannot contain ${what}.`]);
  }
  const notes: string[] = [];
  if (at.teardown !== null) {
    const { git } = checkout;
    const gitDir = await git.text('rev-parse', '--absolute-git-dir');
    const key = (await readMarker(gitDir))?.key ?? null;
    const prefix = await new Git(run.projectPath, parts.git).text('rev-parse', '--show-prefix');
    const path = join(root, prefix);
    const what = {
      kind: 'teardown' as const,
      script: at.teardown,
      path: (await isFolder(path)) ? path : root,
      key,
    };
    // A failing teardown must not keep the run in the bin forever.
    const tornDown = await runWorktreeScript(parts.runScript, run, what);
    if (!tornDown.ok) notes.push(tornDown.error.message);
  }
  await new Git(run.projectPath, parts.git).text('worktree', 'remove', '--force', '--force', root);
  return ok(notes);
}
