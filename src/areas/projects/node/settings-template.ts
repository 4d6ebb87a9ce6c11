/** A settings file that changes nothing, with every key explained. */
export const SETTINGS_TEMPLATE = `# What holds for every run of this project: workflows, new work, teams and loops.
# A workflow that has such a key itself uses its own; files to copy are added.
worktree:
  # Ignored files that a new worktree gets too. Those that .worktreeinclude names are copied in any case.
  # copy: [.env]
  # A command that runs first in each new worktree, and one that runs before it is removed.
  # setup: npm ci
  # teardown: docker compose down
  # Submodules get the files that this checkout has of them.
  submodules: true
# Commits that Muster makes in your checkout are signed if git is configured to sign commits. never: they are not.
# sign: never
# Hooks of the repository run when agents and commands use git in a worktree. never: they do not.
# hooks: never
`;
