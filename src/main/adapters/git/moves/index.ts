import { lstat, realpath, rm } from 'node:fs/promises';
import type { InterruptedCheckout } from '@contract/checkout/procedures';
import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { Checkouts } from '../../../core/ports/checkouts';
import { EARLIER_GIT_CHECK_MS } from '../../../limits/core';
import { lastPid } from '../detached-git';
import { failure } from '../failure';
import { Git, GitError } from '../git-command';
import { Queue } from '../queue';
import type { GitRunner } from '../run-git';
import { type Examined, examine, indexLock, tipOf } from './examine';
import { changedBetween, sameSide, stagedAgainst, syncFiles } from './files';
import { type MoveEntry, MoveJournal, type Tip } from './journal';
import { type Outcome, settle } from './settle';
import { doneText, interruptedView } from './words';

/** In the environment of each git that changes a checkout, and of what it starts: which change it belongs to. */
export const MOVE_MARK = 'MUSTER_MOVE';

/** A change that is about to be made. */
export type Move = Pick<MoveEntry, 'what' | 'kind' | 'index' | 'to'> & {
  /** Null: where the checkout is. */
  readonly from: Tip | null;
};

export interface MovesOptions {
  /** Where the journal is kept. */
  readonly dir: string;
  readonly git?: GitRunner;
  /** Whether a process lives that has `MOVE_MARK` with this value; null where that cannot be told. */
  readonly isMarked?: (id: string) => Promise<boolean | null>;
  readonly now?: () => number;
  /** What is interrupted is different now. */
  readonly changed?: () => void;
}

/** The checkout is on neither side of an earlier change. Nothing else may change it until that is settled. */
export class InterruptedError extends GitError {
  constructor(readonly view: InterruptedCheckout) {
    super(view.text, null);
  }

  toAppError(what: string): AppError {
    return appError('conflict', `${what}. ${this.view.text}`, {
      where: { file: this.view.path },
      mend: this.view.running
        ? 'Wait until it has ended, then try again.'
        : "Choose 'Finish' or 'Roll back' in the window, or run `muster checkout finish` or `muster checkout roll-back`; then try again.",
    });
  }
}

interface OpenMove {
  readonly git: Git;
  readonly entry: MoveEntry;
  readonly seen: Examined;
}

/**
 * The only way to change files of a checkout. A change is noted in a journal before it begins; git makes it in a process
 * that outlives Muster; a change that failed is rolled back at once, and one that was cut off is recognised at the next
 * start, described, and finished or rolled back as the operator chooses.
 */
export class CheckoutMoves implements Checkouts {
  readonly #journal: MoveJournal;
  /** One change of a checkout after the other. */
  readonly #checkouts = new Queue();
  /** Those that this process makes. */
  readonly #active = new Set<string>();

  constructor(private readonly options: MovesOptions) {
    this.#journal = new MoveJournal(options.dir);
  }

  /**
   * Runs a command of git that changes the checkout from one tree to another, all or nothing. Throws `GitError` where
   * nothing was changed, `InterruptedError` where the checkout is half changed.
   */
  async run(git: Git, move: Move, args: readonly string[]): Promise<void> {
    const shown = await git.text('rev-parse', '--show-toplevel', '--absolute-git-dir');
    const [top = '', gitDir = ''] = shown.split('\n');
    const at = { git: git.at(top), top: await realpath(top), gitDir };
    await this.#checkouts.add(at.top, () => this.#run(at, move, args));
  }

  async #run(
    { git, top, gitDir }: { readonly git: Git; readonly top: string; readonly gitDir: string },
    move: Move,
    args: readonly string[],
  ): Promise<void> {
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
      const changed = await changedBetween(git, from.tree, entry.to.tree);
      await syncFiles(
        top,
        changed.map(({ path }) => path),
      );
      await this.#journal.clear(entry.id);
    } finally {
      this.#active.delete(entry.id);
    }
  }

  #detached({ id }: MoveEntry) {
    return { detached: this.#journal.folder(id), env: { [MOVE_MARK]: id } };
  }

  /** Git failed or was killed: all is as before when this throws the error, or it is told that it is not. */
  async #afterFailure(git: Git, entry: MoveEntry, error: unknown): Promise<void> {
    while (await this.#works(entry.id))
      await new Promise((resolve) => setTimeout(resolve, EARLIER_GIT_CHECK_MS));
    const ended = error instanceof GitError && error.code !== null;
    const looked = await examine(git, entry);
    // A git that ended by itself took its locks with it: these are of another one.
    const seen = ended ? { ...looked, locks: [] } : looked;
    if (seen.at === 'half') {
      try {
        await this.#bring({ git, entry, seen }, 'roll_back');
      } catch {
        this.options.changed?.();
        throw new InterruptedError(interruptedView(entry, await examine(git, entry)));
      }
    }
    await this.#forget(entry, seen);
    if (seen.at !== 'after') throw error;
  }

  async #refuseInterrupted(entry: MoveEntry): Promise<void> {
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

  /** Null where the checkout turns out to be whole: the change is forgotten then. */
  async #look(entry: MoveEntry): Promise<InterruptedCheckout | null> {
    if (await this.#works(entry.id)) return interruptedView(entry, null);
    const git = this.#gitOf(entry);
    // A folder that is gone, or no repository any more, has nothing that could be put right.
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
        return err(appError('not_found', 'This change is already finished or rolled back.'));
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

  /** Whether a process lives that bears `MOVE_MARK` with this id: git continues when the core that started it is killed. */
  isAtWork(id: string): Promise<boolean> {
    return this.#works(id);
  }

  /** Whether git, or a filter that it started, still works on it. */
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

/** Files that change and that the operator has staged with their new content. */
async function stagedAlready(git: Git, from: string, to: string): Promise<string[]> {
  const staged = await stagedAgainst(git, from);
  if (staged.size === 0) return [];
  const changed = await changedBetween(git, from, to);
  return changed.flatMap(({ path, to: side }) =>
    staged.has(path) && sameSide(staged.get(path) ?? null, side) ? [path] : [],
  );
}
