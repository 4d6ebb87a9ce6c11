import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { TerminalSpec } from '@contract/terminal/host';
import type { ProcessExit } from '../../core/ports/process';
import type { PtyClient, TerminalEnd, TerminalHandle } from './client';
import { OutputReader, outputEnd } from './output-reader';
import { MarkReader, type ShellMark } from './shell-script';

/** Takes what one command prints, and its end. */
export interface CommandEars {
  text(text: string): void;
  ended(exit: ProcessExit): void;
}

const KILL_GRACE_MS = 1500;
/** How long a command may take to end by the key that interrupts. */
const INTERRUPT_MS = 700;

/** A shell in a terminal, whose output tells by marks where a command begins and ends. */
export class MarkedShell {
  /** True once it takes commands, false where it ended before. */
  readonly ready: Promise<boolean>;
  /** Resolves when nothing of it lives and all that it printed is read. */
  readonly gone: Promise<void>;
  readonly #marks = new MarkReader();
  readonly #reader: OutputReader;
  readonly #handle: TerminalHandle;
  #isReady: (ready: boolean) => void = () => undefined;
  #current: { readonly ears: CommandEars; begun: boolean } | null = null;
  #leaving = false;
  #over = false;

  constructor(client: PtyClient, id: string, spec: TerminalSpec) {
    const start = outputEnd(spec.outputPath);
    this.#reader = new OutputReader(spec.outputPath, start, (text) => this.#take(text));
    this.ready = new Promise((resolve) => {
      this.#isReady = resolve;
    });
    let gone: () => void = () => undefined;
    this.gone = new Promise((resolve) => {
      gone = resolve;
    });
    this.#handle = client.open(id, spec, {
      printed: (bytes) => void this.#reader.upTo(bytes),
      ended: (end) => void this.#end(end).then(gone),
    });
  }

  get over(): boolean {
    return this.#over;
  }

  /** It takes no more commands. */
  get leaving(): boolean {
    return this.#leaving;
  }

  get busy(): boolean {
    return this.#current !== null;
  }

  /** One command at a time. Its text is what stands between its marks. */
  expect(ears: CommandEars): void {
    this.#current = { ears, begun: false };
  }

  /** Has the shell read in this file. */
  async send(pipe: string, file: string): Promise<void> {
    const handle = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      await handle.write(`${file}\n`);
    } finally {
      await handle.close();
    }
  }

  /** Ends the command: by the key first, so that the shell can save what it has. */
  async interrupt(): Promise<void> {
    const current = this.#current;
    this.#handle.write('\x03');
    const until = Date.now() + INTERRUPT_MS;
    while (this.#current === current && current !== null && Date.now() < until) await pause(25);
    if (this.#current === current && current !== null) await this.kill();
  }

  async kill(): Promise<void> {
    this.#handle.kill(KILL_GRACE_MS);
    await this.gone;
  }

  #take(text: string): void {
    for (const part of this.#marks.push(text)) {
      if (typeof part !== 'string') this.#mark(part);
      else if (this.#current?.begun) this.#current.ears.text(part);
    }
  }

  #mark(mark: ShellMark): void {
    if (mark.kind === 'ready') return this.#isReady(true);
    if (mark.kind === 'gone') {
      this.#leaving = true;
      return;
    }
    if (mark.kind === 'begin') {
      if (this.#current) this.#current.begun = true;
      return;
    }
    this.#finish({ code: mark.code, signal: null });
  }

  #finish(exit: ProcessExit): void {
    const current = this.#current;
    this.#current = null;
    current?.ears.ended(exit);
  }

  async #end(end: TerminalEnd): Promise<void> {
    this.#leaving = true;
    if (end.kind === 'exited') await this.#reader.upTo(end.exit.bytes);
    this.#over = true;
    this.#isReady(false);
    this.#finish(exitOf(end));
  }
}

function exitOf(end: TerminalEnd): ProcessExit {
  if (end.kind !== 'exited') return { code: null, signal: 'SIGKILL' };
  const { exitCode, signal } = end.exit;
  if (signal === null) return { code: exitCode, signal: null };
  return { code: null, signal: signal === 9 ? 'SIGKILL' : 'SIGTERM' };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
