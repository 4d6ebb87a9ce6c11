import { dirname, isAbsolute, join } from 'node:path';
import { worktreeSetup } from '@areas/projects/contract/project-settings';
import type { PromptFolder } from '@areas/prompts/contract/folders';
import { commandLog } from '@areas/sessions/node/command-log';
import type { WorkflowDefinition } from '@areas/workflows/contract/definition';
import type { WorkflowFiles } from '@areas/workflows/node/workflow-files';
import { type AppError, appError, type Problem } from '@contract/errors';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { err, fail, ok, type Result } from '@contract/result';
import type { StoredEvent } from '@contract/run/events';
import { atFirstLook, takesHint } from '@contract/run/features/feature-answers';
import { derivedRunName } from '@contract/run/lifecycle/run-name';
import type { RunRow } from '@contract/run/procedures';
import type { RunState } from '@contract/run/state';
import { failedAndAsks } from '@contract/run/status';
import { shownText } from '@contract/whole-text';
import { runOf, unfinishedBranches } from '@main/core/engine/effects/workspace-effects';
import type { Engine } from '@main/core/engine/engine';
import { brokenActivations } from '@main/core/engine/resume/broken-activations';
import type { Ids, TranscriptStore } from '@main/core/ports/documents';
import type { Clock, Logger } from '@main/core/ports/ports';
import type { Store } from '@main/core/ports/store/store';
import type { WorkspaceEdits } from '@main/core/ports/workspaces/workspace-edits';
import type { Workspaces } from '@main/core/ports/workspaces/workspaces';
import { folderBytes, printedEnd, removeFolder } from '@main/services/disk';
import { FoldedRuns } from './history/folded-runs';
import { againFrom } from './launch/run-again';
import { type LaunchParts, launchRun } from './launch/run-launch';
import { comparison } from './results/run-comparison';

export interface RunServiceParts {
  readonly engine: Engine;
  readonly store: Store;
  readonly files: WorkflowFiles;
  readonly transcripts: TranscriptStore;
  readonly ids: Ids;
  readonly workspaces: Pick<WorkspaceEdits, 'remove'> & Pick<Workspaces, 'revive' | 'keptSnapshot'>;
  readonly prompts: LaunchParts['prompts'];
  readonly textFiles: LaunchParts['textFiles'];
  readonly clock: Pick<Clock, 'now'>;
  /** An event was written without the engine. */
  readonly appended: (stored: StoredEvent) => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Notifies the operator. */
  readonly notice: (text: string, id: string) => void;
  /** The parent of the runs' artifacts folders. */
  readonly artifactsRoot: string;
}

/** A definition in memory, with where and by whom it is started. */
export interface StartDefinition {
  readonly uid?: string | undefined;
  readonly projectId: number;
  readonly definition: WorkflowDefinition;
  readonly attachments?: readonly string[];
  readonly issue?: RunState['issue'];
  /** Folders of prompt texts that override the project's. */
  readonly promptFolders?: readonly PromptFolder[] | undefined;
  readonly startedBy: string;
}

/** Starts, stops, resumes and shows runs. */
export class RunService {
  private readonly purging = new Set<number>();
  /** Starts in progress, by the chosen uid. */
  private readonly beginning = new Map<string, Promise<Result<{ runId: number }>>>();
  private readonly folded: FoldedRuns;

  constructor(private readonly parts: RunServiceParts) {
    this.folded = new FoldedRuns(parts);
  }

  /** See `FoldedRuns`. */
  stateWithoutHistory(runId: number): RunState | null {
    return this.folded.stateWithoutHistory(runId);
  }

  /** Starts a run only once per uid: a client that lost the answer may repeat the request. */
  async once(
    uid: string | undefined,
    start: () => Promise<Result<{ runId: number }>>,
  ): Promise<Result<{ runId: number }>> {
    const known = uid === undefined ? null : this.parts.store.runByUid(uid);
    if (known !== null) {
      // The first request may have gone to another core: then this core has not loaded the run yet.
      const taken = await this.parts.engine.command(known.id, () => ok([]));
      return taken.ok ? ok({ runId: known.id }) : taken;
    }
    const begun = this.beginning.get(uid ?? '');
    if (uid === undefined || begun !== undefined) return begun ?? start();
    const beginning = start().finally(() => this.beginning.delete(uid));
    this.beginning.set(uid, beginning);
    return beginning;
  }

  /** Checks the whole workflow, freezes what the run needs from its environment, and starts it. */
  async start(input: ParsedInput<'run.start'>): Promise<Result<{ runId: number }>> {
    const project = this.parts.store.project(input.projectId);
    if (project === null) return fail('not_found', `there is no project ${input.projectId}`);
    const path = isAbsolute(input.file) ? input.file : join(project.path, input.file);
    const loaded = await this.parts.files.load(path, input.file, project.path);
    if (loaded.plan === null || loaded.definition === null) return err(refusal(loaded.problems));
    const { projectId: _, file: sourceFile, ...wanted } = input;
    return launchRun(this.parts, { ...wanted, uid: input.uid, project, plan: loaded.plan, sourceFile });
  }

  /** Starts a run of a definition that is in no file, such as a team configured in the window. */
  async startDefinition(input: StartDefinition): Promise<Result<{ runId: number }>> {
    const project = this.parts.store.project(input.projectId);
    if (project === null) return fail('not_found', `there is no project ${input.projectId}`);
    const { plan, problems } = await this.parts.files.check(input.definition, project.path);
    if (plan === null) return err(refusal(problems));
    const { uid, startedBy, attachments = [], promptFolders, issue } = input;
    const blank = { sourceFile: null, instruction: '', inputs: {}, attachments, issue, promptFolders };
    return launchRun(this.parts, { uid, project, plan, ...blank, startedBy });
  }

  /**
   * Starts a run that adopts an ended run's results before a step. The old run links to it only once it
   * exists; a client that repeats the request after a crash in between completes the link.
   */
  async again(input: ParsedInput<'run.again'>): Promise<Result<{ runId: number }>> {
    const { runId, step, uid = this.parts.ids.ulid(), startedBy } = input;
    const begun = await this.once(uid, () => this.beginAgain({ ...input, uid }));
    if (!begun.ok) return begun;
    const linked = await this.parts.engine.command(runId, ({ state: { againAs = [] } }) =>
      ok(
        againAs.some((one) => one.uid === uid)
          ? []
          : [{ type: 'run.again-requested', uid, step, by: startedBy }],
      ),
    );
    if (!linked.ok)
      this.parts.logger.warn('a run does not link to its successor', { why: linked.error.message });
    return begun;
  }

  private async beginAgain(
    input: ParsedInput<'run.again'> & { readonly uid: string },
  ): Promise<Result<{ runId: number }>> {
    const { runId, uid, startedBy } = input;
    const state = this.folded.state(runId);
    if (state === null) return err(noState(runId, this.parts.store.run(runId)));
    const project = this.parts.store.project(state.projectId);
    if (project === null) return fail('not_found', `the project of run ${runId} is gone`);
    const begins = await againFrom(this.parts, state, input);
    if (!begins.ok) return begins;
    const { sourceFile, instruction, issue, profiles, attachments } = state;
    const launch = {
      sourceFile,
      instruction,
      issue,
      profiles,
      attachments: attachments.map(({ path }) => path),
    };
    return launchRun(this.parts, { ...begins.value, ...launch, uid, project, startedBy });
  }

  async cancel(runId: number, by: string): Promise<Result<Record<string, never>>> {
    const done = await this.parts.engine.command(runId, (run) =>
      run.state.status === 'finished'
        ? fail('run.finished', 'the run has already ended')
        : ok(run.state.status === 'cancelling' ? [] : [{ type: 'run.cancel-requested', by }]),
    );
    return done.ok ? ok({}) : done;
  }

  /** Resumes failed or cancelled work: completed turns stay, the failed one is resent in its session. */
  async resume({ runId, by, text }: ParsedInput<'run.resume'>): Promise<Result<Record<string, never>>> {
    const wentOn = this.parts.engine.live(runId) !== null;
    const done = await this.parts.engine.command(runId, (run) => {
      const { state } = run;
      if (state.binned)
        return fail('conflict', 'the run is in the bin', { mend: 'restore it from the bin first' });
      const failed = failedAndAsks(state)
        ? Object.values(state.gates).find(
            ({ kind, status }) => kind === 'iteration_failed' && status === 'open',
          )
        : undefined;
      if (failed !== undefined) {
        const answer = { option: 'resume', ...(text === undefined ? {} : { text }) };
        return ok([{ type: 'gate.resolved', gateId: failed.id, answer, by }]);
      }
      // A core that did not load the run at its start has done so by now.
      if (state.status !== 'finished' && !wentOn) return ok([]);
      if (state.status !== 'finished') return fail('run.not_resumable', 'the run is still running');
      if (state.outcome !== 'failed' && state.outcome !== 'cancelled') {
        return fail('run.not_resumable', `a run that ${state.outcome ?? 'ended'} has nothing to resume`);
      }
      const activationIds = brokenActivations(state);
      if (text !== undefined && !activationIds.some((id) => takesHint(state, id)))
        return fail('input.invalid', 'a hint is for a loop, and this run has no loop to resume');
      return ok([{ type: 'run.resumed', by, activationIds, ...(text === undefined ? {} : { text }) }]);
    });
    return done.ok ? ok({}) : done;
  }

  async rename({ runId, name, by }: ParsedInput<'run.rename'>): Promise<Result<{ name: string }>> {
    let now = '';
    const done = await this.parts.engine.command(runId, ({ state }) => {
      now = name ?? derivedRunName(state);
      return ok(now === state.name ? [] : [{ type: 'run.renamed', name, by }]);
    });
    return done.ok ? ok({ name: now }) : done;
  }

  async bin(runId: number): Promise<Result<Record<string, never>>> {
    const done = await this.parts.engine.command(runId, ({ state }) => {
      if (state.status !== 'finished')
        return fail('conflict', 'the run is still running', { mend: 'cancel it first' });
      return ok(state.binned ? [] : [{ type: 'run.binned', by: 'operator' }]);
    });
    const put = done.ok ? ok({}) : this.binUnread(runId, { binned: true, why: done.error });
    const row = put.ok ? this.parts.store.run(runId) : null;
    if (row === null) return put;
    const folder = this.folded.state(runId)?.artifactsDir ?? join(this.parts.artifactsRoot, row.uid);
    this.parts.store.setRunBytes(runId, await folderBytes(folder));
    return put;
  }

  /** For a stored run that the engine cannot load: its state is unknown, and nothing of it continues. */
  private binUnread(
    runId: number,
    { binned, why }: { binned: boolean; why: AppError },
  ): Result<Record<string, never>> {
    const { store, clock, appended } = this.parts;
    if (why.code !== 'not_found' || store.run(runId) === null) return err(why);
    const stored = store.binUnread(runId, binned, clock.now());
    if (stored !== null) appended(stored);
    return ok({});
  }

  async restore(runId: number): Promise<Result<Record<string, never>>> {
    if (this.purging.has(runId)) return err(beingDeleted());
    const done = await this.parts.engine.command(runId, ({ state }) =>
      ok(state.binned ? [{ type: 'run.restored', by: 'operator' }] : []),
    );
    if (!done.ok) return this.binUnread(runId, { binned: false, why: done.error });
    const state = this.folded.state(runId);
    if (state !== null) await this.revive(state);
    return ok({});
  }

  /** Permanent. Nothing else happens with the run meanwhile. */
  async purge(runId: number): Promise<Result<Record<string, never>>> {
    if (this.purging.has(runId)) return err(beingDeleted());
    this.purging.add(runId);
    try {
      return await this.remove(runId);
    } finally {
      this.purging.delete(runId);
    }
  }

  private async remove(runId: number): Promise<Result<Record<string, never>>> {
    const state = this.folded.state(runId);
    // Its worktrees cannot be determined.
    if (state === null) return err(noState(runId, this.parts.store.run(runId)));
    if (!state.binned) return fail('conflict', 'only a run in the bin can be deleted permanently');
    if (state.status !== 'finished')
      return fail('conflict', 'the run is still running', { mend: 'cancel it first' });
    // First what can fail: a run that is still in the bin can be purged again.
    const { teardown } = worktreeSetup(state.projectSettings, state.definition.worktree);
    const unfinished = unfinishedBranches(state);
    const removed = await this.parts.workspaces.remove(runOf(state), { unfinished, teardown });
    if (!removed.ok) return removed;
    const { notes, kept } = removed.value;
    for (const note of notes) this.parts.logger.info('left by a purged run', { runId, note });
    for (const ref of kept) this.parts.logger.info('kept of a purged run', { runId, ref });
    const emptied = await this.removeFiles(state);
    if (!emptied.ok) return emptied;
    this.parts.store.purgeRun(runId);
    this.folded.forget(runId);
    const rest = `The run ${state.name} was deleted, but not completely: ${notes.join(' ')} logs/core.log lists everything left of deleted runs.`;
    if (notes.length > 0) this.parts.notice(rest, 'left-by-deleted-runs');
    return ok({});
  }

  /**
   * Before its rows: afterwards their owner would be unknown. Only what Muster created, marked with the run's
   * uid.
   */
  private async removeFiles({ artifactsDir, uid }: RunState): Promise<Result<void>> {
    const { artifactsRoot } = this.parts;
    if (artifactsDir !== join(artifactsRoot, uid) || dirname(artifactsDir) !== artifactsRoot)
      return ok(undefined);
    this.parts.transcripts.release(artifactsDir);
    try {
      await removeFolder(artifactsDir);
      return ok(undefined);
    } catch (cause) {
      return fail('project.not_writable', `the files of the run could not all be deleted: ${String(cause)}`, {
        where: { file: artifactsDir },
        mend: 'close the programs that use them, or delete the folder by hand; then delete the run again',
      });
    }
  }

  /**
   * Recreates a worktree that disappeared while the run was in the bin. If that fails, the run is restored
   * anyway.
   */
  private async revive(state: RunState): Promise<void> {
    const made = [state.workspace, ...Object.values(state.workspaces)];
    const branches = made.flatMap((workspace) => workspace?.branch ?? []);
    const revived = await this.parts.workspaces.revive(runOf(state), branches);
    if (!revived.ok)
      this.parts.logger.warn('a worktree could not be made again', { why: revived.error.message });
  }

  get(runId: number): Result<ProcedureOutput<'run.get'>> {
    const row = this.parts.store.run(runId);
    const state = row === null ? null : this.folded.state(runId);
    if (row === null || state === null) return err(noState(runId, row));
    return ok({ row, state });
  }

  compare(runId: number, otherId: number): Result<ProcedureOutput<'run.compare'>> {
    const [a, b] = [this.get(runId), this.get(otherId)];
    if (!a.ok) return a;
    return b.ok ? ok(comparison(a.value.state, b.value.state)) : b;
  }

  /** The run for a window: always with only the last part of its teams' messages. */
  snapshot(runId: number): Result<ProcedureOutput<'run.get'>> {
    const row = this.parts.store.run(runId);
    const state = row === null ? null : this.stateWithoutHistory(runId);
    if (row === null || state === null) return err(noState(runId, row));
    return ok({ row, state: atFirstLook(state) });
  }

  live(): number[] {
    return [...this.parts.engine.all()].map(({ runId }) => runId);
  }

  find(name: string): Result<ProcedureOutput<'run.find'>> {
    const row = /^\d+$/.test(name) ? this.parts.store.run(Number(name)) : this.parts.store.runByUid(name);
    return row === null ? fail('not_found', `there is no run ${name}`) : ok(row);
  }

  transcript(runId: number, turnId: number): Result<ProcedureOutput<'run.transcript'>> {
    const state = this.folded.state(runId);
    const turn = state?.turns[turnId];
    if (state == null || turn === undefined)
      return fail('not_found', `there is no turn ${turnId} in run ${runId}`);
    const items = this.parts.transcripts.turn(state, { sessionId: turn.sessionId, turnId });
    return ok({ live: turn.status === 'in_flight', items });
  }

  sessionLog(input: ParsedInput<'run.sessionLog'>): Result<ProcedureOutput<'run.sessionLog'>> {
    const state = this.folded.state(input.runId);
    if (state === null) return fail('not_found', `there is no run ${input.runId}`);
    return ok(this.parts.transcripts.lines(state, input));
  }

  async commandOutput(
    input: ParsedInput<'run.commandOutput'>,
  ): Promise<Result<ProcedureOutput<'run.commandOutput'>>> {
    const state = this.folded.state(input.runId);
    const command = state?.commands[input.commandId];
    if (state == null || command === undefined) {
      return fail('not_found', `there is no command ${input.commandId} in run ${input.runId}`);
    }
    const { text, totalBytes } = await printedEnd(commandLog(state, input.commandId), input.bytes);
    return ok({ text: text === '' ? shownText(command.output) : text, totalBytes });
  }
}

const beingDeleted = (): AppError => appError('conflict', 'the run is being deleted');

const noState = (runId: number, row: RunRow | null): AppError =>
  row === null
    ? appError('not_found', `there is no run ${runId}`)
    : appError(
        'store.failed',
        `run ${runId} cannot be read: its history is damaged, or from a newer Muster`,
        {
          mend: 'Start the newest version of Muster you have used. The run’s data is unchanged; see logs/core.log.',
        },
      );

/** The first error as the whole answer, with the number of others. */
function refusal(problems: readonly Problem[]): AppError {
  const errors = problems.filter((problem) => problem.severity === 'error');
  const first = errors[0];
  const missing = [...new Set(errors.flatMap(({ where }) => where?.profile ?? []))];
  // All missing agents at once: a person would otherwise add one, start again, and learn of the next.
  const isOfAll = first?.where?.profile !== undefined && missing.length > 1;
  const told = isOfAll ? errors.filter(({ where }) => where?.profile !== undefined).length : 1;
  const more = errors.length > told ? ` (and ${errors.length - told} more)` : '';
  const where = first?.where === undefined ? {} : { where: first.where };
  const mend = first?.mend === undefined ? {} : { mend: first.mend };
  const said = isOfAll
    ? `there are no agent profiles ${missing.map((one) => `"${one}"`).join(', ')}`
    : (first?.message ?? 'the workflow is not valid');
  const message = `${said}${more}`;
  return appError(first?.code ?? 'validation.failed', message, { ...where, ...mend });
}
