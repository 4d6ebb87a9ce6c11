import { stripVTControlCharacters } from 'node:util';
import type { ProcessExit } from '../../../core/ports/programs/process';
import type { Terminal, TerminalOutput, TerminalSpec } from '../../../core/ports/programs/terminal';
import type { MarkedShell } from './marked-shell';

/** An agent's command in a shell: its output as plain text without control sequences, and how it ended. */
export class AgentTerminal implements Terminal {
  readonly #exited: Promise<ProcessExit>;
  readonly #limit: number;
  #text = '';
  #total = 0;
  #exit: ProcessExit | null = null;

  constructor(
    readonly id: string,
    private readonly shell: MarkedShell,
    spec: Pick<TerminalSpec, 'outputByteLimit' | 'onOutput'>,
  ) {
    this.#limit = spec.outputByteLimit;
    this.#exited = new Promise((resolve) => {
      shell.expect(id, {
        text: (text) => {
          this.#add(text);
          spec.onOutput();
        },
        ended: (exit) => {
          this.#exit = exit;
          resolve(exit);
        },
      });
    });
  }

  async output(): Promise<TerminalOutput> {
    const bytes = Buffer.from(this.#text);
    const over = bytes.length > this.#limit;
    const kept = over
      ? bytes
          .subarray(bytes.length - this.#limit)
          .toString('utf8')
          .replace(/^\uFFFD+/, '')
      : this.#text;
    const text = stripVTControlCharacters(kept).replaceAll('\r\n', '\n');
    return { text, truncated: this.#total > this.#limit, exit: this.#exit };
  }

  waitForExit(): Promise<ProcessExit> {
    return this.#exited;
  }

  async kill(): Promise<void> {
    if (this.#exit !== null) return;
    await this.shell.interrupt();
    await this.#exited;
  }

  release(): Promise<void> {
    return this.kill();
  }

  #add(text: string): void {
    this.#total += Buffer.byteLength(text);
    this.#text += text;
    // Cut only when twice the limit is held, so that many pieces do not each cost a copy.
    if (this.#text.length > this.#limit * 2) this.#text = this.#text.slice(-this.#limit);
  }
}
