import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import type { LineOutput, ManagedProcess } from '../../../core/ports/programs/process';

export interface TransportListener {
  /** A `session/update`, not validated. */
  update(params: unknown): void;
  /** A line that is not a message of the protocol. */
  malformed(detail: string): void;
  /** Any sign of life. */
  activity(): void;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Passes messages between a process and the SDK, in place of its own `ndJsonStream`, which reads without
 * backpressure. Updates bypass the SDK: handled here immediately and in order, each of a turn's updates
 * arrives before the reply that ends the turn.
 */
export class Transport {
  readonly output: LineOutput;
  readonly #awaited = new Set<unknown>();
  #controller: ReadableStreamDefaultController<AnyMessage> | null = null;
  #closed = false;

  constructor(
    private readonly listener: TransportListener,
    maxLineBytes: number,
  ) {
    this.output = {
      kind: 'lines',
      maxLineBytes,
      line: (text) => this.#line(text),
      tooLong: (bytes) => listener.malformed(`a line of ${bytes} bytes`),
      stderr: () => listener.activity(),
    };
  }

  stream(process: ManagedProcess): Stream {
    return {
      readable: new ReadableStream<AnyMessage>({
        start: (controller) => {
          this.#controller = controller;
        },
      }),
      writable: new WritableStream<AnyMessage>({
        write: (message) => {
          if ('method' in message && 'id' in message) this.#awaited.add(message.id);
          return process.write(`${JSON.stringify(message)}\n`);
        },
      }),
    };
  }

  /** Called when the process is gone: pending requests fail. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#controller?.close();
  }

  #line(text: string): void {
    if (this.#closed || text.trim() === '') return;
    this.listener.activity();
    const message = parse(text);
    if (message === null) this.listener.malformed(text.slice(0, 200));
    else if (message.method === 'session/update' && !('id' in message)) this.listener.update(message.params);
    else if (this.#expected(message)) this.#controller?.enqueue(message as unknown as AnyMessage);
    else this.listener.malformed(`a reply that no request waits for: ${text.slice(0, 200)}`);
  }

  #expected(message: Record<string, unknown>): boolean {
    return typeof message.method === 'string' || this.#awaited.delete(message.id);
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && value.jsonrpc === '2.0' ? value : null;
  } catch {
    return null;
  }
}
