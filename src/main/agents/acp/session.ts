import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { SessionChoices, Usage } from '@areas/sessions/contract/session';
import { appError } from '@contract/errors';
import type { WorkspaceFiles } from '../../core/ports/files';
import type {
  Session,
  SessionListener,
  SessionReady,
  SessionSpec,
  TurnRequest,
  TurnResult,
} from '../../core/ports/ports';
import type { ProcessExit } from '../../core/ports/programs/process';
import { type FailureContext, hostDeath, reportedFailure, sentenceFailure } from '../failure';
import { ended, endedByExit, endedByFailure, type TurnEnd, type TurnInFlight, TurnLoop } from '../turn-loop';
import type { ClientHost } from './connection/client-host';
import { type Connection, ConnectionClosed } from './connection/connection';
import type { TerminalHost } from './connection/terminal-host';
import { type PromptReply, promptReplySchema, type ReportedUsage } from './connection/wire';
import { replyFailure } from './failure';
import type { AcpLimits } from './limits';
import { followUp, gaveUp, MOST_FOLLOW_UPS, type Refusal } from './permission/refusal';
import { AcpTurn } from './turn/acp-turn';
import { promptBlocks } from './turn/prompt';
import { ranCommands } from './turn/ran-commands';
import { Recorder } from './turn/recorder';
import { tokensIn } from './turn/usage';

interface AcpSessionParts {
  readonly ready: SessionReady;
  readonly sessionId: string;
  readonly choices: SessionChoices;
  /** Whether the agent is told how to continue after a refusal. */
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
/** One conversation over the protocol. */
export class AcpSession implements Session {
  readonly ready: SessionReady;
  readonly choices: SessionChoices;
  readonly #loop: TurnLoop;
  #costCounted: number | null;

  constructor(private readonly parts: AcpSessionParts) {
    this.ready = parts.ready;
    this.choices = parts.choices;
    // A resumed session's cost includes that of its earlier turns.
    this.#costCounted = parts.ready.fresh ? 0 : null;
    const { connection, limits, spec } = parts;
    this.#loop = new TurnLoop({
      silenceMinutes: spec.profile.silence_minutes,
      kill: { afterMs: limits.cancelMs, run: () => void connection.process.end() },
    });
    void connection.process.exited.then((exit) => this.#left(exit));
    parts.terminals.onHostDeath((exit) => this.#loop.current?.stopForHost(hostDeath(exit) ?? ''));
  }

  turn(request: TurnRequest): Promise<TurnResult> {
    return this.#loop.turn(async (flight) => {
      const turn = this.#begin(request, flight);
      try {
        return await this.#run(turn, request);
      } finally {
        this.#finish(turn);
      }
    });
  }

  cancel(): Promise<void> {
    return this.#loop.cancel();
  }

  park(): Promise<void> {
    return this.#leave('parked');
  }

  close(): Promise<void> {
    return this.#leave('closed');
  }

  #leave(how: 'parked' | 'closed'): Promise<void> {
    const { connection, terminals } = this.parts;
    return this.#loop.leave(how, () => {
      const ending = this.#loop.leaving === 'parked' ? 'resumable' : 'over';
      return Promise.all([terminals.releaseAll(ending), connection.process.end()]);
    });
  }

  #left(exit: ProcessExit): void {
    const { listener, terminals } = this.parts;
    // A resume waits for the same end, and learns there if something failed.
    if (this.#loop.leaving === null) terminals.releaseAll('resumable').catch(() => undefined);
    this.#loop.lost(exit, (how) => listener.lost(`The process ${how}.`));
  }

  #begin(request: TurnRequest, flight: TurnInFlight): AcpTurn {
    const { connection, host, limits, listener, sessionId, terminals } = this.parts;
    const turn = new AcpTurn({
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
      flight,
      quietMs: limits.quietMs,
      onQuiet: () => turn.recorder.notice(this.#quietWords()),
    });
    flight.asks((seen) => listener.observed?.(request.turnId, seen));
    flight.endsBy(() => void connection.notify('session/cancel', { sessionId }));
    host.begin(turn);
    return turn;
  }

  async #run(turn: AcpTurn, request: TurnRequest): Promise<TurnResult> {
    const { connection, host, limits } = this.parts;
    const malformedBefore = host.malformedCount;
    const { ending, replies, untold } = await this.#converse(turn, request);
    if ('reply' in ending) await turn.quiet(connection.process.exited, limits);
    const end = await this.#judge(turn, ending, untold);
    const malformed = host.malformedCount - malformedBefore;
    if (malformed > 0) turn.recorder.notice(`${malformed} malformed messages of the agent were ignored.`);
    if (end.outcome !== 'completed') turn.recorder.failOpenTools();
    const answer = turn.recorder.takeResponse();
    const usage = this.#usage(replies, turn.usage);
    if (usage) turn.recorder.item({ type: 'usage', usage });
    turn.end();
    const { terminals } = this.parts;
    const commands = ranCommands(turn.recorder.tools, {
      output: (id) => terminals.lastOutput(id),
      exitCode: (id) => terminals.exitCode(id),
    });
    return {
      ...end,
      ...answer,
      usage,
      ...(commands.length > 0 ? { commands } : {}),
      ...(host.takeCompacted() ? { compacted: true } : {}),
    };
  }

  #finish(turn: AcpTurn): void {
    this.parts.host.finish();
    turn.end();
  }

  /** Sends the prompt, and after a refusal the explanation that the agent needs to continue. */
  async #converse(
    turn: AcpTurn,
    request: TurnRequest,
  ): Promise<{ ending: Ending; replies: readonly PromptReply[]; untold: readonly Refusal[] }> {
    const { files, followsUp, ready } = this.parts;
    const replies: PromptReply[] = [];
    let untold: readonly Refusal[] = [];
    let ending = await this.#prompt(turn, () => promptBlocks(request, ready.capabilities, files));
    for (let tries = MOST_FOLLOW_UPS; 'reply' in ending; tries -= 1) {
      replies.push(ending.reply);
      const { stopReason } = ending.reply;
      untold = turn.takeRefusals();
      const text = followUp(untold, { stopReason, progress: turn.recorder.progress });
      if (text === null || turn.cause !== null || !followsUp || tries === 0) break;
      untold = [];
      turn.recorder.prompted();
      turn.recorder.notice(`Muster told the agent: ${text}`);
      ending = await this.#prompt(turn, async () => [{ type: 'text', text }]);
    }
    return { ending, replies, untold };
  }

  async #prompt(turn: AcpTurn, blocks: () => Promise<ContentBlock[]>): Promise<Ending> {
    const { connection, sessionId } = this.parts;
    try {
      const prompt = await blocks();
      // A cancellation that came meanwhile was sent before the prompt, so the agent would ignore it.
      if (turn.cause !== null) return { error: null };
      return { reply: await connection.request('session/prompt', { sessionId, prompt }, promptReplySchema) };
    } catch (error) {
      return { error };
    }
  }

  /** `untold`: refusals without an explanation, because the agent had received enough of them. */
  async #judge(turn: AcpTurn, ending: Ending, untold: readonly Refusal[]): Promise<TurnEnd> {
    const stopped = this.#loop.stoppedAs(turn.flight);
    if (stopped !== null) return stopped;
    const context = this.parts.failureContext();
    if ('reply' in ending) {
      const { stopReason } = ending.reply;
      const failed = turn.trouble !== null && stopReason === 'end_turn';
      if (failed)
        return endedByFailure(reportedFailure(turn.trouble.trim() || 'the turn failed', context), stopReason);
      const { agent } = context;
      const stopped = this.parts.followsUp || stopReason === 'cancelled' ? untold : [];
      const times = turn.refusals;
      const error = gaveUp(stopped, { stopReason, progress: turn.recorder.progress }, { agent, times });
      if (error !== null) return { ...ended('failed', stopReason), error };
      return ofReply(ending.reply, turn.recorder, context);
    }
    if (!(ending.error instanceof ConnectionClosed))
      return endedByFailure(replyFailure(ending.error, context, turn.recorder.response), 'error');
    const { process } = this.parts.connection;
    return endedByExit(await process.exited, process.stderrTail(), context);
  }

  /** Some agents silently retry for minutes to reach their model server. */
  #quietWords(): string {
    const { limits } = this.parts;
    const seconds = Math.round(limits.quietMs / 1000);
    return `${this.ready.agent} has not answered for ${seconds} s. Its model may be slow, or it is retrying because it cannot reach its model server.`;
  }

  #usage(replies: readonly PromptReply[], beside: readonly ReportedUsage[]): Usage | null {
    const cost = this.#cost();
    const { input, output, total } = tokensIn(replies, beside);
    if (cost === null && input === null && output === null && total === null) return null;
    return { input_tokens: input, output_tokens: output, total_tokens: total, cost_usd: cost };
  }

  /** The agent reports the whole session's cost: this turn's is the difference. */
  #cost(): number | null {
    const { costUsd } = this.parts.host;
    const counted = this.#costCounted;
    if (costUsd === null) return null;
    this.#costCounted = costUsd;
    return counted === null ? null : Math.max(0, costUsd - counted);
  }
}

function ofReply(reply: PromptReply, recorder: Recorder, context: FailureContext): TurnEnd {
  const { stopReason } = reply;
  switch (stopReason) {
    case 'end_turn': {
      const sentence = recorder.usedTools ? null : sentenceFailure(recorder.response, context);
      return sentence ? endedByFailure(sentence, stopReason) : ended('completed', stopReason);
    }
    case 'cancelled': {
      const error = appError(
        'agent.failed',
        `${context.agent} ended the turn as cancelled, although no one cancelled it.`,
        { mend: 'Resume the run.' },
      );
      return { ...ended('failed', stopReason), error };
    }
    case 'refusal': {
      const error = appError('agent.refused', `${context.agent} refused to continue.`, {
        mend: 'Rephrase the task, or give it to another agent.',
      });
      return { ...ended('refused', stopReason), error };
    }
    case 'max_turn_requests': {
      const error = appError(
        'agent.max_requests',
        `${context.agent} reached its limit of requests in one turn.`,
      );
      return { ...ended('max_requests', stopReason), error };
    }
    case 'max_tokens': {
      const error = appError(
        'agent.failed',
        `${context.agent} reached its output token limit in the middle of its answer.`,
        {
          mend: 'Ask for less at once, or raise the limit of its model.',
        },
      );
      return { ...ended('failed', stopReason), error };
    }
    default: {
      const error = appError(
        'agent.protocol',
        `${context.agent} ended the turn for an unknown reason: ${stopReason}.`,
      );
      return { ...ended('failed', stopReason), error };
    }
  }
}
