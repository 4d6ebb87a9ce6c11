import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '@contract/error-message';
import { type AppError, appError } from '@contract/errors';
import { err } from '@contract/result';
import type {
  CommandPort,
  CommandResult,
  CommandSpec,
  CommandsPast,
  RunningCommand,
  RunningInTerminal,
  TerminalCommandEnd,
  TerminalCommandPort,
} from '../../../core/ports/ports';
import type { ManagedProcess, ProcessExit, Processes } from '../../../core/ports/programs/process';
import { LONGEST_TIMER_MS } from '../../../limits/core';
import { OUTPUT_FILE_BYTES, UNWRITTEN_BYTES } from '../../../limits/core-sizes';
import { withLongValuesInFiles, writeLongScript } from './long-values';
import { PrintedText } from './printed-text';
import { TailBuffer } from './tail-buffer';

/** The end of what a command printed, if its file has no room for everything; and of its standard error. */
const TAIL_BYTES = 64 * 1024;

const ROOM = 'Check the free disk space and the permissions of the data folder.';
const nothing: CommandResult = {
  outcome: 'failed_to_start',
  exitCode: null,
  output: '',
  outputPath: null,
  outputBytes: 0,
  error: null,
};

const unwritten = (what: 'value' | 'script', cause: unknown): AppError =>
  appError('command.failed', `A long ${what} could not be written to a file: ${messageOf(cause)}`, {
    mend: ROOM,
  });

/** No system passes a NUL character in an argument or variable. */
function nulIn({ script, env }: CommandSpec): AppError | null {
  const texts: [string, string][] = [['the script', script], ...Object.entries(env)];
  const name = texts.find(([, text]) => text.includes('\0'))?.[0];
  if (name === undefined) return null;
  return appError('reference.nul', `${name} has a NUL character, which commands cannot take`, {
    mend: 'remove the NUL characters, in the step that outputs the text or where it is typed',
  });
}

const notStarted = (error: AppError): RunningCommand => ({
  done: Promise.resolve({ ...nothing, error }),
  kill: () => undefined,
});

type KillReason = 'cancelled' | 'timed_out';

export function shellOf(platform: NodeJS.Platform): { command: string; args: (script: string) => string[] } {
  return platform === 'win32'
    ? { command: 'cmd.exe', args: (script) => ['/d', '/s', '/c', `"${script}"`] }
    : { command: '/bin/bash', args: (script) => ['-c', script] };
}

/** Runs shell commands through pipes; those that need a terminal go to the other port, if there is one. */
export class PipeCommands implements CommandPort {
  readonly #terminal: TerminalCommandPort | null;
  readonly #fileBytes: number;

  constructor(
    private readonly processes: Processes,
    options: { readonly terminal?: TerminalCommandPort; readonly fileBytes?: number } = {},
  ) {
    this.#terminal = options.terminal ?? null;
    this.#fileBytes = options.fileBytes ?? OUTPUT_FILE_BYTES;
  }

  run(given: CommandSpec): RunningCommand {
    const nul = nulIn(given);
    if (nul !== null) return notStarted(nul);
    let spec = given;
    try {
      spec = withLongValuesInFiles(given);
    } catch (cause) {
      return notStarted(unwritten('value', cause));
    }
    if (spec.terminal && this.#terminal) return inTerminal(spec, this.#terminal.run(spec));
    const command = new PipeCommand(this.processes, spec, this.#fileBytes);
    return { done: command.run(), kill: (reason) => command.kill(reason) };
  }

  /** A pipe ends with its core. */
  async reattach(spec: CommandSpec, past: CommandsPast): Promise<RunningCommand | null> {
    const running = spec.terminal ? await this.#terminal?.reattach(spec, past) : null;
    return running == null ? null : inTerminal(spec, running);
  }
}

const inTerminal = (spec: CommandSpec, { done, ...running }: RunningInTerminal): RunningCommand => ({
  ...running,
  done: done.then((end) => readTerminal(spec, end)),
});

async function readTerminal(
  { outputLimit = null, outputPath }: CommandSpec,
  { read, ...end }: TerminalCommandEnd,
): Promise<CommandResult> {
  const output = new PrintedText(outputLimit);
  const errors = new PrintedText({ part: 'last', bytes: TAIL_BYTES });
  const where = { file: outputPath };
  try {
    const missing = await read({
      output: (bytes) => output.push(bytes),
      errors: (bytes) => errors.push(bytes),
    });
    output.dropped(missing);
  } catch (cause) {
    const error = appError('command.failed', `The output cannot be read: ${messageOf(cause)}`, { where });
    return { ...end, output: '', error: end.error ?? error };
  }
  return {
    ...end,
    output: output.result(),
    ...(errors.totalBytes === 0 ? {} : { errorOutput: errors.result() }),
  };
}

class PipeCommand {
  readonly #output: PrintedText;
  readonly #errors = new PrintedText({ part: 'last', bytes: TAIL_BYTES });
  /** The end of both streams. */
  readonly #tail = new TailBuffer(TAIL_BYTES);
  #file: OutputFile | null = null;
  #child: ManagedProcess | null = null;
  #killed: KillReason | null = null;

  constructor(
    private readonly processes: Processes,
    private readonly spec: CommandSpec,
    private readonly fileBytes: number,
  ) {
    this.#output = new PrintedText(spec.outputLimit ?? null);
  }

  kill(reason: KillReason): void {
    this.#killed ??= reason;
    void this.#child?.end();
  }

  async run(): Promise<CommandResult> {
    const file = await OutputFile.open(this.spec.outputPath, this.fileBytes);
    if (file === null) {
      return this.#result('failed_to_start', {
        error: appError('command.failed', `The output file ${this.spec.outputPath} could not be made.`, {
          where: { file: this.spec.outputPath },
          mend: ROOM,
        }),
      });
    }
    this.#file = file;
    const started = await this.#launch();
    if (!started.ok) {
      await file.close(this.#tail);
      return this.#result('failed_to_start', { error: started.error });
    }
    this.#child = started.value;
    if (this.#killed) void this.#child.end();
    const { timeoutSeconds } = this.spec;
    const timer =
      timeoutSeconds === null
        ? null
        : setTimeout(() => this.kill('timed_out'), Math.min(timeoutSeconds * 1000, LONGEST_TIMER_MS));
    const exit = await started.value.exited;
    if (timer) clearTimeout(timer);
    await started.value.gone;
    return this.#ended(exit, await file.close(this.#tail));
  }

  async #launch() {
    const { command, args } = shellOf(process.platform);
    const shell = (await this.processes.find(command)) ?? '/bin/sh';
    let file: string | null;
    try {
      file = writeLongScript(this.spec);
    } catch (cause) {
      return err(unwritten('script', cause));
    }
    return this.processes.launch({
      command: shell,
      args: file === null ? args(this.spec.script) : [file],
      cwd: this.spec.cwd,
      env: this.spec.env,
      owner: `run-${this.spec.runId}/command-${this.spec.commandId}`,
      stdin: 'none',
      output: this.spec.joinsErrors
        ? { kind: 'merged', chunk: (bytes) => this.#take(bytes, this.#output) }
        : {
            kind: 'split',
            stdout: (bytes) => this.#take(bytes, this.#output),
            stderr: (bytes) => this.#take(bytes, this.#errors),
          },
    });
  }

  #take(bytes: Uint8Array, stream: PrintedText): void {
    stream.push(bytes);
    this.#tail.push(bytes);
    if (this.#file === null || this.#file.write(bytes)) return;
    this.#child?.hold();
    this.#file.whenWritten(() => this.#child?.release());
  }

  #ended(exit: ProcessExit, writeError: Error | null): CommandResult {
    const lost = writeError
      ? appError('store.disk_full', `The output could not be written completely: ${writeError.message}`, {
          where: { file: this.spec.outputPath },
          mend: 'Free some disk space.',
        })
      : null;
    if (this.#killed) return this.#result(this.#killed, { error: lost });
    if (exit.host !== undefined) {
      const why = 'the process that Muster runs the command in died';
      const error = appError('unavailable', `${why}.`, { mend: 'Run the command again.' });
      return { ...this.#result('signalled', { error }), interrupted: why };
    }
    if (exit.signal !== null) {
      const error = appError('command.failed', `The command was ended by ${exit.signal}.`);
      return this.#result('signalled', { error });
    }
    return this.#result('exited', { exitCode: exit.code, error: lost });
  }

  #result(
    outcome: CommandResult['outcome'],
    more: { readonly exitCode?: number | null; readonly error: AppError | null },
  ): CommandResult {
    return {
      outcome,
      exitCode: more.exitCode ?? null,
      output: this.#output.result(),
      ...(this.#errors.totalBytes === 0 ? {} : { errorOutput: this.#errors.result() }),
      outputPath: this.#file === null ? null : this.spec.outputPath,
      outputBytes: this.#tail.totalBytes,
      error: more.error,
    };
  }
}

/**
 * The output on disk, as it was printed: complete, or its beginning up to the limit and its end. A failed write does not
 * end the command.
 */
class OutputFile {
  #room: number;
  #full = false;
  #error: Error | null = null;

  static async open(path: string, room: number): Promise<OutputFile | null> {
    try {
      await mkdir(dirname(path), { recursive: true });
      const stream = createWriteStream(path, { highWaterMark: UNWRITTEN_BYTES });
      return await new Promise((resolve) => {
        stream.once('open', () => resolve(new OutputFile(stream, room)));
        stream.once('error', () => resolve(null));
      });
    } catch {
      return null;
    }
  }

  private constructor(
    private readonly stream: WriteStream,
    room: number,
  ) {
    this.#room = room;
    stream.on('error', (error) => {
      this.#error ??= error;
    });
  }

  /** False if too much is waiting for the disk. */
  write(bytes: Uint8Array): boolean {
    if (this.#error !== null || this.stream.destroyed || this.#full) return true;
    this.#full = bytes.length > this.#room;
    const part = this.#full ? bytes.subarray(0, this.#room) : bytes;
    this.#room -= part.length;
    return this.stream.write(part);
  }

  whenWritten(run: () => void): void {
    const done = () => {
      this.stream.off('drain', done).off('close', done);
      run();
    };
    this.stream.once('drain', done).once('close', done);
  }

  /** `tail`: the end of the output. */
  async close(tail: TailBuffer): Promise<Error | null> {
    if (this.#full && !this.stream.destroyed)
      this.stream.write(`\n… more was printed than is kept; this is its end …\n${tail.text()}`);
    if (!this.stream.closed) {
      await new Promise<void>((resolve) => {
        this.stream.once('close', () => resolve());
        this.stream.end();
      });
    }
    return this.#error;
  }
}
