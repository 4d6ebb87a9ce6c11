import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { err, ok, type Result } from '@contract/result';
import type { Removed } from '../../core/ports/workspace-edits';
import type { WorkspaceRun } from '../../core/ports/workspaces';
import { findCheckout, isFolder } from './checkout';
import { failure } from './failure';
import { bytesOf, Git } from './git-command';
import { readMarker } from './marker';
import { runWorktreeScript } from './scripts';
import { KEPT, REFS, type Snapshot, setRefs, takeSnapshot } from './snapshot';
import type { ContentParts } from './worktree-content';

/** Removes what Muster made in the project's repository for a run, and nothing that is not kept elsewhere. */
export async function removeRun(
  parts: ContentParts,
  run: WorkspaceRun,
  teardown: string | null,
): Promise<Result<Removed>> {
  const git = new Git(run.projectPath, parts.git);
  if (run.mode === 'folder') return ok({ notes: [] });
  if (!(await isFolder(run.projectPath)) || (await git.maybe('rev-parse', '--git-dir')) === null)
    return ok({ notes: [`${run.projectPath} is no repository any more: nothing was removed from it.`] });
  const notes: string[] = [];
  try {
    for (const root of await worktreesOf(git, run, parts)) {
      const removed = await removeWorktree(parts, run, { root, teardown });
      if (!removed.ok) return removed;
      notes.push(...removed.value);
    }
    // The objects stay until git cleans up: `git fsck --unreachable --no-reflogs` still finds them until then.
    const refs = (await git.text('for-each-ref', '--format=%(refname)', `${REFS}${run.uid}/`)).split('\n');
    await setRefs(git, new Map(refs.filter((ref) => ref !== '').map((ref) => [ref, null])));
    return ok({ notes });
  } catch (error) {
    return err(
      failure(`What Muster keeps in ${run.projectPath} could not be removed`, error, run.projectPath),
    );
  }
}

/** By Muster's mark in each, not by its name. */
async function worktreesOf(git: Git, run: WorkspaceRun, parts: ContentParts): Promise<string[]> {
  const dir = await realpath(parts.worktreesDir).catch(() => null);
  if (dir === null || run.mode !== 'worktree') return [];
  const list = await git.text('worktree', 'list', '--porcelain');
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

async function removeWorktree(
  parts: ContentParts,
  run: WorkspaceRun,
  at: { readonly root: string; readonly teardown: string | null },
): Promise<Result<string[]>> {
  const { root } = at;
  const found = await findCheckout({ path: root, run }, parts);
  if (!found.ok) return found;
  const checkout = found.value;
  if (checkout === null) return ok([]);
  const folder = basename(root);
  const last = await takeSnapshot(checkout, `${run.uid}/removed-${folder}`);
  const held = [
    ...last.leftOut.map(({ path, why }) => `${path} (${why})`),
    ...(await openSubmodules(checkout.own, root)),
  ];
  if (held.length > 0) {
    const what = held.slice(0, 5).join(', ');
    return ok([`${root} stays where it is: no snapshot can hold ${what}.`]);
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
    // A tear-down that fails must not keep the run in the bin for ever.
    const tornDown = await runWorktreeScript(parts.runScript, run, what);
    if (!tornDown.ok) notes.push(tornDown.error.message);
  }
  if (!(await isOnBranch(checkout.git, last)))
    await setRefs(checkout.git, new Map([[KEPT + folder, last.commit]]));
  await new Git(run.projectPath, parts.git).text('worktree', 'remove', '--force', '--force', root);
  return ok(notes);
}

/** Their own repositories, with what was committed in them, would go with the worktree. */
async function openSubmodules(own: Git, root: string): Promise<string[]> {
  const entries = await own.records(['ls-files', '-z', '-s']);
  const links = entries
    .filter((entry) => entry.startsWith('160000'))
    .map((entry) => entry.slice(entry.indexOf('\t') + 1));
  const top = Buffer.from(`${root}/`).toString('latin1');
  const open = await Promise.all(
    links.map((path) =>
      lstat(bytesOf(`${top}${path}/.git`)).then(
        () => [`${path} (submodule)`],
        () => [],
      ),
    ),
  );
  return open.flat();
}

async function isOnBranch(git: Git, last: Snapshot): Promise<boolean> {
  if (last.commit !== last.head) return false;
  const named = ['refs/heads', 'refs/tags', 'refs/remotes'];
  return (
    (await git.text(
      'for-each-ref',
      '--count=1',
      '--format=%(refname)',
      '--contains',
      last.commit,
      ...named,
    )) !== ''
  );
}
