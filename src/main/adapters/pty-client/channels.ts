import { type ChildProcess, fork } from 'node:child_process';
import type { PtyHostControl } from '@areas/terminals/contract/host';
import { CHANNEL_REOPEN_MS } from '../../limits/core';
import type { PtyChannel, PtyClient } from './client';

export interface PtyHostFork {
  /** out/main/pty-host.js */
  readonly entry: string;
  readonly dataDir: string;
  /** Variables by which this program starts a script, beside its own. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * For a core without Electron: keeps a forked terminal process connected to the client until it is stopped.
 */
export class ForkedPtyHost {
  #child: ChildProcess | null = null;
  #stopping = false;

  constructor(
    private readonly options: PtyHostFork,
    private readonly client: PtyClient,
  ) {}

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  start(): void {
    const child = fork(this.options.entry, [], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, ...this.options.env },
    });
    this.#child = child;
    const say = (message: PtyHostControl): void => void child.send(message, () => undefined);
    child.on('error', () => undefined);
    say({ kind: 'init', dataDir: this.options.dataDir });
    this.client.connect(forkChannel(child));
    child.once('exit', () => {
      this.#child = null;
      if (!this.#stopping) setTimeout(() => this.#stopping || this.start(), CHANNEL_REOPEN_MS);
    });
  }

  /** Ends all terminals. Resolves when the process is gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (!child) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    // When the channel closes, the other side ends its terminals, then itself.
    child.disconnect();
    await gone;
  }
}

function forkChannel(child: ChildProcess): PtyChannel {
  return {
    post: (message) => {
      if (child.connected) child.send(message, () => undefined);
    },
    onMessage: (listener) => void child.on('message', listener),
    onClose: (listener) => void child.once('exit', listener),
  };
}
