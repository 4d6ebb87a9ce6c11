import type { PausePoints } from '../../../core/ports/testing/pause-points';
import { type GitRunner, hereBy } from '../command/run-git';

/** The git command as pause points name it, without Muster's settings: `git read-tree TREE`. */
const nameOf = (args: readonly string[]): string =>
  ['git', ...args.filter((arg, index) => arg !== '-c' && args[index - 1] !== '-c')].join(' ');

/** Git whose commands can be held. */
export function pausedGit(points: PausePoints, git: GitRunner = hereBy('git')): GitRunner {
  return {
    whole: points.calling(
      (start) => nameOf(start.args),
      (start) => git.whole(start),
    ),
    stream: points.calling(
      (start, _take) => nameOf(start.args),
      (start, take) => git.stream(start, take),
    ),
  };
}

/** Matches a git command by its beginning. */
export const gitCommand = (beginning: string) => (call: string) => call.startsWith(`git ${beginning}`);
