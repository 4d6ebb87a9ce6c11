import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { segmentPath, segmentStart } from '@contract/terminal/files';
import type {
  InteractiveListener,
  InteractivePort,
  InteractiveSpec,
  InteractiveTerminal,
  ProcessActivity,
  Screen,
} from '../../core/ports/interactive';
import type { ProcessExit } from '../../core/ports/process';
import { activityOf } from './activity';
import type { PtyClient, TerminalEnd, TerminalHandle } from './client';
import { Inbox } from './inbox';
import { OutputReader } from './output-reader';
import { HeadlessScreen } from './screen';

export interface InteractiveTerminalsOptions {
  readonly client: PtyClient;
  readonly environment: (owner: string) => Promise<Readonly<Record<string, string>>>;
}

const SIZE = { cols: 120, rows: 40 };
/** A terminal process that died is up again sooner. */
const CONNECTED_MS = 5000;
/** What is longer goes to the terminal process in several messages. */
const MOST_TYPED = 64 * 1024;

/** Programs that want a terminal for themselves: the operator watches them and types into them, and so does Muster. */
export class InteractiveTerminals implements InteractivePort {
  #count = 0;

  constructor(private readonly options: InteractiveTerminalsOptions) {}

  async open(spec: InteractiveSpec, listener: InteractiveListener): Promise<Result<InteractiveTerminal>> {
    const { client, environment } = this.options;
    if (!(await client.connected(CONNECTED_MS))) {
      const mend = 'Wait until it was started again, or restart Muster.';
      return err(appError('unavailable', 'The terminal host is not running.', { mend }));
    }
    try {
      await prepare(spec);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      return err(appError('agent.start_failed', `The session's folder could not be made: ${why}`));
    }
    this.#count += 1;
    const env = {
      ...(await environment(spec.owner)),
      ...{ TERM: 'xterm-256color', COLORTERM: 'truecolor' },
      ...spec.env,
    };
    const id = `cli-${this.#count}`;
    const start = await outputEnd(spec.outputPath);
    const program = new Program({ client, id, spec, env, start }, listener);
    const refused = await program.started;
    return refused ? err({ ...refused, code: 'agent.start_failed' }) : ok(program);
  }
}

async function prepare(spec: InteractiveSpec): Promise<void> {
  await mkdir(spec.folder, { recursive: true, mode: 0o700 });
  await chmod(spec.folder, 0o700);
  for (const { name, text } of spec.files) {
    await writeFile(join(spec.folder, name), text, { mode: 0o700 });
  }
  await writeFile(join(spec.folder, spec.inbox), '', { mode: 0o600 });
}

async function outputEnd(outputPath: string): Promise<number> {
  const names = await readdir(dirname(outputPath)).catch(() => []);
  const ends = names.map(async (name) => {
    const start = segmentStart(basename(outputPath), name);
    if (start === null) return 0;
    return start + ((await stat(segmentPath(outputPath, start)).catch(() => null))?.size ?? 0);
  });
  return Math.max(0, ...(await Promise.all(ends)));
}

interface ProgramParts {
  readonly client: PtyClient;
  readonly id: string;
  readonly spec: InteractiveSpec;
  readonly env: Readonly<Record<string, string>>;
  /** Where its output begins: an earlier program of the session has left its own in the same file. */
  readonly start: number;
}

class Program implements InteractiveTerminal {
  readonly exited: Promise<ProcessExit>;
  /** Resolves with null once it runs, else with why it does not. */
  readonly started: Promise<AppError | null>;
  readonly #screen: HeadlessScreen;
  readonly #inbox: Inbox;
  readonly #reader: OutputReader;
  readonly #handle: TerminalHandle;
  #pid: number | null = null;

  constructor({ client, id, spec, env, start }: ProgramParts, listener: InteractiveListener) {
    this.#screen = new HeadlessScreen(SIZE, {
      answer: (data) => this.#handle.write(data),
      drawn: () => listener.printed(),
      notified: (text) => listener.notified(text),
    });
    this.#reader = new OutputReader(spec.outputPath, start, (text) => this.#screen.write(text));
    this.#inbox = new Inbox(join(spec.folder, spec.inbox), (line) => listener.told(line));
    let begun: (error: AppError | null) => void = () => undefined;
    this.started = new Promise((resolve) => {
      begun = resolve;
    });
    let left: (exit: ProcessExit) => void = () => undefined;
    this.exited = new Promise((resolve) => {
      left = resolve;
    });
    const { command: file, args, cwd, outputPath } = spec;
    this.#handle = client.open(
      id,
      { file, args: [...args], cwd, env: { ...env }, outputPath, ...SIZE, hold: false, keep: false },
      {
        created: (pid) => {
          this.#pid = pid;
          begun(null);
        },
        printed: (bytes) => void this.#reader.upTo(bytes),
        ended: (end) => {
          begun(end.kind === 'refused' ? end.error : null);
          void this.#end(end).then(left);
        },
      },
    );
  }

  type(data: string): void {
    for (let at = 0; at < data.length; at += MOST_TYPED) {
      this.#handle.write(data.slice(at, at + MOST_TYPED));
    }
  }

  screen(): Screen {
    return this.#screen.read();
  }

  async activity(): Promise<ProcessActivity | null> {
    return this.#pid === null ? null : activityOf(this.#pid);
  }

  async end(graceMs: number): Promise<void> {
    this.#handle.kill(graceMs);
    await this.exited;
  }

  async #end(end: TerminalEnd): Promise<ProcessExit> {
    this.#pid = null;
    if (end.kind === 'exited') await this.#reader.upTo(end.exit.bytes);
    await this.#screen.settled();
    await this.#inbox.look();
    this.#inbox.close();
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
  if (end.kind !== 'exited') return { code: null, signal: 'SIGKILL' };
  const { exitCode, signal } = end.exit;
  if (signal === null) return { code: exitCode, signal: null };
  return { code: null, signal: SIGNALS[signal] ?? 'SIGTERM' };
}
