/**
 * A screen in a separate thread: draws its port's data with the parser of xterm.js, and acknowledges it once
 * it is drawn, or (`free`) at once, as without flow control.
 */

import type { MessagePort } from 'node:worker_threads';
import { parentPort } from 'node:worker_threads';
import { Terminal } from '@xterm/headless';
import type { FromTerminal, ToTerminal } from '../../src/areas/terminals/contract/view';
import { SCROLLBACK_LINES } from '../../src/areas/terminals/contract/view';

interface Show {
  readonly port: MessagePort;
  readonly free: boolean;
}

const SIZE = { cols: 120, rows: 30 };
const newScreen = () => new Terminal({ ...SIZE, scrollback: SCROLLBACK_LINES, allowProposedApi: true });

class Screen {
  #screen = newScreen();
  readonly #began = performance.now();
  #received = 0;
  #drawn = 0;
  #backlog = 0;
  #discarded = 0;
  #drawnAt = 0;
  #keyAt = 0;
  #keyBack: () => void = () => undefined;
  #quietAt: (() => void) | null = null;
  readonly #echoes: number[] = [];

  constructor(private readonly show: Show) {
    show.port.on('message', (message: FromTerminal) => this.#hear(message));
    this.post({ kind: 'show', ...SIZE });
  }

  post(message: ToTerminal): void {
    this.show.port.postMessage(message);
  }

  async keys(count: number, everyMs: number): Promise<number[]> {
    this.#echoes.length = 0;
    for (let key = 0; key < count; key += 1) {
      await new Promise((resolve) => setTimeout(resolve, everyMs));
      const back = new Promise<void>((resolve) => {
        this.#keyBack = resolve;
        setTimeout(resolve, 1000);
      });
      this.#keyAt = performance.now();
      this.post({ kind: 'input', data: 'x' });
      await back;
    }
    return [...this.#echoes];
  }

  /** Presses the interrupt key; resolves with the milliseconds until the last of the flood was drawn. */
  async interrupt(): Promise<{
    ms: number;
    backlog: number;
    discarded: number;
    drawn: number;
    forMs: number;
  }> {
    const [drawn, forMs] = [this.#drawn, performance.now() - this.#began];
    const pressed = performance.now();
    this.post({ kind: 'input', data: '\x03' });
    await new Promise<void>((resolve) => {
      this.#quietAt = resolve;
    });
    await new Promise<void>((resolve) => this.#screen.write('', resolve));
    const ms = Math.max(0, this.#drawnAt - pressed);
    return { ms, backlog: this.#backlog, discarded: this.#discarded, drawn, forMs };
  }

  #hear(message: FromTerminal): void {
    if (message.kind === 'past') {
      if (message.first) this.#screen.reset();
      this.#screen.write(message.text);
      this.#screen.write(message.data);
    } else if (message.kind === 'snapshot') {
      this.#screen.write(message.text, () => say({ kind: 'restored', ms: performance.now() - this.#began }));
    } else if (message.kind === 'bytes') this.#draw(message.data);
    else if (message.kind === 'ended') {
      this.#quietAt?.();
      this.#screen.write('', () =>
        say({
          kind: 'over',
          ms: performance.now() - this.#began,
          drawn: this.#drawn,
          backlog: this.#backlog,
        }),
      );
    }
  }

  #draw(data: Uint8Array): void {
    if (this.#keyAt > 0) {
      this.#echoes.push(performance.now() - this.#keyAt);
      this.#keyAt = 0;
      this.#keyBack();
    }
    this.#received += data.length;
    this.#backlog = Math.max(this.#backlog, this.#received - this.#drawn);
    if (this.show.free) this.post({ kind: 'ack', bytes: data.length });
    try {
      this.#screen.write(data, () => {
        this.#drawn += data.length;
        this.#drawnAt = performance.now();
        if (!this.show.free) this.post({ kind: 'ack', bytes: data.length });
      });
    } catch {
      this.#discarded += data.length;
      this.#drawn += data.length;
    }
  }
}

type Said =
  | { readonly kind: 'restored'; readonly ms: number }
  | { readonly kind: 'over'; readonly ms: number; readonly drawn: number; readonly backlog: number }
  | { readonly kind: 'answer'; readonly value: unknown };

const say = (message: Said): void => parentPort?.postMessage(message);

/** The cost of drawing these bytes without other work. */
async function parse(data: Uint8Array, pieceBytes: number): Promise<number> {
  const screen = newScreen();
  const started = performance.now();
  for (let at = 0; at < data.length; at += pieceBytes) {
    const drawn = new Promise<void>((resolve) => screen.write(data.subarray(at, at + pieceBytes), resolve));
    // As many as flow control allows in flight.
    if ((at / pieceBytes) % 8 === 7) await drawn;
  }
  await new Promise<void>((resolve) => screen.write('', resolve));
  return performance.now() - started;
}

let screen: Screen | null = null;

parentPort?.on('message', (message: Record<string, unknown>) => {
  const answer = (value: unknown): void => say({ kind: 'answer', value });
  if (message.kind === 'show') screen = new Screen(message as unknown as Show);
  else if (message.kind === 'interrupt') void screen?.interrupt().then(answer);
  else if (message.kind === 'keys')
    void screen?.keys(Number(message.count), Number(message.everyMs)).then(answer);
  else if (message.kind === 'parse')
    void parse(message.data as Uint8Array, Number(message.pieceBytes)).then(answer);
});
