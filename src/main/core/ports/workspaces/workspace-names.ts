/** Number of final characters of a run's uid that identify it in worktree names. */
export const UID_END = 8;

/** Git has no branch below one that exists: where the operator has a branch `muster`, the second one is used. */
export const BRANCH_GROUPS = ['muster', 'muster-runs'] as const;

export const branchOf = (folder: string): string => `${BRANCH_GROUPS[0]}/${folder}`;

/** The branches that a worktree's folder may have. */
export const branchesOf = (folder: string): string[] => BRANCH_GROUPS.map((group) => `${group}/${folder}`);

export const isRunBranch = (branch: string): boolean =>
  BRANCH_GROUPS.some((group) => branch.startsWith(`${group}/`));

/** The folder of a run's own worktree, or of one of its others. */
export const folderName = (
  run: { readonly name: string; readonly uid: string },
  key: string | null,
): string => {
  const own = `${shortName(run.name)}-${run.uid.slice(-UID_END).toLowerCase()}`;
  return key === null ? own : `${own}-${key}`;
};

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
