import {
  type FromPtyHost,
  fromPtyHostSchema,
  type KeptTerminal,
  type TerminalExit,
  type TerminalSpec,
  type ToPtyHost,
} from '@areas/terminals/contract/host';
import { type AppError, appError } from '@contract/errors';
import { NEW_TERMINAL_MS, TERMINAL_LOST_MS, UNCLAIMED_GRACE_MS } from '../../limits/core';
import { sessionEnded } from './session-ended';

/** One connection to a terminal process. */
export interface PtyChannel {
  post(message: ToPtyHost): void;
  onMessage(listener: (raw: unknown) => void): void;
  /** Called once, when no more messages will come. */
  onClose(listener: () => void): void;
}

type Printed = Extract<FromPtyHost, { kind: 'printed' }>['outputs'][number];

/** How a terminal ended: `lost` if the terminal process died. */
export type TerminalEnd =
  | { readonly kind: 'exited'; readonly exit: TerminalExit }
  | { readonly kind: 'refused'; readonly error: AppError }
  | { readonly kind: 'lost' };

/** A terminal's size from this output offset on. */
export interface TerminalSize {
  readonly bytes: number;
  readonly cols: number;
  readonly rows: number;
}

export interface TerminalListener {
  created?(pid: number): void;
  /** Number of bytes in the output file. */
  printed?(bytes: number): void;
  /** The size from here on. */
  resized?(size: TerminalSize): void;
  /** Called once, as the last event. */
  ended(end: TerminalEnd): void;
}

export interface TerminalHandle {
  write(data: string): void;
  kill(graceMs: number): void;
  /** Resolves when these values are removed from the output, or when the terminal has ended. */
  conceal(values: readonly string[]): Promise<void>;
  /** Its end is recorded: a terminal process that keeps it may forget it. */
  taken(): void;
}

/** Observes every terminal by its output file, whichever client uses it. */
interface TerminalWatcher {
  opened(outputPath: string): void;
  /** The end of its output. */
  printed(outputPath: string, offset: number): void;
  /** Output before this offset was dropped. */
  evicted(outputPath: string, before: number): void;
  ended(outputPath: string): void;
}

interface OpenTerminal {
  /** Null until a client takes a kept terminal over. */
  listener: TerminalListener | null;
  /** Another component takes a kept terminal over itself, possibly after reading its past. */
  claimed: boolean;
  readonly outputPath: string;
  readonly kept: KeptTerminal | null;
  /** The leader of its process session, once known. */
  pid: number | null;
  /** Number of bytes printed. */
  bytes: number;
  /** How a kept terminal ended before it was taken over. */
  exit: TerminalExit | null;
  /** The last size of a kept terminal before it was taken over. */
  size: TerminalSize | null;
  /** Waiting for the terminal process to conceal values, in order. */
  readonly concealing: (() => void)[];
}

/** The client side of the terminal process. It survives the connection: `connect` sets the next one. */
export class PtyClient {
  readonly #open = new Map<string, OpenTerminal>();
  readonly #waiting = new Set<() => void>();
  readonly #watchers = new Set<TerminalWatcher>();
  readonly #greetings = new Set<() => void>();
  #channel: PtyChannel | null = null;
  /** The terminal process has reported its kept terminals. */
  #greeted = false;
  #isStray: (kept: KeptTerminal) => boolean = () => false;
  #claim: (kept: KeptTerminal) => boolean = () => false;
  /** Number of dead terminal processes whose programs are still being ended. */
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

  /** The terminal process's id, once reported. */
  get hostPid(): number | null {
    return this.#hostPid;
  }

  /**
   * `take` decides for each reported kept terminal whether the caller takes it over itself with `reattach`;
   * then it is no stray.
   */
  claim(take: (kept: KeptTerminal) => boolean): void {
    this.#claim = take;
  }

  /** Starts now; the result stops it. */
  watch(watcher: TerminalWatcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Maximum bytes of output kept per terminal, including open ones. */
  setLimit(terminalBytes: number): void {
    this.#terminalBytes = terminalBytes;
    this.#tellLimits();
  }

  /** Whether the terminal process has reported its kept terminals, or does so within this time. */
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

  /** Ends kept terminals that no one has taken over: now, and when more are reported later. */
  endStrays(isStray: (kept: KeptTerminal) => boolean): void {
    this.#isStray = isStray;
    for (const terminal of this.kept()) if (!this.#open.get(terminal.id)?.claimed) this.#endStray(terminal);
  }

  /** Kept terminals of an earlier core that no one has taken over. */
  kept(): KeptTerminal[] {
    return [...this.#open.values()].flatMap(({ kept, listener, bytes, exit }) => {
      if (!kept || listener) return [];
      const offset = kept.offset + bytes - kept.bytes;
      return [{ ...kept, bytes, offset, ended: kept.ended || exit !== null }];
    });
  }

  /**
   * Takes a kept terminal over; null if there is none with this name. Its earlier output is in its file; from
   * now on the listener receives events, even if it has ended meanwhile.
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

  /** `id` is unique among this client's terminals. */
  open(id: string, spec: TerminalSpec, listener: TerminalListener): TerminalHandle {
    const cancelWait = this.#whenConnected(
      () => {
        const { outputPath } = spec;
        const fresh = {
          kept: null,
          claimed: false,
          pid: null,
          bytes: 0,
          exit: null,
          size: null,
          concealing: [],
        };
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

  /** Whether there is a terminal process, or one appears within this time. */
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

  /** Output files of the open terminals. */
  openOutputs(): ReadonlySet<string> {
    return new Set([...this.#open.values()].flatMap((one) => (one.exit ? [] : [one.outputPath])));
  }

  #handle(id: string): TerminalHandle {
    return {
      write: (data) => this.#toOpen(id, { kind: 'write', id, data }),
      kill: (graceMs) => this.#toOpen(id, { kind: 'kill', id, graceMs }),
      conceal: (values) =>
        new Promise((resolve) => {
          const one = this.#open.get(id);
          if (one === undefined || one.exit !== null || values.length === 0) return resolve();
          one.concealing.push(resolve);
          this.#post({ kind: 'conceal', id, values: [...values] });
        }),
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

  /**
   * Runs now, or when there is a connection and nothing of an earlier one is left; the result cancels the
   * wait.
   */
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
      for (const terminal of message.open) this.#adopt(terminal);
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
      case 'concealed':
        return one.concealing.shift()?.();
      case 'refused':
        return this.#over(message.id, { kind: 'refused', error: message.error });
      case 'exited':
        if (listener) return this.#over(message.id, message);
        // It waits to be taken over, so that the new client learns how it ended.
        one.exit = message.exit;
        for (const done of one.concealing.splice(0)) done();
    }
  }

  #grown({ id, bytes, offset }: Printed): void {
    const one = this.#open.get(id);
    if (!one) return;
    one.bytes = bytes;
    one.listener?.printed?.(bytes);
    this.#tell((watcher) => watcher.printed(one.outputPath, offset));
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
      concealing: [],
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
    for (const done of one.concealing.splice(0)) done();
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
   * The guard ends the programs of a dead terminal process. Nothing new starts before that, since the same
   * command or conversation would run twice.
   */
  #awaitEnds(pids: readonly number[]): void {
    this.#ending += 1;
    void Promise.all(pids.map((pid) => sessionEnded(pid, TERMINAL_LOST_MS))).then(() => {
      this.#ending -= 1;
      this.#release();
    });
  }

  /** Starts what was waiting for a terminal process. */
  #release(): void {
    if (this.#channel && this.#ending === 0) for (const go of [...this.#waiting]) go();
  }
}
