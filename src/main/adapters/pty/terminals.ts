import { appError } from '@contract/errors';
import { type FromPtyHost, type ToPtyHost, toPtyHostSchema } from '@contract/terminal/host';
import { z } from 'zod';
import { Guard } from './guard';
import { endOrphans, hostMark } from './orphans';
import { Snapshots } from './snapshot';
import { Terminal } from './terminal';
import { TerminalView, type ViewPort } from './view';

/** How long a command may take to end when its client is gone. */
const ORPHAN_GRACE_MS = 2000;

/** How often a client is told how much was printed. */
const PRINTED_MS = 50;

interface Open {
  readonly id: string;
  readonly keep: boolean;
  readonly outputPath: string;
  client: Client | null;
  terminal: Terminal | null;
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
    const open = adopted.map((one) => ({
      id: one.id,
      pid: one.terminal?.pid ?? 0,
      outputPath: one.outputPath,
    }));
    client.post({ kind: 'hello', pid: process.pid, open });
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
    const one = [...this.#open].find((open) => open.outputPath === outputPath);
    const terminal = one?.terminal ?? null;
    const view = new TerminalView({ outputPath, terminal, snapshots: this.#snapshots, port });
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
    const one = [...this.#open].find((open) => open.id === message.id && open.client === client);
    // It ended while the message was under way.
    if (!one) return;
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
      killed: null,
    };
    this.#open.add(one);
    this.#count += 1;
    const mark = `${this.#mark}/${this.#count}`;
    const onPrinted = calmed((bytes) => one.client?.post({ kind: 'printed', id, bytes }));
    const opened = await Terminal.open({ spec, mark, onPrinted });
    if (!opened.ok) {
      this.#open.delete(one);
      one.client?.post({ kind: 'refused', id, error: opened.error });
      return;
    }
    await this.#live(one, opened.value);
  }

  async #live(one: Open, terminal: Terminal): Promise<void> {
    this.#guard.add(terminal.pid);
    one.terminal = terminal;
    for (const [view, outputPath] of this.#views) if (outputPath === one.outputPath) view.adopt(terminal);
    one.client?.post({ kind: 'created', id: one.id, pid: terminal.pid });
    if (one.killed !== null) void terminal.kill(one.killed);
    const exit = await terminal.done;
    this.#guard.remove(terminal.pid);
    this.#open.delete(one);
    one.client?.post({ kind: 'exited', id: one.id, exit });
  }

  #gone(client: Client): void {
    for (const one of this.#open) {
      if (one.client !== client) continue;
      one.client = null;
      if (one.keep) continue;
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
function calmed(tell: (bytes: number) => void): (bytes: number) => void {
  let last = 0;
  let waits = false;
  return (bytes) => {
    last = bytes;
    if (waits) return;
    waits = true;
    setTimeout(() => {
      waits = false;
      tell(last);
    }, PRINTED_MS);
  };
}
