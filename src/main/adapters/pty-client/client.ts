import { type AppError, appError } from '@contract/errors';
import {
  type FromPtyHost,
  fromPtyHostSchema,
  type KeptTerminal,
  type OutputLength,
  type TerminalExit,
  type TerminalSpec,
  type ToPtyHost,
} from '@contract/terminal/host';
import { NEW_TERMINAL_MS, TERMINAL_LOST_MS, UNCLAIMED_GRACE_MS } from '../../limits/core';
import { sessionEnded } from './session-ended';

/** One connection to a terminal process. */
export interface PtyChannel {
  post(message: ToPtyHost): void;
  onMessage(listener: (raw: unknown) => void): void;
  /** Called once, when nothing more will come. */
  onClose(listener: () => void): void;
}

type Printed = Extract<FromPtyHost, { kind: 'printed' }>['outputs'][number];

/** How a terminal went: `lost` when the terminal process died under it. */
export type TerminalEnd =
  | { readonly kind: 'exited'; readonly exit: TerminalExit }
  | { readonly kind: 'refused'; readonly error: AppError }
  | { readonly kind: 'lost' };

/** The size of a terminal from when it had printed so many bytes. */
export interface TerminalSize {
  readonly bytes: number;
  readonly cols: number;
  readonly rows: number;
}

export interface TerminalListener {
  created?(pid: number): void;
  /** Bytes in the output file. */
  printed?(bytes: number): void;
  /** It has this size from here on. */
  resized?(size: TerminalSize): void;
  /** Once, and nothing after it. */
  ended(end: TerminalEnd): void;
}

export interface TerminalHandle {
  write(data: string): void;
  resize(cols: number, rows: number): void;
  kill(graceMs: number): void;
  /** How it ended is known for good: a terminal process that keeps it may forget it. */
  taken(): void;
}

/** Hears of every terminal by its output, whichever client uses it. */
export interface TerminalWatcher {
  opened(outputPath: string): void;
  /** The output had these lengths at these times, the earliest first. */
  printed(outputPath: string, lengths: readonly OutputLength[]): void;
  /** What was printed before this place is not kept any more. */
  evicted(outputPath: string, before: number): void;
  ended(outputPath: string): void;
}

interface OpenTerminal {
  /** Null while no one has taken up a kept one again. */
  listener: TerminalListener | null;
  /** Someone takes up a kept one by itself, and may have to read its past before. */
  claimed: boolean;
  readonly outputPath: string;
  readonly kept: KeptTerminal | null;
  /** The leader of its session of processes, once it is known. */
  pid: number | null;
  /** How much it has printed. */
  bytes: number;
  /** How a kept one ended before anyone took it up. */
  exit: TerminalExit | null;
  /** The last that a kept one was given before anyone took it up. */
  size: TerminalSize | null;
}

/** The user's side of the terminal process. It outlives the connection: `connect` gives it the next one. */
export class PtyClient {
  readonly #open = new Map<string, OpenTerminal>();
  readonly #waiting = new Set<() => void>();
  readonly #watchers = new Set<TerminalWatcher>();
  readonly #greetings = new Set<() => void>();
  #channel: PtyChannel | null = null;
  /** The terminal process has told what it kept. */
  #greeted = false;
  #isStray: (kept: KeptTerminal) => boolean = () => false;
  #claim: (kept: KeptTerminal) => boolean = () => false;
  /** Dead terminal processes whose programs are still being ended. */
  #ending = 0;
  #hostPid: number | null = null;
  #terminalBytes: number | null = null;

  constructor(private readonly waitMs = NEW_TERMINAL_MS) {}

  connect(channel: PtyChannel): void {
    if (this.#channel) this.#lose(this.#channel);
    this.#channel = channel;
    this.#greeted = false;
    channel.onMessage((raw) => {
      const parsed = fromPtyHostSchema.safeParse(raw);
      if (parsed.success && this.#channel === channel) this.#receive(parsed.data);
    });
    channel.onClose(() => this.#lose(channel));
    this.#tellLimits();
    this.#release();
  }

  /** The terminal process, where it has told of itself. */
  get hostPid(): number | null {
    return this.#hostPid;
  }

  /**
   * `take` says of each kept terminal that it is told of whether it takes that up by itself, which it then does with
   * `reattach`; it is no stray.
   */
  claim(take: (kept: KeptTerminal) => boolean): void {
    this.#claim = take;
  }

  /** From now on; the result ends it. */
  watch(watcher: TerminalWatcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** How many bytes of its output each terminal keeps, those that are open included. */
  setLimit(terminalBytes: number): void {
    this.#terminalBytes = terminalBytes;
    this.#tellLimits();
  }

  /** Whether the terminal process has told what it kept, or does so within this time. */
  async greeted(withinMs: number): Promise<boolean> {
    if (this.#greeted) return true;
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#greetings.delete(settle);
        resolve(this.#greeted);
      };
      const timer = setTimeout(settle, withinMs);
      this.#greetings.add(settle);
    });
  }

  /** Ends those of the kept terminals that no one has taken up: now, and when more of them are told of later. */
  endStrays(isStray: (kept: KeptTerminal) => boolean): void {
    this.#isStray = isStray;
    for (const kept of this.kept()) if (!this.#open.get(kept.id)?.claimed) this.#endStray(kept);
  }

  /** The terminals marked `keep` that an earlier core left and no one has resumed. */
  kept(): KeptTerminal[] {
    return [...this.#open.values()].flatMap(({ kept, listener, bytes, exit }) => {
      if (!kept || listener) return [];
      const offset = kept.offset + bytes - kept.bytes;
      return [{ ...kept, bytes, offset, ended: kept.ended || exit !== null }];
    });
  }

  /**
   * Takes up a kept terminal again; null where there is none of this name. What it has printed is in its output; from
   * now on the listener hears of it, also where it has ended meanwhile.
   */
  reattach(id: string, listener: TerminalListener): TerminalHandle | null {
    const one = this.#open.get(id);
    if (!one?.kept || one.listener) return null;
    one.listener = listener;
    const { exit, kept } = one;
    queueMicrotask(() => {
      listener.created?.(kept.pid);
      if (one.size) listener.resized?.(one.size);
      listener.printed?.(one.bytes);
      if (exit) this.#over(id, { kind: 'exited', exit });
    });
    return this.#handle(id);
  }

  /** `id` is unique among the terminals of this client. */
  open(id: string, spec: TerminalSpec, listener: TerminalListener): TerminalHandle {
    const cancelWait = this.#whenConnected(
      () => {
        const { outputPath } = spec;
        const fresh = { kept: null, claimed: false, pid: null, bytes: 0, exit: null, size: null };
        this.#open.set(id, { listener, outputPath, ...fresh });
        this.#post({ kind: 'create', id, spec });
      },
      (error) => listener.ended({ kind: 'refused', error }),
    );
    const handle = this.#handle(id);
    return {
      ...handle,
      kill: (graceMs) => {
        cancelWait();
        handle.kill(graceMs);
      },
    };
  }

  /** Whether there is a terminal process, or comes one within this time. */
  async connected(withinMs: number): Promise<boolean> {
    if (this.#channel) return true;
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(go);
        resolve(this.#channel !== null);
      };
      const timer = setTimeout(go, withinMs);
      this.#waiting.add(go);
    });
  }

  /** The output files of the terminals that are open. */
  openOutputs(): ReadonlySet<string> {
    return new Set([...this.#open.values()].flatMap((one) => (one.exit ? [] : [one.outputPath])));
  }

  #handle(id: string): TerminalHandle {
    return {
      write: (data) => this.#toOpen(id, { kind: 'write', id, data }),
      resize: (cols, rows) => this.#toOpen(id, { kind: 'resize', id, cols, rows }),
      kill: (graceMs) => this.#toOpen(id, { kind: 'kill', id, graceMs }),
      taken: () => this.#post({ kind: 'taken', id }),
    };
  }

  #endStray(kept: KeptTerminal): void {
    if (!this.#isStray(kept)) return;
    const handle = this.reattach(kept.id, { ended: () => handle?.taken() });
    handle?.kill(UNCLAIMED_GRACE_MS);
  }

  #tellLimits(): void {
    if (this.#terminalBytes !== null) this.#post({ kind: 'limits', terminalBytes: this.#terminalBytes });
  }

  /** Runs now or when there is a connection and nothing of an earlier one is left; the result gives up the wait. */
  #whenConnected(run: () => void, giveUp: (error: AppError) => void): () => void {
    if (this.#channel && this.#ending === 0) {
      run();
      return () => undefined;
    }
    const settle = (then: () => void) => (): void => {
      clearTimeout(timer);
      if (this.#waiting.delete(go)) then();
    };
    const go = settle(run);
    const noHost = appError('unavailable', 'The terminal host is not running.', {
      mend: 'Wait until it has restarted, or restart Muster.',
    });
    const timer = setTimeout(
      settle(() => giveUp(noHost)),
      this.waitMs,
    );
    this.#waiting.add(go);
    return settle(() => giveUp(appError('cancelled', 'It was ended before it started.')));
  }

  #toOpen(id: string, message: ToPtyHost): void {
    if (this.#open.has(id)) this.#post(message);
  }

  #post(message: ToPtyHost): void {
    this.#channel?.post(message);
  }

  #receive(message: FromPtyHost): void {
    if (message.kind === 'hello') {
      this.#hostPid = message.pid;
      for (const kept of message.open) this.#adopt(kept);
      this.#greeted = true;
      for (const settle of [...this.#greetings]) settle();
      return;
    }
    if (message.kind === 'printed') {
      for (const output of message.outputs) this.#grown(output);
      return;
    }
    const one = this.#open.get(message.id);
    if (!one) return;
    const { listener, outputPath } = one;
    switch (message.kind) {
      case 'created':
        one.pid = message.pid;
        listener?.created?.(message.pid);
        return this.#tell((watcher) => watcher.opened(outputPath));
      case 'resized':
        if (!listener) one.size = message;
        return listener?.resized?.(message);
      case 'evicted':
        return this.#tell((watcher) => watcher.evicted(outputPath, message.before));
      case 'refused':
        return this.#over(message.id, { kind: 'refused', error: message.error });
      case 'exited':
        if (listener) return this.#over(message.id, message);
        // It waits to be taken up, so that the client that does so hears how it ended.
        one.exit = message.exit;
    }
  }

  #grown({ id, bytes, lengths }: Printed): void {
    const one = this.#open.get(id);
    if (!one) return;
    one.bytes = bytes;
    one.listener?.printed?.(bytes);
    this.#tell((watcher) => watcher.printed(one.outputPath, lengths));
  }

  #adopt(kept: KeptTerminal): void {
    const one: OpenTerminal = {
      listener: null,
      claimed: false,
      outputPath: kept.outputPath,
      kept,
      pid: kept.ended ? null : kept.pid,
      bytes: kept.bytes,
      exit: null,
      size: null,
    };
    this.#open.set(kept.id, one);
    this.#tell((watcher) => watcher.opened(kept.outputPath));
    one.claimed = this.#claim(kept);
    if (!one.claimed) this.#endStray(kept);
  }

  #over(id: string, end: TerminalEnd): void {
    const one = this.#open.get(id);
    if (!one) return;
    this.#open.delete(id);
    this.#tell((watcher) => watcher.ended(one.outputPath));
    one.listener?.ended(end);
  }

  #tell(say: (watcher: TerminalWatcher) => void): void {
    for (const watcher of this.#watchers) say(watcher);
  }

  #lose(channel: PtyChannel): void {
    if (this.#channel !== channel) return;
    this.#channel = null;
    this.#greeted = false;
    const pids = [...this.#open.values()].flatMap(({ pid, exit }) =>
      pid === null || exit !== null ? [] : [pid],
    );
    if (pids.length > 0) this.#awaitEnds(pids);
    for (const id of [...this.#open.keys()]) this.#over(id, { kind: 'lost' });
  }

  /**
   * What ran in the terminals of a dead terminal process is ended by its guard. Nothing new begins before that: the
   * same command or conversation would continue twice.
   */
  #awaitEnds(pids: readonly number[]): void {
    this.#ending += 1;
    void Promise.all(pids.map((pid) => sessionEnded(pid, TERMINAL_LOST_MS))).then(() => {
      this.#ending -= 1;
      this.#release();
    });
  }

  /** Lets go what waits for a terminal process that can begin something new. */
  #release(): void {
    if (this.#channel && this.#ending === 0) for (const go of [...this.#waiting]) go();
  }
}
