import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import type { TerminalExit, TerminalSpec } from '@areas/terminals/contract/host';
import { messageOf } from '@contract/error-message';
import { type AppError, appError } from '@contract/errors';
import { TERMINAL_BYTES } from '@contract/limits';
import { ownValue } from '@contract/own';
import { err, fail, ok, type Result } from '@contract/result';
import type { IPty } from 'node-pty';
import { SecretMask } from '../../guarded-files/secret-mask';
import { LEFT_OVER_GRACE_MS, MASK_HOLDS_MS } from '../../limits/terminal-host';
import { echoOf } from './input/echo';
import { type PtyProgram, spawnReading } from './input/read-fast';
import { Typed } from './input/typed-input';
import { ErrorRanges } from './output/error-ranges';
import { ErrorsAfterOutput } from './output/errors-after-output';
import { Notes } from './output/notes';
import { OutputFile } from './output/output-file';
import { ErrorTerminal } from './program/error-terminal';
import { EndMark, heldCommand, holdAnswer } from './program/exit-hold';
import { endFamily, type Family, groupLives } from './program/process-family';

interface TerminalOptions {
  readonly spec: TerminalSpec;
  /** `NAME=value` in the environment of every process of the terminal. */
  readonly mark: string;
  /** The number of bytes in the file, after each batch. */
  readonly onPrinted: (bytes: number) => void;
  /** This many bytes were read; the terminal may then be paused for any time. */
  readonly onRead?: (terminal: Terminal, bytes: number) => void;
  /** Maximum bytes of output to keep. Called again as the output grows. */
  readonly limit?: () => number;
  /** Output before this offset was dropped. */
  readonly onEvicted?: (before: number) => void;
  /** The size from this output offset on. */
  readonly onResized?: (size: { cols: number; rows: number; bytes: number }) => void;
}

/** Receives each batch once it is in the file, with its start offset. Copy the bytes to keep them. */
interface Follower {
  batch(offset: number, data: Buffer): void;
  evicted(before: number): void;
  /** It is paused because others print as much; or no longer. */
  waits?(on: boolean): void;
}

interface Marks {
  readonly environment: string;
  readonly end: string | null;
  readonly mask: SecretMask | null;
  readonly errorMask: SecretMask | null;
  readonly errors: ErrorTerminal | null;
  readonly notes: Notes;
  readonly followers: Set<Follower>;
  readonly resized: NonNullable<TerminalOptions['onResized']>;
}

/** One program in a pseudo terminal. Its output goes to a file, and `done` reports how it ended. */
export class Terminal {
  readonly done: Promise<TerminalExit>;
  private readonly pty: IPty;
  readonly #family: Family;
  readonly #end: EndMark | null;
  readonly #errors: ErrorTerminal | null;
  readonly #ranges = new ErrorRanges();
  readonly #behind = new ErrorsAfterOutput((piece) => this.#printErrors(piece));
  /** The answer that ends the holding shell. */
  readonly #answer: string | null;
  readonly #notes: Notes;
  readonly #followers: Set<Follower>;
  readonly #resized: Marks['resized'];
  readonly #typed: Typed;
  /** Components that have paused the output. */
  readonly #holders = new Set<unknown>();
  #ending: Promise<unknown> | null = null;
  #ended = false;
  #mask: SecretMask | null;
  #errorMask: SecretMask | null;
  #held: NodeJS.Timeout | null = null;

  private constructor(
    private readonly program: PtyProgram,
    private readonly output: OutputFile,
    marks: Marks,
  ) {
    const { pty } = program;
    this.pty = pty;
    this.#family = { leader: pty.pid, mark: marks.environment };
    this.#mask = marks.mask;
    this.#errorMask = marks.errorMask;
    this.#notes = marks.notes;
    this.#followers = marks.followers;
    this.#resized = marks.resized;
    this.#typed = new Typed({
      send: (data) => this.write(data),
      note: (note) => this.#notes.add(note),
      offset: () => this.offset,
      echo: () => echoOf(slaveOf(pty)),
    });
    this.#followers.add({ batch: (_, data) => this.#typed.printed(data), evicted: () => undefined });
    this.#answer = marks.end;
    this.#end = marks.end === null ? null : new EndMark(marks.end);
    this.#errors = marks.errors;
    this.done = new Promise((resolve) => {
      pty.onExit(({ exitCode, signal }) => resolve(this.#finish(exitCode, signal ?? 0)));
    });
  }

  static async open(options: TerminalOptions): Promise<Result<Terminal>> {
    const { spec, mark } = options;
    const trouble = folderTrouble(spec.cwd);
    if (trouble) return err(trouble);
    let terminal: Terminal | null = null;
    let output: OutputFile | null = null;
    let errors: ErrorTerminal | null = null;
    const followers = new Set<Follower>();
    const listener = {
      written: (bytes: number, batch: Buffer) => {
        const begin = (output?.offset ?? 0) - batch.length;
        for (const one of followers) one.batch(begin, batch);
        options.onPrinted(bytes);
      },
      holdBack: (on: boolean) => terminal?.holdBack(listener, on),
      evicted: (before: number) => {
        notes.add({ kind: 'evicted', at: Date.now(), offset: before, by: 'terminal' });
        for (const one of followers) one.evicted(before);
        options.onEvicted?.(before);
      },
    };
    const notes = new Notes(spec.outputPath);
    try {
      output = await OutputFile.open(spec.outputPath, listener, options.limit ?? (() => TERMINAL_BYTES));
      const end = spec.hold && process.platform !== 'win32' ? randomBytes(12).toString('hex') : null;
      const now = { at: Date.now(), offset: output.offset };
      notes.add({ kind: 'begun', ...now, cwd: spec.cwd });
      notes.add({ kind: 'size', ...now, cols: spec.cols, rows: spec.rows });
      const mask = (): SecretMask | null =>
        SecretMask.of([
          ...(spec.secrets ?? []).map((name) => ownValue(spec.env, name) ?? ''),
          ...(spec.conceal ?? []),
        ]);
      errors =
        end === null || spec.splitErrors !== true
          ? null
          : ErrorTerminal.open(spec, end, (piece) => {
              terminal?.printErrors(piece);
              if (terminal) options.onRead?.(terminal, piece.length);
            });
      const program = start({ spec, mark, hold: end, errors: errors?.path ?? null }, (piece) => {
        terminal?.take(piece);
        // The system drops unread output when a program ends, unless the shell that holds the terminal waits.
        if (end !== null && terminal) options.onRead?.(terminal, piece.length);
      });
      const resized = options.onResized ?? (() => undefined);
      const masks = { mask: mask(), errorMask: mask() };
      const marks = { environment: mark, end, errors, notes, followers, resized, ...masks };
      terminal = new Terminal(program, output, marks);
      return ok(terminal);
    } catch (cause) {
      await output?.close();
      await errors?.close(() => undefined);
      const reason = messageOf(cause);
      return fail('command.failed', `The terminal could not be opened: ${reason}`);
    }
  }

  get pid(): number {
    return this.pty.pid;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Number of bytes printed by this program. */
  get bytes(): number {
    return this.output.bytes;
  }

  /** The first kept offset of the output. */
  get from(): number {
    return this.output.from;
  }

  /** The end of its output, including earlier programs' output. */
  get offset(): number {
    return this.output.offset;
  }

  /** Whether it is on a screen. */
  get seen(): boolean {
    // One of the followers records typed input.
    return this.#followers.size > 1;
  }

  /** Starts now; the result stops it. */
  follow(follower: Follower): () => void {
    this.#followers.add(follower);
    this.output.setSeen(true);
    return () => {
      this.#followers.delete(follower);
      this.output.setSeen(this.seen);
    };
  }

  /** Stops reading output, which blocks the program, while any component wants that. */
  holdBack(who: unknown, on: boolean): void {
    const held = this.#holders.size > 0;
    if (on) this.#holders.add(who);
    else this.#holders.delete(who);
    // Called for twenty terminals at each key: repeated calls to a stream create garbage.
    if (held === this.#holders.size > 0) return;
    if (held) this.pty.resume();
    else this.pty.pause();
    if (held) this.#errors?.resume();
    else this.#errors?.pause();
    this.#behind.pause(!held);
  }

  /** Several flooding terminals are read one at a time. */
  waitForTurn(on: boolean): void {
    this.holdBack(this, on);
    for (const one of this.#followers) one.waits?.(on);
  }

  /** The operator's input, recorded as theirs unless the terminal does not show it. */
  type(data: string): void {
    if (this.#ended) return;
    this.output.hasten();
    this.#typed.type(data);
  }

  /** Resolves when all notes are in the file. */
  noted(): Promise<void> {
    return this.#notes.settled();
  }

  write(data: string): void {
    try {
      this.program.write(data);
    } catch {
      // It ended in the meantime; `done` reports it.
    }
  }

  resize(cols: number, rows: number): void {
    if (this.#ended || (this.pty.cols === cols && this.pty.rows === rows)) return;
    try {
      this.pty.resize(cols, rows);
      this.#errors?.resize({ cols, rows });
      this.#notes.add({ kind: 'size', at: Date.now(), offset: this.offset, cols, rows });
      this.#resized({ cols, rows, bytes: this.bytes });
    } catch {
      // As above.
    }
  }

  /** A second call with a shorter grace period takes effect immediately. */
  async kill(graceMs: number): Promise<void> {
    this.#ending = Promise.all([this.#ending, endFamily(this.#family, graceMs)]);
    await this.#ending;
  }

  /** Removes these values from the output as well, from now on. */
  conceal(values: readonly string[]): void {
    this.#mask = SecretMask.with(values, this.#mask);
    this.#errorMask = SecretMask.with(values, this.#errorMask);
  }

  /** The program's output, without secrets. */
  private take(piece: Buffer): void {
    if (this.#mask === null) return this.read(piece);
    const shown = this.#mask.take(piece);
    if (shown.length > 0) this.read(shown);
    if (this.#mask.holds) this.#held ??= setTimeout(() => this.#release(), MASK_HOLDS_MS);
  }

  /** What looks like the start of a secret and is not continued, such as a prompt. */
  #release(): void {
    if (this.#held !== null) clearTimeout(this.#held);
    this.#held = null;
    const rest = this.#mask?.rest();
    if (rest !== undefined && rest.length > 0) this.read(rest);
    const errors = this.#errorMask?.rest();
    if (errors !== undefined) this.#behind.errors(errors);
  }

  /** Beside the rest of the output: a person reads both in one place. */
  private printErrors(piece: Buffer): void {
    this.#behind.errors(this.#errorMask?.take(piece) ?? piece);
    if (this.#errorMask?.holds) this.#held ??= setTimeout(() => this.#release(), MASK_HOLDS_MS);
  }

  #printErrors(chunk: Buffer): void {
    this.#ranges.errors(chunk.length);
    this.output.push(chunk);
  }

  private print(chunk: Buffer): void {
    this.#behind.output(chunk.length);
    this.#ranges.output(chunk.length);
    this.output.push(chunk);
  }

  /** The program's output. */
  private read(chunk: Buffer): void {
    if (!this.#end || this.#answer === null) return this.print(chunk);
    const before = this.#end.found;
    this.print(this.#end.push(chunk));
    if (!before && this.#end.found) this.write(holdAnswer(this.#answer));
  }

  async #finish(exitCode: number, signal: number): Promise<TerminalExit> {
    this.#ended = true;
    if (this.#ending !== null) await this.#ending;
    else if (await groupLives(this.#family)) await endFamily(this.#family, LEFT_OVER_GRACE_MS);
    this.#release();
    if (this.#end) this.print(this.#end.rest());
    await this.#errors?.close((piece) => this.printErrors(piece));
    this.#release();
    this.#behind.flush();
    await this.output.close();
    this.#typed.settle();
    await this.#notes.settled();
    const failed = this.output.error;
    return {
      exitCode: signal === 0 ? exitCode : null,
      signal: signal === 0 ? null : signal,
      bytes: this.output.bytes,
      errors: this.#ranges.all,
      error: failed
        ? appError(
            'store.disk_full',
            `The output is incomplete, because it could not be written: ${failed.message}`,
          )
        : null,
    };
  }
}

/** `/dev/pts/5`: node-pty has it, but does not declare it. */
const slaveOf = (pty: IPty): string => (pty as unknown as { ptsName?: string }).ptsName ?? '';

interface Start {
  readonly spec: TerminalSpec;
  readonly mark: string;
  readonly hold: string | null;
  readonly errors: string | null;
}

function start({ spec, mark, hold, errors }: Start, take: (piece: Buffer) => void): PtyProgram {
  const [name = '', value = ''] = mark.split(/=(.*)/s);
  const command = hold === null ? spec : heldCommand({ mark: hold, errors }, spec.file, spec.args);
  const options = {
    name: spec.env.TERM ?? 'xterm-256color',
    cols: spec.cols,
    rows: spec.rows,
    cwd: spec.cwd,
    env: { ...spec.env, [name]: value },
    encoding: null,
  };
  return spawnReading(command, options, take);
}

/** node-pty reports a missing folder only in the terminal, and then as exit code 1. */
function folderTrouble(cwd: string): AppError | null {
  const found = statSync(cwd, { throwIfNoEntry: false });
  if (found?.isDirectory()) return null;
  const what = found ? 'is no folder' : 'does not exist';
  return appError('workspace.failed', `The working folder ${cwd} ${what}.`);
}
