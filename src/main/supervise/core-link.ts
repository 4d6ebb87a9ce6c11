import { type AppError, appError } from '@contract/errors';
import type { RoutedPush, RpcReply, Topic } from '@contract/ipc';
import { type CoreInit, type FromCore, fromCoreSchema, type ToCore } from '@contract/system/host';
import type { SystemStatus } from '@contract/system/procedures';
import { firstReads } from '@contract/system/startup-queries';
import { PendingCalls } from '../api/client/pending-calls';
import { CALL_WAIT_MS, DOOMED_CORE_MS, FIRST_CALL_WAIT_MS, LET_IN_MS } from '../limits/main';
import { Supervised } from './supervised';
import type { Clock, Log, TransferredPort, Transport } from './transport';

const LOCKED = 'Another Muster uses the database.';
const SILENT = 'Another Muster uses the database and does not answer.';

const otherVersion = (theirs: string, ours: string): string =>
  `Another Muster, of version ${theirs}, uses the database. This one has version ${ours} and may not understand it: quit that one.`;

/** What main receives from the core, and what the window receives directly. */
export interface FollowedTopics {
  readonly topics: readonly Topic[];
  readonly line: readonly Topic[];
}

interface CoreLinkOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Starts a core of our own. */
  spawn(): Transport;
  /** Attaches to the core that holds the database, which another program hosts. */
  attach(): Transport;
  /** The first message to a core of our own. */
  init(): CoreInit;
  /** One end of a new line from our own core to the window's page; null without a window. */
  line(): TransferredPort | null;
  /** A core is ready; our own needs a channel to the terminals. */
  up(own: boolean): void;
  changed(): void;
  /** Our own core ended by itself. */
  crashed(detail: string): void;
  pushed(pushes: RoutedPush[]): void;
  /** Our own core needs a key for answer tokens among its secrets. */
  wantsAnswerKey(): void;
}

/** The core as seen by main: our own utility process, or temporarily another program's. */
export class CoreLink {
  readonly #core: Supervised;
  readonly #calls: PendingCalls;
  /** Whose core the current or next transport leads to. */
  #mode: 'own' | 'attached' = 'own';
  #next: 'own' | 'attached' = 'own';
  /** The current transport's core has accepted us. */
  #letIn = false;
  #topics: FollowedTopics = { topics: [], line: [] };
  /** The current core has a line to the current page. */
  #lined = false;
  #apiAddress: string | null = null;
  #failure: AppError | null = null;
  /** Our version, known from our first core: another's core is only sought when ours found the lock. */
  #version = '';
  /** Who holds the database, if another program does. */
  #holder = LOCKED;
  /** Another program holds the database, possibly a short command without a socket. */
  #lockedOut = false;
  /** Nothing is resumed, in another program's core either. */
  #safe = false;
  #stopped: (() => void) | null = null;

  constructor(private readonly options: CoreLinkOptions) {
    const ahead: ReadonlySet<string> = new Set(firstReads);
    this.#calls = new PendingCalls({
      later: (ms, run) => options.clock.later(ms, run),
      firstWaitMs: FIRST_CALL_WAIT_MS,
      waitMs: CALL_WAIT_MS,
      send: (call) => this.#postBegun({ kind: 'rpc', ...call }),
      mayGoAhead: (name) => ahead.has(name),
    });
    this.#core = new Supervised({
      name: 'core',
      clock: options.clock,
      log: options.log,
      start: () => this.#start(),
      connected: (transport) => this.#connected(transport),
      lost: () => this.#lost(),
      changed: () => this.#changed(),
      crashed: (detail) => options.crashed(detail),
      mayPass: () => this.#lockedOut,
      // The holder cannot be reached: it may have released the database meanwhile.
      leadsOn: () => this.#mode === 'attached' && !this.#letIn,
      // Another program's core ends with its program, and ours waits for that.
      pardoned: () => this.#mode === 'attached' || this.#lockedOut,
    });
  }

  get apiAddress(): string | null {
    return this.#apiAddress;
  }

  get restarts(): number {
    return this.#core.observed.restarts;
  }

  /** True while work is done by a core that ends with us. */
  get own(): boolean {
    return this.#core.observed.state === 'running' && this.#mode === 'own';
  }

  observed(): SystemStatus['core'] {
    const { state, ...rest } = this.#core.observed;
    if (state === 'running' && this.#mode === 'attached')
      return { ...rest, state: 'attached', detail: rest.detail ?? this.#holder };
    // While it stops nothing new is answered, which for a window looks like a restart.
    return { ...rest, state: state === 'stopped' ? 'restarting' : state };
  }

  start(): void {
    this.#core.start();
  }

  restart(): void {
    this.#failure = null;
    this.#calls.lose();
    this.#core.restart();
  }

  call(name: string, input: unknown): Promise<RpcReply> {
    return this.#calls.add(name, input);
  }

  subscribe(wanted: FollowedTopics): void {
    this.#topics = wanted;
    this.#tellTopics();
  }

  /** The window has another page: its pushes use a new line. */
  renewLine(): void {
    this.#lined = false;
  }

  note(detail: string | null): void {
    this.#core.note(detail);
  }

  setSecrets(secrets: Record<string, string>): void {
    this.#toOwn({ kind: 'secrets', secrets });
  }

  givePty(port: TransferredPort): void {
    this.#toOwn({ kind: 'pty' }, port);
  }

  tellProcesses(ptyHost: SystemStatus['ptyHost']): void {
    this.#toOwn({ kind: 'processes', ptyHost, restarts: this.restarts });
  }

  wake(): void {
    this.#toOwn({ kind: 'wake' });
  }

  /** Resolves when the core has parked or stopped everything and closed the database, or is gone. */
  async shutdown(stop: boolean, limitMs: number): Promise<void> {
    const transport = this.#core.transport;
    const running = this.own;
    this.#core.stop();
    this.#calls.refuse(appError('unavailable', 'Muster is closing.'));
    if (transport && running) {
      await new Promise<void>((resolve) => {
        const cancel = this.options.clock.later(limitMs, resolve);
        this.#stopped = () => {
          cancel();
          resolve();
        };
        transport.post({ kind: 'shutdown', stop } satisfies ToCore);
      });
    }
    transport?.kill();
  }

  #start(): Transport {
    this.#mode = this.#next;
    this.#next = 'own';
    this.#letIn = false;
    return this.#mode === 'own' ? this.options.spawn() : this.options.attach();
  }

  #connected(transport: Transport): void {
    transport.onMessage((raw) => {
      const parsed = fromCoreSchema.safeParse(raw);
      if (!parsed.success)
        this.options.log('error', `core: a message that cannot be read: ${parsed.error.message}`);
      else if (this.#core.transport === transport) this.#receive(parsed.data, transport);
    });
    if (this.#mode === 'own') this.#begin(transport);
    else this.options.clock.later(LET_IN_MS, () => this.#late(transport));
  }

  #begin(transport: Transport): void {
    const init = this.options.init();
    this.#version = init.version;
    this.#safe = init.safeMode === true;
    transport.post(init);
    // Loaded meanwhile: for a window's first view, each round trip is a tenth of the core's start time.
    this.#tellTopics();
    this.#calls.begin();
  }

  #late(transport: Transport): void {
    if (this.#core.transport !== transport || this.#core.observed.state === 'running') return;
    this.#core.doomed(SILENT, false);
    transport.kill();
  }

  #receive(message: FromCore, transport: Transport): void {
    switch (message.kind) {
      case 'ready':
        return this.#ready(message);
      case 'reply':
        return this.#calls.reply(message.id, message.reply);
      case 'push':
      case 'packed':
        return this.options.pushed(message.pushes);
      case 'fatal':
        return this.#fatal(message.error, transport);
      case 'api':
        this.#apiAddress = message.address;
        return;
      case 'answer-key':
        if (this.#mode === 'own') this.options.wantsAnswerKey();
        return;
      case 'stopped':
        return this.#stopped?.();
    }
  }

  #ready(message: Extract<FromCore, { kind: 'ready' }>): void {
    this.#apiAddress = message.apiAddress;
    this.#failure = null;
    this.#letIn = true;
    this.#lockedOut = false;
    this.#holder = message.version === this.#version ? LOCKED : otherVersion(message.version, this.#version);
    if (this.#mode === 'attached') this.#core.forgive();
    this.#core.ready(message.pid);
    this.renewLine();
    // Before any call, so that nothing after its answer is missed.
    this.#tellTopics();
    this.#calls.open();
    // A core started for a single command has loaded only that run.
    if (this.#mode === 'attached' && !this.#safe) void this.#calls.add('system.takeUp', {});
    this.options.up(this.#mode === 'own');
  }

  #fatal(error: AppError, transport: Transport): void {
    this.#failure = error;
    const locked = error.code === 'store.locked' && this.#mode === 'own';
    if (this.#mode === 'own') this.#lockedOut = locked;
    if (locked) this.#next = 'attached';
    this.#core.doomed(locked ? LOCKED : error.message, !locked && this.#mode === 'own');
    this.options.clock.later(DOOMED_CORE_MS, () => transport.kill());
  }

  #lost(): void {
    this.#apiAddress = null;
    this.#stopped?.();
    this.#calls.lose();
  }

  #changed(): void {
    const { state, detail } = this.#core.observed;
    if (state === 'failed') {
      const mend = 'Restart it in the status bar, or restart Muster.';
      this.#calls.refuse(
        this.#failure ?? appError('unavailable', `The core is not running: ${detail}`, { mend }),
      );
    }
    this.options.changed();
  }

  #tellTopics(): void {
    const { topics, line } = this.#topics;
    // A socket carries no port: everything from another program's core goes through main.
    if (this.#mode === 'attached') this.#post({ kind: 'subscribe', topics: [...topics, ...line] });
    // Nothing happens in it yet that could be missed, but its early answers may be outdated as soon as
    // something does.
    else if (this.#core.observed.state !== 'running') {
      if (topics.length > 0) this.#postBegun({ kind: 'subscribe', topics: [...topics], line: [] });
    } else {
      if (line.length > 0) this.#openLine();
      this.#post({ kind: 'subscribe', topics: [...topics], line: [...line] });
    }
  }

  #openLine(): void {
    if (this.#lined || !this.own) return;
    const port = this.options.line();
    if (port === null) return;
    this.#lined = true;
    this.#post({ kind: 'line' }, port);
  }

  #toOwn(message: ToCore, port?: TransferredPort): void {
    if (this.#mode === 'own') this.#post(message, port);
  }

  /** Also to our own core that is starting and not ready yet. */
  #postBegun(message: ToCore): void {
    if (this.#core.observed.state === 'running') return this.#post(message);
    if (this.#mode === 'own' && this.#core.observed.state !== 'stopped') this.#core.transport?.post(message);
  }

  #post(message: ToCore, port?: TransferredPort): void {
    if (this.#core.observed.state === 'running') this.#core.transport?.post(message, port);
  }
}
