import { statSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { answered, KeyedCommands } from '@areas/gates/node/keyed-commands';
import { type AppError, appError } from '@contract/errors';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { err, fail, ok, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import type { PromptState, RunState, SessionState, TurnState } from '@contract/run/state';
import type { Engine } from '@main/core/engine/engine';
import { isToBeSent } from '@main/core/engine/gates/waiting-prompts';
import type { Ids } from '@main/core/ports/documents';
import type { Attachment } from '../contract/session';
import { mimeOf } from './mime';

interface SessionOperationsParts {
  readonly engine: Pick<Engine, 'command'>;
  readonly ids: Ids;
  /** The current state of a run, live or from the log; null if there is none. */
  state(runId: number): RunState | null;
}

/** The actor recorded in the run's history. */
const OPERATOR = 'operator';

type Nothing = Record<string, never>;

/** The operator's actions on single sessions. Each is an event first: it counts from its commit on. */
export class SessionOperations {
  readonly #keyed = new KeyedCommands();

  constructor(private readonly parts: SessionOperationsParts) {}

  /**
   * Queues a prompt of the operator's, reopening a finished run if needed. First copies the attachments into
   * the run's artifacts. Repeated requests with the same key are queued once. Errors: `not_found` for run,
   * session; `validation.file_missing`; `conflict` if the session can take none, with the reason.
   */
  prompt(input: ParsedInput<'session.prompt'>): Promise<Result<ProcedureOutput<'session.prompt'>>> {
    return this.#keyed.inTurn(input, () => this.#prompt(input));
  }

  async #prompt(input: ParsedInput<'session.prompt'>): Promise<Result<ProcedureOutput<'session.prompt'>>> {
    const state = this.parts.state(input.runId);
    if (state === null) return err(noRun(input.runId));
    const before = answered(state, input.key, (answer) => ('promptId' in answer ? answer : null));
    if (!before.ok) return before;
    if (before.value !== null) return this.#goOn(state, input.runId, before.value);
    const refused = refusal(state, input);
    if (refused !== null) return err(refused);
    const copied = await this.#copy(state, input.attachments);
    if (!copied.ok) return copied;
    let promptId = 0;
    const done = await this.parts.engine.command(input.runId, (run) => {
      const late = refusal(run.state, input);
      if (late !== null) return err(late);
      promptId = run.state.last.prompt + 1;
      const { sessionId, text, key } = input;
      const queued: RunEvent = {
        type: 'prompt.queued',
        promptId,
        sessionId,
        text,
        attachments: copied.value,
        by: OPERATOR,
        ...(key === undefined ? {} : { keyed: { key, answer: { promptId } } }),
      };
      const over = run.state.status === 'finished';
      return ok(over ? [{ type: 'run.reopened', by: OPERATOR }, queued] : [queued]);
    });
    if (done.ok) return ok({ promptId });
    await Promise.all(copied.value.map((file) => rm(file.path, { force: true })));
    return done;
  }

  /** The first request may have gone to another core: then this core has not loaded the run yet. */
  async #goOn<T>(state: RunState, runId: number, answer: T): Promise<Result<T>> {
    const taken = state.status === 'finished' ? ok({}) : await this.#command(runId, () => ok([]));
    return taken.ok ? ok(answer) : taken;
  }

  /** Withdraws a prompt that was not sent yet, or waits to be resent. */
  async withdraw(input: ParsedInput<'session.withdrawPrompt'>): Promise<Result<Nothing>> {
    const { runId, promptId } = input;
    return this.#command(runId, (state) => {
      const prompt = state.prompts[promptId];
      if (prompt === undefined) return fail('not_found', `there is no prompt ${promptId} in run ${runId}`);
      if (prompt.status === 'sent' && !isToBeSent(state, prompt))
        return fail('conflict', `the prompt was already sent, as turn ${prompt.turnId ?? ''}`, {
          mend: 'cancel that turn instead',
        });
      if (prompt.status === 'withdrawn') return ok([]);
      return ok([
        ...openGatesOf(state, prompt),
        { type: 'prompt.withdrawn', promptId, reason: 'withdrawn by the operator' },
      ]);
    });
  }

  /** Requests the end of the turn in flight; idempotent. */
  async cancelTurn(input: ParsedInput<'session.cancelTurn'>): Promise<Result<Nothing>> {
    return this.#command(input.runId, (state) => {
      const session = sessionOf(state, input);
      if (!session.ok) return session;
      const turn = turnInFlight(state, session.value);
      if (turn === null)
        return fail(
          'conflict',
          `no turn is in flight in session ${input.sessionId}: ${doing(state, session.value)}`,
        );
      return ok(
        turn.cancelledBy === null ? [{ type: 'turn.cancel-requested', turnId: turn.id, by: OPERATOR }] : [],
      );
    });
  }

  /** Parks an idle session; its next turn resumes it. */
  async park(input: ParsedInput<'session.park'>): Promise<Result<Nothing>> {
    return this.#command(input.runId, (state) => {
      const session = sessionOf(state, input);
      if (!session.ok) return session;
      const waits = Object.values(state.prompts).some(
        (prompt) => prompt.sessionId === input.sessionId && prompt.status === 'queued',
      );
      const idle = session.value.status === 'ready' && turnInFlight(state, session.value) === null && !waits;
      if (!idle) {
        const now = waits ? 'a prompt of yours is about to be sent' : doing(state, session.value);
        return fail('conflict', `session ${input.sessionId} cannot be parked: ${now}`);
      }
      return ok([{ type: 'session.parked', sessionId: input.sessionId, reason: 'parked by the operator' }]);
    });
  }

  async #command(
    runId: number,
    make: (state: RunState) => Result<readonly RunEvent[]>,
  ): Promise<Result<Nothing>> {
    const done = await this.parts.engine.command(runId, (run) => make(run.state));
    return done.ok ? ok({}) : done;
  }

  /** Checks all files before copying the first, so that a missing file leaves nothing behind. */
  async #copy(state: RunState, files: readonly string[]): Promise<Result<Attachment[]>> {
    const sources = files.map((file) => ({ file, path: resolve(state.projectPath, file) }));
    for (const { file, path } of sources) {
      if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) continue;
      const where = { file };
      const mend = 'attach a file that exists';
      return fail('validation.file_missing', `there is no file ${file}`, { where, mend });
    }
    const folder = join(state.artifactsDir, 'attachments');
    const copied: Attachment[] = [];
    try {
      if (sources.length > 0) await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const { path } of sources) {
        const name = basename(path);
        const target = join(folder, `${this.parts.ids.ulid()}-${name}`);
        await copyFile(path, target);
        copied.push({ path: target, name, mime: mimeOf(path), bytes: statSync(target).size });
      }
      return ok(copied);
    } catch (cause) {
      await Promise.all(copied.map((file) => rm(file.path, { force: true })));
      return err(notWritten(folder, cause));
    }
  }
}

function notWritten(folder: string, cause: unknown): AppError {
  const full = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
  return appError(
    full ? 'store.disk_full' : 'project.not_writable',
    `the attachments could not be copied to ${folder}: ${String(cause)}`,
    { mend: full ? 'free some disk space' : 'check its permissions' },
  );
}

const noRun = (runId: number): AppError => appError('not_found', `there is no run ${runId}`);

function sessionOf(
  state: RunState,
  input: { readonly runId: number; readonly sessionId: number },
): Result<SessionState> {
  const session = state.sessions[input.sessionId];
  if (session !== undefined) return ok(session);
  return fail('not_found', `there is no session ${input.sessionId} in run ${input.runId}`);
}

/** Why a session cannot take a prompt; null if it can. */
function refusal(
  state: RunState,
  input: { readonly runId: number; readonly sessionId: number },
): AppError | null {
  const session = sessionOf(state, input);
  if (!session.ok) return session.error;
  if (state.binned)
    return appError('conflict', 'the run is in the bin', { mend: 'restore it from the bin first' });
  if (state.status === 'cancelling')
    return appError('conflict', 'the run is being cancelled', { mend: 'wait until it has ended' });
  if (session.value.status !== 'failed') return null;
  const why = session.value.error?.message ?? 'its agent did not start';
  return appError('conflict', `session ${input.sessionId} has failed: ${why}`, {
    mend: 'resume the run, or run the workflow again',
  });
}

function turnInFlight(state: RunState, session: SessionState): TurnState | null {
  const turns = session.turnIds.map((id) => state.turns[id]);
  return turns.find((turn) => turn?.status === 'in_flight') ?? null;
}

/** What a session is doing now, for an error message. */
function doing(state: RunState, session: SessionState): string {
  const turn = turnInFlight(state, session);
  if (turn !== null) return `turn ${turn.id} is running`;
  switch (session.status) {
    case 'ready':
      return 'it is idle';
    case 'starting':
      return 'it is starting';
    case 'resuming':
      return 'it is resuming';
    case 'parked':
      return `it is parked: ${session.reason ?? ''}`;
    case 'lost':
      return `it is lost: ${session.reason ?? ''}`;
    case 'failed':
      return `it has failed: ${session.error?.message ?? ''}`;
    case 'closed':
      return 'it is closed';
  }
}

/** Gates about sending the prompt, which need no answer any more. */
function openGatesOf(state: RunState, { id, turnId, sessionId }: PromptState): RunEvent[] {
  const { activationIds = [] } = state.sessions[sessionId] ?? {};
  const others = Object.values(state.prompts).filter((one) => one.sessionId === sessionId && one.id !== id);
  const wanted =
    activationIds.some((one) => state.activations[one]?.status === 'running') ||
    others.some((one) => isToBeSent(state, one));
  return Object.values(state.gates).flatMap((gate): RunEvent[] => {
    const aboutStart = gate.kind === 'login' && gate.turnId === null && gate.sessionId === sessionId;
    const about = (turnId !== null && gate.turnId === turnId) || (aboutStart && !wanted);
    return about && gate.status === 'open'
      ? [{ type: 'gate.withdrawn', gateId: gate.id, reason: 'Its prompt was withdrawn.' }]
      : [];
  });
}
