/** The fake agent's actions in one turn. */
export type PlanStep =
  | { readonly say: string }
  | { readonly think: string }
  | { readonly preamble: string }
  | { readonly tool: string; readonly args: Readonly<Record<string, string>>; readonly output: string }
  /** Starts its answer over, as after a failed try. */
  | { readonly again: true }
  | { readonly retrying: string }
  | { readonly wait: Promise<unknown> }
  /** All sockets close. */
  | { readonly drop: true };

export interface Plan {
  readonly steps: readonly PlanStep[];
  readonly usage?: { readonly input: number; readonly output: number; readonly costUsd: number };
  readonly stopReason?: string;
  /** Ends the run as failed. */
  readonly fail?: { readonly message: string; readonly reason?: string };
  /** The second response to `agent` never comes. */
  readonly mute?: boolean;
  /** Changes how a run's events are sent: twice, out of order, with sockets closing in between. */
  readonly wire?: (events: readonly WireEvent[]) => readonly (WireEvent | 'drop')[];
}

export interface WireEvent {
  readonly event: 'agent' | 'chat';
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Part {
  readonly itemId: string;
  text: string;
}

/** Converts steps into the events that openclaw 2026.9.6 was observed to send for them. */
export class EventMaker {
  readonly texts: Part[] = [];
  #seq = 0;
  #thought = '';
  #items = 0;

  constructor(
    private readonly run: { readonly runId: string; readonly sessionKey: string },
    private readonly now: () => number,
  ) {}

  start(): WireEvent[] {
    return [
      this.#agent('lifecycle', { phase: 'start', startedAt: this.now() }),
      this.#agent('lifecycle', { phase: 'model', provider: 'scripted', model: 'script-1' }),
    ];
  }

  step(step: PlanStep): WireEvent[] {
    if ('say' in step) return this.#say(step.say);
    if ('think' in step) {
      this.#thought += step.think;
      return [this.#agent('thinking', { text: this.#thought, delta: step.think })];
    }
    if ('preamble' in step) {
      const data = {
        kind: 'preamble',
        phase: 'update',
        progressText: step.preamble,
        itemId: this.#newItem(),
      };
      return [this.#agent('item', data), this.#agent('item', { ...data, phase: 'end' })];
    }
    if ('tool' in step) return this.#use(step);
    if ('again' in step) {
      const itemId = this.#newItem();
      this.texts.splice(0, this.texts.length, { itemId, text: '' });
      return [this.#agent('assistant', { itemId, text: '', delta: '', replace: true })];
    }
    if ('retrying' in step) {
      const data = { phase: 'retrying', message: step.retrying, delayMs: 60_000, reason: 'rate_limit' };
      return [this.#agent('run_status', data)];
    }
    return [];
  }

  end(how: 'end' | 'error' | 'aborted', more: Readonly<Record<string, unknown>>): WireEvent[] {
    const { reason, message, stopReason } = more;
    const detail = reason === undefined ? {} : { failoverReason: reason };
    const text = this.texts.map((part) => part.text).join('\n\n');
    const said = { message: { role: 'assistant', content: [{ type: 'text', text }], timestamp: this.now() } };
    if (how === 'error') {
      const observed = { error: message, errorObservation: detail };
      return [
        this.#agent('lifecycle', { phase: 'error', endedAt: this.now(), ...observed }),
        this.#chat({ state: 'error', errorMessage: String(message), errorDetail: detail }),
      ];
    }
    const state = how === 'end' ? 'final' : 'aborted';
    return [
      this.#agent('lifecycle', { phase: 'end', aborted: how === 'aborted', stopReason, endedAt: this.now() }),
      this.#chat({ state, stopReason, ...said }),
    ];
  }

  #say(delta: string): WireEvent[] {
    const part = this.texts.at(-1) ?? { itemId: this.#newItem(), text: '' };
    if (this.texts.length === 0) this.texts.push(part);
    part.text += delta;
    const { itemId, text } = part;
    const message = { role: 'assistant', content: [{ type: 'text', text }], timestamp: this.now() };
    return [
      this.#agent('assistant', { text, delta, itemId }),
      this.#chat({ state: 'delta', deltaText: delta, message }),
    ];
  }

  #use(step: Extract<PlanStep, { tool: string }>): WireEvent[] {
    const call = { name: step.tool, toolCallId: this.#newItem() };
    const result = { content: [{ type: 'text', text: step.output }] };
    this.#thought = '';
    return [
      this.#agent('tool', { phase: 'start', ...call, args: step.args }),
      this.#agent('tool', { phase: 'update', ...call, partialResult: result }),
      this.#agent('tool', { phase: 'result', ...call, isError: false, result }),
    ];
  }

  #newItem(): string {
    this.#items += 1;
    return `${this.run.runId}:${this.#items}`;
  }

  #agent(stream: string, data: Readonly<Record<string, unknown>>): WireEvent {
    this.#seq += 1;
    return { event: 'agent', payload: { ...this.run, stream, data, seq: this.#seq, ts: this.now() } };
  }

  #chat(more: Readonly<Record<string, unknown>>): WireEvent {
    return { event: 'chat', payload: { ...this.run, seq: this.#seq, ...more } };
  }
}
