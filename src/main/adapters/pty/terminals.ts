import { appError } from '@contract/errors';
import { TERMINAL_BYTES } from '@contract/terminal/files';
import {
  type FromPtyHost,
  type TerminalExit,
  type ToPtyHost,
  toPtyHostSchema,
} from '@contract/terminal/host';
import { z } from 'zod';
import { Guard } from './guard';
import { endOrphans, hostMark } from './orphans';
import { Snapshots } from './snapshot';
import { Terminal } from './terminal';
import { TerminalView, type ViewPort } from './view';

/** How long a command may take to end when its client is gone. */
const ORPHAN_GRACE_MS = 2000;

/** How long the others are not read from when the operator types, unless the answer comes sooner. */
const FIRST_SERVED_MS = 10;

/** How often a client is told how much was printed. */
const PRINTED_MS = 50;

interface Open {
  readonly id: string;
  readonly keep: boolean;
  readonly outputPath: string;
  client: Client | null;
  terminal: Terminal | null;
  /** A kept one ended while nobody was there to be told. */
  exit: TerminalExit | null;
  /** A kill that came before the terminal was open. */
  killed: number | null;
}

interface Client {
  post(message: FromPtyHost): void;
}

/** All terminals of this process, and the clients that use them. */
export class Terminals {
  readonly #mark: string;
  readonly #guard: Guard;
  readonly #open = new Set<Open>();
  readonly #views = new Map<TerminalView, string>();
  readonly #snapshots: Snapshots;
  #count = 0;
  #closing = false;
  #limit = TERMINAL_BYTES;
  /** Who is answered before anything else is read, and what ends that. */
  #first: { readonly one: Open; readonly done: () => void } | null = null;

  /** `snapshotThread` is the program that draws the past of terminals. */
  constructor(dataDir: string, snapshotThread: URL) {
    this.#snapshots = new Snapshots(snapshotThread);
    endOrphans(dataDir);
    this.#mark = hostMark(dataDir);
    this.#guard = new Guard(`${this.#mark}/`);
  }

  /** A new client: it is told of the kept terminals that have none, and has them from now on. */
  connect(client: Client): { message(raw: unknown): void; gone(): void } {
    const adopted = [...this.#open].filter((one) => one.client === null && one.keep && one.terminal !== null);
    for (const one of adopted) one.client = client;
    const open = adopted.map(({ id, outputPath, terminal }) => ({
      ...{ id, outputPath, pid: terminal?.pid ?? 0 },
      ...{ bytes: terminal?.bytes ?? 0, offset: terminal?.offset ?? 0 },
    }));
    client.post({ kind: 'hello', pid: process.pid, open });
    for (const one of adopted) if (one.exit) this.#tellExit(one, one.exit);
    return {
      message: (raw) => {
        const parsed = toPtyHostSchema.safeParse(raw);
        if (parsed.success) this.#handle(client, parsed.data);
        else this.#refuse(client, raw, parsed.error.message);
      },
      gone: () => this.#gone(client),
    };
  }

  /** Shows a terminal by its output: live where it is open, else what its file holds. */
  show(outputPath: string, port: ViewPort): void {
    const one = this.#shownAt(outputPath);
    const terminal = one?.terminal ?? null;
    const typed = (): void => this.#serveFirst(outputPath);
    const view = new TerminalView({ outputPath, terminal, snapshots: this.#snapshots, port, typed });
    this.#views.set(view, outputPath);
    port.onClose(() => this.#views.delete(view));
  }

  /** Ends every terminal; then there is nothing left for the guard to end. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    const all = [...this.#open];
    await Promise.all(all.map((one) => one.terminal?.kill(graceMs)));
    await Promise.all(all.map((one) => one.terminal?.done));
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
    // It ended while the message was under way.
    if (!one || one.exit) return;
    if (message.kind === 'kill') {
      one.killed = message.graceMs;
      void one.terminal?.kill(message.graceMs);
    } else if (message.kind === 'write') one.terminal?.write(message.data);
    else one.terminal?.resize(message.cols, message.rows);
  }

  async #create(client: Client, { id, spec }: Extract<ToPtyHost, { kind: 'create' }>): Promise<void> {
    const refuse = (message: string): void =>
      client.post({ kind: 'refused', id, error: appError('conflict', message) });
    if (this.#closing) return refuse('The terminal host is going.');
    if ([...this.#open].some((one) => one.id === id && one.client === client))
      return refuse(`There is a terminal ${id} already.`);
    const one: Open = {
      id,
      keep: spec.keep,
      outputPath: spec.outputPath,
      client,
      terminal: null,
      exit: null,
      killed: null,
    };
    this.#open.add(one);
    this.#count += 1;
    const mark = `${this.#mark}/${this.#count}`;
    const tell = calmed((bytes, offset, at) => one.client?.post({ kind: 'printed', id, bytes, offset, at }));
    const opened = await Terminal.open({
      ...{ spec, mark, limit: () => this.#limit },
      onPrinted: (bytes) => {
        tell(bytes, one.terminal?.offset ?? bytes);
        if (this.#first?.one === one) this.#first.done();
      },
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
    this.#snapshots.warm();
    one.terminal = terminal;
    for (const [view, outputPath] of this.#views) if (outputPath === one.outputPath) view.adopt(terminal);
    one.client?.post({ kind: 'created', id: one.id, pid: terminal.pid });
    if (one.killed !== null) void terminal.kill(one.killed);
    const exit = await terminal.done;
    this.#guard.remove(terminal.pid);
    if (one.client || !one.keep) this.#tellExit(one, exit);
    else one.exit = exit;
  }

  #tellExit(one: Open, exit: TerminalExit): void {
    this.#open.delete(one);
    one.client?.post({ kind: 'exited', id: one.id, exit });
  }

  /** An ended one that waits to be told is shown from its file, as all that have ended. */
  #shownAt(outputPath: string): Open | undefined {
    return [...this.#open].find((open) => open.outputPath === outputPath && open.exit === null);
  }

  /**
   * What the operator types is answered before more is read of what other terminals print: else each of them comes
   * first by what the system has gathered for us, and twenty floods make typing slow.
   */
  #serveFirst(outputPath: string): void {
    const one = this.#shownAt(outputPath);
    if (!one || this.#first || this.#open.size < 2) return;
    const others = [...this.#open].filter((other) => other !== one && other.terminal?.ended === false);
    const done = (): void => {
      clearTimeout(timer);
      this.#first = null;
      for (const other of others) other.terminal?.holdBack(this, false);
    };
    const timer = setTimeout(done, FIRST_SERVED_MS);
    this.#first = { one, done };
    for (const other of others) other.terminal?.holdBack(this, true);
  }

  #gone(client: Client): void {
    for (const one of this.#open) {
      if (one.client !== client) continue;
      one.client = null;
      if (one.keep && !this.#closing) continue;
      one.killed = ORPHAN_GRACE_MS;
      void one.terminal?.kill(ORPHAN_GRACE_MS);
    }
  }

  /** A request for a terminal is always answered; another message that does not fit the schema is dropped. */
  #refuse(client: Client, raw: unknown, why: string): void {
    const asked = z.object({ kind: z.literal('create'), id: z.string() }).safeParse(raw);
    const error = appError('input.invalid', `The terminal host cannot read this request: ${why}`);
    if (asked.success) client.post({ kind: 'refused', id: asked.data.id, error });
  }
}

/** Calls with the last value only, and seldom enough for a flood. */
function calmed(
  tell: (bytes: number, offset: number, at: number) => void,
): (bytes: number, offset: number) => void {
  let last = { bytes: 0, offset: 0, at: 0 };
  let waits = false;
  return (bytes, offset) => {
    last = { bytes, offset, at: Date.now() };
    if (waits) return;
    waits = true;
    setTimeout(() => {
      waits = false;
      tell(last.bytes, last.offset, last.at);
    }, PRINTED_MS);
  };
}
