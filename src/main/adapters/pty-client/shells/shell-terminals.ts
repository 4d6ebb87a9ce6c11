import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { KeptTerminal } from '@areas/terminals/contract/host';
import { messageOf } from '@contract/error-message';
import { fail, type Result } from '@contract/result';
import type {
  Terminal,
  TerminalPlace,
  TerminalPort,
  TerminalSpec,
} from '../../../core/ports/programs/terminal';
import { HOST_GREETS_MS, HOST_RESTARTS_MS } from '../../../limits/core';
import type { PtyClient } from '../client';
import { MarkedShell } from './marked-shell';
import { SessionShell, SHELL } from './session-shell';
import { dropResting, makeShellState, restingShellState, shellState } from './shell-state';

interface ShellTerminalsOptions {
  readonly client: PtyClient;
  readonly environment: (owner: string) => Promise<Readonly<Record<string, string>>>;
  /** For machines without bash, or without a terminal process. */
  readonly instead: TerminalPort;
}
/** A shell terminal's name starts with the name of its state folder. */
const OURS = /^shell-(muster-shell-\d+-\w+)-/;
const run = promisify(execFile);

/** A shell of an earlier core, and its state folder. */
interface LeftShell {
  readonly shell: Promise<MarkedShell>;
  readonly state: string;
}

/**
 * Terminals requested by agents: a session's commands run one after the other in its shell, so that later
 * ones find what earlier ones set up, and the operator can watch and type into them. The shell survives the
 * core, and continues if its session is resumed.
 */
export class ShellTerminals implements TerminalPort {
  readonly #sessions = new Map<string, Promise<SessionShell>>();
  /** By output path, for sessions that may be resumed. */
  readonly #survivors = new Map<string, LeftShell>();
  /** The output paths of such sessions, once known. */
  #awaited: ReadonlySet<string> | null = null;
  /** A shell continues the output file of an earlier one, so names must be unique across cores. */
  readonly #ours = randomBytes(4).toString('hex');
  #count = 0;
  /** Shells of sessions whose process is ending: a resume waits for them. */
  readonly #ending = new Map<string, Promise<void>>();

  constructor(private readonly options: ShellTerminalsOptions) {
    options.client.claim((kept) => this.#claim(kept));
  }

  async begin(place: TerminalPlace, conversation: 'earlier' | 'new'): Promise<void> {
    const { client } = this.options;
    await this.#ending.get(place.owner);
    if (conversation === 'earlier') await client.greeted(HOST_GREETS_MS);
    const output = outputOf(place);
    const survivor = this.#survivors.get(output);
    if (survivor === undefined) return this.#wake(place, conversation);
    this.#survivors.delete(output);
    if (conversation === 'new') await endLeft(survivor);
    else this.#sessions.set(place.owner, this.#goOn(place, survivor));
  }

  async create(spec: TerminalSpec): Promise<Result<Terminal>> {
    const able = process.platform !== 'win32' && existsSync(SHELL);
    if (!able || !(await this.options.client.connected(HOST_RESTARTS_MS)))
      return this.options.instead.create(spec);
    const { owner } = spec;
    const known = this.#sessions.get(owner) ?? this.#open(spec);
    this.#sessions.set(owner, known);
    try {
      return await (await known).create(spec);
    } catch (cause) {
      this.#sessions.delete(owner);
      const why = messageOf(cause);
      return fail('command.failed', `The session's shell could not be started: ${why}`);
    }
  }

  async close(owner: string, session: 'over' | 'resumable'): Promise<void> {
    const ending = this.#end(owner, session).finally(() => this.#ending.delete(owner));
    this.#ending.set(owner, ending);
    await ending;
  }

  /** Keeps saved states of parked sessions' shells for these outputs only. */
  keepResting(outputs: ReadonlySet<string>): Promise<void> {
    return dropResting(this.#host, outputs);
  }

  /**
   * Of an earlier core's shells, only those with these outputs may still be taken over; the others are ended,
   * even if reported later.
   */
  async awaitOnly(outputs: ReadonlySet<string>): Promise<void> {
    this.#awaited = outputs;
    const over = [...this.#survivors].filter(([output]) => !outputs.has(output));
    for (const [output] of over) this.#survivors.delete(output);
    await Promise.all(over.map(([, left]) => endLeft(left)));
  }

  /** Some shells of an earlier core have not been taken over yet. */
  get waiting(): boolean {
    return this.#survivors.size > 0;
  }

  #claim(kept: KeptTerminal): boolean {
    const name = OURS.exec(kept.id)?.[1];
    if (name === undefined) return false;
    const survivor = { shell: MarkedShell.takeUp(this.options.client, kept), state: shellState(name) };
    if (this.#awaited === null || this.#awaited.has(kept.outputPath))
      this.#survivors.set(kept.outputPath, survivor);
    else void endLeft(survivor);
    return true;
  }

  async #end(owner: string, session: 'over' | 'resumable'): Promise<void> {
    const known = this.#sessions.get(owner);
    this.#sessions.delete(owner);
    await this.options.instead.close(owner, session);
    const shell = await known?.catch(() => undefined);
    await (session === 'over' ? shell?.close() : shell?.rest());
  }

  get #host(): number {
    return this.options.client.hostPid ?? process.pid;
  }

  /** If its shell ended when the session was parked, the next one starts with the saved state. */
  async #wake(place: TerminalPlace, conversation: 'earlier' | 'new'): Promise<void> {
    const state = await restingShellState(outputOf(place));
    if (state === null) return;
    if (conversation === 'new') await rm(state, { recursive: true, force: true });
    else
      this.#sessions.set(
        place.owner,
        this.#partsOf(place, state).then((parts) => new SessionShell(parts)),
      );
  }

  async #open(place: TerminalPlace): Promise<SessionShell> {
    // Variables may be secrets: stored readable for this user only, and no longer than the session.
    const state = await makeShellState(this.#host);
    await run('mkfifo', ['-m', '600', join(state, 'pipe')]);
    return new SessionShell(await this.#partsOf(place, state));
  }

  async #goOn(place: TerminalPlace, left: LeftShell): Promise<SessionShell> {
    const shell = await left.shell;
    const there = await stat(left.state).catch(() => null);
    if (there !== null) return new SessionShell(await this.#partsOf(place, left.state), shell);
    await endLeft(left);
    return this.#open(place);
  }

  async #partsOf(place: TerminalPlace, state: string) {
    this.#count += 1;
    const environment = {
      ...(await this.options.environment(place.owner)),
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      ...place.env,
      MUSTER_STATE: state,
    };
    const id = `shell-${basename(state)}-${this.#ours}-${this.#count}`;
    return { client: this.options.client, id, state, environment, place };
  }
}

/** The output of a session's shell, which is the agent's first terminal. */
const outputOf = ({ outputBase }: TerminalPlace): string => `${outputBase}-0.log`;

async function endLeft({ shell, state }: LeftShell): Promise<void> {
  const one = await shell;
  if (!one.over) await one.kill();
  await rm(state, { recursive: true, force: true });
}
