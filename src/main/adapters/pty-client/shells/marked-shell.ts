import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { KeptTerminal, TerminalSpec } from '@areas/terminals/contract/host';
import type { ProcessExit } from '../../../core/ports/programs/process';
import { SHELL_GRACE_MS, SHELL_INTERRUPT_MS, SHELL_OUTPUT_MS } from '../../../limits/core';
import type { PtyClient, TerminalEnd, TerminalHandle, TerminalListener } from '../client';
import { OutputReader, outputEnd } from '../output-reader';
import { MarkReader, type ShellMark } from './shell-script';

/** Receives one command's output and end. */
interface CommandListener {
  text(text: string): void;
  ended(exit: ProcessExit): void;
}

/** A shell in a terminal, whose output contains marks at the start and end of each command. */
export class MarkedShell {
  /** True once it accepts commands, false if it ended first. */
  readonly ready: Promise<boolean>;
  /** Resolves when all its processes have ended and all output was read. */
  readonly gone: Promise<void>;
  readonly #marks = new MarkReader();
  readonly #reader: OutputReader;
  #handle: TerminalHandle | null = null;
  #isReady: (ready: boolean) => void = () => undefined;
  #isGone: () => void = () => undefined;
  #current: { readonly id: string; readonly listener: CommandListener; begun: boolean } | null = null;
  /** The running command, whichever client requested it. */
  #running: string | null = null;
  /** The shell of an earlier core, whose past was read. */
  #left = false;
  #leaving = false;
  #over = false;

  private constructor(outputPath: string, start: number) {
    this.#reader = new OutputReader(outputPath, start, (text) => this.#take(text));
    this.ready = new Promise((resolve) => {
      this.#isReady = resolve;
    });
    this.gone = new Promise((resolve) => {
      this.#isGone = resolve;
    });
  }

  static start(client: PtyClient, id: string, spec: TerminalSpec): MarkedShell {
    const shell = new MarkedShell(spec.outputPath, outputEnd(spec.outputPath));
    shell.#attach((listener) => client.open(id, spec, listener));
    return shell;
  }

  /**
   * Takes over a shell that an earlier core started. A command still running in it has no requester any more:
   * it is interrupted together with the shell, which saves its state.
   */
  static async takeUp(client: PtyClient, kept: KeptTerminal): Promise<MarkedShell> {
    const shell = new MarkedShell(kept.outputPath, kept.offset - kept.bytes);
    await shell.#reader.upTo(kept.bytes);
    shell.#attach((listener) => client.reattach(kept.id, listener));
    if (kept.ended) await shell.gone;
    else await pause(SHELL_OUTPUT_MS);
    shell.#left = true;
    if (shell.#over) return shell;
    if (shell.#running !== null || kept.killed) await shell.#calm();
    else shell.#isReady(true);
    return shell;
  }

  get over(): boolean {
    return this.#over;
  }

  /** It accepts no more commands. */
  get leaving(): boolean {
    return this.#leaving;
  }

  get busy(): boolean {
    return this.#current !== null;
  }

  /** One command at a time. Its output is the text between its marks. */
  expect(id: string, listener: CommandListener): void {
    this.#current = { id, listener, begun: false };
  }

  /** Removes these values from the shell's output from now on. */
  async conceal(values: readonly string[]): Promise<void> {
    await this.#handle?.conceal(values);
  }

  /** Makes the shell source this file. */
  async send(pipe: string, file: string): Promise<void> {
    const handle = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      await handle.write(`${file}\n`);
    } finally {
      await handle.close();
    }
  }

  /** Ends the command, first with the interrupt key, so that the shell can save its state. */
  async interrupt(): Promise<void> {
    const current = this.#current;
    this.#handle?.write('\x03');
    const until = Date.now() + SHELL_INTERRUPT_MS;
    while (this.#current === current && current !== null && Date.now() < until) await pause(25);
    if (this.#current === current && current !== null) await this.kill();
  }

  async kill(): Promise<void> {
    this.#handle?.kill(SHELL_GRACE_MS);
    await this.gone;
  }

  async #calm(): Promise<void> {
    this.#handle?.write('\x03');
    await Promise.race([this.gone, pause(SHELL_INTERRUPT_MS)]);
    if (!this.#over) await this.kill();
  }

  #attach(open: (listener: TerminalListener) => TerminalHandle | null): void {
    this.#handle = open({
      printed: (bytes) => void this.#reader.upTo(bytes),
      ended: (end) => void this.#end(end).then(this.#isGone),
    });
    // The terminal process ended while its past was read.
    if (this.#handle === null) void this.#end({ kind: 'lost' }).then(this.#isGone);
  }

  #take(text: string): void {
    for (const part of this.#marks.push(text)) {
      if (typeof part !== 'string') this.#mark(part);
      else if (this.#current?.begun) this.#current.listener.text(part);
    }
  }

  #mark(mark: ShellMark): void {
    if (mark.kind === 'ready') return this.#isReady(true);
    if (mark.kind === 'gone') {
      this.#leaving = true;
      return;
    }
    if (mark.kind === 'begin') {
      this.#running = mark.id;
      if (this.#current?.id === mark.id) this.#current.begun = true;
      // Requested by the earlier core as it ended.
      else if (this.#left) void this.#calm();
      return;
    }
    this.#running = null;
    if (this.#current?.id === mark.id) this.#finish({ code: mark.code, signal: null });
  }

  #finish(exit: ProcessExit): void {
    const current = this.#current;
    this.#current = null;
    current?.listener.ended(exit);
  }

  async #end(end: TerminalEnd): Promise<void> {
    this.#leaving = true;
    if (end.kind === 'exited') await this.#reader.upTo(end.exit.bytes);
    this.#over = true;
    this.#isReady(false);
    this.#finish(exitOf(end));
    this.#handle?.taken();
  }
}

function exitOf(end: TerminalEnd): ProcessExit {
  if (end.kind === 'lost') return { code: null, signal: 'SIGKILL', host: 'terminals' };
  if (end.kind !== 'exited') return { code: null, signal: 'SIGKILL' };
  const { exitCode, signal } = end.exit;
  if (signal === null) return { code: exitCode, signal: null };
  return { code: null, signal: signal === 9 ? 'SIGKILL' : 'SIGTERM' };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
