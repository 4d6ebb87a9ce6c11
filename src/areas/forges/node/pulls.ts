import { appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { ShownResult } from '@contract/run/results/results';
import { resultToApply } from '@contract/run/results/shown-results';
import type { RunState } from '@contract/run/state';
import type { MergeMethod } from '../contract/forge';
import { mayChange, type PullPreview, type PullRecord, type PullText } from '../contract/pull';
import type { Forge } from '../core/port';
import { markedBody, markOf, proposedText } from '../core/pull-text';
import { digestOf } from './digest';
import type { Forges } from './forges';
import { pullBranch } from './pull-branch';
import type { ForgeRecords } from './records';

interface PullParts {
  readonly records: ForgeRecords;
  readonly forges: Pick<Forges, 'open' | 'at'>;
  /** The current state of a run; null if there is none. */
  state(runId: number): RunState | null;
  results(runId: number): Promise<Result<ShownResult[]>>;
  projectName(runId: number): string | null;
  /** The agent's last answer. */
  answer(state: RunState): string | null;
  git(cwd: string, ...args: string[]): Promise<Result<string>>;
  now(): number;
  newKey(): string;
}

const CHANGED = 'What would be sent has changed since it was shown.';

/**
 * Pull requests of runs. Whatever is written to a forge is a record first. Carrying one out again looks for
 * what an earlier try made, so that nothing is made twice.
 */
export class Pulls {
  readonly #acting = new Map<number, Promise<unknown>>();

  constructor(private readonly parts: PullParts) {}

  async preview(runId: number, given: Partial<PullText>): Promise<Result<PullPreview>> {
    const found = await this.#resultOf(runId);
    if (!found.ok) return found;
    const { state, commit, files } = found.value;
    const opened = await this.parts.forges.open(state.projectPath);
    if (!opened.ok) return opened;
    const { forge, host, repository, remote } = opened.value;
    const at = await forge.repository(repository);
    if (!at.ok) return at;
    const target = at.value.parent ?? at.value;
    const record = this.parts.records.of(runId);
    const current = record !== null && mayChange(record) ? record : null;
    const issue = this.parts.records.startedFrom(state.uid);
    const proposed = proposedText({
      runName: issue?.title ?? state.name,
      answer: this.parts.answer(state),
      issue: issue?.number ?? null,
    });
    const branch = await pullBranch({ state, issue, record, remote, git: this.parts.git });
    if (!branch.ok) return branch;
    const preview = {
      draft: false,
      reviewers: [],
      labels: [],
      ...proposed,
      ...(current === null ? {} : textOf(current)),
      ...defined(given),
      base: given.base ?? current?.base ?? target.defaultBranch,
      runId,
      repository: target.name,
      host,
      head: {
        repository: at.value.name,
        branch: branch.value,
        commit,
      },
      files,
      issue: issue?.number ?? null,
      updates: current?.number ?? null,
    };
    return ok({ ...preview, shown: digestOf(preview) });
  }

  /** Writes exactly what was shown. */
  async open(runId: number, text: PullText, shown: string): Promise<Result<PullRecord>> {
    const preview = await this.preview(runId, text);
    if (!preview.ok) return preview;
    if (preview.value.shown !== shown) return fail('conflict', CHANGED, { mend: 'Look at it again.' });
    const { head, repository, host, updates } = preview.value;
    const state = this.parts.state(runId);
    if (state === null) return err(noRun(runId));
    const before = this.parts.records.of(runId);
    if (before !== null && updates !== null) {
      return this.push(runId, head.commit);
    }
    const opened = await this.parts.forges.open(state.projectPath);
    if (!opened.ok) return opened;
    // Another window may have opened it meanwhile.
    if (this.parts.records.of(runId) !== before)
      return fail('conflict', CHANGED, { mend: 'Look at it again.' });
    this.parts.records.put({
      ...text,
      // An unfinished one keeps its key, by which its pull request is found.
      key: before?.state === 'opening' ? before.key : this.parts.newKey(),
      runId,
      runName: state.name,
      projectName: this.parts.projectName(runId),
      projectPath: state.projectPath,
      host,
      repository,
      headRepository: head.repository,
      branch: head.branch,
      result: head.commit,
      commit: head.commit,
      remote: opened.value.remote,
      asked: 'open',
      merge: null,
      error: null,
      number: null,
      url: null,
      state: 'opening',
      at: this.parts.now(),
      view: null,
      readAt: null,
      handled: [],
      fix: null,
    });
    return this.carryOut(runId);
  }

  async merge(
    runId: number,
    wish: { method: MergeMethod | undefined; commit: string },
  ): Promise<Result<PullRecord>> {
    const read = await this.refresh(runId);
    if (!read.ok) return read;
    const { view } = read.value;
    if (view === null) return fail('conflict', 'The pull request was not read yet.');
    if (view.state === 'merged') return read;
    if (view.state === 'closed')
      return fail('conflict', 'The pull request is closed.', { mend: 'Open it again on the forge.' });
    if (view.head.commit !== wish.commit)
      return fail('conflict', 'The pull request has new commits.', { mend: 'Look at it again.' });
    if (view.conflict === 'conflict')
      return fail('conflict', `It conflicts with ${view.base}.`, {
        mend: 'Send that to the agent with: muster pr fix',
      });
    const method = wish.method ?? view.methods[0];
    if (method === undefined || !view.methods.includes(method))
      return fail('forge.refused', `The repository does not allow this way of merging.`, {
        mend: `It allows: ${view.methods.join(', ')}`,
      });
    this.parts.records.change(runId, () => ({
      asked: 'merge',
      merge: { method, commit: wish.commit },
      error: null,
    }));
    return this.carryOut(runId);
  }

  /** Pushes a new result that the operator agreed to. */
  async push(runId: number, result: string): Promise<Result<PullRecord>> {
    const before = this.parts.records.of(runId);
    if (before === null) return err(noPull(runId));
    const commit = before.result === result ? ok(before.commit) : await this.#follower(before, result);
    if (!commit.ok) return commit;
    this.parts.records.change(runId, ({ asked }) => ({
      result,
      commit: commit.value,
      // Reviewers and labels of an interrupted opening are still to be added.
      asked: asked === 'open' ? 'open' : 'push',
      error: null,
    }));
    return this.carryOut(runId);
  }

  /**
   * The result as a commit after the one that was pushed: a run that goes on commits its whole work again, and
   * a branch under review is never rewritten.
   */
  async #follower({ projectPath, commit: pushed }: PullRecord, result: string): Promise<Result<string>> {
    const git = (...args: string[]) => this.parts.git(projectPath, ...args);
    const base = await git('merge-base', pushed, result);
    if (base.ok && base.value === pushed) return ok(result);
    const message = await git('log', '-1', '--format=%B', result);
    if (!message.ok) return message;
    const parents = ['-p', pushed, '-p', result];
    return git('commit-tree', `${result}^{tree}`, ...parents, '-m', message.value);
  }

  /** At a start: what an earlier core was asked for and may have been interrupted in. */
  async resume(): Promise<void> {
    for (const { runId, asked, error } of this.parts.records.all())
      if (asked !== null && error === null) await this.carryOut(runId);
  }

  /** Does what the record asks for, one at a time. Safe to repeat. */
  carryOut(runId: number): Promise<Result<PullRecord>> {
    return this.#inTurn(runId, async () => {
      const record = this.parts.records.of(runId);
      if (record === null) return err(noPull(runId));
      if (record.asked === null) return ok(record);
      const at = await this.parts.forges.at(record.host);
      const done = at.ok ? await this.#act(record, at.value) : at;
      if (!done.ok) {
        this.parts.records.change(runId, () => ({ error: done.error }));
        return done;
      }
      this.parts.records.change(runId, () => ({ ...done.value, asked: null, error: null }));
      return this.#read(runId);
    });
  }

  /** Reads the pull request from the forge. */
  refresh(runId: number): Promise<Result<PullRecord>> {
    return this.#inTurn(runId, () => this.#read(runId));
  }

  async #read(runId: number): Promise<Result<PullRecord>> {
    const record = this.parts.records.of(runId);
    if (record === null) return err(noPull(runId));
    if (record.number === null) return record.error === null ? ok(record) : err(record.error);
    const at = await this.parts.forges.at(record.host);
    if (!at.ok) return at;
    const forge = at.value;
    let { repository } = record;
    let view = await forge.pull({ repository, number: record.number });
    if (!view.ok && view.error.code === 'not_found') {
      // The repository may have a new name.
      const renamed = await forge.repository(repository);
      if (renamed.ok && renamed.value.name !== repository) {
        repository = renamed.value.name;
        view = await forge.pull({ repository, number: record.number });
      }
    }
    if (!view.ok) return view;
    const { value } = view;
    const now = this.parts.now();
    const same = JSON.stringify(record.view) === JSON.stringify(value) && record.repository === repository;
    if (same && record.state === value.state) return ok(record);
    return ok(
      this.parts.records.change(runId, () => ({
        view: value,
        repository,
        state: value.state,
        url: value.url,
        readAt: now,
      })) ?? record,
    );
  }

  async #act(record: PullRecord, forge: Forge): Promise<Result<Partial<PullRecord>>> {
    switch (record.asked) {
      case null:
        return ok({});
      case 'push': {
        const pushed = await this.#push(record);
        return pushed.ok ? ok({}) : pushed;
      }
      case 'merge':
        return this.#merge(record, forge);
      case 'open':
        return this.#open(record, forge);
    }
  }

  async #open(record: PullRecord, forge: Forge): Promise<Result<Partial<PullRecord>>> {
    const { repository, headRepository, branch, base, title, body, draft, key, reviewers, labels } = record;
    const pushed = await this.#push(record);
    if (!pushed.ok) return pushed;
    const place = { repository, headRepository, branch };
    const found = await forge.findPull(place, markOf(key));
    if (!found.ok) return found;
    const made =
      found.value === null
        ? await forge.createPull({ ...place, base, title, body: markedBody(body, key), draft })
        : ok(found.value);
    if (!made.ok) return made;
    const { number, url, state } = made.value;
    this.parts.records.change(record.runId, () => ({ number, url, state }));
    const added = await forge.addPeople({ repository, number }, { reviewers, labels });
    return added.ok ? ok({}) : added;
  }

  async #merge(
    { repository, number, merge }: PullRecord,
    forge: Forge,
  ): Promise<Result<Partial<PullRecord>>> {
    if (number === null || merge === null) return fail('conflict', 'There is no pull request to merge.');
    const place = { repository, number };
    const view = await forge.pull(place);
    if (!view.ok) return view;
    if (view.value.state === 'merged') return ok({});
    const done = await forge.merge(place, merge);
    return done.ok ? ok({}) : done;
  }

  /** A push of what is there already changes nothing. */
  #push({ projectPath, remote, commit, branch }: PullRecord): Promise<Result<string>> {
    return this.parts.git(projectPath, 'push', remote, `${commit}:refs/heads/${branch}`);
  }

  async #resultOf(runId: number): Promise<Result<{ state: RunState; commit: string; files: number }>> {
    const results = await this.parts.results(runId);
    if (!results.ok) return results;
    const state = this.parts.state(runId);
    if (state === null) return err(noRun(runId));
    if (state.status !== 'finished')
      return fail('conflict', 'The run is still running.', { mend: 'Wait until it ends.' });
    const chosen = resultToApply(results.value, undefined);
    if (!chosen.ok) return chosen;
    const { commit, files } = chosen.value;
    if (commit === null) return fail('not_found', 'The result has no commit.');
    return ok({ state, commit, files });
  }

  /** The commit of the run's result; null while it runs, or if there is none. */
  async resultCommit(runId: number): Promise<string | null> {
    const found = await this.#resultOf(runId);
    return found.ok ? found.value.commit : null;
  }

  #inTurn<T>(runId: number, act: () => Promise<Result<T>>): Promise<Result<T>> {
    const before = this.#acting.get(runId) ?? Promise.resolve();
    const acting = before.then(act);
    const settled = acting.catch(() => undefined);
    this.#acting.set(runId, settled);
    return acting.finally(() => {
      if (this.#acting.get(runId) === settled) this.#acting.delete(runId);
    });
  }
}

const textOf = ({ title, body, draft, base, reviewers, labels }: PullText): PullText => ({
  ...{ title, body, draft, base, reviewers, labels },
});

const defined = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;

const noRun = (runId: number) => appError('not_found', `there is no run ${runId}`);

export const noPull = (runId: number) =>
  appError('not_found', `Run ${runId} has no pull request.`, {
    mend: `Open one with: muster pr open ${runId}`,
  });
