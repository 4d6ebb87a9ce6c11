import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type AgentProfileOf, agentProfileSchema } from '@areas/agents/contract/profile';
import type { TranscriptItem } from '@areas/sessions/contract/session';
import type { FromTerminal, ToTerminal } from '@areas/terminals/contract/view';
import { ok } from '@contract/result';
import { nodeFiles } from '../../../adapters/process/files';
import { Terminals } from '../../../adapters/pty/terminals';
import { ForkedPtyHost } from '../../../adapters/pty-client/channels';
import { PtyClient } from '../../../adapters/pty-client/client';
import { InteractiveTerminals } from '../../../adapters/pty-client/programs/interactive-terminals';
import type { AgentPort, Seen, Session, SessionSpec } from '../../../core/ports/ports';
import type {
  InteractivePort,
  InteractiveTerminal,
  KeptProgram,
} from '../../../core/ports/programs/interactive';
import { PausePoints } from '../../../core/ports/testing/pause-points';
import { bundlePtyHost } from '../../../pty-host/testing/bundle';
import { createCliAgent } from '../index';
import type { CliLimits } from '../limits';

const FAKE = join(import.meta.dirname, 'fake-program.mjs');

const short: CliLimits = {
  startMs: 8000,
  settleMs: 300,
  tickMs: 60,
  echoMs: 1500,
  submitMs: 1500,
  cancelMs: 1200,
  leaveMs: 600,
  killMs: 500,
  freshMs: 700,
  stallMs: 60_000,
  idleMs: 1000,
};

interface Opened {
  readonly session: Session;
  readonly items: TranscriptItem[];
  readonly lost: string[];
  /** Its observed states, each change. */
  readonly observed: Seen[];
  notices(): string[];
  turn(prompt: string): ReturnType<Session['turn']>;
}

/** A real terminal process, and sessions of the fake program in it. */
export class CliWorld {
  /** Pauses in calls of a terminal: `terminal.note`. */
  readonly points = new PausePoints();
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-cli-')));
  #client = new PtyClient();
  #entry = '';
  #host: ForkedPtyHost | null = null;
  #here: Terminals | null = null;
  #killCore: () => void = () => undefined;
  #core = { dead: false };
  #terminal: InteractiveTerminal | null = null;
  readonly #opened = new Set<Session>();
  #sessions = 0;
  #turns = 0;
  #slept = 0;
  #looks = 0;

  readonly #environment = async (owner: string) => ({
    PATH: process.env.PATH ?? '',
    HOME: this.folder,
    MUSTER_SESSION: owner,
  });

  #terminals = new InteractiveTerminals({ client: this.#client, environment: this.#environment });

  async start(): Promise<void> {
    this.#entry = await bundlePtyHost();
    this.#host = new ForkedPtyHost({ entry: this.#entry, dataDir: this.folder }, this.#client);
    this.#host.start();
  }

  /** The real terminal host's pid; another host replaces it when it dies. */
  get hostPid(): number {
    return this.#host?.pid ?? 0;
  }

  /** Runs the terminals in this process, so that cores can come and go. */
  startHere(): void {
    this.#here = new Terminals(this.folder, new URL('./no-such-thread.js', import.meta.url), false);
    this.#connect(this.#here);
  }

  /** kill -9 of the core and start of the next: nothing of the old one reports or acts any more. */
  nextCore(): void {
    if (this.#here === null) return;
    this.#killCore();
    this.#client = new PtyClient();
    this.#terminals = new InteractiveTerminals({ client: this.#client, environment: this.#environment });
    this.#connect(this.#here);
  }

  killCore(): void {
    this.#killCore();
  }

  #connect(host: Terminals): void {
    let hear: ((raw: unknown) => void) | null = null;
    const line = host.connect({ post: (message) => void setImmediate(() => hear?.(message)) });
    const core = { dead: false };
    this.#core = core;
    this.#client.connect({
      post: (message) => core.dead || line.message(message),
      onMessage: (listener) => {
        hear = listener;
      },
      onClose: () => undefined,
    });
    this.#killCore = () => {
      if (!core.dead) line.gone();
      core.dead = true;
      hear = null;
    };
  }

  /** Ends what a failed test left open: another test would take it for a program of its own. */
  async leave(): Promise<void> {
    const left = [...this.#opened];
    this.#opened.clear();
    await Promise.all(left.map((session) => session.close()));
  }

  async stop(): Promise<void> {
    await this.#host?.stop();
    await this.#here?.close(0);
    rmSync(this.folder, { recursive: true, force: true });
    if (this.#entry !== '') rmSync(dirname(this.#entry), { recursive: true, force: true });
  }

  #now(): number {
    this.#looks += 1;
    return Date.now() + this.#slept;
  }

  /** The machine sleeps: only the clock advances. */
  sleep(ms: number): void {
    this.#slept += ms;
    this.#looks = 0;
  }

  /** How often the time was read since then. */
  get looks(): number {
    return this.#looks;
  }

  /** Types into the last opened terminal, like the operator. */
  type(data: string): void {
    this.#terminal?.type(data);
  }

  /** Shows the last opened terminal in a pane, like the operator. */
  look(cols: number, rows: number): void {
    const port = new ScriptedPort();
    this.#here?.show(this.#outputOf(this.#sessions), port);
    port.say({ kind: 'show', cols, rows });
  }

  /** A killed core records nothing any more, although in a test it still exists. */
  #mortal(terminal: InteractiveTerminal): InteractiveTerminal {
    this.#terminal = terminal;
    const core = this.#core;
    return this.points.around('terminal', {
      exited: terminal.exited,
      type: (data: string) => terminal.type(data),
      screen: () => terminal.screen(),
      activity: () => terminal.activity(),
      end: (graceMs: number) => terminal.end(graceMs),
      place: () => terminal.place(),
      note: (text: string) => (core.dead ? new Promise<void>(() => undefined) : terminal.note(text)),
      taken: () => terminal.taken(),
    });
  }

  agent(limits: Partial<CliLimits> = {}): Required<AgentPort> {
    const terminals = this.#terminals;
    const open: InteractivePort['open'] = async (spec, listener) => {
      const opened = await terminals.open(spec, listener);
      if (!opened.ok) return opened;
      return ok(this.#mortal(opened.value));
    };
    const find: InteractivePort['find'] = async (files) => {
      const kept = await terminals.find(files);
      if (kept === null) return null;
      const take: KeptProgram['take'] = async (...how) => {
        const { terminal, before } = await kept.take(...how);
        return { terminal: this.#mortal(terminal), before };
      };
      return { ...kept, take };
    };
    return createCliAgent({
      processes: {
        find: async (command) => [command, join('/bin', command)].find((path) => existsSync(path)) ?? null,
      },
      terminals: { open, find },
      files: nodeFiles,
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
      clock: { now: () => this.#now() },
      limits: { ...short, ...limits },
    });
  }

  profile(args: readonly string[], more: Partial<AgentProfileOf<'cli'>> = {}): AgentProfileOf<'cli'> {
    const parsed = agentProfileSchema.parse({
      kind: 'cli',
      id: 'fake',
      name: 'Fake',
      preset: 'generic',
      command: process.execPath,
      args: [FAKE, '--in', this.folder, ...args],
      ...more,
    });
    if (parsed.kind !== 'cli') throw new Error('not of kind cli');
    return parsed;
  }

  spec(profile: AgentProfileOf<'cli'>, more: Partial<SessionSpec> = {}): SessionSpec {
    this.#sessions += 1;
    return {
      runId: 1,
      sessionId: this.#sessions,
      key: `run/s${this.#sessions}`,
      profile,
      model: null,
      mode: null,
      env: {},
      cwd: this.folder,
      projectPath: this.folder,
      artifactsDir: join(this.folder, 'artifacts'),
      resume: null,
      ...more,
    };
  }

  async open(
    args: readonly string[] = [],
    more: {
      profile?: Partial<AgentProfileOf<'cli'>>;
      spec?: Partial<SessionSpec>;
      limits?: Partial<CliLimits>;
    } = {},
  ): Promise<Opened> {
    const items: TranscriptItem[] = [];
    const lost: string[] = [];
    const observed: Seen[] = [];
    const spec = this.spec(this.profile(args, more.profile), more.spec);
    const opened = await this.agent(more.limits).open(spec, {
      items: (_turn, some) => void items.push(...some),
      permission: async () => ({ allow: false, always: false, reason: null }),
      observed: (_turn, seen) => observed.at(-1)?.state === seen.state || void observed.push(seen),
      lost: (reason) => void lost.push(reason),
    });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    const session = opened.value;
    this.#opened.add(session);
    return {
      session,
      items,
      lost,
      observed,
      notices: () => items.flatMap((item) => (item.type === 'notice' ? [item.text] : [])),
      turn: (prompt) => {
        this.#turns += 1;
        return session.turn({ turnId: this.#turns, prompt, attachments: [] });
      },
    };
  }

  /** All output in a session's terminal. */
  output(sessionId = this.#sessions): string {
    return readFileSync(this.#outputOf(sessionId), 'utf8');
  }

  #outputOf(sessionId: number): string {
    return join(this.folder, 'artifacts', 'terminals', `s${sessionId}-0.log`);
  }

  get lastSession(): number {
    return this.#sessions;
  }
}

/** A screen that acknowledges what it receives, and draws nothing. */
class ScriptedPort {
  say: (message: ToTerminal) => void = () => undefined;

  post(message: FromTerminal): void {
    if (message.kind === 'bytes') this.say({ kind: 'ack', bytes: message.data.length });
  }

  onMessage(listener: (raw: unknown) => void): void {
    this.say = listener;
  }

  onClose(): void {
    // It stays open.
  }
}
