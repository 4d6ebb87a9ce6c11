import { readdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { err, ok, type Result } from '@contract/result';
import type { Cleared, KnownWorktree, ToClear } from '../../../core/ports/workspaces/workspace-edits';
import { branchesOf, branchOf } from '../../../core/ports/workspaces/workspace-names';
import type { WorkspaceRun } from '../../../core/ports/workspaces/workspaces';
import { isFolder } from '../checkout';
import { failure } from '../command/failure';
import { Git } from '../command/git-command';
import { tryMerge } from '../merge/merge-trees';
import { CLEARED, setRefs } from '../snapshot/snapshot';
import { linkedGitDir, smallFile } from '../worktree-link';
import { discardInterrupted, markOf, mendCommonDirs } from './interrupted-worktrees';
import { HEADS, holderOf, tipOf } from './release';
import { removeWorktree } from './removal';
import type { ContentParts } from './worktree-content';

/** Found through their folders, without knowing their projects. */
export async function knownWorktrees(worktreesDir: string): Promise<KnownWorktree[]> {
  const dir = await realpath(worktreesDir).catch(() => null);
  if (dir === null) return [];
  await mendCommonDirs(dir);
  const found: KnownWorktree[] = [];
  for (const name of await readdir(dir)) {
    const root = join(dir, name);
    if (!(await isFolder(root))) continue;
    const gitDir = await linkedGitDir(root);
    const head = gitDir === null ? null : await smallFile(join(gitDir, 'HEAD'));
    const marker = await markOf(root);
    const holdsBranch = head?.startsWith('ref:') === true;
    found.push({ root, uid: marker?.uid ?? null, made: marker?.branch ?? branchOf(name), holdsBranch });
  }
  return found;
}

export async function isInCheckout(git: Git, commit: string): Promise<boolean> {
  try {
    const { tree, conflicts } = await tryMerge(git, 'HEAD', commit);
    return conflicts.length === 0 && tree === (await git.text('rev-parse', 'HEAD^{tree}'));
  } catch {
    return false;
  }
}

/** See `WorkspaceEdits.clear`. */
export async function clearBranches(
  parts: ContentParts,
  run: WorkspaceRun,
  { branches, unfinished, teardown }: ToClear,
): Promise<Result<Cleared>> {
  const git = new Git(run.projectPath, parts.git);
  const worktrees: string[] = [];
  const removed: Cleared['branches'][number][] = [];
  const notes: string[] = [];
  try {
    // The run does not know which of its names one that was never ready has.
    const never = unfinished.flatMap((name) => [name, ...branchesOf(basename(name))]);
    for (const name of new Set([...branches, ...never])) {
      const root = join(await realpath(parts.worktreesDir), basename(name));
      if (unfinished.includes(name) && (await isFolder(root)) && (await markOf(root)) === null) {
        await discardInterrupted(git, root);
        worktrees.push(root);
      } else if (await isFolder(root)) {
        const gone = await removeWorktree(parts, run, { root, teardown });
        if (!gone.ok) return gone;
        notes.push(...gone.value);
        if (await isFolder(root)) continue;
        worktrees.push(root);
      }
      const commit = await tipOf(git, name);
      if (commit === null) continue;
      const holder = await holderOf(git, name);
      if (holder !== null) {
        notes.push(`The branch ${name} stays: it is checked out in ${holder}.`);
        continue;
      }
      await setRefs(
        git,
        new Map([
          [CLEARED + basename(name), commit],
          [HEADS + name, null],
        ]),
      );
      removed.push({ name, commit, restore: `git -C '${run.projectPath}' branch ${name} ${commit}` });
    }
    return ok({ worktrees, branches: removed, notes });
  } catch (error) {
    return err(failure(`Worktrees could not be removed in ${run.projectPath}`, error, run.projectPath));
  }
}
