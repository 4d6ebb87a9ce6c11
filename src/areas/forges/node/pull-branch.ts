import { ok, type Result } from '@contract/result';
import type { RunState } from '@contract/run/state';
import { mayChange, type PullRecord } from '../contract/pull';
import { branchName } from '../core/instruction';
import type { StartedFrom } from './records';

interface BranchParts {
  readonly state: Pick<RunState, 'uid' | 'name' | 'projectPath'>;
  readonly issue: StartedFrom | null;
  /** The run's pull request, which may be closed. */
  readonly record: PullRecord | null;
  readonly remote: string;
  git(cwd: string, ...args: string[]): Promise<Result<string>>;
}

/**
 * The branch of a pull request: that of the open one, that which the operator named, or one named after the
 * issue. A named one is never one that the remote has already: a push could change someone's work.
 */
export async function pullBranch({
  state,
  issue,
  record,
  remote,
  git,
}: BranchParts): Promise<Result<string>> {
  if (record !== null && mayChange(record)) return ok(record.branch);
  const { uid, name, projectPath } = state;
  const wanted = issue?.branch ?? branchName(issue?.number ?? null, issue?.title ?? name, uid);
  const fresh = freshBranch(wanted, record);
  if (issue?.branch == null) return ok(fresh);
  const address = await git(projectPath, 'remote', 'get-url', '--push', remote);
  if (!address.ok) return address;
  const pattern = `refs/heads/${wanted}*`;
  const listed = await git(projectPath, 'ls-remote', '--heads', '--', address.value.trim(), pattern);
  return listed.ok ? ok(freeBranch(wanted, fresh, listed.value)) : listed;
}

/** A pull request after one that was closed or merged has a branch of its own: `-2`, `-3` and so on. */
function freshBranch(name: string, before: PullRecord | null): string {
  if (before === null) return name;
  const [, counted = '1'] = before.branch.startsWith(name)
    ? (/^-(\d+)$/.exec(before.branch.slice(name.length)) ?? [])
    : [];
  return `${name}-${Number(counted) + 1}`;
}

/** `fresh`, or the next one that is in none of the lines of `git ls-remote`. */
function freeBranch(name: string, fresh: string, listed: string): string {
  const taken = new Set(listed.split('\n').map((line) => line.split('refs/heads/')[1]?.trim()));
  let branch = fresh;
  for (let count = 2; taken.has(branch); count += 1) branch = `${name}-${count}`;
  return branch;
}
