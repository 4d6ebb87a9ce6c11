import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Duplex, Readable } from 'node:stream';
import type { LaunchSpec, ManagedProcess, ProcessExit } from '../../core/ports/programs/process';
import { KILLED_DRAIN_MS, OUTPUT_DRAIN_MS, SCRIPT_DRAIN_MS } from '../../limits/core';
import { TailBuffer } from './commands/tail-buffer';
import { endGroup } from './guard/end-group';
import { LineSplitter } from './line-splitter';

const STDERR_TAIL_BYTES = 16 * 1024;
const EXIT_WORD = /^exit (\d+)$/;

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** A shell reports a signal as 128 + its number. */
function exitOf(status: number): ProcessExit {
  const signal = status > 128 ? signalNames.get(status - 128) : undefined;
  return signal ? { code: null, signal } : { code: status, signal: null };
}

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());

interface Streams {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly control: Duplex;
}

/** The child behind its guard: reads its output, learns how it ended, and ensures that no process remains. */
export class ManagedChild implements ManagedProcess {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  readonly #streams: Streams;
  /** The kind of output of a script, which may leave processes with its streams behind. */
  readonly #isScript: boolean;
  readonly #stderrTail = new TailBuffer(STDERR_TAIL_BYTES);
  readonly #drained: Promise<unknown>;
  #ending: Promise<void> | null = null;
  #over = false;

  constructor(
    child: ChildProcess & { readonly pid: number },
    spec: LaunchSpec,
    private readonly mark: string,
  ) {
    this.pid = child.pid;
    this.#child = child;
    this.#isScript = spec.output.kind !== 'lines';
    this.#streams = streamsOf(child);
    this.#drained = this.#read(spec);
    const ended = this.#whenEnded();
    this.exited = ended.then(async (exit) => {
      if (exit.host !== undefined) await this.#endUnguarded();
      await this.#drain();
      return exit;
    });
    this.gone = this.exited.then(() => this.#sweep());
    child.stdin?.on('error', () => {});
    if (spec.input !== undefined) child.stdin?.end(spec.input);
    this.#streams.control.on('error', () => {});
  }

  async write(text: string): Promise<void> {
    const { stdin } = this.#child;
    if (this.#over || !stdin?.writable) return;
    await new Promise<void>((resolve) => {
      stdin.write(text, () => resolve());
    });
  }

  hold(): void {
    if (this.#over) return;
    this.#streams.stdout.pause();
    // A protocol's messages are only on standard output.
    if (this.#isScript) this.#streams.stderr.pause();
  }

  release(): void {
    this.#streams.stdout.resume();
    if (this.#isScript) this.#streams.stderr.resume();
  }

  stderrTail(): string {
    return this.#stderrTail.text();
  }

  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.release();
    if (!this.#over) await endGroup(this.pid, this.mark);
    await this.gone;
  }

  #read(spec: LaunchSpec): Promise<unknown> {
    const { stdout, stderr } = this.#streams;
    const { output } = spec;
    if (output.kind === 'merged') {
      stdout.on('data', (chunk: Buffer) => output.chunk(chunk));
      stderr.on('data', (chunk: Buffer) => output.chunk(chunk));
    } else if (output.kind === 'split') {
      stdout.on('data', (chunk: Buffer) => output.stdout(chunk));
      stderr.on('data', (chunk: Buffer) => output.stderr(chunk));
    } else {
      const lines = new LineSplitter(output.maxLineBytes, output);
      stdout.on('data', (chunk: Buffer) => {
        output.raw?.stdout(chunk);
        lines.push(chunk);
      });
      stdout.on('end', () => lines.end());
      stderr.on('data', (chunk: Buffer) => {
        this.#stderrTail.push(chunk);
        output.raw?.stderr(chunk);
        output.stderr(chunk.toString('utf8'));
      });
    }
    const closed = (stream: Readable) => new Promise((resolve) => stream.once('close', resolve));
    return Promise.all([closed(stdout), closed(stderr)]);
  }

  /** From the guard's message, or the guard's own end if it was killed. */
  #whenEnded(): Promise<ProcessExit> {
    const { control } = this.#streams;
    return new Promise((resolve) => {
      let word = '';
      control.on('data', (chunk: Buffer) => {
        word += chunk.toString('latin1');
        const match = EXIT_WORD.exec(word.trim());
        if (match) resolve(exitOf(Number(match[1])));
      });
      this.#child.once('exit', (code, signal) => resolve({ code, signal, host: 'guard' }));
    });
  }

  /** The guard is gone and the program may still run: its exit is reported only after it was ended. */
  async #endUnguarded(): Promise<void> {
    const { control } = this.#streams;
    if (control.writable) control.end('q\n');
    await endGroup(this.pid, this.mark);
  }

  async #drain(): Promise<void> {
    this.release();
    await Promise.race([this.#drained, after(this.#isScript ? SCRIPT_DRAIN_MS : OUTPUT_DRAIN_MS)]);
    this.#over = true;
  }

  /** The guard is released last: until then it is needed in case Muster dies. */
  async #sweep(): Promise<void> {
    const { control, stdout, stderr } = this.#streams;
    const exited = this.#child.exitCode !== null || this.#child.signalCode !== null;
    const guardGone = exited
      ? Promise.resolve()
      : new Promise((resolve) => this.#child.once('exit', resolve));
    if (control.writable) control.end('q\n');
    await Promise.race([guardGone, after(OUTPUT_DRAIN_MS)]);
    await endGroup(this.pid, this.mark);
    await Promise.race([this.#drained, after(KILLED_DRAIN_MS)]);
    for (const stream of [stdout, stderr, control, this.#child.stdin]) stream?.destroy();
  }
}

function streamsOf(child: ChildProcess): Streams {
  const control = child.stdio[3];
  if (!child.stdout || !child.stderr || !control || !('write' in control)) {
    throw new Error('a guarded child is started with pipes for 1, 2 and 3');
  }
  return { stdout: child.stdout, stderr: child.stderr, control: control as Duplex };
}
