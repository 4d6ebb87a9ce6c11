import { type AppError, appError } from '@contract/errors';
import {
  type FromPtyHost,
  fromPtyHostSchema,
  type TerminalExit,
  type TerminalSpec,
  type ToPtyHost,
} from '@contract/terminal/host';

/** One connection to a terminal process. */
export interface PtyChannel {
  post(message: ToPtyHost): void;
  onMessage(listener: (raw: unknown) => void): void;
  /** Called once, when nothing more will come. */
  onClose(listener: () => void): void;
}

/** How a terminal went: `lost` when the terminal process died under it. */
export type TerminalEnd =
  | { readonly kind: 'exited'; readonly exit: TerminalExit }
  | { readonly kind: 'refused'; readonly error: AppError }
  | { readonly kind: 'lost' };

export interface TerminalListener {
  created?(pid: number): void;
  /** So many bytes are in the output file. */
  printed?(bytes: number): void;
  /** Once, and nothing after it. */
  ended(end: TerminalEnd): void;
}

export interface TerminalHandle {
  write(data: string): void;
  resize(cols: number, rows: number): void;
  kill(graceMs: number): void;
}

/** How long a new terminal waits for a terminal process that is being started again. */
const WAIT_MS = 15_000;

/** The user's side of the terminal process. It outlives the connection: `connect` gives it the next one. */
export class PtyClient {
  readonly #open = new Map<string, { readonly listener: TerminalListener; readonly outputPath: string }>();
  readonly #waiting = new Set<() => void>();
  #channel: PtyChannel | null = null;

  constructor(private readonly waitMs = WAIT_MS) {}

  connect(channel: PtyChannel): void {
    if (this.#channel) this.#lose(this.#channel);
    this.#channel = channel;
    channel.onMessage((raw) => {
      const parsed = fromPtyHostSchema.safeParse(raw);
      if (parsed.success && this.#channel === channel) this.#receive(parsed.data);
    });
    channel.onClose(() => this.#lose(channel));
    for (const go of [...this.#waiting]) go();
  }

  /** `id` is unique among the terminals of this client. */
  open(id: string, spec: TerminalSpec, listener: TerminalListener): TerminalHandle {
    const cancelWait = this.#whenConnected(
      () => {
        this.#open.set(id, { listener, outputPath: spec.outputPath });
        this.#post({ kind: 'create', id, spec });
      },
      (error) => listener.ended({ kind: 'refused', error }),
    );
    return {
      write: (data) => this.#toOpen(id, { kind: 'write', id, data }),
      resize: (cols, rows) => this.#toOpen(id, { kind: 'resize', id, cols, rows }),
      kill: (graceMs) => {
        cancelWait();
        this.#toOpen(id, { kind: 'kill', id, graceMs });
      },
    };
  }

  /** Whether there is a terminal process, or comes one within this time. */
  async connected(withinMs: number): Promise<boolean> {
    if (this.#channel) return true;
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(go);
        resolve(this.#channel !== null);
      };
      const timer = setTimeout(go, withinMs);
      this.#waiting.add(go);
    });
  }

  /** The output files of the terminals that are open. */
  openOutputs(): ReadonlySet<string> {
    return new Set([...this.#open.values()].map((one) => one.outputPath));
  }

  /** Runs now or when there is a connection; the result gives up the wait. */
  #whenConnected(run: () => void, giveUp: (error: AppError) => void): () => void {
    if (this.#channel) {
      run();
      return () => undefined;
    }
    const settle = (then: () => void) => (): void => {
      clearTimeout(timer);
      if (this.#waiting.delete(go)) then();
    };
    const go = settle(run);
    const noHost = appError('unavailable', 'The terminal host is not running.', {
      mend: 'Wait until it was started again, or restart Muster.',
    });
    const timer = setTimeout(
      settle(() => giveUp(noHost)),
      this.waitMs,
    );
    this.#waiting.add(go);
    return settle(() => giveUp(appError('cancelled', 'It was ended before it had begun.')));
  }

  #toOpen(id: string, message: ToPtyHost): void {
    if (this.#open.has(id)) this.#post(message);
  }

  #post(message: ToPtyHost): void {
    this.#channel?.post(message);
  }

  #receive(message: FromPtyHost): void {
    if (message.kind === 'hello') return;
    const listener = this.#open.get(message.id)?.listener;
    if (!listener) return;
    if (message.kind === 'created') return listener.created?.(message.pid);
    if (message.kind === 'printed') return listener.printed?.(message.bytes);
    this.#open.delete(message.id);
    listener.ended(message.kind === 'exited' ? message : { kind: 'refused', error: message.error });
  }

  #lose(channel: PtyChannel): void {
    if (this.#channel !== channel) return;
    this.#channel = null;
    const lost = [...this.#open.values()];
    this.#open.clear();
    for (const { listener } of lost) listener.ended({ kind: 'lost' });
  }
}
