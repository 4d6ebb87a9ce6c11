import type { Json } from '@contract/ids';
import type { RunEvent, StoredEvent } from '@contract/run/events';
import type { WholeText } from '@contract/whole-text';

type Line = Readonly<Record<string, Json>>;

interface TraceWorld {
  /** A text stored beside the log; null if it is gone. */
  text(path: string): Promise<Json>;
  /** All of a text of the log; null if it is gone. */
  whole(text: WholeText): Promise<Json>;
  /** Formats a time. */
  time(at: number): string;
}

/** Converts a run's events into trace steps, each with its iteration and block. */
export class TraceReader {
  /** The iteration of each turn, from 1. */
  readonly #iterations = new Map<number, number>();
  /** When a turn or block began. */
  readonly #began = new Map<string, number>();

  constructor(private readonly world: TraceWorld) {}

  /** Processes an event without producing a step. */
  pass({ at, event }: StoredEvent): void {
    if (event.type === 'turn.dispatched') {
      this.#iterations.set(event.turnId, event.ordinal + 1);
      this.#began.set(`turn ${event.turnId}`, at);
    }
    if (event.type === 'rlm.block-started') this.#began.set(`block ${event.turnId}.${event.block}`, at);
  }

  async linesOf(stored: StoredEvent): Promise<Line[]> {
    this.pass(stored);
    const { at, event } = stored;
    const step = await this.#stepOf(event, at);
    return step === null ? [] : [{ at: this.world.time(at), ...step }];
  }

  async #stepOf(event: RunEvent, at: number): Promise<Line | null> {
    switch (event.type) {
      case 'run.started':
        return { step: 'header', run: event.uid, name: event.name, prompt_files: event.promptFiles ?? {} };
      case 'rlm.documents-frozen': {
        const documents = event.documents.map(({ name, chars, sha256 }) => ({ name, chars, sha256 }));
        return { step: 'documents', documents, left_out: event.leftOut.map((one) => ({ ...one })) };
      }
      case 'rlm.sandbox-started':
        return { step: 'sandbox', os_sandbox: event.confined.osSandbox, detail: event.confined.detail };
      case 'session.starting':
        return event.opening === undefined
          ? null
          : { step: 'opening', system: event.opening.system, assistant: event.opening.assistant };
      case 'turn.dispatched':
        return {
          step: 'prompt',
          iteration: event.ordinal + 1,
          messages: event.messages ?? [event.prompt],
        };
      case 'turn.finished':
        return {
          step: 'reply',
          iteration: this.#iterations.get(event.turnId) ?? null,
          outcome: event.outcome,
          text: await this.world.whole(event.response),
          usage: event.usage === null ? null : { ...event.usage },
          duration_ms: at - (this.#began.get(`turn ${event.turnId}`) ?? at),
          error: event.error?.message ?? null,
        };
      case 'activation.finished':
        return {
          step: 'end',
          outcome: event.outcome,
          receipt: event.receipt,
          error: event.error?.message ?? null,
        };
      case 'run.finished':
        return { step: 'summary', outcome: event.outcome, reason: event.reason };
      case 'rlm.verification-finished': {
        const { claims, trouble, model, usage, durationMs } = event;
        return {
          step: event.layer === 'code' ? 'code_verification' : 'verification',
          model,
          trouble,
          claims: claims.map((one) => ({ ...one })),
          usage: usage === null ? null : { ...usage },
          duration_ms: durationMs,
        };
      }
      default:
        return event.type.startsWith('rlm.') ? this.#inBlock(event, at) : null;
    }
  }

  async #inBlock(event: RunEvent, at: number): Promise<Line | null> {
    switch (event.type) {
      case 'rlm.block-started':
        return { step: 'code', ...this.#place(event), code: event.code };
      case 'rlm.calls-asked': {
        const prompts = await Promise.all(event.calls.map(({ prompt }) => this.world.text(prompt.path)));
        return { step: 'subcalls_asked', ...this.#place(event), batch: event.batch, prompts };
      }
      case 'rlm.call-answered':
        return {
          step: 'subcall_answered',
          ...this.#place(event),
          batch: event.batch,
          index: event.index,
          ok: event.ok,
          model: event.model,
          text: await this.world.text(event.answer.path),
          usage: event.usage === null ? null : { ...event.usage },
          duration_ms: event.durationMs,
        };
      case 'rlm.block-finished': {
        const { stdout, stderr, error, dropped, variables } = event.result;
        return {
          step: 'output',
          ...this.#place(event),
          stdout,
          stderr,
          error,
          dropped,
          variables,
          timed_out: event.timedOut,
          duration_ms: at - (this.#began.get(`block ${event.turnId}.${event.block}`) ?? at),
        };
      }
      case 'rlm.block-lost':
        return { step: 'output', ...this.#place(event), lost: event.why, detail: event.detail ?? null };
      case 'rlm.variables-lost':
        return { step: 'variables_lost', iteration: this.#iterations.get(event.turnId) ?? null };
      default:
        return null;
    }
  }

  #place({ turnId, block }: { readonly turnId: number; readonly block: number }) {
    return { iteration: this.#iterations.get(turnId) ?? null, block };
  }
}
