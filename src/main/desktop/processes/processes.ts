import { join } from 'node:path';
import type { RoutedPush, RpcReply } from '@contract/ipc';
import { fail, ok, type Result } from '@contract/result';
import type { CoreInit } from '@contract/system/host';
import { type SystemStatus, systemProcedures, systemStatusSchema } from '@contract/system/procedures';
import { MessageChannelMain, type MessagePortMain } from 'electron';
import { CORE_STOP_MS, HEARTBEAT_MS, SHOWN_SILENT_MS, TERMINAL_HOST_STOP_MS } from '../../limits/main';
import { CoreLink, type FollowedTopics } from '../../supervise/core-link';
import { PtyLink } from '../../supervise/pty-link';
import { attach } from '../../supervise/socket-transport';
import { overlaid } from '../../supervise/system-status';
import { type Log, type Transport, wallClock } from '../../supervise/transport';
import type { LiveWork } from './live-words';
import { crashWords } from './process-end';
import { startCore, startUtility } from './utility-process';

interface ProcessesOptions {
  /** The first core, already running. */
  readonly core: Transport;
  /** out/main: the folder of the processes' files. */
  readonly processDir: string;
  readonly dataDir: string;
  readonly dbPath: string;
  readonly endpointFile: string;
  readonly log: Log;
  init(): CoreInit;
  pushed(pushes: RoutedPush[]): void;
  /** Our own core ended by itself; the operator is told once it runs again. */
  crashed(text: string): void;
  /** A core of ours needs a key for answer tokens in the keychain. */
  wantsAnswerKey(): void;
  /** Gives the window's page its end of a line to the core; false without a window. */
  giveLine(port: MessagePortMain): boolean;
  /** A core is ready, our own or another: what is known of the previous one may be outdated. */
  up(): void;
}
const STATUS = 'system.status';
const OURS = 'main.';

/** The processes behind the windows, and main's status of them. */
export class Processes {
  readonly #core: CoreLink;
  readonly #pty: PtyLink;
  readonly #notices = new Map<string, SystemStatus['notices'][number]>();
  #last: SystemStatus | null = null;
  #terminals: 'later' | 'wanted' | 'begun' = 'later';
  #noticeCount = 0;
  /** How our core ended, until the operator was told. */
  #crash: string | null = null;

  constructor(private readonly options: ProcessesOptions) {
    const { log, dataDir } = options;
    const ptyEntry = join(options.processDir, 'pty-host.js');
    let first: Transport | null = options.core;
    const changed = (): void => this.#changed();
    this.#pty = new PtyLink({
      clock: wallClock,
      log,
      dataDir,
      spawn: () => startUtility({ entry: ptyEntry, name: 'terminal host', log }),
      up: () => this.#joinThem(),
      changed,
    });
    this.#core = new CoreLink({
      clock: wallClock,
      log,
      spawn: () => {
        const begun = first;
        first = null;
        return begun ?? startCore(options.processDir, { dataDir, log });
      },
      attach: () => attach(options.endpointFile),
      init: () => options.init(),
      up: () => this.#coreUp(),
      line: () => this.#newLine(),
      changed,
      wantsAnswerKey: options.wantsAnswerKey,
      crashed: (detail) => {
        this.#crash = crashWords('Core', detail);
        options.crashed(this.#crash);
      },
      pushed: (pushes) => options.pushed(pushes.map((push) => this.#seen(push))),
    });
  }

  get apiAddress(): string | null {
    return this.#core.apiAddress;
  }

  start(): void {
    this.#core.start();
    setTimeout(() => void this.#beat(), HEARTBEAT_MS);
  }

  /** The terminal process starts after the first view. */
  startTerminals(): void {
    if (this.#terminals === 'later') this.#terminals = 'wanted';
    this.#beginTerminals();
  }

  /** The last known status, for main's own decisions. */
  status(): SystemStatus {
    const notices = [...this.#notices.values()];
    const seen = { core: this.#core.observed(), ptyHost: this.#pty.observed(), notices };
    return overlaid(this.#last, seen, this.options.dbPath);
  }

  async call(name: string, input: unknown): Promise<RpcReply> {
    if (name === 'system.dismissNotice' && this.#dismiss(input)) return ok({});
    if (name !== STATUS) return this.#core.call(name, input);
    const { state } = this.#core.observed();
    // While no core can, main itself reports the problem.
    if (state !== 'running' && state !== 'attached') return ok(this.status());
    await this.#refresh();
    return ok(this.status());
  }

  /** A port to a terminal, whose messages bypass main. */
  async openTerminal(runId: number, name: string): Promise<Result<MessagePortMain>> {
    const reply = await this.#core.call('terminal.get', { runId, name });
    if (!reply.ok) return reply;
    const { readOutputPath } = await import('./core-words');
    const path = readOutputPath(reply.value);
    const { port1, port2 } = new MessageChannelMain();
    if (path !== null && this.#pty.view(path, port1)) return ok(port2);
    const message = 'The terminal host is not running.';
    return fail('unavailable', message, { mend: 'Wait until it has restarted.' });
  }

  subscribe(wanted: FollowedTopics): void {
    this.#core.subscribe(wanted);
  }

  /** The window has another page. */
  renewLine(): void {
    this.#core.renewLine();
  }

  /** Whether someone may be looking at the window. */
  windowShown(shown: boolean): void {
    this.#pty.windowShown(shown);
  }

  setSecrets(secrets: Record<string, string>): void {
    this.#core.setSecrets(secrets);
  }

  wake(): void {
    this.#core.wake();
  }

  restart(process: 'core' | 'ptyHost'): void {
    if (process === 'core') this.#core.restart();
    else this.#pty.restart();
  }

  /** A notice already shown is not repeated: each new core would report it again. */
  notice(level: 'info' | 'warning' | 'error', text: string): void {
    if ([...this.#notices.values()].some((shown) => shown.text === text)) return;
    this.#noticeCount += 1;
    const id = `${OURS}${this.#noticeCount}`;
    this.#notices.set(id, { id, level, text });
    this.#changed();
  }

  /** A notice with an act; it replaces the one with the same name. */
  offer(name: string, notice: Pick<SystemStatus['notices'][number], 'level' | 'text' | 'act'>): void {
    this.#notices.delete(`${OURS}${name}`);
    this.#notices.set(`${OURS}${name}`, { id: `${OURS}${name}`, ...notice });
    this.#changed();
  }

  /** A core of our own runs: only that one can be restarted on another database. */
  get ownsCore(): boolean {
    return this.#core.own;
  }

  /** What would be interrupted if we ended now. Another program's core continues without us. */
  async liveWork(limitMs: number): Promise<LiveWork> {
    if (!this.#core.own) return { turns: 0, commands: 0, limitEndsAt: null };
    const late = new Promise<void>((resolve) => setTimeout(resolve, limitMs));
    await Promise.race([this.#refresh(), late]);
    return this.status().live;
  }

  /** The core first: what it parks may still need its terminals. */
  async shutdown(stop: boolean): Promise<void> {
    await this.#core.shutdown(stop, CORE_STOP_MS);
    await this.#pty.shutdown(TERMINAL_HOST_STOP_MS);
  }

  #coreUp(): void {
    this.#joinThem();
    // Another program's core has interrupted what our last one left.
    if (!this.#core.own) this.#pty.abandon();
    if (this.#crash !== null)
      this.offer('crash', { level: 'warning', text: this.#crash, act: 'diagnostics' });
    this.#crash = null;
    this.#core.tellProcesses(this.#pty.observed());
    void this.#refresh().then(() => {
      this.#beginTerminals();
      this.#tell();
    });
    this.options.up();
  }

  /** Another program's core has its own terminals. */
  #beginTerminals(): void {
    if (this.#terminals !== 'wanted' || !this.#core.own) return;
    this.#terminals = 'begun';
    this.#pty.start();
  }

  /** A direct channel between core and terminals, whose messages cost main nothing. */
  #joinThem(): void {
    if (!this.#core.own || !this.#pty.running) return;
    const { port1, port2 } = new MessageChannelMain();
    this.#pty.attach(port1);
    this.#core.givePty(port2);
  }

  #newLine(): MessagePortMain | null {
    const { port1, port2 } = new MessageChannelMain();
    return this.options.giveLine(port2) ? port1 : null;
  }

  /** A process may exist and be stuck all the same. */
  async #beat(): Promise<void> {
    const silent = `It has not answered for more than ${SHOWN_SILENT_MS / 1000} s.`;
    const late = setTimeout(() => this.#core.note(silent), SHOWN_SILENT_MS);
    await this.#refresh();
    clearTimeout(late);
    this.#core.note(null);
    setTimeout(() => void this.#beat(), HEARTBEAT_MS);
  }

  async #refresh(): Promise<void> {
    const reply = await this.#core.call(STATUS, {});
    const status = reply.ok ? systemStatusSchema.safeParse(reply.value) : null;
    if (status?.success) this.#last = status.data;
  }

  #seen(push: RoutedPush): RoutedPush {
    if (push.topic !== 'system') return push;
    const status = systemStatusSchema.safeParse(push.status);
    if (status.success) this.#last = status.data;
    return { topic: 'system', status: this.status() };
  }

  #changed(): void {
    this.#core.tellProcesses(this.#pty.observed());
    this.#tell();
  }

  #tell(): void {
    this.options.pushed([{ topic: 'system', status: this.status() }]);
  }

  #dismiss(input: unknown): boolean {
    const parsed = systemProcedures['system.dismissNotice'].input.safeParse(input);
    if (!parsed.success || !parsed.data.id.startsWith(OURS)) return false;
    this.#notices.delete(parsed.data.id);
    this.#changed();
    return true;
  }
}
