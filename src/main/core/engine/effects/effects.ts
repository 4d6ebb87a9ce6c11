import { type AppError, appError } from '@contract/errors';
import { ok } from '@contract/result';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { PlatformEvent } from '@contract/run/platform-events';
import type { TurnState } from '@contract/run/state';
import { bringsPrompt, bringsRetry } from '@contract/run/status';
import { features } from '@features/core';
import type { CommandSpec, RunningCommand, TurnLeft, TurnResult } from '../../ports/ports';
import type { EffectParts, EffectRunner } from '../base/effect-parts';
import { forgetAskers, forgetTurn, heardOf, type LiveRun } from '../base/live-run';
import { resetTime } from '../gates/limit';
import { answerAsker, answerAskers, refuseAsker } from '../permissions/pending-permissions';
import { type BegunCommand, cutOffByHost, type ReattachedWork } from '../recovery/recover';
import { runEnvironment } from '../schedule/run-variables';
import { outcomeOf } from '../turns/outcome';
import { typeAnswer } from './agent-observations';
import { brokenCommand, brokenTurn } from './broken-effects';
import { type EffectTable, noEffects, startBy } from './effect-table';
import { giveUp } from './give-up';
import { keptEnvironment, withKeptAnswer, withKeptOutput } from './kept-output';
import { SessionEffects } from './session-effects';
import { withSilenceReported } from './silence';
import { unended } from './unfinished-effects';
import {
  branchWorkspace,
  folderAgain,
  folderGivenUp,
  folderOf,
  isFolderGone,
  keepSnapshot,
  noWayBack,
  placeOf,
  prepareWorkspace,
  snapshotBefore,
  type TurnBegan,
  takeCapture,
  turnChanges,
  workplaceOf,
} from './workspace-effects';

/** Runs the effects of committed events and reports their results. An effect never starts before its event is durable. */
export class Effects implements EffectRunner {
  private readonly sessions: SessionEffects;

  constructor(private readonly parts: EffectParts) {
    this.sessions = new SessionEffects(parts, (run, work) => this.guarded(run, work));
  }

  start(run: LiveRun, event: RunEvent): void {
    startBy(this.table, run, event);
    for (const feature of features) {
      const effect = feature.effectOf(event);
      if (effect !== null)
        this.guarded(run, effect.begin(this.parts, run), (error) => effect.broken(run.state, error));
    }
  }

  private readonly table: EffectTable<PlatformEvent> = {
    ...noEffects,
    'run.workspace-requested': (run) =>
      this.guarded(run, prepareWorkspace(this.parts, run), (error) => ({
        type: 'run.workspace-failed',
        error,
      })),
    'run.cancel-requested': (run) => this.cancelAll(run),
    'run.resumed': (run) => this.setTimers(run),
    'run.finished': (run) => this.clearTimers(run),
    'activation.stop-requested': (run, { activationId }) => this.stop(run, activationId),
    'session.starting': (run, { sessionId }) => this.openSession(run, sessionId),
    'session.resuming': (run, { sessionId }) => this.openSession(run, sessionId),
    'session.closed': (run, { sessionId }) => this.guarded(run, this.sessions.end(run, sessionId, 'close')),
    'session.parked': (run, { sessionId }) => this.guarded(run, this.sessions.end(run, sessionId, 'park')),
    'turn.dispatched': (run, event) =>
      this.guarded(run, this.sendTurn(run, event), (error) => brokenTurn(event.turnId, error)),
    'turn.cancel-requested': (run, { turnId }) => {
      const session = run.sessions.get(run.state.turns[turnId]?.sessionId ?? 0);
      if (session !== undefined) this.guarded(run, session.cancel());
    },
    'workspace.requested': (run, { workspaceId }) =>
      this.guarded(run, branchWorkspace(this.parts, run, workspaceId), (error) => ({
        type: 'workspace.failed',
        workspaceId,
        error,
      })),
    'capture.started': (run, event) =>
      this.guarded(run, takeCapture(this.parts, run, event), (error) => ({
        type: 'capture.failed',
        captureId: event.captureId,
        error,
      })),
    'command.started': (run, event) => this.waitFor(run, event.commandId, this.runCommand(run, event)),
    'gate.resolved': (run, { gateId }) => {
      typeAnswer(run, gateId);
      giveUp(run, gateId);
      this.guarded(run, answerAsker(this.parts, run, gateId));
    },
    'gate.withdrawn': (run, event) => refuseAsker(this.parts, run, event),
    'timer.set': (run, { timerId, dueAt }) => this.setTimer(run, timerId, dueAt),
  };

  private openSession(run: LiveRun, sessionId: number): void {
    this.guarded(run, this.sessions.open(run, sessionId), (error) => ({
      type: 'session.failed',
      sessionId,
      error,
    }));
  }

  async surviving(run: LiveRun, begun: readonly BegunCommand[]): Promise<ReattachedWork> {
    const cancelled = run.state.status === 'cancelling';
    const found = begun.map(async ({ event, at }) => {
      if (run.commands.has(event.commandId)) return [];
      const past = { startedAt: at, cancelled };
      const running = await this.parts.commands.reattach?.(this.commandSpec(run, event), past);
      if (!running) return [];
      run.commands.set(event.commandId, running);
      return [event.commandId];
    });
    const [commands, sessions] = await Promise.all([Promise.all(found), this.sessions.surviving(run)]);
    return { commands: commands.flat(), sessions, unended: unended(run) };
  }

  /** Repeats effects that committed events had started before the restart and that are safe to repeat. */
  recovered(run: LiveRun, reattached: ReattachedWork): void {
    for (const commandId of reattached.commands) {
      const running = run.commands.get(commandId);
      if (running !== undefined) this.waitFor(run, commandId, this.endCommand(run, commandId, running));
    }
    for (const found of reattached.sessions.values()) {
      if (found.kind !== 'lives') continue;
      found.release();
      if (found.turnId !== null) this.goOn(run, found.turnId, found.left);
    }
    this.setTimers(run);
    for (const event of reattached.unended) {
      const refused = run.state.status === 'cancelling' ? folderGivenUp(event) : null;
      if (refused === null) this.start(run, event);
      else this.guarded(run, this.parts.engine.report(run, [refused]));
    }
    for (const gate of Object.values(run.state.gates)) giveUp(run, gate.id);
    if (run.state.status === 'cancelling') this.cancelAll(run);
    for (const { id, status, stopping } of Object.values(run.state.activations))
      if (status === 'running' && stopping !== undefined) this.stop(run, id);
  }

  /**
   * A bug in an effect must neither end the core nor leave the run waiting forever: it is logged with its
   * run, and the started work ends as failed.
   */
  private guarded(run: LiveRun, work: Promise<void>, failed?: (error: AppError) => RunEvent): void {
    work.catch((cause: unknown) => {
      const detail = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      this.parts.logger.error('an effect threw', { runId: run.runId, cause: detail });
      if (failed === undefined) return;
      const error = appError('internal', 'an unexpected error occurred in Muster; see the log of the core');
      this.guarded(run, this.parts.engine.report(run, [failed(error)]));
    });
  }

  private waitFor(run: LiveRun, commandId: number, command: Promise<void>): void {
    this.guarded(run, command, (error) => brokenCommand(commandId, error));
  }

  /** Continues a turn whose core has died: the agent already has it, or it is sent now. */
  private goOn(run: LiveRun, turnId: number, left: TurnLeft | null): void {
    const turn = run.state.turns[turnId];
    if (turn?.status !== 'in_flight' || left === null || left.kind === 'cut') return;
    const work =
      left.kind === 'unsent'
        ? this.sendTurn(run, { ...turn, turnId })
        : this.followTurn(run, turn, left.follow());
    this.guarded(run, work, (error) => brokenTurn(turnId, error));
    // It was to be cancelled, but the core died before telling the agent.
    if (left.kind === 'goes_on' && turn.cancelledBy !== null)
      this.guarded(run, run.sessions.get(turn.sessionId)?.cancel() ?? Promise.resolve());
  }

  private async followTurn(run: LiveRun, turn: TurnState, result: Promise<TurnResult>): Promise<void> {
    const { id: turnId, sessionId } = turn;
    run.heard.set(turnId, this.parts.clock.now());
    const before = await snapshotBefore(this.parts, run, { sessionId, turnId });
    const end = await this.watched(run, { turnId, sessionId, result });
    await this.finishTurn(run, { turnId, sessionId, ...before }, end);
  }

  private async sendTurn(
    run: LiveRun,
    event: Pick<TurnState, 'sessionId' | 'kind' | 'prompt' | 'messages' | 'attachments'> & {
      readonly turnId: number;
    },
  ): Promise<void> {
    const { turnId, sessionId, kind, prompt, messages, attachments } = event;
    const session = run.sessions.get(sessionId);
    const cwd = run.state.sessions[sessionId]?.cwd ?? null;
    const before = cwd === null ? null : await this.parts.workspaces.head(cwd);
    if (session === undefined) {
      const error = appError(
        'agent.crashed',
        'the session’s process had ended before the turn could be sent',
      );
      return this.endUnsent(run, turnId, { outcome: 'failed', stopReason: 'lost', error });
    }
    const snapshot = await keepSnapshot(this.parts, run, { sessionId, turnId, moment: 'before' });
    const turn = run.state.turns[turnId];
    // It may have been cancelled while its snapshot was taken, before it reached the agent.
    if (run.state.status === 'cancelling' || turn?.cancelledBy != null)
      return this.endUnsent(run, turnId, { outcome: 'cancelled', stopReason: 'cancelled', error: null });
    const error = snapshot.ok ? null : noWayBack(run.state, snapshot.error);
    if (error !== null) {
      const ended = this.endUnsent(run, turnId, { outcome: 'failed', stopReason: 'not_sent', error });
      return snapshot.ok ? ended : this.sessions.unsent(run, { sessionId, why: snapshot.error }, ended);
    }
    const sent = session.turn({ turnId, prompt, messages, attachments, aside: kind === 'operator' });
    const result = await this.watched(run, { turnId, sessionId, result: sent });
    const began = {
      turnId,
      sessionId,
      kept: snapshot.ok ? snapshot.value : null,
      head: before,
      ...(snapshot.ok ? {} : { unkept: snapshot.error }),
    };
    await this.finishTurn(run, began, result);
  }

  /** Ends a turn that never reached its agent. */
  private async endUnsent(
    run: LiveRun,
    turnId: number,
    end: Pick<RunEventOf<'turn.finished'>, 'outcome' | 'stopReason' | 'error'>,
  ): Promise<void> {
    const nothing = { response: '', usage: null, limitResetsAt: null, commit: null };
    await this.endTurn(run, { turnId, ...end, ...nothing });
  }

  private watched(
    run: LiveRun,
    turn: { readonly turnId: number; readonly sessionId: number; readonly result: Promise<TurnResult> },
  ): Promise<TurnResult> {
    const failed = (cause: unknown): void => this.guarded(run, Promise.reject(cause));
    return withSilenceReported(this.parts, run, { ...turn, failed });
  }

  private async finishTurn(run: LiveRun, began: TurnBegan, end: TurnResult): Promise<void> {
    const { turnId, sessionId, kept } = began;
    const { interrupted } = end;
    if (interrupted !== undefined) return this.interruptTurn(run, began, { ...end, interrupted });
    const { commands = [], ...result } = await withKeptAnswer(run.plan.texts, end);
    const cwd = run.state.sessions[sessionId]?.cwd ?? null;
    const after = cwd === null || began.head === undefined ? null : await this.parts.workspaces.head(cwd);
    const left =
      kept === null ? ok(null) : await keepSnapshot(this.parts, run, { sessionId, turnId, moment: 'after' });
    const sides = { before: kept, after: left.ok ? left.value : null };
    const changes = await turnChanges(this.parts, run, { sessionId, turnId, ...sides });
    const unkept = left.ok ? began.unkept : left.error;
    // An agent that broke its workspace has not succeeded: what it changed is unknown.
    const broken = !left.ok && isFolderGone(left.error) && result.outcome === 'completed';
    await this.endTurn(run, {
      turnId,
      ...result,
      ...(broken
        ? { outcome: 'failed' as const, stopReason: 'workspace_unreadable', error: left.error }
        : {}),
      commit: after === began.head ? null : after,
      ...(changes === null ? {} : { changes }),
      ...(unkept === undefined ? {} : { unkept }),
      ...(commands.length === 0 ? {} : { commands: [...commands] }),
    });
    if (!run.sessions.has(sessionId)) this.sessions.taken(run, sessionId);
  }

  /** Muster's process that held the agent died: the turn has no result, and its session is lost. */
  private async interruptTurn(
    run: LiveRun,
    { turnId, sessionId }: Pick<TurnBegan, 'turnId' | 'sessionId'>,
    end: TurnResult & { readonly interrupted: string },
  ): Promise<void> {
    forgetAskers(run, turnId);
    let tell: () => void = () => undefined;
    const reported = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const lost = this.sessions.cutOff(run, sessionId, { reason: end.interrupted, reported });
    const cut = cutOffByHost(turnId, end, this.parts.clock.now());
    await this.parts.engine.report(run, [cut, ...lost]).finally(tell);
    forgetTurn(run, turnId);
    this.sessions.taken(run, sessionId);
  }

  private async endTurn(run: LiveRun, end: Omit<RunEventOf<'turn.finished'>, 'type'>): Promise<void> {
    forgetAskers(run, end.turnId);
    const limitResetsAt = resetTime(end.limitResetsAt, this.parts.clock.now());
    const finished = { ...end, outcome: outcomeOf(end), limitResetsAt };
    await this.parts.engine.report(run, [{ type: 'turn.finished', ...finished }]);
    forgetTurn(run, end.turnId);
  }

  private async runCommand(run: LiveRun, event: RunEventOf<'command.started'>): Promise<void> {
    const folder = await folderAgain(this.parts, run, event.workspaceId ?? null);
    if (!folder.ok) return this.parts.engine.report(run, [brokenCommand(event.commandId, folder.error)]);
    // It may have been cancelled meanwhile.
    if (run.state.commands[event.commandId]?.status !== 'running') return;
    const running = this.parts.commands.run(this.commandSpec(run, event));
    run.commands.set(event.commandId, running);
    await this.endCommand(run, event.commandId, running);
  }

  private commandSpec(run: LiveRun, event: RunEventOf<'command.started'>): CommandSpec {
    const { commandId, script, terminal, timeoutSeconds, joinsErrors = false, outputLimit = null } = event;
    const { env, envFiles } = keptEnvironment(run.plan.texts, event.env);
    return {
      runId: run.runId,
      commandId,
      script,
      terminal,
      timeoutSeconds,
      joinsErrors,
      outputLimit,
      env: Object.assign(runEnvironment(run.state), env),
      envFiles,
      ...workplaceOf(run.state, event.workspaceId ?? null),
      outputPath: this.parts.joinPath(run.state.artifactsDir, 'commands', `c${commandId}.log`),
    };
  }

  /**
   * Waits for the command's end. A host that keeps the result for the next core may drop it only once it is
   * in the log.
   */
  private async endCommand(run: LiveRun, commandId: number, running: RunningCommand): Promise<void> {
    const { interrupted: reason, ...ended } = await running.done;
    const result = await withKeptOutput(run.plan.texts, ended);
    run.commands.delete(commandId);
    const workedUntil = this.parts.clock.now();
    const cwd = folderOf(run.state, run.state.commands[commandId]?.workspaceId ?? null);
    const readable = await this.parts.workspaces.readable(placeOf(run.state, cwd));
    // A command that broke its workspace has not succeeded: what it changed is unknown.
    const broken = readable.ok || result.error !== null ? {} : { error: readable.error };
    await this.parts.engine.report(run, [
      reason === undefined
        ? { type: 'command.finished', commandId, ...result, ...broken }
        : { type: 'command.interrupted', commandId, reason, workedUntil },
    ]);
    running.taken?.();
  }

  /** Sets the timers of running steps and of prompts. */
  private setTimers(run: LiveRun): void {
    for (const timer of Object.values(run.state.timers)) {
      const { id, fired, dueAt, activationId } = timer;
      const runs = run.state.activations[activationId]?.status === 'running';
      const brings = bringsPrompt(run.state, timer) || bringsRetry(run.state, timer);
      if ((runs || brings) && !fired && !run.timers.has(id)) this.setTimer(run, id, dueAt);
    }
  }

  /** A finished run needs no timers. */
  private clearTimers(run: LiveRun): void {
    for (const cancel of run.timers.values()) cancel();
    run.timers.clear();
  }

  private setTimer(run: LiveRun, timerId: number, dueAt: number): void {
    const cancel = this.parts.clock.at(dueAt, () => {
      run.timers.delete(timerId);
      const watches = run.state.timers[timerId]?.watches ?? null;
      const heardAt = watches === null ? null : heardOf(run, watches, this.parts.clock.now());
      const heard = watches === null ? {} : { heardAt };
      this.guarded(run, this.parts.engine.report(run, [{ type: 'timer.fired', timerId, ...heard }]));
    });
    run.timers.set(timerId, cancel);
  }

  /** Turns are cancelled by events of their own. */
  private stop(run: LiveRun, activationId: number): void {
    const { commandIds = [], sessionIds = [] } = run.state.activations[activationId] ?? {};
    for (const id of commandIds) run.commands.get(id)?.kill('cancelled');
    for (const id of sessionIds) run.starting.get(id)?.();
  }

  private cancelAll(run: LiveRun): void {
    this.clearTimers(run);
    for (const giveUp of [...run.starting.values(), ...run.making]) giveUp();
    for (const turn of Object.values(run.state.turns)) {
      if (turn.status !== 'in_flight') continue;
      const session = run.sessions.get(turn.sessionId);
      if (session) this.guarded(run, session.cancel());
    }
    for (const command of run.commands.values()) command.kill('cancelled');
    answerAskers(run, { option: 'deny', reason: 'The run was cancelled.' });
  }
}
