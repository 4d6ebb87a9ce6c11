import { SANDBOX_ANSWER_BYTES } from '@contract/limits';
import type { SubAnswer, ToRepl } from '@contract/sandbox/protocol';
import { CONTROL, type FromWorker, type SharedParts, STATE, type ToWorker } from './worker-wire';

/*
 * The page of a REPL: it starts the worker and carries messages between it and the core. It stays responsive while
 * Python runs, so an interrupt always gets through.
 */

const INTERRUPT = 2;

/** A call of the worker that waits, with the part of its answer that is not yet handed over. */
interface OpenCall {
  readonly number: number;
  readonly control: Int32Array;
  answer: Uint8Array | null;
  sent: number;
}

class Pump {
  readonly #interrupt: Uint8Array;
  readonly #data: Uint8Array;
  #worker: MessagePort | null = null;
  #calls = 0;
  #open: OpenCall | null = null;

  constructor(
    private readonly core: MessagePort,
    private readonly shared: SharedParts,
  ) {
    this.#interrupt = new Uint8Array(shared.interrupt);
    this.#data = new Uint8Array(shared.data);
    core.onmessage = ({ data }: MessageEvent<ToRepl>) => this.#fromCore(data);
  }

  #fromCore(message: ToRepl): void {
    if (message.kind === 'start') return this.#start(message);
    if (message.kind === 'interrupt') return this.#stop();
    if (message.kind === 'reply') return this.#answer(message.call, message.answers);
    // An interrupt that came after the last block had ended belongs to no later one.
    this.#interrupt[0] = 0;
    this.#toWorker(message);
  }

  #start(message: Extract<ToRepl, { kind: 'start' }>): void {
    const worker = new Worker('worker.js', { type: 'module' });
    worker.onerror = ({ message: why }) =>
      this.core.postMessage({ kind: 'fatal', message: `the worker failed: ${why}`.slice(0, 4_000) });
    // A private channel: Python reaches the worker's global postMessage sooner than this port.
    const { port1, port2 } = new MessageChannel();
    this.#worker = port1;
    port1.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#fromWorker(data);
    worker.postMessage(this.shared, [port2]);
    this.#toWorker({ kind: 'start', settings: message.settings });
  }

  #toWorker(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #stop(): void {
    this.#interrupt[0] = INTERRUPT;
    if (this.#open !== null) Atomics.notify(this.#open.control, CONTROL.state);
  }

  #fromWorker(message: FromWorker): void {
    if (message.kind === 'ready')
      return this.core.postMessage({ ...message, isolated: globalThis.crossOriginIsolated });
    if (message.kind === 'more') return this.#fill();
    if (message.kind !== 'call') return this.core.postMessage(message);
    this.#calls += 1;
    const number = this.#calls;
    this.#open = { number, control: new Int32Array(message.control), answer: null, sent: 0 };
    this.core.postMessage({ kind: 'call', exec: message.exec, call: number, prompts: message.prompts });
  }

  /** An answer to a call that was interrupted meanwhile is dropped. */
  #answer(number: number, answers: readonly SubAnswer[]): void {
    const open = this.#open;
    if (open?.number !== number || open.answer !== null) return;
    open.answer = new TextEncoder().encode(JSON.stringify(answers));
    this.#fill();
  }

  /** Hands over the next part. The worker asks for each one but the first. */
  #fill(): void {
    const open = this.#open;
    if (open?.answer == null) return;
    const part = open.answer.subarray(open.sent, open.sent + SANDBOX_ANSWER_BYTES);
    open.sent += part.length;
    const last = open.sent >= open.answer.length;
    this.#data.set(part);
    Atomics.store(open.control, CONTROL.length, part.length);
    Atomics.store(open.control, CONTROL.last, last ? 1 : 0);
    Atomics.store(open.control, CONTROL.state, STATE.filled);
    Atomics.notify(open.control, CONTROL.state);
    if (last) this.#open = null;
  }
}

// The preload hands the port on; nothing else can, as the page is in no window and loads no other.
window.addEventListener(
  'message',
  ({ ports: [port] }) => {
    if (port === undefined) return;
    const shared = {
      interrupt: new SharedArrayBuffer(4),
      data: new SharedArrayBuffer(SANDBOX_ANSWER_BYTES),
    };
    new Pump(port, shared);
  },
  { once: true },
);
