import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type AppError, appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import { err, ok, type Result } from '@contract/result';
import {
  type FromSandboxHost,
  fromSandboxHostSchema,
  type GoneReason,
  type ToSandboxHost,
} from '@contract/sandbox/protocol';
import type { Sandbox, Sandboxes, SandboxOptions } from '../../core/ports/programs/sandbox';
import { SANDBOX_START_MS, SANDBOX_STOP_MS } from '../../limits/core';
import type { HostProgram, UnusableHost } from './electron';
import type { ReplLine } from './line';
import { Repl } from './repl';

export interface HostProcessParts {
  /** Null if no Electron is installed. */
  readonly electron: HostProgram | UnusableHost | null;
  /** Whether this process runs as root, for whom Chromium's sandbox does not start. */
  readonly isRoot: boolean;
  /** How long a spare is kept after each use, in milliseconds; 0: none is kept. */
  readonly spareMs: number;
}
const KEPT_WORDS = 2_000;
/** A start during which a process ended by itself is tried this often. */
const MOST_STARTS = 3;

const weakMend =
  'Run Muster as an ordinary user on a system with user namespaces, or allow the weaker sandbox explicitly (--allow-weak-sandbox): then only the browser’s sandbox protects this machine from the code.';

/** Why a start failed. `died`: a process ended by itself, so that another try may work. */
interface StartError {
  readonly error: AppError;
  readonly died: boolean;
}
type Start<T> = Result<T, StartError>;

const noStart = (message: string, mend?: string): Result<never, StartError> =>
  err({ error: appError('unavailable', message, mend === undefined ? {} : { mend }), died: false });

const died = (message: string): Result<never, StartError> =>
  err({ error: appError('unavailable', message, { mend: 'Try again.' }), died: true });

/** An unused REPL waiting for its first user. */
interface Spare {
  readonly options: string;
  readonly repl: Promise<Start<Sandbox>>;
  readonly timer: NodeJS.Timeout;
}

/**
 * Sandboxes in a separate Electron process, for a core that runs in plain Node. It ends with its last REPL.
 * After the first use one spare is kept for a while, so that the next start is immediate.
 */
export class HostProcess implements Sandboxes {
  #host: Promise<Start<Host>> | null = null;
  #open = 0;
  #spare: Spare | null = null;
  #stopped = false;

  constructor(private readonly parts: HostProcessParts) {}

  async start(options: SandboxOptions): Promise<Result<Sandbox>> {
    const spare = await this.#takeSpare(options);
    for (let left = spare === null ? MOST_STARTS : 0; ; left -= 1) {
      const started = spare === null ? await this.#counted(options) : ok(spare);
      if (started.ok) this.#warm(options);
      if (started.ok) return started;
      if (!started.error.died || left <= 1) return err(started.error.error);
    }
  }

  async #counted(options: SandboxOptions): Promise<Start<Sandbox>> {
    this.#open += 1;
    const started = await this.#start(options);
    if (!started.ok) await this.#closed();
    return started;
  }

  /** Null if there is no living spare with these limits; a spare with others is ended. */
  async #takeSpare(options: SandboxOptions): Promise<Sandbox | null> {
    const spare = this.#spare;
    if (spare === null) return null;
    this.#spare = null;
    clearTimeout(spare.timer);
    const repl = await spare.repl;
    if (!repl.ok) return null;
    if (repl.value.alive && spare.options === JSON.stringify(options)) return repl.value;
    await repl.value.stop();
    return null;
  }

  #warm(options: SandboxOptions): void {
    const { spareMs } = this.parts;
    if (spareMs === 0 || this.#stopped || this.#spare !== null) return;
    const timer = setTimeout(() => void this.#dropSpare(), spareMs);
    timer.unref();
    this.#spare = { options: JSON.stringify(options), repl: this.#counted(options), timer };
  }

  /** The spare's process id once it is ready; null if there is none. */
  async sparePid(): Promise<number | null> {
    const repl = await this.#spare?.repl;
    return repl?.ok === true && repl.value.alive ? repl.value.pid : null;
  }

  async #dropSpare(): Promise<void> {
    const spare = this.#spare;
    this.#spare = null;
    if (spare === null) return;
    clearTimeout(spare.timer);
    const repl = await spare.repl;
    if (repl.ok) await repl.value.stop();
  }

  async #start(options: SandboxOptions): Promise<Start<Sandbox>> {
    const { electron, isRoot } = this.parts;
    if (electron === null)
      return noStart(
        'Electron is not installed, and only its sandbox runs the code of a model.',
        'Run: npm run setup',
      );
    if ('trouble' in electron)
      return noStart(
        `Electron is installed, but cannot be used: ${electron.trouble}.`,
        'Make its files readable, or run: npm run setup',
      );
    if (isRoot && !options.allowWeak)
      return noStart(
        'Muster runs as root, where the sandbox of the operating system does not start.',
        weakMend,
      );
    const host = await this.#living(electron, options.allowWeak);
    if (!host.ok) return host;
    const { memoryMb, allowWeak, ...settings } = options;
    const line = await host.value.open({ memoryMb, allowWeak }, () => this.#closed());
    if (!line.ok) return line;
    const repl = new Repl(line.value, settings);
    if ((await repl.begin()) !== null) return ok(repl);
    const ended = repl.lost === 'host' || repl.lost === 'crashed';
    await repl.stop();
    if (ended) return died('The sandbox ended before Python had started in it.');
    return noStart('Python did not start in the sandbox.');
  }

  /** The host process; another one if it has ended. */
  async #living(electron: HostProgram, allowWeak: boolean): Promise<Start<Host>> {
    if (this.#stopped) return noStart('Muster is ending.');
    const known = this.#host;
    const before = await known;
    if (before?.ok === true && !before.value.over) return before;
    if (this.#host === known) this.#host = this.#launch(electron, allowWeak);
    const host = await this.#host;
    if (host === null) return noStart('Muster is ending.');
    if (host.ok) return host;
    this.#host = null;
    // Already tried again.
    return err({ ...host.error, died: false });
  }

  /**
   * If the operating system's sandbox prevents Electron from starting, starts it without, if that is allowed. Whether it
   * does is not read from Electron's words: a start without it tells.
   */
  async #launch({ program, args }: HostProgram, allowWeak: boolean): Promise<Start<Host>> {
    const { isRoot } = this.parts;
    const start = (weak: boolean) => Host.start(program, [...args, ...switches(weak)]);
    const first = await start(isRoot);
    const again = first.ok || !first.error.died ? first : await start(isRoot);
    if (again.ok || isRoot) return again;
    if (!allowWeak && !again.error.died) return again;
    const weak = await start(true);
    if (allowWeak) return weak;
    if (!weak.ok) return again;
    await weak.value.end();
    return noStart(`With the operating system's sandbox: ${again.error.error.message}`, weakMend);
  }

  /** The process ends with the last of its REPLs. */
  async #closed(): Promise<void> {
    this.#open -= 1;
    if (this.#open > 0) return;
    const host = await this.#host;
    if (this.#open > 0) return;
    this.#host = null;
    if (host?.ok === true) await host.value.end();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#spare !== null) clearTimeout(this.#spare.timer);
    this.#spare = null;
    const host = await this.#host;
    this.#host = null;
    if (host?.ok === true) await host.value.end();
  }
}

const switches = (weak: boolean): string[] => [
  ...(process.platform === 'linux' ? ['--ozone-platform=headless'] : []),
  ...(weak ? ['--no-sandbox'] : []),
];

/** The environment variables passed on: none that could contain a secret. */
const CARRIED = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'LANG',
  'SystemRoot',
  'XDG_CONFIG_HOME',
  'XDG_RUNTIME_DIR',
];
const environment = (): Record<string, string> =>
  Object.fromEntries(
    CARRIED.flatMap((name) => {
      const value = ownValue(process.env, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );

const ENDED = 'The process for the sandbox ended while the sandbox started.';

type HostListener = (message: FromSandboxHost) => void;

/** The process itself. It exits when its channel closes, so it cannot survive this one. */
class Host {
  readonly #repls = new Map<string, HostListener>();
  #lastWords = '';
  #over = false;
  readonly #exited: Promise<void>;

  private constructor(private readonly child: ChildProcess) {
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + chunk.toString()).slice(-KEPT_WORDS);
    });
    child.on('message', (given) => {
      const parsed = fromSandboxHostSchema.safeParse(given);
      if (parsed.success && parsed.data.kind !== 'up') this.#repls.get(parsed.data.repl)?.(parsed.data);
    });
    child.on('error', () => undefined);
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => {
        this.#over = true;
        for (const [repl, listener] of this.#repls) listener({ kind: 'gone', repl, reason: 'host' });
        this.#repls.clear();
        resolve();
      });
    });
  }

  get over(): boolean {
    return this.#over;
  }

  static async start(electron: string, args: readonly string[]): Promise<Start<Host>> {
    const child = spawn(electron, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: environment() });
    const host = new Host(child);
    let trouble = '';
    const up = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), SANDBOX_START_MS);
      const settle = (value: boolean) => () => {
        clearTimeout(timer);
        resolve(value);
      };
      child.once('message', settle(true));
      child.once('error', (cause) => {
        trouble = cause.message;
        settle(false)();
      });
      child.once('exit', settle(false));
    });
    if (up) return ok(host);
    const ended = host.#over;
    await host.end();
    const words = host.#lastWords.trim().split('\n').at(-1) || trouble;
    const said = `The process for the sandbox did not start${words === '' ? '' : `: ${words}`}.`;
    return ended ? died(said) : noStart(said);
  }

  async open(
    limits: { readonly memoryMb: number; readonly allowWeak: boolean },
    closed: () => Promise<void>,
  ): Promise<Start<ReplLine>> {
    if (this.#over) return died(ENDED);
    const repl = randomUUID();
    const first = new Promise<FromSandboxHost>((resolve) => this.#repls.set(repl, resolve));
    this.#say({ kind: 'open', repl, ...limits });
    const opened = await first;
    if (opened.kind !== 'opened') {
      this.#repls.delete(repl);
      if (opened.kind !== 'refused') return died(ENDED);
      return opened.why === 'weak' ? noStart(opened.message, weakMend) : noStart(opened.message);
    }
    return ok(this.#line(repl, opened, closed));
  }

  #line(
    repl: string,
    { pid, confinement }: Extract<FromSandboxHost, { kind: 'opened' }>,
    closed: () => Promise<void>,
  ): ReplLine {
    let heard: (message: unknown) => void = () => undefined;
    let left: (reason: GoneReason) => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      this.#repls.set(repl, (message) => {
        if (message.kind === 'from') heard(message.message);
        if (message.kind !== 'gone') return;
        this.#repls.delete(repl);
        left(message.reason);
        void closed().then(resolve);
      });
    });
    return {
      pid,
      confinement,
      post: (message) => this.#say({ kind: 'to', repl, message }),
      onMessage: (listener) => {
        heard = listener;
      },
      onGone: (listener) => {
        left = listener;
      },
      close: () => {
        this.#say({ kind: 'close', repl });
        return gone;
      },
    };
  }

  #say(message: ToSandboxHost): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  /** Resolves when the process is gone. */
  async end(): Promise<void> {
    if (this.child.connected) this.child.disconnect();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), SANDBOX_STOP_MS);
    if (!this.#over && this.child.pid !== undefined) await this.#exited;
    clearTimeout(timer);
  }
}
