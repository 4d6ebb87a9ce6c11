import { HOST_STREAM_BYTES } from '@areas/hosts/contract/limits';
import type { FromHost, StreamFrame } from '@areas/hosts/contract/wire';
import { ok, type Result } from '@contract/result';
import type { LaunchSpec, ManagedProcess } from '../core/ports/programs/process';

/** A frame holds at most this many bytes of a program's output. */
const PIECE_BYTES = 256 * 1024;

export type Send = (message: FromHost) => void;

/** A program and what it did, kept until the desktop has acknowledged it. */
export class KeptStream {
  readonly #frames: { readonly n: number; readonly frame: StreamFrame; readonly bytes: number }[] = [];
  #count = 0;
  #bytes = 0;
  #held = false;
  #child: ManagedProcess | null = null;
  #launch: Promise<Result<ManagedProcess>> | null = null;
  #send: Send | null = null;
  /** The number of the last input that was passed on. */
  #taken = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(readonly id: string) {}

  get taken(): number {
    return this.#taken;
  }

  /** How the program is to be launched so that its output arrives here. */
  output(kind: LaunchSpec['output']['kind']): LaunchSpec['output'] {
    const [stdout, stderr] = [
      (bytes: Uint8Array) => this.#printed('out', bytes),
      (bytes: Uint8Array) => this.#printed('err', bytes),
    ];
    if (kind === 'merged') return { kind, chunk: stdout };
    if (kind === 'split') return { kind, stdout, stderr };
    const ignore = (): void => undefined;
    // The desktop divides it into lines.
    return { kind, maxLineBytes: 1, line: ignore, tooLong: ignore, stderr: ignore, raw: { stdout, stderr } };
  }

  /** The program is being started; `end` waits for that. */
  async starts(launch: Promise<Result<ManagedProcess>>): Promise<Result<{ readonly pid: number }>> {
    this.#launch = launch;
    const launched = await launch;
    if (!launched.ok) return launched;
    this.#started(launched.value);
    return ok({ pid: launched.value.pid });
  }

  #started(child: ManagedProcess): void {
    this.#child = child;
    if (this.#bytes >= HOST_STREAM_BYTES) this.#hold();
    void child.exited.then((exit) => this.#add({ part: 'exit', exit: { ...exit } }, 0));
    void child.gone.then(() => this.#add({ part: 'gone' }, 0));
  }

  /** Sends what follows frame `after`, and from now on what is added. */
  attach(after: number, send: Send): void {
    this.acknowledge(after);
    this.#send = send;
    for (const { n, frame } of this.#frames) send({ kind: 'frame', stream: this.id, n, frame });
    send({ kind: 'acked', stream: this.id, n: this.#taken });
  }

  detach(send: Send): void {
    if (this.#send === send) this.#send = null;
  }

  acknowledge(n: number): void {
    while (this.#frames[0] !== undefined && this.#frames[0].n <= n) {
      this.#bytes -= this.#frames[0].bytes;
      this.#frames.shift();
    }
    if (this.#held && this.#bytes < HOST_STREAM_BYTES / 2) {
      this.#held = false;
      this.#child?.release();
    }
  }

  /** Input that was passed on before is acknowledged again and not repeated. */
  write(n: number, text: string): void {
    this.#writing = this.#writing.then(async () => {
      if (n === this.#taken + 1) {
        // Counted first: a program that ends meanwhile must not get it twice.
        this.#taken = n;
        await this.#child?.write(text);
      }
      this.#send?.({ kind: 'acked', stream: this.id, n: this.#taken });
    });
  }

  async end(): Promise<void> {
    const launched = await this.#launch;
    if (launched?.ok) await launched.value.end();
  }

  #printed(part: 'out' | 'err', bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      this.#add({ part, data: Buffer.from(piece).toString('base64') }, piece.length);
    }
    if (this.#bytes >= HOST_STREAM_BYTES) this.#hold();
  }

  #hold(): void {
    if (this.#child === null) return;
    this.#held = true;
    this.#child.hold();
  }

  #add(frame: StreamFrame, bytes: number): void {
    this.#count += 1;
    this.#bytes += bytes;
    this.#frames.push({ n: this.#count, frame, bytes });
    this.#send?.({ kind: 'frame', stream: this.id, n: this.#count, frame });
  }
}
