import type { ContentBlock } from '@agentclientprotocol/sdk';
import { appError } from '@contract/errors';
import type { SessionChoices, TurnOutcome, Usage } from '@contract/session/session';
import type { WorkspaceFiles } from '../../core/ports/files';
import type {
  Session,
  SessionListener,
  SessionReady,
  SessionSpec,
  TurnRequest,
  TurnResult,
} from '../../core/ports/ports';
import type { ProcessExit } from '../../core/ports/process';
import {
  crashError,
  describeExit,
  type Failure,
  type FailureContext,
  hostDeath,
  interruptedTurn,
  sentenceFailure,
  toldFailure,
} from '../failure';
import { ActiveTurn, type StopCause } from './active-turn';
import type { ClientHost } from './client-host';
import { type Connection, ConnectionClosed } from './connection';
import { replyFailure } from './failure';
import type { AcpLimits } from './limits';
import { promptBlocks } from './prompt';
import { ranCommands } from './ran-commands';
import { Recorder } from './recorder';
import { followUp, gaveUp, MOST_FOLLOW_UPS, type Refusal } from './refusal';
import type { TerminalHost } from './terminal-host';
import { tokensIn } from './usage';
import { type PromptReply, promptReplySchema, type ToldUsage } from './wire';

export interface AcpSessionParts {
  readonly ready: SessionReady;
  readonly sessionId: string;
  readonly choices: SessionChoices;
  /** Whether the agent is told how to go on after a refusal. */
  readonly followsUp: boolean;
  readonly connection: Connection;
  readonly host: ClientHost;
  readonly terminals: TerminalHost;
  readonly spec: SessionSpec;
  readonly listener: SessionListener;
  readonly files: WorkspaceFiles;
  readonly limits: AcpLimits;
  failureContext(): FailureContext;
}

type Ending = { readonly reply: PromptReply } | { readonly error: unknown };
type Verdict = Pick<TurnResult, 'outcome' | 'stopReason' | 'error' | 'limitResetsAt' | 'interrupted'>;

const verdict = (outcome: TurnOutcome, stopReason: string): Verdict => ({
  outcome,
  stopReason,
  error: null,
  limitResetsAt: null,
});

const ofFailure = (failure: Failure, stopReason: string): Verdict => ({
  outcome: failure.kind,
  stopReason,
  error: failure.error,
  limitResetsAt: failure.limitResetsAt,
});

/** One conversation over the protocol. */
export class AcpSession implements Session {
  readonly ready: SessionReady;
  readonly choices: SessionChoices;
  readonly #parts: AcpSessionParts;
  #turn: ActiveTurn | null = null;
  #ended: Promise<unknown> = Promise.resolve();
  /** Null while its process may live on, else why it was asked to go. */
  #leaving: 'parked' | 'closed' | null = null;
  #gone: ProcessExit | null = null;
  /** Why the turn in flight has no result: what held a command of it died. */
  #hostDied = '';
  #costCounted: number | null;

  constructor(parts: AcpSessionParts) {
    this.ready = parts.ready;
    this.choices = parts.choices;
    this.#parts = parts;
    // A session taken up again brings costs along that were counted in its earlier turns.
    this.#costCounted = parts.ready.fresh ? 0 : null;
    void parts.connection.process.exited.then((exit) => this.#left(exit));
    parts.terminals.onHostDeath((exit) => this.#commandLost(exit));
  }

  turn(request: TurnRequest): Promise<TurnResult> {
    if (this.#turn) return Promise.resolve(refused('conflict', 'A turn of this session is under way.'));
    if (this.#gone !== null || this.#leaving !== null) {
      const died = this.#gone && hostDeath(this.#gone);
      if (died !== null && this.#leaving === null)
        return Promise.resolve({ ...interruptedTurn(died), response: '', usage: null });
      const how = this.#gone === null ? `was ${this.#leaving}` : describeExit(this.#gone);
      return Promise.resolve(refused('agent.crashed', `The session's process ${how}.`));
    }
    const turn = this.#begin(request);
    const result = this.#run(turn, request).catch((error: unknown) => {
      this.#finish(turn);
      return refused('internal', `The turn broke off: ${String(error)}`);
    });
    this.#ended = result;
    return result;
  }

  async cancel(): Promise<void> {
    if (this.#turn) this.#stop(this.#turn, 'operator');
    await this.#ended;
  }

  park(): Promise<void> {
    return this.#leave('parked');
  }

  close(): Promise<void> {
    return this.#leave('closed');
  }

  async #leave(how: 'parked' | 'closed'): Promise<void> {
    this.#leaving ??= how;
    this.#turn?.stop('operator');
    const { connection, terminals } = this.#parts;
    const left = terminals.releaseAll(this.#leaving === 'parked' ? 'resumable' : 'over');
    await Promise.all([left, connection.process.end()]);
    await this.#ended;
  }

  /** Told only after the turn in flight has been told to have failed. */
  #left(exit: ProcessExit): void {
    this.#gone = exit;
    if (this.#leaving !== null) return;
    // What takes the session up waits for the same end, and hears there what went wrong with it.
    this.#parts.terminals.releaseAll('resumable').catch(() => undefined);
    const how = `The process ${describeExit(exit)}.`;
    void this.#ended.then(() => setTimeout(() => this.#parts.listener.lost(how), 0));
  }

  /** What became of the command is unknown, so the agent must not go on as if it had failed. */
  #commandLost(exit: ProcessExit): void {
    if (this.#turn === null) return;
    this.#hostDied = hostDeath(exit) ?? '';
    this.#stop(this.#turn, 'host');
  }

  #begin(request: TurnRequest): ActiveTurn {
    const { connection, host, limits, listener, spec, terminals } = this.#parts;
    const minutes = spec.profile.silence_minutes;
    const turn = new ActiveTurn({
      id: request.turnId,
      recorder: new Recorder({
        emit: (items) => listener.items(request.turnId, items),
        hold: () => connection.process.hold(),
        release: () => connection.process.release(),
        terminalOutput: (id) => terminals.lastOutput(id),
        flushMs: limits.flushMs,
        mostPending: limits.mostPending,
        mostResponse: limits.mostResponse,
      }),
      attached: request.attachments.map((attachment) => attachment.path),
      silenceMs: minutes === null ? null : minutes * 60_000,
      onSilence: () => this.#stop(turn, 'silence'),
      quietMs: limits.quietMs,
      onQuiet: () => turn.recorder.notice(this.#quietWords()),
    });
    this.#turn = turn;
    host.begin(turn);
    return turn;
  }

  /** Asks the agent to end the turn, and ends the agent where it does not listen. */
  #stop(turn: ActiveTurn, cause: StopCause): void {
    if (turn.cause !== null) return;
    const { connection, limits, sessionId } = this.#parts;
    turn.stop(cause);
    void connection.notify('session/cancel', { sessionId });
    const timer = setTimeout(() => void connection.process.end(), limits.cancelMs);
    void this.#ended.then(() => clearTimeout(timer));
  }

  async #run(turn: ActiveTurn, request: TurnRequest): Promise<TurnResult> {
    const { host } = this.#parts;
    const malformedBefore = host.malformedCount;
    const { ending, replies, untold } = await this.#converse(turn, request);
    const end = await this.#judge(turn, ending, untold);
    const malformed = host.malformedCount - malformedBefore;
    if (malformed > 0) turn.recorder.notice(`${malformed} malformed messages of the agent were passed over.`);
    if (end.outcome !== 'completed') turn.recorder.failOpenTools();
    const said = turn.recorder.takeResponse();
    const usage = this.#usage(replies, turn.usage);
    if (usage) turn.recorder.item({ type: 'usage', usage });
    this.#finish(turn);
    const { terminals } = this.#parts;
    const commands = ranCommands(turn.recorder.tools, {
      output: (id) => terminals.lastOutput(id),
      exitCode: (id) => terminals.exitCode(id),
    });
    return {
      ...end,
      ...said,
      usage,
      ...(commands.length > 0 ? { commands } : {}),
      ...(host.takeCompacted() ? { compacted: true } : {}),
    };
  }

  #finish(turn: ActiveTurn): void {
    this.#parts.host.finish();
    turn.end();
    this.#turn = null;
  }

  /** The prompt, and what the agent has to be told after a refusal before it can go on. */
  async #converse(
    turn: ActiveTurn,
    request: TurnRequest,
  ): Promise<{ ending: Ending; replies: readonly PromptReply[]; untold: readonly Refusal[] }> {
    const { files, followsUp, ready } = this.#parts;
    const replies: PromptReply[] = [];
    let untold: readonly Refusal[] = [];
    let ending = await this.#prompt(turn, () => promptBlocks(request, ready.capabilities, files));
    for (let left = MOST_FOLLOW_UPS; 'reply' in ending; left -= 1) {
      replies.push(ending.reply);
      const { stopReason } = ending.reply;
      untold = turn.takeRefusals();
      const text = followUp(untold, { stopReason, progress: turn.recorder.progress });
      if (text === null || turn.cause !== null || !followsUp || left === 0) break;
      untold = [];
      turn.recorder.prompted();
      turn.recorder.notice(`Muster told the agent: ${text}`);
      ending = await this.#prompt(turn, async () => [{ type: 'text', text }]);
    }
    return { ending, replies, untold };
  }

  async #prompt(turn: ActiveTurn, blocks: () => Promise<ContentBlock[]>): Promise<Ending> {
    const { connection, sessionId } = this.#parts;
    try {
      const prompt = await blocks();
      // A cancel that came meanwhile was sent before the prompt, so the agent would not heed it.
      if (turn.cause !== null) return { error: null };
      return { reply: await connection.request('session/prompt', { sessionId, prompt }, promptReplySchema) };
    } catch (error) {
      return { error };
    }
  }

  /** `untold`: what was refused and not spoken of since, because the agent was told often enough. */
  async #judge(turn: ActiveTurn, ending: Ending, untold: readonly Refusal[]): Promise<Verdict> {
    if (turn.cause === 'silence') return this.#silent();
    if (turn.cause === 'host') return interruptedTurn(this.#hostDied);
    if (turn.cause === 'operator') return verdict('cancelled', this.#leaving ?? 'cancelled');
    const context = this.#parts.failureContext();
    if ('reply' in ending) {
      const { stopReason } = ending.reply;
      const failed = turn.trouble !== null && stopReason === 'end_turn';
      if (failed)
        return ofFailure(toldFailure(turn.trouble.trim() || 'the turn failed', context), stopReason);
      const { agent } = context;
      const stopped = this.#parts.followsUp || stopReason === 'cancelled' ? untold : [];
      const times = turn.refusals;
      const error = gaveUp(stopped, { stopReason, progress: turn.recorder.progress }, { agent, times });
      if (error !== null) return { ...verdict('failed', stopReason), error };
      return ofReply(ending.reply, turn.recorder, context);
    }
    if (!(ending.error instanceof ConnectionClosed))
      return ofFailure(replyFailure(ending.error, context, turn.recorder.response), 'error');
    const { process } = this.#parts.connection;
    const exit = await process.exited;
    const died = hostDeath(exit);
    if (died !== null) return interruptedTurn(died);
    const error = crashError(exit, process.stderrTail(), context);
    return { ...verdict('failed', 'crashed'), error };
  }

  /** Some agents try for minutes to reach their model server and tell nothing of it. */
  #quietWords(): string {
    const { limits } = this.#parts;
    const seconds = Math.round(limits.quietMs / 1000);
    return `${this.ready.agent} has not answered for ${seconds} s. Its model may be slow, or it cannot reach its model server and tries again.`;
  }

  #silent(): Verdict {
    const minutes = this.#parts.spec.profile.silence_minutes;
    const error = appError(
      'agent.timeout',
      `${this.ready.agent} gave no sign of life for ${minutes} minutes.`,
      {
        mend: 'Resume the step, or raise silence_minutes in the agent profile.',
      },
    );
    return { ...verdict('failed', 'silence'), error };
  }

  #usage(replies: readonly PromptReply[], beside: readonly ToldUsage[]): Usage | null {
    const cost = this.#cost();
    const { input, output, total } = tokensIn(replies, beside);
    if (cost === null && input === null && output === null && total === null) return null;
    return { input_tokens: input, output_tokens: output, total_tokens: total, cost_usd: cost };
  }

  /** The agent tells the cost of the whole session: this turn's is what has come on top. */
  #cost(): number | null {
    const { costUsd } = this.#parts.host;
    const counted = this.#costCounted;
    if (costUsd === null) return null;
    this.#costCounted = costUsd;
    return counted === null ? null : Math.max(0, costUsd - counted);
  }
}

function refused(code: 'conflict' | 'agent.crashed' | 'internal', message: string): TurnResult {
  return { ...verdict('failed', 'refused'), error: appError(code, message), response: '', usage: null };
}

function ofReply(reply: PromptReply, recorder: Recorder, context: FailureContext): Verdict {
  const { stopReason } = reply;
  switch (stopReason) {
    case 'end_turn': {
      const sentence = recorder.usedTools ? null : sentenceFailure(recorder.response, context);
      return sentence ? ofFailure(sentence, stopReason) : verdict('completed', stopReason);
    }
    case 'cancelled': {
      const error = appError(
        'agent.failed',
        `${context.agent} ended the turn as cancelled, though nobody cancelled it.`,
        { mend: 'Resume the run.' },
      );
      return { ...verdict('failed', stopReason), error };
    }
    case 'refusal': {
      const error = appError('agent.refused', `${context.agent} refused to go on.`, {
        mend: 'Put the task in other words, or give it to another agent.',
      });
      return { ...verdict('refused', stopReason), error };
    }
    case 'max_turn_requests': {
      const error = appError(
        'agent.max_requests',
        `${context.agent} reached its own limit of requests in one turn.`,
      );
      return { ...verdict('max_requests', stopReason), error };
    }
    case 'max_tokens': {
      const error = appError(
        'agent.failed',
        `${context.agent} reached the most tokens it may write, in mid-answer.`,
        {
          mend: 'Ask for less at a time, or raise the limit of its model.',
        },
      );
      return { ...verdict('failed', stopReason), error };
    }
    default: {
      const error = appError(
        'agent.protocol',
        `${context.agent} ended the turn for an unknown reason: ${stopReason}.`,
      );
      return { ...verdict('failed', stopReason), error };
    }
  }
}
