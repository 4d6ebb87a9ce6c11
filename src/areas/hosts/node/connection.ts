import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { Host } from '../contract/host';
import { type FromHost, fromHostSchema, HOST_PROTOCOL, type ToHost } from '../contract/wire';
import { SSH_FAILED } from '../core/ssh-failure';
import { FrameReader, frameOf, PreambleReader } from './frames';
import type { Ssh, SshConnection } from './ssh';

export type Hello = Extract<FromHost, { kind: 'hello' }>;

interface Wish {
  readonly ssh: Ssh;
  readonly host: Host;
  readonly command: string;
  readonly core: { readonly uid: string; readonly epoch: number };
}

interface Listener {
  message(message: FromHost): void;
  /** The connection ended; its programs continue. */
  ended(error: AppError): void;
}

/** The program is not there, or cannot be started: the host has to be prepared. */
type Refusal = { readonly missing: boolean; readonly error: AppError };

/** One `ssh` that reaches the host process, from its hello to its end. */
export class HostWire {
  readonly #reader = new FrameReader();
  readonly #preamble = new PreambleReader();
  #begun = false;
  #hello: (result: Result<Hello, Refusal>) => void = () => undefined;
  #greeted = false;
  #closed: AppError | null = null;

  private constructor(
    private readonly wish: Wish,
    private readonly connection: SshConnection,
    private readonly listener: Listener,
  ) {}

  static async open(
    wish: Wish,
    listener: Listener,
  ): Promise<Result<{ wire: HostWire; hello: Hello }, Refusal>> {
    const started = await wish.ssh.connect(wish.host, wish.command);
    if (!started.ok) return err({ missing: false, error: started.error });
    const wire = new HostWire(wish, started.value, listener);
    const hello = await wire.#greet();
    return hello.ok ? ok({ wire, hello: hello.value }) : hello;
  }

  send(message: ToHost): void {
    const { stdin } = this.connection.child;
    if (stdin.writable) stdin.write(frameOf(message));
  }

  close(): void {
    this.connection.child.stdin.end();
    this.connection.child.kill();
  }

  #greet(): Promise<Result<Hello, Refusal>> {
    const { child, ended } = this.connection;
    const greeted = new Promise<Result<Hello, Refusal>>((resolve) => {
      this.#hello = resolve;
    });
    child.stdout.on('data', (bytes: Buffer) => this.#push(bytes));
    void ended.then((code) => this.#ended(code));
    this.send({ kind: 'hello', protocol: HOST_PROTOCOL, core: this.wish.core });
    return greeted;
  }

  #push(chunk: Uint8Array): void {
    if (this.#closed !== null) return;
    let bytes: Uint8Array | null = chunk;
    if (!this.#begun) {
      const start = this.#preamble.push(chunk);
      if (!start.ok) return this.#fail(start.error);
      bytes = start.value;
      if (bytes === null) return;
      this.#begun = true;
    }
    const read = this.#reader.push(bytes);
    if (!read.ok) return this.#fail(read.error);
    for (const raw of read.value) {
      const message = fromHostSchema.safeParse(raw);
      if (!message.success) return this.#fail(foreign(this.wish.host));
      this.#take(message.data);
    }
  }

  #take(message: FromHost): void {
    if (message.kind === 'refused') return this.#fail(message.error);
    if (this.#greeted) return this.listener.message(message);
    if (message.kind !== 'hello' || message.protocol !== HOST_PROTOCOL)
      return this.#fail(foreign(this.wish.host));
    this.#greeted = true;
    this.#hello(ok(message));
  }

  #fail(error: AppError): void {
    this.#closed = error;
    this.close();
  }

  async #ended(code: number | null): Promise<void> {
    const stderr = this.connection.stderr().trim();
    const { ssh, host } = this.wish;
    if (this.#greeted) return this.listener.ended(this.#closed ?? broken(host, stderr));
    if (this.#closed !== null) return this.#hello(err({ missing: false, error: this.#closed }));
    if (code === SSH_FAILED || code === null)
      return this.#hello(err({ missing: false, error: await ssh.failure(host, stderr) }));
    const error = appError(
      'host.unfit',
      `Muster's program on ${host.name} does not start: ${stderr.slice(-200)}`,
      {
        mend: `Look at it: muster hosts doctor ${host.name}`,
      },
    );
    this.#hello(err({ missing: true, error }));
  }
}

const foreign = (host: Host): AppError =>
  appError('host.protocol', `${host.name} speaks a protocol that this Muster does not know.`, {
    mend: 'Update Muster on this machine.',
  });

const broken = (host: Host, stderr: string): AppError =>
  appError(
    'host.unreachable',
    `The connection to ${host.name} ended${stderr === '' ? '.' : `: ${stderr.split('\n').at(-1)}`}`,
    { mend: 'Muster connects again by itself.' },
  );
