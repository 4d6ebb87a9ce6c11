import type { LaunchSpec, ManagedProcess, ProcessExit } from '@main/core/ports/programs/process';
import type { StreamFrame, ToHost } from '../contract/wire';
import { lineOutput, type TakeBytes } from './stream-output';

/** The characters of one frame of input. */
const PIECE_CHARS = 256 * 1024;

interface StreamLink {
  /** Sends now, or drops the message where there is no connection: everything is sent again after the next. */
  send(message: ToHost): void;
  /** False if the host is not to be waited for. */
  end(stream: string): Promise<boolean>;
  /** Everything has arrived, or nothing more will. */
  over(stream: string): void;
}

/** A program on a host, with frames numbered in both directions, so that each takes effect once. */
export class RemoteProcess implements ManagedProcess {
  pid = 0;
  readonly exited: Promise<ProcessExit>;
  readonly gone: Promise<void>;
  readonly #take: TakeBytes;
  readonly #waiting: { readonly n: number; readonly frame: StreamFrame }[] = [];
  readonly #input: { readonly n: number; readonly text: string; readonly done: () => void }[] = [];
  #written = 0;
  /** The last frame that took effect. */
  #received = 0;
  #held = false;
  #exit: (exit: ProcessExit) => void = () => undefined;
  #goneNow: () => void = () => undefined;
  #over = false;

  constructor(
    readonly id: string,
    private readonly link: StreamLink,
    output: LaunchSpec['output'],
  ) {
    this.#take = lineOutput(output);
    this.exited = new Promise((resolve) => {
      this.#exit = resolve;
    });
    this.gone = new Promise((resolve) => {
      this.#goneNow = resolve;
    });
  }

  /** After a new connection: what is missing is asked for, what may be missing there is sent again. */
  resume(taken: number): void {
    this.link.send({ kind: 'attach', stream: this.id, after: this.#received + this.#waiting.length });
    this.inputTaken(taken);
    for (const { n, text } of this.#input) this.link.send({ kind: 'in', stream: this.id, n, text });
  }

  frame(n: number, frame: StreamFrame): void {
    const next = this.#received + this.#waiting.length + 1;
    if (n > next) return this.link.send({ kind: 'attach', stream: this.id, after: next - 1 });
    if (n < next) return;
    this.#waiting.push({ n, frame });
    if (!this.#held) this.#drain();
  }

  inputTaken(n: number): void {
    while (this.#input[0] !== undefined && this.#input[0].n <= n) this.#input.shift()?.done();
  }

  /** The host process is gone, and with it the program. */
  lost(): void {
    if (this.#over) return;
    this.#held = false;
    this.#drain();
    this.#exit({ code: null, signal: null, host: 'guard' });
    this.#finish();
  }

  write(text: string): Promise<void> {
    if (this.#over) return Promise.resolve();
    const pieces = piecesOf(text);
    return new Promise((resolve) => {
      pieces.forEach((piece, at) => {
        this.#written += 1;
        const n = this.#written;
        this.#input.push({ n, text: piece, done: at === pieces.length - 1 ? resolve : () => undefined });
        this.link.send({ kind: 'in', stream: this.id, n, text: piece });
      });
    });
  }

  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#drain();
  }

  stderrTail(): string {
    return this.#take.errors();
  }

  async end(): Promise<void> {
    this.release();
    const ended = await Promise.race([this.link.end(this.id), this.gone.then(() => true)]);
    if (ended) await this.gone;
  }

  #drain(): void {
    while (!this.#held) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#received = next.n;
      this.#apply(next.frame);
      this.link.send({ kind: 'acked', stream: this.id, n: next.n });
    }
  }

  #apply(frame: StreamFrame): void {
    switch (frame.part) {
      case 'out':
      case 'err':
        return this.#take.bytes(frame.part, Buffer.from(frame.data, 'base64'));
      case 'exit': {
        const { host, ...exit } = frame.exit;
        this.#take.end();
        return this.#exit(host === undefined ? exit : { ...exit, host });
      }
      case 'gone':
        return this.#finish();
    }
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    for (const { done } of this.#input.splice(0)) done();
    this.#goneNow();
    this.link.over(this.id);
  }
}

/** Never between the two halves of a character. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = at + PIECE_CHARS;
    const last = text.charCodeAt(end - 1);
    if (last >= 0xd800 && last < 0xdc00) end += 1;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces.length === 0 ? [''] : pieces;
}
