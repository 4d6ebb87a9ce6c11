import { EventMaker, type Plan, type WireEvent } from './plan';

export interface Row {
  readonly [field: string]: unknown;
  readonly role: 'user' | 'assistant';
}

export interface Owner {
  readonly connection: number;
  readonly device: string | null;
}

interface RunParts {
  readonly runId: string;
  readonly sessionKey: string;
  readonly owner: Owner;
  readonly plan: Plan;
  readonly rows: Row[];
  emit(event: WireEvent): void;
  drop(): void;
}

/** One run of the fake gateway's agent. */
export class FakeRun {
  readonly done: Promise<void>;
  /** The payload of the last response, once it has ended. */
  final: Record<string, unknown> | null = null;
  wait: Record<string, unknown> | null = null;
  #maker: EventMaker;
  #finish: () => void = () => {};
  #over = false;

  constructor(readonly parts: RunParts) {
    this.#maker = new EventMaker(
      { runId: parts.runId, sessionKey: parts.sessionKey },
      () => 1_795_000_000_000,
    );
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get text(): string {
    return this.#maker.texts
      .map((part) => part.text)
      .filter((text) => text !== '')
      .join('\n\n');
  }

  async play(): Promise<void> {
    const { plan, drop } = this.parts;
    const kept: WireEvent[] = [];
    const tell = (events: readonly WireEvent[]) => {
      if (plan.wire === undefined) for (const event of events) this.parts.emit(event);
      else kept.push(...events);
    };
    tell(this.#maker.start());
    for (const step of plan.steps) {
      if (this.#over) return;
      if ('wait' in step) await step.wait;
      if ('drop' in step) drop();
      if (this.#over) return;
      tell(this.#maker.step(step));
      // Yields between steps, like a model's pauses.
      await new Promise((next) => setImmediate(next));
    }
    if (this.#over) return;
    const { fail, stopReason = 'stop' } = plan;
    tell(fail === undefined ? this.#maker.end('end', { stopReason }) : this.#maker.end('error', fail));
    await this.#replay(plan.wire?.(kept) ?? []);
    this.#close(fail === undefined ? this.#answered(stopReason) : failedAs(fail.message));
  }

  abort(): void {
    if (this.#over) return;
    for (const event of this.#maker.end('aborted', { stopReason: 'rpc' })) this.parts.emit(event);
    this.#close({
      final: { status: 'timeout', summary: 'aborted', stopReason: 'rpc' },
      wait: { status: 'error', stopReason: 'rpc' },
    });
  }

  /** The gateway ends: no one receives events any more. */
  forget(): void {
    this.#over = true;
  }

  async #replay(events: readonly (WireEvent | 'drop')[]): Promise<void> {
    for (const event of events) {
      if (event === 'drop') this.parts.drop();
      else this.parts.emit(event);
      await new Promise((next) => setImmediate(next));
    }
  }

  #answered(stopReason: string): { final: Record<string, unknown>; wait: Record<string, unknown> } {
    const { runId, rows, plan } = this.parts;
    const { text } = this;
    const { input = 100, output = 20, costUsd = 0.001 } = plan.usage ?? {};
    const usage = { input, output, cacheRead: 0, cacheWrite: 0 };
    rows.push({
      role: 'assistant',
      content: [{ type: 'text', text }],
      stopReason,
      usage: { ...usage, totalTokens: input + output, cost: { total: costUsd } },
      __openclaw: { runId },
    });
    const agentMeta = { usage: { ...usage, total: input + output, cost: { total: costUsd } }, costUsd };
    return {
      final: {
        status: 'ok',
        summary: 'completed',
        result: {
          payloads: text === '' ? [] : [{ text, mediaUrl: null }],
          meta: { aborted: false, finalAssistantVisibleText: text, stopReason, agentMeta },
        },
      },
      // Cut at 4,096 characters, like the gateway.
      wait: {
        status: 'ok',
        stopReason,
        terminalReply: { disposition: 'visible', text: text.slice(0, 4096) },
      },
    };
  }

  #close({ final, wait }: { final: Record<string, unknown>; wait: Record<string, unknown> }): void {
    const { runId } = this.parts;
    this.#over = true;
    this.final = { runId, ...final };
    this.wait = { runId, endedAt: 1, ...wait };
    this.#finish();
  }
}

const failedAs = (message: string) => ({
  final: { status: 'error', summary: message },
  wait: { status: 'error', error: message },
});
