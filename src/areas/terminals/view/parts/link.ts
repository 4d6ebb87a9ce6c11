import type { AppError } from '@contract/errors';
import { Cell } from '@renderer/client/store';
import { openTerminal, type TerminalLine, type TerminalTarget } from '@renderer/client/terminal';
import { HELD_LABEL_MS, LONGEST_TERMINAL_RETRY_MS, TERMINAL_RETRY_MS } from '@renderer/limits';
import type { FedScreen, TerminalFeed } from '@renderer/ui/terminal/terminal';
import type { FromTerminal } from '../../contract/view';

export interface LinkState {
  readonly status: 'opening' | 'live' | 'ended' | 'lost';
  /**
   * Why the program is paused: until the screen has drawn its output, or until its turn among other flooding
   * programs.
   */
  readonly held: 'screen' | 'turn' | null;
  /** Bytes at the beginning that are only in the file. */
  readonly leftOut: number;
  /** Bytes at the beginning that were dropped. */
  readonly evicted: number;
  readonly exit: { readonly code: number | null; readonly signal: number | null } | null;
  readonly error: AppError | null;
  /** The folder in which the program was started. */
  readonly cwd: string | null;
  /** The connection was lost and is restored. */
  readonly back: Back | null;
}

export interface Back {
  readonly cutAt: number;
  /** The program is still running: its terminal was only disconnected. */
  readonly lives: boolean;
}

const opening: LinkState = {
  status: 'opening',
  held: null,
  leftOut: 0,
  evicted: 0,
  exit: null,
  error: null,
  cwd: null,
  back: null,
};
const MOST_MISSED = 5;

/**
 * One terminal on the screen: draws its output, and acknowledges it. While the window is hidden it is
 * disconnected, because it would slow the program for nothing. A lost connection is restored automatically
 * while the screen exists.
 */
export class TerminalLink implements TerminalFeed {
  readonly state = new Cell<LinkState>(opening);
  #line: TerminalLine | null = null;
  #screen: FedScreen | null = null;
  /** The next expected offset in bytes of the output: any other would mean a gap or a repetition. */
  #offset = 0;
  #heldWord: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #retryMs = TERMINAL_RETRY_MS;
  #missed = 0;
  /** When the connection to a live program was lost. */
  #cutAt: number | null = null;

  constructor(private readonly target: TerminalTarget) {}

  begin(screen: FedScreen): void {
    this.#screen = screen;
    document.addEventListener('visibilitychange', this.#lookAgain);
    if (!document.hidden) this.#open(screen);
  }

  /** Reconnects now. */
  reopen(): void {
    this.#retryMs = TERMINAL_RETRY_MS;
    this.#missed = 0;
    this.#hangUp();
    if (this.#screen && !document.hidden) this.#open(this.#screen);
  }

  readonly #lookAgain = (): void => {
    const screen = this.#screen;
    if (document.hidden) this.#hangUp();
    else if (screen && this.#line === null) this.#open(screen);
  };

  #open(screen: FedScreen): void {
    clearTimeout(this.#retry);
    if (this.#cutAt === null) this.state.update(({ back }) => ({ ...opening, back }));
    const line = openTerminal(this.target, {
      // Messages of an earlier connection are ignored.
      message: (message) => this.#line === line && this.#receive(message, screen),
      lost: (error) => this.#line === line && this.#lost(error),
    });
    this.#line = line;
    line.post({ kind: 'show', ...screen.size });
  }

  input(data: string): void {
    this.#line?.post({ kind: 'input', data });
  }

  resize(size: { cols: number; rows: number }): void {
    if (size.cols >= 2 && size.rows >= 2) this.#line?.post({ kind: 'resize', ...size });
  }

  end(): void {
    document.removeEventListener('visibilitychange', this.#lookAgain);
    this.#hangUp();
    this.#screen = null;
  }

  #hangUp(): void {
    clearTimeout(this.#heldWord);
    clearTimeout(this.#retry);
    this.#line?.close();
    this.#line = null;
  }

  #receive(message: FromTerminal, screen: FedScreen): void {
    if (this.#screen !== screen) return;
    switch (message.kind) {
      case 'past':
        return screen.past(message);
      case 'snapshot':
        return this.#restore(message, screen);
      case 'bytes':
        return this.#draw(message, screen);
      case 'held':
        return this.#hold(message.on ? message.by : null);
      case 'evicted':
        return this.state.update((last) => ({ ...last, evicted: message.before }));
      case 'ended':
        screen.setEnded(true);
        return this.state.update((last) => ({
          ...last,
          status: 'ended',
          held: null,
          exit: { code: message.exitCode, signal: message.signal },
        }));
      case 'live':
        screen.setEnded(false);
        return this.state.update((last) => ({ ...last, status: 'live', exit: null }));
      case 'failed':
        return this.state.update((last) => ({ ...last, status: 'live', error: message.error }));
    }
  }

  #restore(message: Extract<FromTerminal, { kind: 'snapshot' }>, screen: FedScreen): void {
    const { offset, live, evicted, from, cwd } = message;
    this.#offset = offset;
    this.#retryMs = TERMINAL_RETRY_MS;
    const cutAt = this.#cutAt;
    this.#cutAt = null;
    screen.setEnded(!live);
    screen.restore(message.text, message.commands, () => {
      const waits = ({ status }: LinkState): boolean => status === 'opening' || status === 'lost';
      this.state.update((last) => ({
        ...last,
        leftOut: from - evicted,
        evicted,
        cwd,
        error: null,
        status: waits(last) ? (live ? 'live' : 'ended') : last.status,
        back: cutAt === null ? last.back : { cutAt, lives: live },
      }));
    });
  }

  #hold(held: LinkState['held']): void {
    clearTimeout(this.#heldWord);
    // A program waiting for its turn also waits for the screen in its turn: that is not worth a message.
    const next = held === 'screen' ? (this.state.get().held ?? held) : held;
    const tell = (): void =>
      this.state.update((last) => (last.held === next ? last : { ...last, held: next }));
    if (held !== null) tell();
    else this.#heldWord = setTimeout(tell, HELD_LABEL_MS);
  }

  #draw({ offset, data }: Extract<FromTerminal, { kind: 'bytes' }>, screen: FedScreen): void {
    if (offset !== this.#offset && this.state.get().error === null)
      console.error(`a terminal’s bytes come at ${offset}, expected ${this.#offset}`);
    this.#offset = offset + data.length;
    const line = this.#line;
    screen.write(data, () => line?.post({ kind: 'ack', bytes: data.length }));
  }

  #lost(error: AppError): void {
    this.#line = null;
    const { status } = this.state.get();
    // The connection of an ended terminal may close.
    if (status === 'ended') return;
    this.#screen?.setEnded(true);
    if (status === 'live') this.#cutAt = Date.now();
    this.state.update((last) => ({ ...last, status: 'lost', held: null, error }));
    // A command is reported as running a moment before its terminal exists; but a command whose file is gone
    // stays so.
    this.#missed = error.code === 'not_found' ? this.#missed + 1 : 0;
    if (this.#missed > MOST_MISSED) return;
    this.#retry = setTimeout(
      () => this.#screen && !document.hidden && this.#open(this.#screen),
      this.#retryMs,
    );
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_TERMINAL_RETRY_MS);
  }
}
