import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptTerminal } from '@areas/terminals/contract/host';
import type { AppError } from '@contract/errors';
import type {
  InteractiveListener,
  InteractiveSpec,
  InteractiveTerminal,
  ProcessActivity,
  ProgramFiles,
  ProgramPlace,
  Screen,
} from '../../../core/ports/programs/interactive';
import type { ProcessExit } from '../../../core/ports/programs/process';
import { DRAWN_BYTES } from '../../../limits/core-sizes';
import type { PtyClient, TerminalEnd, TerminalHandle, TerminalListener, TerminalSize } from '../client';
import { OutputReader, outputEnd } from '../output-reader';
import { activityOf } from './activity';
import { Inbox } from './inbox';
import { HeadlessScreen } from './screen';
import { sizesOf } from './sizes';

/** The file in a program's folder with its state, for a core that takes it over. */
export const NOTE = 'kept.json';

const SIZE = { cols: 120, rows: 40 };
/** Longer input is sent to the terminal process in several messages. */
const MOST_TYPED = 64 * 1024;

interface NewProgram {
  readonly client: PtyClient;
  readonly id: string;
  readonly spec: InteractiveSpec;
  readonly env: Readonly<Record<string, string>>;
  /** The start of its output: an earlier program of the session wrote to the same file. */
  readonly start: number;
}

/** Starts a program in its own terminal, which stays when this core ends. */
export function beginProgram({ client, id, spec, env, start }: NewProgram, listener: InteractiveListener) {
  const program = new Program(spec, start, listener);
  const { command: file, args, cwd, outputPath } = spec;
  const secrets = [...(spec.secrets ?? [])];
  const place = { cwd, env: { ...env }, secrets, outputPath };
  const made = { file, args: [...args], ...place, ...SIZE, hold: false, keep: true };
  void program.hear(0);
  program.attach((listener) => client.open(id, made, listener));
  return program;
}

interface LeftProgram {
  readonly client: PtyClient;
  readonly kept: KeptTerminal;
  readonly files: ProgramFiles;
  readonly from: { readonly told: number | null; readonly printed: number | null };
}

/**
 * Continues a program of an earlier core: its screen is redrawn from its output, without answering old
 * terminal queries.
 */
export async function takeUpProgram(
  { client, kept, files, from }: LeftProgram,
  listener: InteractiveListener,
): Promise<{ terminal: InteractiveTerminal; before: Screen | null }> {
  const start = kept.offset - kept.bytes;
  const program = new Program(files, start, listener);
  program.hadSizes(await sizesOf(files.outputPath, start));
  let before: Screen | null = null;
  if (from.printed !== null) {
    await program.drawPast(from.printed);
    before = program.screen();
  }
  await program.drawPast(kept.bytes);
  await program.wake();
  const inbox = join(files.folder, files.inbox);
  await program.hear(from.told ?? (await sizeOf(inbox)));
  program.attach((listener) => client.reattach(kept.id, listener), kept.pid);
  if (kept.ended) await program.exited;
  return { terminal: program, before };
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0;

class Program implements InteractiveTerminal {
  readonly exited: Promise<ProcessExit>;
  /** Resolves with null once it runs, else with the error. */
  readonly started: Promise<AppError | null>;
  readonly #screen: HeadlessScreen;
  readonly #reader: OutputReader;
  readonly #note: string;
  #inbox: Inbox | null = null;
  #handle: TerminalHandle | null = null;
  #pid: number | null = null;
  #printed = 0;
  #drawn = 0;
  /** Output before this offset is not drawn. */
  #drawFrom = 0;
  /** Past sizes that are not drawn yet. */
  #sizes: TerminalSize[] = [];
  /** Output and size changes, drawn in order. */
  #reading: Promise<void> = Promise.resolve();
  #noting: Promise<void> = Promise.resolve();
  #begun: (error: AppError | null) => void = () => undefined;
  #left: (exit: ProcessExit) => void = () => undefined;

  constructor(
    private readonly files: ProgramFiles,
    private readonly start: number,
    private readonly listener: InteractiveListener,
  ) {
    this.#note = join(files.folder, NOTE);
    this.#screen = new HeadlessScreen(SIZE, {
      answer: (data) => this.#handle?.write(data),
      drawn: () => listener.printed(),
      notified: (text) => listener.notified(text),
    });
    this.#reader = new OutputReader(files.outputPath, start, (text) => this.#draw(text));
    this.started = new Promise((resolve) => {
      this.#begun = resolve;
    });
    this.exited = new Promise((resolve) => {
      this.#left = resolve;
    });
  }

  /** The sizes that its terminal had, earliest first. */
  hadSizes(sizes: readonly TerminalSize[]): void {
    this.#sizes = [...sizes];
  }

  /** Draws its output up to an offset, with the sizes that applied. */
  async drawPast(printed: number): Promise<void> {
    this.#screen.mute(true);
    this.#drawFrom = printed - DRAWN_BYTES;
    this.#takeSizes(({ bytes }) => bytes === 0 || bytes < printed);
    await this.#readUpTo(printed);
    await this.#screen.settled();
    this.#printed = printed;
  }

  /** The past is drawn: terminal queries are answered from now on. */
  async wake(): Promise<void> {
    this.#drawFrom = 0;
    this.#screen.mute(false);
    this.#takeSizes(() => true);
    await this.#reading;
    await this.#screen.settled();
  }

  #takeSizes(due: (size: TerminalSize) => boolean): void {
    for (let size = this.#sizes[0]; size !== undefined && due(size); size = this.#sizes[0]) {
      this.#sizes.shift();
      this.#resize(size);
    }
  }

  /** Reports its inbox from this offset on. Resolves when all existing lines were reported. */
  hear(from: number): Promise<void> {
    const path = join(this.files.folder, this.files.inbox);
    this.#inbox = new Inbox(path, (line) => this.listener.told(line), from);
    return this.#inbox.look();
  }

  attach(open: (listener: TerminalListener) => TerminalHandle | null, pid: number | null = null): void {
    this.#pid = pid;
    const handle = open({
      created: (made) => {
        this.#pid = made;
        this.#begun(null);
      },
      printed: (bytes) => {
        this.#printed = Math.max(this.#printed, bytes);
        void this.#readUpTo(bytes);
      },
      resized: (size) => this.#resize(size),
      ended: (end) => {
        this.#begun(end.kind === 'refused' ? end.error : null);
        void this.#end(end).then(this.#left);
      },
    });
    this.#handle = handle;
    // The terminal process ended while the past was drawn.
    if (handle === null) void this.#end({ kind: 'lost' }).then(this.#left);
  }

  type(data: string): void {
    for (let at = 0; at < data.length; at += MOST_TYPED) {
      this.#handle?.write(data.slice(at, at + MOST_TYPED));
    }
  }

  screen(): Screen {
    return this.#screen.read();
  }

  async activity(): Promise<ProcessActivity | null> {
    return this.#pid === null ? null : activityOf(this.#pid);
  }

  async end(graceMs: number): Promise<void> {
    this.#handle?.kill(graceMs);
    await this.exited;
  }

  place(): ProgramPlace {
    return { printed: this.#printed, told: this.#inbox?.place ?? 0 };
  }

  note(text: string): Promise<void> {
    this.#noting = this.#noting.then(async () => {
      try {
        await writeFile(`${this.#note}.new`, text, { mode: 0o600 });
        await rename(`${this.#note}.new`, this.#note);
      } catch {
        // Removing a file works even on a full disk. If not, nothing more can be done.
        await rm(this.#note, { force: true }).catch(() => undefined);
      }
    });
    return this.#noting;
  }

  taken(): void {
    this.#handle?.taken();
  }

  #readUpTo(bytes: number): Promise<void> {
    this.#reading = this.#reading.then(() => this.#reader.upTo(bytes));
    return this.#reading;
  }

  #resize(size: TerminalSize): void {
    this.#reading = this.#reading
      .then(() => this.#reader.upTo(size.bytes))
      .then(() => this.#screen.resize(size));
  }

  #draw(text: string): void {
    const passed = this.#drawn < this.#drawFrom;
    this.#drawn += Buffer.byteLength(text);
    if (passed) this.#screen.passOver(text);
    else this.#screen.write(text);
  }

  async #end(end: TerminalEnd): Promise<ProcessExit> {
    this.#pid = null;
    if (end.kind === 'exited') await this.#readUpTo(end.exit.bytes);
    // A killed terminal process may have written more than it reported.
    if (end.kind === 'lost') await this.#readUpTo(outputEnd(this.files.outputPath) - this.start);
    await this.#screen.settled();
    await this.#inbox?.look();
    this.#inbox?.close();
    return exitOf(end);
  }
}

const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
};

function exitOf(end: TerminalEnd): ProcessExit {
  if (end.kind === 'lost') return { code: null, signal: 'SIGKILL', host: 'terminals' };
  if (end.kind !== 'exited') return { code: null, signal: 'SIGKILL' };
  const { exitCode, signal } = end.exit;
  if (signal === null) return { code: exitCode, signal: null };
  return { code: null, signal: SIGNALS[signal] ?? 'SIGTERM' };
}
