import type { TranscriptItem } from '@areas/sessions/contract/session';
import { type AppError, appError } from '@contract/errors';
import type { Clock } from '../../core/ports/ports';
import { TRANSCRIPT_CHECK_MS } from '../../limits/core';
import { Spoken } from './agent-output';
import type { Connection } from './connection';
import { begunIn, type Final, finalOfAnswer, finalOfHistory, finalOfRefusal, finalOfWait } from './final';
import type { OpenclawLimits } from './limits';
import type { Link } from './link';
import type { GatewayPlace } from './place';
import {
  abortSchema,
  agentAnswerSchema,
  agentEventSchema,
  chatEventSchema,
  type History,
  historySchema,
  lifecycleSchema,
  runEventSchema,
  waitSchema,
} from './wire';

interface TurnParts {
  readonly link: Link;
  readonly place: GatewayPlace;
  readonly clock: Clock;
  readonly limits: OpenclawLimits;
  readonly sessionKey: string;
  /** The idempotency key, which is also the run's id at the gateway. */
  readonly runId: string;
  /** Other parameters of `agent`. */
  readonly params: { readonly message: string; readonly [more: string]: unknown };
  items(items: readonly TranscriptItem[]): void;
  /** Something was received about this run. */
  heard(): void;
}

type Step = Final | 'lost' | 'unsent';

/** Number of newest transcript rows to read, which include the turn's own. */
const ROWS = 200;
const ROW_CHARS = 500_000;
const MOST_LOOKS = 4;

/** One run at the gateway: sent once, followed over as many sockets as needed, ended once. */
export class GatewayTurn {
  readonly spoken = new Spoken();
  /** The gateway's own code for the run's failure. */
  reason: string | null = null;
  readonly #ended: Promise<Final>;
  #end: (final: Final) => void = () => {};
  #fail: (bug: unknown) => void = () => {};
  #over = false;
  #stopping = false;
  #accepted = false;
  #losses = 0;
  #bootId: string | null = null;
  readonly #timers: (() => void)[] = [];
  /** Set while the response to `agent` is awaited; called when events report that the run has ended. */
  #late: (() => void) | null = null;

  constructor(private readonly parts: TurnParts) {
    this.#ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
  }

  async run(): Promise<Final> {
    const { link } = this.parts;
    link.listen({ event: (name, payload) => this.#hear(name, payload), lost: () => {} });
    void this.#follow().then(this.#end, this.#fail);
    const final = await this.#ended;
    this.#over = true;
    for (const cancel of this.#timers) cancel();
    link.listen(null);
    return final;
  }

  /** Asks the gateway to end the run. The turn ends with it, or without it if the gateway does not react. */
  stop(): void {
    if (this.#stopping || this.#over) return;
    this.#stopping = true;
    const { limits, link } = this.parts;
    this.#at(limits.cancelMs, () => {
      if (this.#over) return;
      this.#note('The gateway did not confirm the cancel in time. The run may continue there.');
      this.#end({ kind: 'aborted', stopReason: 'unconfirmed' });
    });
    if (link.current !== null) void this.#abort(link.current);
  }

  async #follow(): Promise<Final> {
    const { link, limits } = this.parts;
    let step: Step = 'unsent';
    for (;;) {
      const patience =
        step === 'lost' ? { forMs: limits.reattachMs, away: true } : { forMs: limits.startMs, away: false };
      const opened = await link.connect(patience);
      if (this.#over) return { kind: 'aborted', stopReason: 'over' };
      if (!opened.ok) return { kind: 'broken', error: this.#unreachable(opened.error.error) };
      const connection = opened.value;
      if (this.#stopping) {
        if (step === 'unsent') return { kind: 'aborted', stopReason: 'unsent' };
        await this.#abort(connection);
      }
      step = step === 'unsent' ? await this.#send(connection) : await this.#reattach(connection);
      if (typeof step !== 'string') return step;
      if (step !== 'lost') continue;
      if (connection.open && !this.#over) connection.end();
      const gone = await this.#lose();
      if (gone !== null) return gone;
    }
  }

  /** A gateway that accepts and drops connections is retried with delays, and not forever. */
  async #lose(): Promise<Final | null> {
    const { limits, place } = this.parts;
    this.#losses += 1;
    if (this.#losses > limits.mostLosses) {
      const message = `${place.address} ended the connection ${this.#losses} times in a row`;
      return { kind: 'broken', error: this.#unreachable(appError('agent.crashed', message)) };
    }
    const [first, longest] = limits.pauseMs;
    const pause = Math.min(first * 2 ** (this.#losses - 2), longest);
    if (this.#losses > 1) await new Promise<void>((rested) => this.#at(pause, rested));
    return null;
  }

  #unreachable(error: AppError): AppError {
    if (!this.#accepted || error.code === 'agent.auth_required' || error.code === 'cancelled') return error;
    const { runId } = this.parts;
    const mend = `the run ${runId} may have continued at the gateway: check there before you send it again`;
    return appError('agent.crashed', `the connection was lost in mid-turn and ${error.message}`, { mend });
  }

  #send(connection: Connection): Promise<Step> {
    const { sessionKey, runId, params, limits } = this.parts;
    const { server, policy } = connection.hello;
    this.#bootId = server.bootId ?? null;
    const request = { ...params, sessionKey, idempotencyKey: runId, deliver: false };
    if (policy.maxPayload !== undefined && sizeOf(request) > policy.maxPayload) {
      return Promise.resolve({ kind: 'broken', error: tooLarge(policy.maxPayload) });
    }
    return new Promise((resolve) => {
      const done = (step: Step): 'done' => {
        this.#late = null;
        resolve(step);
        return 'done';
      };
      const forget = connection.send('agent', request, (answer) => {
        if ('lost' in answer) return done('lost');
        this.parts.heard();
        if (!answer.ok)
          return done(finalOfRefusal(answer.error ?? { code: 'UNKNOWN', message: 'no reason' }));
        const parsed = agentAnswerSchema.safeParse(answer.payload);
        const final = parsed.success ? finalOfAnswer(parsed.data) : null;
        if (final !== null) return done(final);
        if (parsed.success) this.#accepted = true;
        if (parsed.success && parsed.data.status === 'accepted') return 'more';
        // It already runs, or this response is unreadable and may be the last: query the run itself.
        void this.#reattach(connection).then(done);
        return 'done';
      });
      this.#late = () => {
        this.#late = null;
        this.#at(limits.lateMs, () => {
          forget();
          void this.#reattach(connection).then(done);
        });
      };
    });
  }

  async #reattach(connection: Connection): Promise<Step> {
    const { runId, limits } = this.parts;
    let looks = 0;
    for (let waitMs = Math.min(TRANSCRIPT_CHECK_MS, limits.waitMs); !this.#over; waitMs = limits.waitMs) {
      const wait = await connection.request(
        'agent.wait',
        { runId, timeoutMs: waitMs },
        { schema: waitSchema, withinMs: waitMs + limits.answerMs },
      );
      if (wait.kind === 'lost') return 'lost';
      if (wait.kind === 'garbled') return this.#garbled(wait.why);
      if (wait.kind === 'refused') return finalOfRefusal(wait.error);
      const history = await this.#history(connection);
      if (history === 'lost') return 'lost';
      const final = finalOfWait(wait.value, history) ?? finalOfHistory(history, runId);
      if (final !== null) return final;
      if (!this.#accepted && !begunIn(history, runId)) return this.#stopping ? aborted : 'unsent';
      this.#losses = 0;
      looks += 1;
      const boot = connection.hello.server.bootId ?? null;
      // A gateway that does not report restarts reveals them by having forgotten the run.
      const restarted = boot === null ? looks > MOST_LOOKS : boot !== this.#bootId;
      if (restarted && history.inFlightRun?.runId !== runId) {
        const message = 'the gateway restarted during the turn and does not continue it';
        return { kind: 'broken', error: appError('agent.crashed', message) };
      }
    }
    return aborted;
  }

  async #history(connection: Connection): Promise<History | 'lost'> {
    const { sessionKey } = this.parts;
    const params = { sessionKey, limit: ROWS, maxChars: ROW_CHARS };
    const history = await connection.request('chat.history', params, { schema: historySchema });
    if (history.kind === 'answer') return history.value;
    // A session that never started has no history.
    return history.kind === 'refused' ? { messages: [] } : 'lost';
  }

  #garbled(why: string): Final {
    const { address } = this.parts.place;
    return {
      kind: 'broken',
      error: appError('agent.protocol', `${address} sent an unreadable message: ${why}`),
    };
  }

  async #abort(connection: Connection): Promise<void> {
    const { sessionKey, runId } = this.parts;
    const reply = await connection.request('chat.abort', { sessionKey, runId }, { schema: abortSchema });
    if (reply.kind !== 'refused' || this.#over) return;
    this.#note(`The gateway refuses to end the run, which continues there: ${reply.error.message}`);
    this.#end({ kind: 'aborted', stopReason: 'refused' });
  }

  #at(inMs: number, run: () => void): void {
    const { clock } = this.parts;
    this.#timers.push(clock.at(clock.now() + inMs, run));
  }

  #note(text: string): void {
    this.parts.items([{ type: 'notice', text }]);
  }

  #hear(name: string, payload: unknown): void {
    if (this.#over || (name !== 'agent' && name !== 'chat')) return;
    const which = runEventSchema.safeParse(payload);
    if (!which.success || which.data.runId !== this.parts.runId) return;
    this.parts.heard();
    this.#losses = 0;
    if (name === 'chat') return this.#hearChat(payload);
    const event = agentEventSchema.safeParse(payload);
    if (!event.success) return;
    if (event.data.stream === 'lifecycle') return this.#hearLife(event.data.data);
    const items = this.spoken.hear(event.data);
    if (items.length > 0) this.parts.items(items);
  }

  #hearChat(payload: unknown): void {
    const event = chatEventSchema.safeParse(payload);
    if (!event.success) return;
    const { state, errorDetail, errorKind } = event.data;
    this.reason = errorDetail?.failoverReason ?? errorKind ?? this.reason;
    if (state === 'final' || state === 'error' || state === 'aborted') this.#late?.();
  }

  #hearLife(data: unknown): void {
    const life = lifecycleSchema.safeParse(data);
    if (life.success) this.reason = life.data.errorObservation?.failoverReason ?? this.reason;
  }
}

/** In bytes; the surrounding frame is small. */
const sizeOf = (request: object): number => Buffer.byteLength(JSON.stringify(request)) + 1024;

const tooLarge = (most: number): AppError =>
  appError(
    'input.invalid',
    `the prompt with its attachments is larger than the gateway accepts (${most} bytes)`,
  );

const aborted: Final = { kind: 'aborted', stopReason: 'over' };
