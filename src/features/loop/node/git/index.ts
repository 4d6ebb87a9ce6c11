import { join } from 'node:path';
import { err, fail, ok, type Result } from '@contract/result';
import { failure } from '@main/adapters/git/command/failure';
import { Git, gitMessage } from '@main/adapters/git/command/git-command';
import type { GitRunner } from '@main/adapters/git/command/run-git';
import { type CheckoutMoves, InterruptedError } from '@main/adapters/git/moves';
import { excludeFromGit, literalPattern } from '@main/adapters/git/worktree/exclude';
import type {
  AttemptPlace,
  FoundLog,
  LineReader,
  LookedAfter,
  LookedBefore,
  LoopPlace,
  Loops,
  OpenedPlan,
  PlanText,
  WorkerLogs,
} from '../../contract/ports';
import { archiveBefore } from './archive';
import { begunBefore } from './attempt-start';
import { boundAfter } from './bounds';
import { CommitAttribution } from './commit-attribution';
import { commitsElsewhere, movesOf } from './commits-elsewhere';
import { refuseLinks } from './confine';
import { Kept } from './file-cache';
import {
  beginProgress,
  filesNow,
  foundLogs,
  isAnotherLog,
  lastMessage,
  makeRoom,
  planText,
  progressNow,
  readLog,
  writeMissing,
} from './files';
import { Following } from './follow';
import { shareArchive, shareIgnored } from './ignored-files';
import { branchOf } from './loop-branch';

/** Loops in a git checkout; a folder without git works too, without commits as evidence. */
export class GitLoops implements Loops {
  readonly #following = new Set<Following>();

  constructor(
    private readonly moves: CheckoutMoves,
    private readonly now: () => Date = () => new Date(),
    private readonly runner?: GitRunner,
  ) {}

  async open(place: LoopPlace, plan: PlanText): Promise<Result<OpenedPlan>> {
    const { cwd, folder } = place;
    const path = join(cwd, folder);
    const git = new Git(cwd, this.runner);
    try {
      await refuseLinks(place);
      const inside = await git.inRepository('rev-parse', '--show-prefix');
      const prefix = inside === null ? '' : slashed(join(inside, folder === '.' ? '' : folder));
      if (inside !== null) {
        await excludeFromGit(git, ownFiles(prefix));
        await shareIgnored(git, place);
      }
      const first = plan.branchOf(await planText(place));
      if (inside !== null && first !== null) {
        const taken = await checkOut(this.moves, git, first);
        if (!taken.ok) return taken;
        await refuseLinks(place);
      }
      const text = await planText(place);
      const branch = inside === null ? null : await branchOf(git);
      const archived = await archiveBefore({ git, place, prefix }, plan.branchOf(text), this.now());
      await beginProgress(path, this.now());
      if (inside !== null) {
        if (archived !== null) await shareArchive(place, archived);
        await shareIgnored(git, place);
      }
      return ok({ text, branch, archived });
    } catch (error) {
      return err(failure('the plan cannot be opened', error, path));
    }
  }

  async prepare(
    place: LoopPlace,
    attempt: { readonly iteration: number; readonly retry: number; readonly branch: string | null },
  ): Promise<Result<LookedBefore>> {
    const { cwd, folder } = place;
    const path = join(cwd, folder);
    try {
      await refuseLinks(place);
      const git = new Git(cwd, this.runner);
      if (attempt.branch !== null && (await git.inRepository('rev-parse', '--show-prefix')) !== null) {
        const taken = await checkOut(this.moves, git, attempt.branch);
        if (!taken.ok) return taken;
        await refuseLinks(place);
        // It may have been committed only on the other branch.
        await beginProgress(path, this.now());
      }
      await shareIgnored(git, place);
      await makeRoom(path, attempt);
      const moves = await movesOf(git);
      return ok({
        head: await this.head(cwd),
        text: await planText(place),
        ...(await progressNow(path)),
        ...(moves === null ? {} : { moves: moves.length }),
      });
    } catch (error) {
      return err(failure('the attempt cannot be prepared', error, path));
    }
  }

  async look({ cwd, folder }: LoopPlace): Promise<Result<LookedBefore>> {
    const path = join(cwd, folder);
    try {
      await refuseLinks({ cwd, folder });
      const kept = this.kept(path, cwd);
      const git = new Git(cwd, this.runner);
      const head = await (kept === null ? this.head(cwd) : kept.head.of(git));
      return ok({ head, ...(await filesNow({ cwd, folder }, kept)) });
    } catch (error) {
      return err(failure('the loop cannot be read', error, path));
    }
  }

  async begun(place: LoopPlace, iteration: number): ReturnType<Loops['begun']> {
    try {
      await refuseLinks(place);
      return ok(await begunBefore(new Git(place.cwd, this.runner), place, iteration));
    } catch (error) {
      return err(failure('the loop cannot be read', error, join(place.cwd, place.folder)));
    }
  }

  async logs({ cwd, folder }: LoopPlace): Promise<Result<readonly FoundLog[]>> {
    const path = join(cwd, folder);
    try {
      await refuseLinks({ cwd, folder });
      const found = await foundLogs(path, this.kept(path, cwd));
      const following = this.following(path, cwd);
      if (following === null) return ok(found);
      const gone = following.gone(found);
      return ok([...gone, ...found].sort((one, other) => one.iteration - other.iteration));
    } catch (error) {
      return err(failure('the logs cannot be read', error, path));
    }
  }

  async follow({ cwd, folder }: LoopPlace, changed: () => void): Promise<() => void> {
    const path = join(cwd, folder);
    const following = new Following(path, new Kept(cwd, () => this.now().getTime()), changed);
    this.#following.add(following);
    return () => {
      following.end();
      this.#following.delete(following);
    };
  }

  async examine(
    place: LoopPlace,
    attempt: AttemptPlace,
    { logs, reader }: { readonly logs: WorkerLogs | null; readonly reader: LineReader },
  ): Promise<Result<LookedAfter>> {
    const { iteration, mark } = attempt;
    const path = join(place.cwd, place.folder);
    try {
      await refuseLinks(place);
      const { message, lag: messageLag } = await lastMessage(path, iteration, mark !== null);
      await readLog(path, iteration, reader);
      if (logs !== null)
        await writeMissing(path, iteration, {
          '.jsonl': logs.jsonl,
          '-last-message.txt': () => logs.message,
          '-stderr.log': () => '',
        });
      const git = new Git(place.cwd, this.runner);
      const look = new CommitAttribution(git, place, attempt);
      const present = await look.present();
      if (mark === null) {
        const elsewhere = await commitsElsewhere(git, attempt.before.moves, present.left);
        const back = await putBack(this.moves, git, { ...present.left, branch: attempt.branch ?? null });
        // After the look: the operator's later changes are not this attempt's.
        const conflicts = await shareIgnored(git, place);
        return ok({
          ...present.left,
          elsewhere,
          ...back,
          message,
          messageLag,
          ...(conflicts.length === 0 ? {} : { conflicts }),
        });
      }
      // After reading the state: an attempt that begins now can have had no part in it.
      if (await isAnotherLog(path, iteration, mark))
        return ok({ ...look.overwritten(present), message: null, messageLag: 0 });
      const bound = await boundAfter(path, iteration);
      if (bound === null) return ok({ ...present.left, message, messageLag });
      const noted = [...this.#following].filter((one) => one.path === path);
      const beginning =
        noted.map((one) => one.beginning(bound.next, bound.at)).find((one) => one !== null) ?? null;
      return ok({ ...(await look.at(bound.at, present, beginning)), message, messageLag });
    } catch (error) {
      return err(failure('the result of the attempt cannot be read', error, path));
    }
  }

  /** Only followed loops have a cache. */
  private kept(path: string, cwd: string): Kept | null {
    return this.following(path, cwd)?.kept ?? null;
  }

  private following(path: string, cwd: string): Following | null {
    return [...this.#following].find((one) => one.path === path && one.kept.cwd === cwd) ?? null;
  }

  private head(cwd: string): Promise<string | null> {
    return new Git(cwd, this.runner).object('HEAD^{commit}');
  }
}

const slashed = (path: string): string => {
  const plain = path.replaceAll('\\', '/').replace(/^\.\/?|\/+$/g, '');
  return plain === '' ? '' : `${plain}/`;
};

/** Files of a loop that a worker's `git add --all` must not commit. */
const ownFiles = (prefix: string): string[] => {
  const own = literalPattern(prefix);
  return [`${own}logs/codex-iteration-*`, `${own}.last-branch`];
};

/**
 * Checks the loop's branch out again for what comes after the loop. A deleted branch is not recreated from
 * another.
 */
async function putBack(
  moves: CheckoutMoves,
  git: Git,
  { branch, checkedOut, head }: Pick<LookedAfter, 'checkedOut' | 'head'> & { branch: string | null },
): Promise<Pick<LookedAfter, 'putBack'>> {
  if (branch === null || checkedOut === undefined) return {};
  return { putBack: head !== null && (await checkOut(moves, git, branch)).ok };
}

/** Checks a branch out, creating it at the current commit if needed. Uncommitted changes stay. */
async function checkOut(moves: CheckoutMoves, git: Git, branch: string): Promise<Result<void>> {
  if ((await branchOf(git)) === branch) return ok(undefined);
  const valid = await git.maybe('check-ref-format', '--branch', branch);
  if (valid === null)
    return fail('input.invalid', `"${branch}" is not the name of a branch`, {
      mend: 'change branchName in prd.json',
    });
  const ref = `refs/heads/${branch}`;
  const commit = await git.maybe('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);
  const taken = commit === null ? await inTheWay(git, branch) : null;
  if (taken !== null)
    return fail('conflict', `there is a branch "${taken}", so git cannot create the branch "${branch}"`, {
      mend: `change branchName in prd.json, or rename that branch: git branch -m ${taken} NEW_NAME`,
    });
  try {
    if (commit === null) await git.text('checkout', '--quiet', '-b', branch);
    else {
      const to = { branch: ref, commit, tree: await git.text('rev-parse', `${commit}^{tree}`) };
      const args = ['checkout', '--quiet', '--no-overwrite-ignore', branch, '--'];
      const what = `Check out ${branch} for its loop`;
      await moves.run(git, { what, kind: 'branch', index: null, from: null, to }, args);
    }
    return ok(undefined);
  } catch (error) {
    if (error instanceof InterruptedError)
      return err(error.toAppError(`the branch ${branch} cannot be checked out`));
    const message = gitMessage(error);
    return fail('workspace.failed', `the branch ${branch} cannot be checked out: ${message}`, {
      mend: mendOf(message),
    });
  }
}

/** A branch above or below one that does not exist: git has no branch with the name of a group of others. */
async function inTheWay(git: Git, branch: string): Promise<string | null> {
  const parts = branch.split('/');
  for (let length = 1; length < parts.length; length += 1) {
    const above = parts.slice(0, length).join('/');
    if ((await git.maybe('rev-parse', '--verify', '--quiet', `refs/heads/${above}`)) !== null) return above;
  }
  const below = await git.maybe(
    ...['for-each-ref', '--count=1', '--format=%(refname:short)', `refs/heads/${branch}/`],
  );
  return below === null || below === '' ? null : below;
}

function mendOf(message: string): string {
  if (/already (?:checked out|used by worktree)/.test(message))
    return 'another folder has this branch: check out another one there, or set `workspace: project` to work in it';
  if (/index\.lock/.test(message))
    return 'check that no other git process works there, remove its leftover lock, then resume the run';
  if (/would be overwritten|local changes|untracked working tree/.test(message))
    return 'commit or stash the uncommitted changes, then resume the run';
  return 'resolve what git reports, then resume the run';
}
