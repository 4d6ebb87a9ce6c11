import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { TerminalExit, TerminalSpec } from '@contract/terminal/host';
import { type IPty, spawn } from 'node-pty';
import { endFamily, type Family, groupLives } from './family';
import { EndMark, heldCommand, holdAnswer } from './hold';
import { OutputFile } from './output-file';

/** How long processes that a command left behind may take to end by themselves. */
const LEFT_OVER_GRACE_MS = 2000;

export interface TerminalOptions {
  readonly spec: TerminalSpec;
  /** `NAME=value`, put into the environment of every process of the terminal. */
  readonly mark: string;
  /** Bytes in the file, after each batch. */
  readonly onPrinted: (bytes: number) => void;
}

/** One program in a pseudo terminal. Its output goes to a file, and `done` tells how it ended. */
export class Terminal {
  readonly done: Promise<TerminalExit>;
  readonly #family: Family;
  readonly #end: EndMark | null;
  #ending: Promise<unknown> | null = null;

  private constructor(
    private readonly pty: IPty,
    private readonly output: OutputFile,
    marks: { environment: string; end: string | null },
  ) {
    this.#family = { leader: pty.pid, mark: marks.environment };
    this.#end = marks.end === null ? null : new EndMark(marks.end);
    // With `encoding: null` node-pty gives buffers, which its types do not say.
    pty.onData((data) => this.#read(data as unknown as Buffer, marks.end));
    this.done = new Promise((resolve) => {
      pty.onExit(({ exitCode, signal }) => resolve(this.#finish(exitCode, signal ?? 0)));
    });
  }

  static async open(options: TerminalOptions): Promise<Result<Terminal>> {
    const { spec, mark } = options;
    const trouble = folderTrouble(spec.cwd);
    if (trouble) return err(trouble);
    let pty: IPty | null = null;
    const listener = {
      written: options.onPrinted,
      holdBack: (on: boolean) => (on ? pty?.pause() : pty?.resume()),
    };
    let output: OutputFile | null = null;
    try {
      output = await OutputFile.open(spec.outputPath, listener);
      const end = spec.hold && process.platform !== 'win32' ? randomBytes(12).toString('hex') : null;
      pty = start(spec, mark, end);
      return ok(new Terminal(pty, output, { environment: mark, end }));
    } catch (cause) {
      await output?.close();
      const reason = cause instanceof Error ? cause.message : String(cause);
      return err(appError('command.failed', `The terminal could not be opened: ${reason}`));
    }
  }

  get pid(): number {
    return this.pty.pid;
  }

  write(data: string): void {
    try {
      this.pty.write(data);
    } catch {
      // It ended in the meantime; `done` tells.
    }
  }

  resize(cols: number, rows: number): void {
    try {
      this.pty.resize(cols, rows);
    } catch {
      // As above.
    }
  }

  /** A second call with a shorter grace takes effect at once. */
  async kill(graceMs: number): Promise<void> {
    this.#ending = Promise.all([this.#ending, endFamily(this.#family, graceMs)]);
    await this.#ending;
  }

  #read(chunk: Buffer, end: string | null): void {
    if (!this.#end || end === null) return this.output.push(chunk);
    const before = this.#end.found;
    this.output.push(this.#end.push(chunk));
    if (!before && this.#end.found) this.write(holdAnswer(end));
  }

  async #finish(exitCode: number, signal: number): Promise<TerminalExit> {
    if (this.#ending !== null) await this.#ending;
    else if (await groupLives(this.#family)) await endFamily(this.#family, LEFT_OVER_GRACE_MS);
    if (this.#end) this.output.push(this.#end.rest());
    const tail = await this.output.close();
    const failed = this.output.error;
    return {
      exitCode: signal === 0 ? exitCode : null,
      signal: signal === 0 ? null : signal,
      bytes: this.output.bytes,
      tail,
      error: failed
        ? appError(
            'store.disk_full',
            `The output is not whole, because it could not be written: ${failed.message}`,
          )
        : null,
    };
  }
}

function start(spec: TerminalSpec, environmentMark: string, hold: string | null): IPty {
  const [name = '', value = ''] = environmentMark.split(/=(.*)/s);
  const command = hold === null ? spec : heldCommand(hold, spec.file, spec.args);
  return spawn(command.file, [...command.args], {
    name: spec.env.TERM ?? 'xterm-256color',
    cols: spec.cols,
    rows: spec.rows,
    cwd: spec.cwd,
    env: { ...spec.env, [name]: value },
    encoding: null,
  });
}

/** node-pty tells of a missing folder on the terminal only, and then as an exit code of 1. */
function folderTrouble(cwd: string): AppError | null {
  const found = statSync(cwd, { throwIfNoEntry: false });
  if (found?.isDirectory()) return null;
  const what = found ? 'is no folder' : 'does not exist';
  return appError('workspace.failed', `The working folder ${cwd} ${what}.`);
}
