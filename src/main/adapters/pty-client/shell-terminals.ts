import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { TerminalSpec as HostSpec } from '@contract/terminal/host';
import type { Terminal, TerminalPort, TerminalSpec } from '../../core/ports/terminal';
import { AgentTerminal } from './agent-terminal';
import type { PtyClient } from './client';
import { MarkedShell } from './marked-shell';
import { BESIDE_SCRIPT, commandFile, quoted, SHELL_SCRIPT } from './shell-script';
import { makeShellState } from './shell-state';

export interface ShellTerminalsOptions {
  readonly client: PtyClient;
  readonly environment: (owner: string) => Promise<Readonly<Record<string, string>>>;
  /** For a machine without bash, and where there is no terminal process. */
  readonly instead: TerminalPort;
}

const SHELL = '/bin/bash';
const SIZE = { cols: 120, rows: 30 };
const READY_MS = 15_000;
/** A terminal process that died is up again sooner. */
const CONNECTED_MS = 5000;
const run = promisify(execFile);

/**
 * The terminals that agents ask for: the commands of a session run one after the other in its shell, so that what one
 * sets up the next one finds, and the operator can watch them and type into them.
 */
export class ShellTerminals implements TerminalPort {
  readonly #sessions = new Map<string, Promise<SessionShell>>();
  /** One shell's file goes on where an earlier one of the same session ended, so its names do too. */
  #count = 0;

  constructor(private readonly options: ShellTerminalsOptions) {}

  async create(spec: TerminalSpec): Promise<Result<Terminal>> {
    const able = process.platform !== 'win32' && existsSync(SHELL);
    if (!able || !(await this.options.client.connected(CONNECTED_MS)))
      return this.options.instead.create(spec);
    const { owner } = spec;
    const known = this.#sessions.get(owner) ?? this.#open(spec);
    this.#sessions.set(owner, known);
    try {
      return await (await known).create(spec);
    } catch (cause) {
      this.#sessions.delete(owner);
      const why = cause instanceof Error ? cause.message : String(cause);
      return err(appError('command.failed', `The session's shell could not be started: ${why}`));
    }
  }

  async close(owner: string): Promise<void> {
    const session = this.#sessions.get(owner);
    this.#sessions.delete(owner);
    await this.options.instead.close(owner);
    await (await session?.catch(() => undefined))?.close();
  }

  async #open(spec: TerminalSpec): Promise<SessionShell> {
    this.#count += 1;
    const id = `a${this.#count}`;
    // Variables may be secrets: they are kept where only this user reads, and no longer than the session.
    const state = await makeShellState();
    await run('mkfifo', ['-m', '600', join(state, 'pipe')]);
    const environment = {
      ...(await this.options.environment(spec.owner)),
      ...{ TERM: 'xterm-256color', COLORTERM: 'truecolor', PAGER: 'cat', GIT_PAGER: 'cat' },
      ...spec.env,
      MUSTER_STATE: state,
    };
    return new SessionShell({ client: this.options.client, id, state, environment, spec });
  }
}

interface SessionShellParts {
  readonly client: PtyClient;
  readonly id: string;
  /** Where its environment and folder are saved. */
  readonly state: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The request that it was opened for. */
  readonly spec: TerminalSpec;
}

/** The shell of one session, and those beside it while it is busy. */
class SessionShell {
  readonly #live = new Set<MarkedShell>();
  #main: MarkedShell | null = null;
  #count = 0;
  #shells = 0;

  constructor(private readonly parts: SessionShellParts) {}

  async create(spec: TerminalSpec): Promise<Result<Terminal>> {
    // An ending shell still saves what it has, and the next one goes on in its file.
    while (this.#main?.leaving && !this.#main.over) await this.#main.gone;
    this.#count += 1;
    const id = `${this.parts.id}-${this.#count}`;
    const line = spec.args.length === 0 ? spec.command : [spec.command, ...spec.args].map(quoted).join(' ');
    const file = join(this.parts.state, `${this.#count}.sh`);
    const text = commandFile({ id, line, ...spec.requested });
    const free = this.#main === null || this.#main.over || !this.#main.busy;
    if (!free) {
      await writeFile(file, text, { mode: 0o600 });
      const beside = this.#start(BESIDE_SCRIPT, this.#count, [file]);
      return ok(new AgentTerminal(id, beside, spec));
    }
    const main = this.#main === null || this.#main.over ? this.#start(SHELL_SCRIPT, 0, []) : this.#main;
    this.#main = main;
    // Taken before anything is waited for, so that the next request finds it busy.
    const terminal = new AgentTerminal(id, main, spec);
    await writeFile(file, text, { mode: 0o600 });
    if (await within(main.ready, READY_MS)) {
      await main.send(join(this.parts.state, 'pipe'), file);
      return ok(terminal);
    }
    await main.kill();
    return err(appError('command.failed', 'The shell of the session did not begin: see its terminal.'));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#live].map((shell) => shell.kill()));
    await rm(this.parts.state, { recursive: true, force: true });
  }

  #start(script: string, number: number, args: readonly string[]): MarkedShell {
    const { client, id, environment, spec } = this.parts;
    this.#shells += 1;
    const login = number === 0 ? ['--login'] : [];
    const made: HostSpec = {
      ...{ file: SHELL, args: [...login, '-c', script, 'muster-shell', ...args] },
      ...{ cwd: spec.cwd, env: { ...environment }, ...SIZE },
      ...{ outputPath: `${spec.outputBase}-${number}.log`, hold: true, keep: false },
    };
    for (const shell of this.#live) if (shell.over) this.#live.delete(shell);
    const shell = new MarkedShell(client, `${id}-sh${this.#shells}`, made);
    this.#live.add(shell);
    return shell;
  }
}

async function within(promise: Promise<boolean>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const result = await Promise.race([promise, late]);
  clearTimeout(timer);
  return result;
}
