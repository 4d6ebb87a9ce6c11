import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { FromPtyHost, TerminalSpec } from '../../src/areas/terminals/contract/host';
import type { ViewPort } from '../../src/main/adapters/pty/screen/view';
import { Terminals } from '../../src/main/adapters/pty/terminals';

/** The terminals of the terminal process, run in this process; their screens are threads beside it. */
export class BenchTerminals {
  readonly folder: string;
  readonly #terminals: Terminals;
  readonly #client: ReturnType<Terminals['connect']>;
  readonly #created = new Map<string, () => void>();
  #count = 0;

  constructor(parent: string) {
    this.folder = mkdtempSync(join(parent, 'terminals-'));
    this.#terminals = new Terminals(this.folder, new URL('./terminal-snapshot.js', import.meta.url));
    this.#client = this.#terminals.connect({ post: (message) => this.#hear(message) });
  }

  /**
   * Starts a shell script in a separate terminal; returns the path of its output. `hold` as for every command
   * of a run or an agent; without it as for a program that wants the terminal for itself.
   */
  async open(script: string, { hold = false } = {}): Promise<string> {
    this.#count += 1;
    const id = String(this.#count);
    const outputPath = join(this.folder, `${id}.log`);
    const spec: TerminalSpec = {
      file: '/bin/bash',
      args: ['-c', script],
      cwd: this.folder,
      cols: 120,
      rows: 30,
      env: { PATH: process.env.PATH ?? '' },
      outputPath,
      hold,
      keep: false,
    };
    const created = new Promise<void>((resolve) => this.#created.set(id, resolve));
    this.#client.message({ kind: 'create', id, spec });
    await created;
    return outputPath;
  }

  show(outputPath: string, free = false): BenchScreen {
    const { port1, port2 } = new MessageChannel();
    const port: ViewPort = {
      post: (message) => port1.postMessage(message),
      onMessage: (listener) => port1.on('message', listener),
      onClose: (listener) => port1.on('close', listener),
    };
    this.#terminals.show(outputPath, port);
    return new BenchScreen(port2, free);
  }

  async close(): Promise<void> {
    await this.#terminals.close(200);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #hear(message: FromPtyHost): void {
    if (message.kind === 'refused') throw new Error(message.error.message);
    if (message.kind === 'created') this.#created.get(message.id)?.();
  }
}

/** The client of a screen's thread. */
export class BenchScreen {
  readonly #worker = new Worker(new URL('./terminals-screen.js', import.meta.url));

  constructor(port: import('node:worker_threads').MessagePort | null = null, free = false) {
    if (port) this.#worker.postMessage({ kind: 'show', port, free }, [port]);
  }

  heard<T>(kind: string): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#worker.on(
        'message',
        (message: { kind: string }) => message.kind === kind && resolve(message as T),
      );
      this.#worker.once('error', reject);
    });
  }

  async ask<T>(question: Record<string, unknown>): Promise<T> {
    const answered = this.heard<{ value: T }>('answer');
    this.#worker.postMessage(question);
    return (await answered).value;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
