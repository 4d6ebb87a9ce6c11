import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { GitError } from './git-start';

/** Settings that git itself stores per worktree. */
const OWN_SETTINGS = /^(?:core\.(?:sparsecheckout|sparsecheckoutcone)|index\.sparse)$/;
const MOST_BYTES = 64 * 1024;

const textOf = (file: string): string | null => {
  try {
    const { size } = lstatSync(file);
    return size > MOST_BYTES ? null : readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

const realOr = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

/** Whether a folder, with links resolved, is below another one. */
export const isBelow = (folder: string, path: string): boolean =>
  `${realOr(path)}${sep}`.startsWith(`${realOr(folder)}${sep}`);

/** The git folder named in the `.git` file of `cwd` or its nearest parent; null if `.git` is a folder. */
function namedGitDir(cwd: string): string | null {
  for (let folder = cwd; ; folder = dirname(folder)) {
    try {
      const found = lstatSync(join(folder, '.git'));
      const named = found.isFile() ? /^gitdir:\s*(.+?)\s*$/m.exec(textOf(join(folder, '.git')) ?? '') : null;
      return named?.[1] === undefined ? null : resolve(folder, named[1]);
    } catch {
      if (dirname(folder) === folder) return null;
    }
  }
}

/**
 * Ties git to the repository that a linked worktree belongs to by its location. An agent that may commit in
 * the worktree can write its git folder (`REPOSITORY/worktrees/NAME`), where `commondir` and settings could
 * lead git to the agent's own refs and filters. `GIT_COMMON_DIR` overrides `commondir`, but not for refs (git
 * 2.39).
 */
export function tiedToRepository(
  cwd: string,
  { worktreesDir, gitDir }: { readonly worktreesDir: string; readonly gitDir?: string | undefined },
): Readonly<Record<string, string>> {
  const ownGitDir = gitDir ?? namedGitDir(cwd);
  if (ownGitDir === null || basename(dirname(ownGitDir)) !== 'worktrees') return {};
  const common = dirname(dirname(ownGitDir));
  if (textOf(join(common, 'HEAD')) === null) return {};
  const link = join(ownGitDir, 'commondir');
  // A worktree being created has neither settings nor HEAD.
  if (textOf(link)?.trim() !== '../..' && isThere(join(ownGitDir, 'HEAD')))
    throw new GitError(`${link} was changed, so git would use another repository: write ../.. into it`, null);
  refuseSettings(ownGitDir, common, worktreesDir);
  return { GIT_COMMON_DIR: common };
}

/**
 * In a repository with per-worktree settings, a Muster worktree may have only those that git writes itself,
 * and those that git copied from the operator's own worktree at its creation.
 */
function refuseSettings(own: string, common: string, worktreesDir: string): void {
  const file = join(own, 'config.worktree');
  if (!isThere(file) || !readsSettings(common)) return;
  const given = textOf(file);
  const theirs = new Set(operatorsWorktrees(common, worktreesDir).flatMap(settingsIn));
  const foreign = given === null ? ['it is too long'] : settingsOf(given);
  const wrong = foreign.find((line) => !theirs.has(line) && !OWN_SETTINGS.test(line.split('=')[0] ?? ''));
  if (wrong === undefined) return;
  throw new GitError(`${file} was changed (${wrong.slice(0, 200)}). Remove the wrong lines`, null);
}

/**
 * The git folders of all worktrees but Muster's, where an agent of one worktree could otherwise place
 * settings for another.
 */
function operatorsWorktrees(common: string, worktreesDir: string): string[] {
  const linked = isThere(join(common, 'worktrees')) ? readdirSync(join(common, 'worktrees')) : [];
  const theirs = linked.filter((name) => !isThere(join(worktreesDir, name)));
  return [common, ...theirs.map((name) => join(common, 'worktrees', name))];
}

const settingsIn = (gitDir: string): string[] => settingsOf(textOf(join(gitDir, 'config.worktree')) ?? '');

const isThere = (file: string): boolean => {
  try {
    return lstatSync(file) !== null;
  } catch {
    return false;
  }
};

/** Without this setting git does not read them. */
const readsSettings = (common: string): boolean =>
  settingsOf(textOf(join(common, 'config')) ?? 'extensions.worktreeconfig=true').some(
    (line) => line.startsWith('extensions.worktreeconfig') && !/=(?:false|no|off|0)$/.test(line),
  );

/** `section.name=value` for each line, as far as it can be parsed; unusual lines stay unchanged. */
function settingsOf(text: string): string[] {
  let section = '';
  const found: string[] = [];
  for (const line of text.split(/\r?\n/).map((one) => one.trim())) {
    if (line === '' || /^[#;]/.test(line)) continue;
    const head = /^\[([\w.-]+)(?:\s+"(.*)")?\]\s*(.*)$/.exec(line);
    if (head) section = [head[1]?.toLowerCase(), head[2]].filter((part) => part !== undefined).join('.');
    const rest = head ? (head[3] ?? '') : line;
    if (rest === '') continue;
    const pair = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(rest);
    found.push(pair ? `${section}.${pair[1]?.toLowerCase()}=${pair[2] ?? 'true'}` : rest);
  }
  return found;
}
