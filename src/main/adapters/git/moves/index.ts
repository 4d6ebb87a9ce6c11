import { lstat, realpath, rm } from 'node:fs/promises';
import type { InterruptedCheckout } from '@areas/projects/contract/procedures';
import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { Checkouts } from '../../../core/ports/workspaces/checkouts';
import { EARLIER_GIT_CHECK_MS, EARLIER_GIT_WAIT_MS } from '../../../limits/core';
import { lastPid } from '../command/detached-git';
import { failure } from '../command/failure';
import { Git, GitError, gitMessage } from '../command/git-command';
import { Queue } from '../command/queue';
import type { GitRunner } from '../command/run-git';
import { type Examined, examine, indexLock, tipOf } from './examine';
import { changedBetween, sameSide, stagedAgainst, syncFiles } from './files';
import { type MoveEntry, MoveJournal, type Tip } from './journal';
import { moveHead, type Outcome, settle } from './settle';
import { doneText, interruptedView } from './words';

/**
 * Environment variable of each git that changes a checkout, and of its child processes: identifies the
 * change.
 */
export const MOVE_MARK = 'MUSTER_MOVE';

/** A change that is about to be made. */
export type Move = Pick<MoveEntry, 'what' | 'kind' | 'index' | 'to'> & {
  /** Null: the checkout's current position. */
  readonly from: Tip | null;
  /** The command changes only files and index: HEAD follows in a step of its own. */
  readonly headAfter?: true;
};

export interface MovesOptions {
  /** The folder of the journal. */
  readonly dir: string;
  readonly git?: GitRunner;
  /** Whether a process with this value of `MOVE_MARK` is alive; null if unknown. */
  readonly isMarked?: (id: string) => Promise<boolean | null>;
  readonly now?: () => number;
  /** The set of interrupted changes has changed. */
  readonly changed?: () => void;
}

/** The checkout is on neither side of an earlier change. Nothing else may change it until that is settled. */
export class InterruptedError extends GitError {
  constructor(
    readonly view: InterruptedCheckout,
    /** What git reported, if it failed just now. */
    private readonly reason: string | null = null,
  ) {
    super(view.text, null);
  }

  toAppError(what: string): AppError {
    const { reason, view } = this;
    const choose =
      "Choose 'Finish' or 'Roll back' in the window, or run `muster checkout finish` or `muster checkout roll-back`; then try again.";
    return appError('conflict', `${what}${reason === null ? '' : `: ${reason}`}. ${view.text}`, {
      where: { file: view.path },
      mend: view.running
        ? 'Wait until it has ended, then try again.'
        : reason === null
          ? choose
          : `Repair what git reports, such as a filter that fails. ${choose}`,
    });
  }
}

interface OpenMove {
  readonly git: Git;
  readonly entry: MoveEntry;
  readonly seen: Examined;
}

/**
 * The only way to change a checkout's files. Each change is recorded in a journal first. Git makes it in a
 * process that survives Muster. A failed change is rolled back at once; an interrupted one is recognised at
 * the next start, described, and finished or rolled back as the operator chooses.
 */
export class CheckoutMoves implements Checkouts {
  readonly #journal: MoveJournal;
  /** One change per checkout at a time. */
  readonly #checkouts = new Queue();
  /** Changes made by this process. */
  readonly #active = new Set<string>();

  constructor(private readonly options: MovesOptions) {
    this.#journal = new MoveJournal(options.dir);
  }

  /**
   * Runs a git command that changes the checkout from one tree to another, all or nothing. Throws `GitError`
   * if nothing was changed, `InterruptedError` if the checkout is half changed. `kept` are files that were
   * staged with the new content before.
   */
  async run(git: Git, move: Move, args: readonly string[]): Promise<{ readonly kept: readonly string[] }> {
    const shown = await git.text('rev-parse', '--show-toplevel', '--absolute-git-dir');
    const [top = '', gitDir = ''] = shown.split('\n');
    const at = { git: git.at(top), top: await realpath(top), gitDir };
    return this.#checkouts.add(at.top, () => this.#run(at, move, args));
  }

  async #run(
    { git, top, gitDir }: { readonly git: Git; readonly top: string; readonly gitDir: string },
    move: Move,
    args: readonly string[],
  ): Promise<{ readonly kept: readonly string[] }> {
    for (const earlier of await this.#journal.all())
      if (earlier.top === top) await this.#refuseInterrupted(earlier);
    const lock = indexLock(gitDir);
    if (move.index === null && (await lstat(lock).catch(() => null)) !== null)
      throw new GitError(
        `Another git process is working in this checkout, or left its lock: ${lock} exists.`,
        128,
      );
    const from = move.from ?? (await presentTip(git));
    const entry: MoveEntry = {
      version: 1,
      id: this.#journal.newId(),
      top,
      gitDir,
      from,
      what: move.what,
      kind: move.kind,
      index: move.index,
      to: move.to,
      kept: move.index === null ? await stagedAlready(git, from.tree, move.to.tree) : [],
      startedAt: (this.options.now ?? Date.now)(),
    };
    this.#active.add(entry.id);
    try {
      await this.#journal.begin(entry);
      await git.bytes(['-c', 'core.fsync=all', ...args], this.#detached(entry)).catch(async (error) => {
        await this.#afterFailure(git, entry, error);
      });
      if (move.headAfter === true) await this.#moveHead(git, entry);
      const changed = await changedBetween(git, from.tree, entry.to.tree);
      await syncFiles(
        top,
        changed.map(({ path }) => path),
      );
      await this.#journal.clear(entry.id);
      return { kept: entry.kept };
    } finally {
      this.#active.delete(entry.id);
    }
  }

  /** If the operator moved HEAD meanwhile, the files go back and nothing has changed. */
  async #moveHead(git: Git, entry: MoveEntry): Promise<void> {
    try {
      await moveHead(git, entry, 'to');
    } catch (error) {
      const { from, to } = entry;
      await git
        .bytes(['-c', 'core.fsync=all', 'read-tree', '-m', '-u', to.tree, from.tree], this.#detached(entry))
        .catch(async () => {
          this.options.changed?.();
          throw new InterruptedError(interruptedView(entry, await examine(git, entry)), gitMessage(error));
        });
      await this.#journal.clear(entry.id);
      throw error;
    }
  }

  #detached({ id }: MoveEntry) {
    return { detached: this.#journal.folder(id), env: { [MOVE_MARK]: id } };
  }

  /**
   * Git failed or was killed. If this throws the original error, everything is as before; otherwise the error
   * says that it is not.
   */
  async #afterFailure(git: Git, entry: MoveEntry, error: unknown): Promise<void> {
    while (await this.#works(entry.id))
      await new Promise((resolve) => setTimeout(resolve, EARLIER_GIT_CHECK_MS));
    const ended = error instanceof GitError && error.code !== null;
    const looked = await examine(git, entry);
    // A git that exits normally removes its locks: these belong to another one.
    const seen = ended ? { ...looked, locks: [] } : looked;
    if (seen.at === 'half') {
      try {
        await this.#bring({ git, entry, seen }, 'roll_back');
      } catch {
        this.options.changed?.();
        throw new InterruptedError(interruptedView(entry, await examine(git, entry)), gitMessage(error));
      }
    }
    await this.#forget(entry, seen);
    if (seen.at !== 'after') throw error;
  }

  /** A git that outlived an earlier core may still be making just this change: its end is waited for. */
  async #refuseInterrupted(entry: MoveEntry): Promise<void> {
    const until = Date.now() + EARLIER_GIT_WAIT_MS;
    while (Date.now() < until && (await this.#works(entry.id)))
      await new Promise((resolve) => setTimeout(resolve, EARLIER_GIT_CHECK_MS));
    const found = await this.#look(entry);
    if (found !== null) throw new InterruptedError(found);
  }

  async interrupted(): Promise<readonly InterruptedCheckout[]> {
    const entries = (await this.#journal.all()).filter(({ id }) => !this.#active.has(id));
    const views: InterruptedCheckout[] = [];
    for (const entry of entries) {
      const view = await this.#checkouts.add(entry.top, () => this.#look(entry)).catch(() => null);
      if (view !== null) views.push(view);
    }
    return views;
  }

  /** Null if the checkout turns out to be consistent: the change is then forgotten. */
  async #look(entry: MoveEntry): Promise<InterruptedCheckout | null> {
    if (await this.#works(entry.id)) return interruptedView(entry, null);
    const git = this.#gitOf(entry);
    // A deleted folder, or one that is no repository any more, cannot be repaired.
    if ((await git.maybe('rev-parse', '--git-dir').catch(() => null)) === null) {
      await this.#journal.clear(entry.id);
      return null;
    }
    const seen = await examine(git, entry);
    if (seen.at === 'half') return interruptedView(entry, seen);
    await this.#forget(entry, seen);
    return null;
  }

  settle(id: string, how: Outcome): Promise<Result<{ text: string }>> {
    return this.#journal.all().then((entries) => {
      const entry = entries.find((one) => one.id === id);
      if (entry === undefined || this.#active.has(id))
        return fail('not_found', 'This change is already finished or rolled back.');
      return this.#checkouts.add(entry.top, () => this.#settle(entry, how));
    });
  }

  async #settle(entry: MoveEntry, how: Outcome): Promise<Result<{ text: string }>> {
    try {
      const view = await this.#look(entry);
      if (view === null) return ok({ text: `${entry.top} is complete: there is nothing left to do.` });
      if (view.running) return err(new InterruptedError(view).toAppError('It cannot be settled yet'));
      const git = this.#gitOf(entry);
      const seen = await examine(git, entry);
      await this.#bring({ git, entry, seen }, how);
      await this.#journal.clear(entry.id);
      this.options.changed?.();
      return ok({ text: doneText(how, entry, seen.files) });
    } catch (error) {
      const what =
        how === 'finish' ? 'The change could not be finished' : 'The change could not be rolled back';
      return err({
        ...failure(what, error, entry.top),
        mend: 'Resolve what git reports, then try again. Nothing is lost in the meantime.',
      });
    }
  }

  async #bring({ git, entry, seen }: OpenMove, how: Outcome): Promise<void> {
    const folder = this.#journal.folder(entry.id);
    await settle({ git, entry, folder, detached: this.#detached(entry) }, seen, how);
  }

  async #forget(entry: MoveEntry, seen: Examined): Promise<void> {
    for (const lock of seen.locks) await rm(lock, { force: true });
    if (entry.index !== null) await rm(`${entry.index}.lock`, { force: true });
    await this.#journal.clear(entry.id);
  }

  #gitOf({ top, gitDir }: MoveEntry): Git {
    return new Git(top, this.options.git, { GIT_DIR: gitDir, GIT_WORK_TREE: top });
  }

  /** Whether a process with this id in `MOVE_MARK` is alive: git continues when its core is killed. */
  isAtWork(id: string): Promise<boolean> {
    return this.#works(id);
  }

  /** Whether git, or a filter that it started, is still working on it. */
  async #works(id: string): Promise<boolean> {
    const marked = (await this.options.isMarked?.(id)) ?? null;
    if (marked !== null) return marked;
    const pid = await lastPid(this.#journal.folder(id));
    if (pid === null) return false;
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'EPERM';
    }
  }
}

async function presentTip(git: Git): Promise<Tip> {
  const head = await tipOf(git);
  const empty = async () =>
    (await git.bytes(['hash-object', '-t', 'tree', '--stdin'])).toString('latin1').trim();
  const tree = head.commit === null ? await empty() : await git.text('rev-parse', `${head.commit}^{tree}`);
  return { ...head, tree };
}

/** Changed files that the operator has already staged with their new content. */
async function stagedAlready(git: Git, from: string, to: string): Promise<string[]> {
  const staged = await stagedAgainst(git, from);
  if (staged.size === 0) return [];
  const changed = await changedBetween(git, from, to);
  return changed.flatMap(({ path, to: side }) =>
    staged.has(path) && sameSide(staged.get(path) ?? null, side) ? [path] : [],
  );
}
