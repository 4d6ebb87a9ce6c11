import { type PtyHostControl, type PtyHostReport, ptyHostReportSchema } from '@areas/terminals/contract/host';
import type { SystemStatus } from '@contract/system/procedures';
import { Supervised } from './supervised';
import type { Clock, Log, TransferredPort, Transport } from './transport';

interface PtyLinkOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly dataDir: string;
  spawn(): Transport;
  /** A new terminal process is up: the core needs a channel to it. */
  up(): void;
  changed(): void;
}

/** The terminal process as seen by main. Its clients use their own ports. */
export class PtyLink {
  readonly #host: Supervised;
  #stopped: (() => void) | null = null;
  #windowShown = false;

  constructor(private readonly options: PtyLinkOptions) {
    this.#host = new Supervised({
      name: 'terminal host',
      clock: options.clock,
      log: options.log,
      start: () => options.spawn(),
      connected: (transport) => this.#connected(transport),
      lost: () => this.#stopped?.(),
      changed: () => options.changed(),
    });
  }

  get running(): boolean {
    return this.#host.observed.state === 'running';
  }

  observed(): SystemStatus['ptyHost'] {
    const { state, ...rest } = this.#host.observed;
    return { state: state === 'stopped' ? 'none' : state, ...rest };
  }

  start(): void {
    this.#host.start();
  }

  restart(): void {
    this.#host.restart();
  }

  attach(port: TransferredPort): void {
    this.#post({ kind: 'attach' }, port);
  }

  /** Terminals that survived their core will not be taken over. */
  abandon(): void {
    this.#post({ kind: 'abandon' });
  }

  /** Whether someone may be looking at a window; the next terminal process is told too. */
  windowShown(shown: boolean): void {
    if (shown === this.#windowShown) return;
    this.#windowShown = shown;
    this.#post({ kind: 'window', shown });
  }

  /** Shows a terminal on this port; false if there is no terminal process. */
  view(outputPath: string, port: TransferredPort): boolean {
    if (!this.running) return false;
    this.#post({ kind: 'view', outputPath }, port);
    return true;
  }

  /** Resolves when no terminal is left, or the process is gone. */
  async shutdown(limitMs: number): Promise<void> {
    const transport = this.#host.transport;
    this.#host.stop();
    if (!transport) return;
    await new Promise<void>((resolve) => {
      const cancel = this.options.clock.later(limitMs, resolve);
      this.#stopped = () => {
        cancel();
        resolve();
      };
      transport.post({ kind: 'shutdown' } satisfies PtyHostControl);
    });
    transport.kill();
  }

  #connected(transport: Transport): void {
    transport.onMessage((raw) => {
      const parsed = ptyHostReportSchema.safeParse(raw);
      if (parsed.success) this.#receive(parsed.data);
      else this.options.log('error', `terminal host: a message that cannot be read: ${parsed.error.message}`);
    });
    transport.post({ kind: 'init', dataDir: this.options.dataDir } satisfies PtyHostControl);
    transport.post({ kind: 'window', shown: this.#windowShown } satisfies PtyHostControl);
  }

  #receive(report: PtyHostReport): void {
    if (report.kind === 'stopped') this.#stopped?.();
    else if (report.kind === 'fatal') this.#host.doomed(report.error.message, false);
    else {
      this.#host.ready(report.pid);
      this.options.up();
    }
  }

  #post(message: PtyHostControl, port?: TransferredPort): void {
    this.#host.transport?.post(message, port);
  }
}
