import {
  type FromPtyHost,
  type TerminalExit,
  type ToPtyHost,
  toPtyHostSchema,
} from '@areas/terminals/contract/host';
import { appError } from '@contract/errors';
import { TERMINAL_BYTES } from '@contract/limits';
import { z } from 'zod';
import { ORPHAN_GRACE_MS, PRINTED_MS, TYPED_FIRST_MS } from '../../limits/terminal-host';
import { FloodTurns } from './flood-turns';
import { Guard } from './program/guard';
import { endOrphans, hostMark } from './program/orphans';
import { Snapshots } from './screen/snapshot';
import { TerminalView, type ViewPort } from './screen/view';
import { Terminal } from './terminal';

interface Open {
  readonly id: string;
  /** Stays when its client ends. Cleared if no client will come for it. */
  keep: boolean;
  readonly outputPath: string;
  /** The output's length, if not yet reported to a client. */
  printed: Omit<PrintedOutput, 'id'> | null;
  client: Client | null;
  terminal: Terminal | null;
  /** How a kept terminal ended, until a client acknowledges it. */
  exit: TerminalExit | null;
  /** The grace period of the last kill request, which may have come before the terminal was open. */
  killed: number | null;
}

type PrintedOutput = Extract<FromPtyHost, { kind: 'printed' }>['outputs'][number];

interface Client {
  post(message: FromPtyHost): void;
}

/** All terminals of this process, and their clients. */
export class Terminals {
  readonly #mark: string;
  readonly #guard: Guard;
  readonly #open = new Set<Open>();
  readonly #clients = new Set<Client>();
  readonly #views = new Map<TerminalView, string>();
  readonly #snapshots: Snapshots;
  #count = 0;
  /** Terminals with output since their clients were last notified. */
  readonly #printed = new Set<Open>();
  #telling: NodeJS.Timeout | undefined;
  #closing = false;
  #limit = TERMINAL_BYTES;
  /** The terminal whose answer is awaited before others are read, and the function that ends this. */
  #first: { readonly one: Open; readonly done: () => void } | null = null;
  readonly #floodTurns = new FloodTurns<Terminal>();

  /**
   * `snapshotThread` is the program that draws terminals' pasts; `hasScreens` means that it may be needed, so
   * it is started in advance.
   */
  constructor(
    dataDir: string,
    snapshotThread: URL,
    private readonly hasScreens = true,
  ) {
    this.#snapshots = new Snapshots(snapshotThread);
    endOrphans(dataDir);
    this.#mark = hostMark(dataDir);
    this.#guard = new Guard(`${this.#mark}/`);
  }

  /** A new client: it receives the kept terminals without a client, and owns them from now on. */
  connect(client: Client): { message(raw: unknown): void; gone(): void } {
    this.#clients.add(client);
    this.#greet(
      client,
      [...this.#open].filter((one) => one.client === null),
    );
    return {
      message: (raw) => {
        const parsed = toPtyHostSchema.safeParse(raw);
        if (parsed.success) this.#handle(client, parsed.data);
        else this.#refuse(client, raw, parsed.error.message);
      },
      gone: () => this.#gone(client),
    };
  }

  /** Ends and forgets kept terminals without a client. */
  abandon(): void {
    for (const one of this.#open) if (one.client === null) this.#giveUp(one);
  }

  /** Whether a window may be visible; initially false. */
  windowShown(shown: boolean): void {
    this.#floodTurns.windowShown(shown);
  }

  /** Shows a terminal by its output: live if it is open, else from its file. */
  show(outputPath: string, port: ViewPort): void {
    const one = this.#shownAt(outputPath);
    const terminal = one?.terminal ?? null;
    const typed = (): void => this.#serveFirst(outputPath);
    const view = new TerminalView({ outputPath, terminal, snapshots: this.#snapshots, port, typed });
    this.#views.set(view, outputPath);
    port.onClose(() => this.#views.delete(view));
  }

  /** Ends every terminal, so that nothing is left for the guard. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    this.#floodTurns.stop();
    const all = [...this.#open];
    await Promise.all(all.map((one) => one.terminal?.kill(graceMs)));
    await Promise.all(all.map((one) => one.terminal?.done));
    clearTimeout(this.#telling);
    this.#snapshots.close();
    this.#guard.dismiss();
  }

  #handle(client: Client, message: ToPtyHost): void {
    if (message.kind === 'create') {
      void this.#create(client, message);
      return;
    }
    if (message.kind === 'limits') {
      this.#limit = message.terminalBytes;
      return;
    }
    const one = [...this.#open].find((open) => open.id === message.id && open.client === client);
    if (one?.exit && message.kind === 'taken') this.#open.delete(one);
    // It ended while the message was in transit.
    if (!one || one.exit || message.kind === 'taken') return;
    if (message.kind === 'kill') {
      one.killed = message.graceMs;
      this.#kill(one, message.graceMs);
    } else if (message.kind === 'conceal') {
      one.terminal?.conceal(message.values);
      client.post({ kind: 'concealed', id: one.id });
    } else one.terminal?.write(message.data);
  }

  async #create(client: Client, { id, spec }: Extract<ToPtyHost, { kind: 'create' }>): Promise<void> {
    const refuse = (message: string): void =>
      client.post({ kind: 'refused', id, error: appError('conflict', message) });
    if (this.#closing) return refuse('The terminal host is shutting down.');
    if ([...this.#open].some((one) => one.id === id && one.client === client))
      return refuse(`There is already a terminal ${id}.`);
    const one: Open = {
      id,
      keep: spec.keep,
      outputPath: spec.outputPath,
      printed: null,
      client,
      terminal: null,
      exit: null,
      killed: null,
    };
    this.#open.add(one);
    this.#count += 1;
    const mark = `${this.#mark}/${this.#count}`;
    const opened = await Terminal.open({
      spec,
      mark,
      limit: () => this.#limit,
      onRead: (terminal, bytes) => this.#floodTurns.read(terminal, bytes),
      onPrinted: (bytes) => {
        this.#hasPrinted(one, bytes);
        if (this.#first?.one === one) this.#first.done();
      },
      onResized: (size) => one.client?.post({ kind: 'resized', id, ...size }),
      onEvicted: (before) => one.client?.post({ kind: 'evicted', id, before }),
    });
    if (!opened.ok) {
      this.#open.delete(one);
      one.client?.post({ kind: 'refused', id, error: opened.error });
      return;
    }
    await this.#live(one, opened.value);
  }

  async #live(one: Open, terminal: Terminal): Promise<void> {
    this.#guard.add(terminal.pid);
    if (this.hasScreens) this.#snapshots.warm();
    one.terminal = terminal;
    for (const [view, outputPath] of this.#views) if (outputPath === one.outputPath) view.adopt(terminal);
    one.client?.post({ kind: 'created', id: one.id, pid: terminal.pid });
    // Its client ended while it was being opened.
    if (one.client === null) this.#bequeath(one);
    if (one.killed !== null) this.#kill(one, one.killed);
    const exit = await terminal.done;
    this.#guard.remove(terminal.pid);
    this.#floodTurns.left(terminal);
    if (one.keep) one.exit = exit;
    else this.#open.delete(one);
    this.#tell([one]);
    one.client?.post({ kind: 'exited', id: one.id, exit });
  }

  /** Passes the existing kept terminals among these to a client. */
  #greet(client: Client, left: readonly Open[]): void {
    const kept = left.flatMap((one) => (one.keep && one.terminal ? [{ one, terminal: one.terminal }] : []));
    for (const { one } of kept) one.client = client;
    const open = kept.map(({ one: { id, outputPath, killed, exit }, terminal }) => ({
      id,
      outputPath,
      pid: terminal.pid,
      killed: killed !== null,
      ended: exit !== null,
      bytes: terminal.bytes,
      offset: terminal.offset,
    }));
    client.post({ kind: 'hello', pid: process.pid, open });
    this.#tell(kept.map(({ one }) => one));
    for (const { one } of kept) if (one.exit) client.post({ kind: 'exited', id: one.id, exit: one.exit });
  }

  #hasPrinted(one: Open, bytes: number): void {
    one.printed = { bytes, offset: one.terminal?.offset ?? bytes };
    this.#printed.add(one);
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#tell(this.#printed);
    }, PRINTED_MS);
  }

  /**
   * Each client gets one message with all of its terminals among these; those without a client wait for the
   * next one.
   */
  #tell(all: Iterable<Open>): void {
    const outputs = new Map<Client, PrintedOutput[]>();
    for (const one of [...all]) {
      if (one.client === null) continue;
      this.#printed.delete(one);
      const { id, printed } = one;
      if (!printed) continue;
      one.printed = null;
      const clientOutputs = outputs.get(one.client) ?? [];
      clientOutputs.push({ id, ...printed });
      outputs.set(one.client, clientOutputs);
    }
    for (const [client, clientOutputs] of outputs) client.post({ kind: 'printed', outputs: clientOutputs });
  }

  /** The next client may have connected before the previous one's end was noticed. */
  #bequeath(one: Open): void {
    const heir = [...this.#clients].at(-1);
    if (one.keep && heir) this.#greet(heir, [one]);
  }

  /** An ended terminal waiting to be reported is shown from its file, like all ended ones. */
  #shownAt(outputPath: string): Open | undefined {
    return [...this.#open].find((open) => open.outputPath === outputPath && open.exit === null);
  }

  /**
   * The operator's input is answered before more output of other terminals is read: otherwise each would
   * first deliver its buffered output, and twenty floods make typing slow.
   */
  #serveFirst(outputPath: string): void {
    const one = this.#shownAt(outputPath);
    if (!one || this.#open.size < 2) return;
    if (one.terminal) this.#floodTurns.typed(one.terminal);
    if (this.#first) return;
    const others = [...this.#open].filter((other) => other !== one && other.terminal?.ended === false);
    const done = (): void => {
      clearTimeout(timer);
      this.#first = null;
      for (const other of others) other.terminal?.holdBack(this, false);
      this.#floodTurns.answered();
    };
    const timer = setTimeout(done, TYPED_FIRST_MS);
    this.#first = { one, done };
    for (const other of others) other.terminal?.holdBack(this, true);
  }

  #gone(client: Client): void {
    this.#clients.delete(client);
    for (const one of this.#open) {
      if (one.client !== client) continue;
      one.client = null;
      if (one.keep && !this.#closing) this.#bequeath(one);
      else this.#giveUp(one);
    }
  }

  /** A paused terminal is resumed first: the shell that holds it has to print its mark before it ends. */
  #kill({ terminal }: Open, graceMs: number): void {
    if (terminal === null) return;
    this.#floodTurns.left(terminal);
    void terminal.kill(graceMs);
  }

  /** It is no longer needed. */
  #giveUp(one: Open): void {
    one.keep = false;
    if (one.exit) this.#open.delete(one);
    else {
      one.killed = ORPHAN_GRACE_MS;
      this.#kill(one, ORPHAN_GRACE_MS);
    }
  }

  /** A request for a terminal is always answered; other messages that do not fit the schema are dropped. */
  #refuse(client: Client, raw: unknown, why: string): void {
    const request = z.object({ kind: z.literal('create'), id: z.string() }).safeParse(raw);
    const error = appError('input.invalid', `The terminal host cannot read this request: ${why}`);
    if (request.success) client.post({ kind: 'refused', id: request.data.id, error });
  }
}
