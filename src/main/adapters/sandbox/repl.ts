import { randomUUID } from 'node:crypto';
import { messageOf } from '@contract/error-message';
import { appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import {
  type ExecResult,
  type FromRepl,
  fromReplSchema,
  type ReplSeed,
  type ReplSettings,
  type SubAnswer,
  type ToRepl,
} from '@contract/sandbox/protocol';
import { clip, lengthOf } from '@contract/text-length';
import { Cancel } from '../../core/ports/cancel';
import type {
  DocumentText,
  ExecEnd,
  ExecOptions,
  LostReason,
  Sandbox,
} from '../../core/ports/programs/sandbox';
import { BLOCK_GRACE_MS, SANDBOX_START_MS } from '../../limits/core';
import { BlockClock } from './block-clock';
import { boundedAnswer, boundedResult } from './bounded';
import { partsOf } from './document-parts';
import type { ReplLine } from './line';

/** More messages in one block are only sent by code that abuses the channel; each call is one. */
const MOST_MESSAGES = 20_000;
/** Characters of a dying interpreter's message that are kept. */
const MOST_LAST_WORDS = 500;

interface Running {
  readonly id: string;
  readonly options: ExecOptions;
  readonly clock: BlockClock;
  readonly end: (end: ExecEnd) => void;
  /** Cancels the sub-call that the block waits for. */
  call: Cancel | null;
  interrupt: 'no' | 'asked' | 'time';
}

/** A started REPL, over its line. All its messages are validated, counted and limited here. */
export class Repl implements Sandbox {
  #running: Running | null = null;
  #lost: LostReason | null = null;
  #closing: Promise<void> | null = null;
  #messages = 0;
  readonly #waiting = new Map<string, (message: FromRepl | null) => void>();

  constructor(
    private readonly line: ReplLine,
    private readonly settings: ReplSettings,
  ) {
    line.onMessage((message) => this.#hear(message));
    line.onGone((reason) => this.#lose(reason));
  }

  get pid(): number {
    return this.line.pid;
  }

  get alive(): boolean {
    return this.#lost === null;
  }

  get lost(): LostReason | null {
    return this.#lost;
  }

  get confinement(): Sandbox['confinement'] {
    return this.line.confinement;
  }

  /** Starts Python; null if it did not start. */
  async begin(): Promise<string | null> {
    const started = this.#await('ready');
    this.line.post({ kind: 'start', settings: this.settings });
    // A hanging page neither answers nor ends.
    const late = setTimeout(() => this.#lose('time'), SANDBOX_START_MS);
    const message = await started;
    clearTimeout(late);
    return message?.kind === 'ready' && message.isolated ? message.python : null;
  }

  fix(seed: ReplSeed): Promise<Result<void>> {
    return this.#give((id) => ({ kind: 'fix', id, seed }));
  }

  async setContext(documents: Iterable<DocumentText> | AsyncIterable<DocumentText>): Promise<Result<void>> {
    for await (const part of partsOf(documents)) {
      // One part is in transit at a time, so that neither side buffers more.
      const taken = await this.#give((id) => ({ kind: 'context', id, ...part }));
      if (!taken.ok) return taken;
    }
    return ok(undefined);
  }

  async #give(message: (id: string) => ToRepl): Promise<Result<void>> {
    const id = randomUUID();
    const taken = this.#await(id);
    this.line.post(message(id));
    const reply = await taken;
    if (reply?.kind !== 'taken') return err(this.#gone());
    return reply.error === null ? ok(undefined) : fail('step.failed', reply.error);
  }

  exec(code: string, options: ExecOptions): Promise<ExecEnd> {
    if (this.#lost !== null) return Promise.resolve({ kind: 'lost', reason: this.#lost });
    if (this.#running !== null) throw new Error('a sandbox runs one block at a time');
    return new Promise((resolve) => {
      const id = randomUUID();
      const clock = new BlockClock(options.seconds, () => this.#interrupt('time'));
      this.#messages = 0;
      this.#running = { id, options, clock, end: resolve, call: null, interrupt: 'no' };
      clock.run();
      this.line.post({ kind: 'exec', id, code });
    });
  }

  async read(name: string): Promise<string | null> {
    if (this.#lost !== null) return null;
    const id = randomUUID();
    const reply = this.#await(id);
    this.line.post({ kind: 'read', id, name });
    const message = await reply;
    const text = message?.kind === 'read' ? message.result.text : null;
    return text === null ? null : boundedAnswer(text);
  }

  interrupt(): void {
    this.#interrupt('asked');
  }

  stop(): Promise<void> {
    this.#lose('closed');
    return this.#closing ?? Promise.resolve();
  }

  #interrupt(why: 'asked' | 'time'): void {
    const running = this.#running;
    if (running === null || running.interrupt !== 'no') return;
    running.interrupt = why;
    running.clock.pause();
    running.call?.cancel();
    this.line.post({ kind: 'interrupt' });
    setTimeout(() => {
      if (this.#running === running) this.#lose(why === 'time' ? 'time' : 'closed');
    }, BLOCK_GRACE_MS);
  }

  #hear(given: unknown): void {
    if (this.#lost !== null) return;
    this.#messages += 1;
    const parsed = fromReplSchema.safeParse(given);
    if (!parsed.success || this.#messages > MOST_MESSAGES) return this.#lose('misbehaved');
    const message = parsed.data;
    switch (message.kind) {
      case 'call':
        return void this.#call(message);
      case 'done':
        return this.#done(message.id, message.result);
      case 'fatal':
        return this.#lose('crashed', clip(message.message, MOST_LAST_WORDS).text);
      case 'ready':
        return this.#resolve('ready', message);
      case 'read':
      case 'taken':
        return this.#resolve(message.id, message);
    }
  }

  /** A result whose id is not the running block's is forged or late. */
  #done(id: string, result: ExecResult): void {
    const running = this.#running;
    if (running?.id !== id) return;
    this.#running = null;
    running.clock.pause();
    running.call?.cancel();
    this.#messages = 0;
    const bounded = boundedResult(result, this.settings.outputChars);
    running.end({ kind: 'done', result: bounded, timedOut: running.interrupt === 'time' });
  }

  async #call({ exec, call, prompts }: Extract<FromRepl, { kind: 'call' }>): Promise<void> {
    const running = this.#running;
    // A worker asks one thing at a time; a second question, or one of another block, is forged.
    if (running?.id !== exec || running.call !== null) return;
    const { batchSize, subcallChars } = this.settings;
    // Code can ask past the checks of its own Python.
    const tooLong = prompts.some(
      ({ instruction, content }) =>
        instruction.length + content.length > subcallChars &&
        lengthOf(instruction) + lengthOf(content) > subcallChars,
    );
    if (prompts.length === 0 || prompts.length > batchSize || tooLong) return this.#lose('misbehaved');
    const cancel = new Cancel();
    running.call = cancel;
    running.clock.pause();
    const answers = await running.options.ask(prompts, cancel).catch(failed(prompts.length));
    running.call = null;
    if (this.#running !== running || this.#lost !== null) return;
    if (running.interrupt === 'no') running.clock.run();
    this.line.post({ kind: 'reply', call, answers: [...answers] });
  }

  #await(id: string): Promise<FromRepl | null> {
    if (this.#lost !== null) return Promise.resolve(null);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  #resolve(id: string, message: FromRepl): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.(message);
  }

  #lose(reason: LostReason, detail?: string): void {
    if (this.#lost !== null) return;
    this.#lost = reason;
    this.#closing = this.line.close();
    for (const waiting of this.#waiting.values()) waiting(null);
    this.#waiting.clear();
    const running = this.#running;
    this.#running = null;
    running?.clock.pause();
    running?.call?.cancel();
    running?.end({ kind: 'lost', reason, ...(detail === undefined ? {} : { detail }) });
  }

  #gone() {
    return appError('step.failed', `The sandbox ended (${this.#lost ?? 'closed'}).`);
  }
}

const failed =
  (count: number) =>
  (cause: unknown): SubAnswer[] =>
    Array.from({ length: count }, () => ({
      ok: false,
      text: messageOf(cause),
    }));
