import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '@main/adapters/git/command/git-command';
import { FILE_ORDER_SLACK_MS } from '../../contract/limits';
import { logBase } from './files';
import { timesOf } from './times';

/** The start of the next attempt: later changes do not belong to this one. */
interface Bound {
  /** In milliseconds since 1970, by the file system's clock. */
  readonly at: number;
  /** The next attempt's iteration. */
  readonly next: number;
}

const LOG_NAME = /^codex-iteration-(\d+)\.jsonl$/;

/**
 * When the next attempt began, from its log's creation time; null if none has begun. An existing log of an
 * earlier loop was written before this attempt's. An overwritten log does not reveal when; then this attempt
 * is assumed to have ended when its own log was last written.
 */
export async function boundAfter(folder: string, iteration: number): Promise<Bound | null> {
  const logs = join(folder, 'logs');
  const own = await timesOf(join(logs, `${logBase(iteration)}.jsonl`));
  if (own === null) return null;
  const later = (await readdir(logs))
    .map((name) => Number(LOG_NAME.exec(name)?.[1] ?? 0))
    .filter((number) => number > iteration)
    .sort((one, other) => one - other);
  for (const next of later) {
    const times = await timesOf(join(logs, `${logBase(next)}.jsonl`));
    if (times !== null && times.born >= own.written - FILE_ORDER_SLACK_MS) return { next, at: times.born };
    if (times !== null && times.written > own.written) return { next, at: own.written };
  }
  return null;
}

export interface TimedCommit {
  readonly hash: string;
  readonly subject: string;
  readonly full: string;
  /** In seconds since 1970. */
  readonly committed: number;
}

/** Whether something existed at a moment; `unknown` if it cannot be determined. */
type When = 'before' | 'after' | 'unknown';

/**
 * When a commit was made: from its object file if it still has one, else from the time it names, in seconds.
 */
export class CommitTimes {
  private readonly objects: Promise<string | null>;

  constructor(
    git: Git,
    private readonly cwd: string,
  ) {
    this.objects = git.maybe('rev-parse', '--path-format=absolute', '--git-path', 'objects');
  }

  async when({ full, committed }: Pick<TimedCommit, 'full' | 'committed'>, at: number): Promise<When> {
    const folder = (await this.objects) ?? join(this.cwd, '.git', 'objects');
    const times = await timesOf(join(folder, full.slice(0, 2), full.slice(2)));
    // Within one clock tick nothing counts as before or after.
    if (times?.written === at) return 'unknown';
    if (times !== null) return times.written < at ? 'before' : 'after';
    // File times have fractions of a millisecond: 5.9995 s is still within second 5.
    if ((committed + 1) * 1000 <= at) return 'before';
    return committed * 1000 > at ? 'after' : 'unknown';
  }

  /** Splits commits, oldest first, at a moment. A commit whose successor existed also existed. */
  async split(
    commits: readonly TimedCommit[],
    at: number,
  ): Promise<{ readonly before: readonly TimedCommit[]; readonly unknown: boolean }> {
    const times = await Promise.all(commits.map((commit) => this.when(commit, at)));
    const last = times.lastIndexOf('before');
    const after = times.indexOf('after', last + 1);
    const end = after < 0 ? times.length : after;
    return { before: commits.slice(0, last + 1), unknown: end > last + 1 };
  }
}
