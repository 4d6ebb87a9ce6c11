import { basename } from 'node:path';
import type { ProjectRow } from '@areas/agents/contract/procedures';
import type { LastRuns } from '@areas/runs/node/history/last-runs';
import type { RunService } from '@areas/runs/node/run-service';
import { type WorkflowDefinition, workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { literalText } from '@areas/workflows/core/reference/text';
import type { WorkflowFiles } from '@areas/workflows/node/workflow-files';
import { appError } from '@contract/errors';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { err, fail, ok, type Result } from '@contract/result';
import type { RunRow } from '@contract/run/procedures';
import type { RunState } from '@contract/run/state';
import { folderOf } from '@main/core/engine/effects/workspace-effects';
import type { Engine } from '@main/core/engine/engine';
import { workspaceBefore } from '@main/core/engine/folders/workspace';
import type { LoopState } from '../contract/state';
import { LOOP_STEP } from '../contract/step-type';
import { type LoopRow, loopRows } from '../contract/summary';
import { isOverwritten, logName, readLog } from './logs';
import { previewLoop, type ReadGit } from './preview';

interface LoopServiceParts {
  readonly engine: Pick<Engine, 'command'>;
  readonly runs: Pick<RunService, 'startDefinition'>;
  readonly files: Pick<WorkflowFiles, 'profilesOf'>;
  readonly git: ReadGit;
  project(id: number): ProjectRow | null;
  /** The latest runs, newest first. */
  rows(limit: number): LastRuns;
  /** The current state of a run, live or from the log; null if there is none. */
  state(runId: number): RunState | null;
}

interface LoopPlace {
  readonly runId: number;
  readonly activationId: number;
}

/** The loops over stories: lists, starts and pauses them, and reads their workers' logs. */
export class LoopService {
  /** Ended runs no longer change: their rows stay valid until the run's own row changes. */
  readonly #ended = new Map<number, { at: number; rows: LoopRow[] }>();

  constructor(private readonly parts: LoopServiceParts) {}

  list(limit: number): ProcedureOutput<'loop.list'> {
    const { rows, more } = this.parts.rows(limit);
    return { rows: rows.flatMap((row) => this.#loopsOf(row)), more };
  }

  #loopsOf(run: RunRow): LoopRow[] {
    const known = this.#ended.get(run.id);
    if (known?.at === run.at) return known.rows;
    const state = this.parts.state(run.id);
    if (state === null) return [];
    const { id: runId, uid: runUid, name: runName, projectName } = run;
    const rows = loopRows(state, { runId, runUid, runName, projectName }).reverse();
    if (run.finishedAt !== null) this.#ended.set(run.id, { at: run.at, rows });
    return rows;
  }

  async preview({
    projectId,
    ...wanted
  }: ParsedInput<'loop.preview'>): Promise<Result<ProcedureOutput<'loop.preview'>>> {
    const project = this.parts.project(projectId);
    if (project === null) return err(noProject(projectId));
    const { profiles } = await this.parts.files.profilesOf(project.path);
    const parts = { git: this.parts.git, profiles, runIn: (path: string) => this.#runIn(path) };
    return ok(await previewLoop(parts, { ...wanted, projectPath: project.path }));
  }

  /** A worktree's name contains the end of its run's uid. */
  #runIn(path: string) {
    const name = basename(path);
    const row = this.parts
      .rows(1_000)
      .rows.find(({ uid }) => name.includes(`-${uid.slice(-8).toLowerCase()}`));
    return row === undefined ? null : { id: row.id, name: row.name, finished: row.finishedAt !== null };
  }

  /** Builds a workflow with a single step, which is in no file. The preview's errors are errors here too. */
  async start(input: ParsedInput<'loop.start'>): Promise<Result<{ runId: number }>> {
    const { uid, projectId, folder, branch, workspace, worker, startedBy } = input;
    const ownPrompt = input.prompt !== null;
    const seen = await this.preview({ projectId, folder, branch, workspace, worker, ownPrompt });
    if (!seen.ok) return seen;
    const found = seen.value.problems.find(({ severity }) => severity === 'error');
    if (found !== undefined) {
      const { severity: _, ...error } = found;
      return err(error);
    }
    const definition = loopDefinition(input, seen.value.branch);
    return this.parts.runs.startDefinition({ uid, projectId, definition, startedBy });
  }

  /** The loop waits for the operator after the current iteration. */
  async pause({ by, ...place }: ParsedInput<'loop.pause'>): Promise<Result<Record<string, never>>> {
    const { runId, activationId } = place;
    const done = await this.parts.engine.command(runId, ({ state }) => {
      const loop = state.loops[activationId];
      if (loop === undefined) return err(noLoop(place));
      if (state.status !== 'running' || state.activations[activationId]?.status !== 'running')
        return fail('run.finished', 'the loop has already ended');
      return ok(loop.pauseRequested ? [] : [{ type: 'loop.pause-requested', activationId, by }]);
    });
    return done.ok ? ok({}) : done;
  }

  async log(input: ParsedInput<'loop.log'>): Promise<Result<ProcedureOutput<'loop.log'>>> {
    const { runId, activationId, attemptId, which } = input;
    const state = this.parts.state(runId);
    const loop: LoopState | undefined = state?.loops[activationId];
    const attempt = loop?.attempts.find(({ id }) => id === attemptId);
    const activation = state?.activations[activationId];
    if (state === null || loop === undefined || activation === undefined) return err(noLoop(input));
    if (attempt === undefined) return fail('not_found', `the loop has no attempt ${attemptId}`);
    const cwd = folderOf(state, workspaceBefore(state, activation));
    const name = logName(loop, attempt, which);
    const page = await readLog({ cwd, folder: loop.folder, name }, input, attempt.endedAt);
    if (!page.ok || !isOverwritten(loop, attempt)) return page;
    return ok({ ...page.value, overwritten: true });
  }
}

const noProject = (id: number) => appError('not_found', `there is no project ${id}`);
const noLoop = ({ runId, activationId }: LoopPlace) =>
  appError('not_found', `there is no loop in activation ${activationId} of run ${runId}`);

/** The workflow of a standalone loop. `branch` is the branch that it will work on, used only for its name. */
function loopDefinition(input: ParsedInput<'loop.start'>, branch: string | null): WorkflowDefinition {
  const { folder, worker, model, iterations, minutes, attemptMinutes, stallAfter, prompt } = input;
  const name = input.name ?? `Loop: ${branch ?? folder}`.slice(0, 120);
  return workflowDefinitionSchema.parse({
    name,
    workspace: input.workspace,
    ...(input.budget === null ? {} : { budget: input.budget }),
    steps: [
      {
        id: 'loop',
        type: LOOP_STEP,
        title: name,
        config: {
          folder,
          branch: input.branch === null ? null : literalText(input.branch),
          iterations,
          minutes,
          prompt: prompt === null ? null : literalText(prompt),
          worker: { acp_profile_id: worker, agent_config: model === null ? null : { model } },
          attempt_minutes: attemptMinutes,
          stall_after: stallAfter,
          verify: input.verify,
          retry_profile: input.retryProfile,
          retry_model: input.retryModel,
        },
      },
    ],
  });
}
